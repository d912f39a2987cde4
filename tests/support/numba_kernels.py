"""Numba kernels of tests, from the source to their accesses and costs."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from coalint.core.facts.access import Access
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

HEADER = "import math\nimport numpy as np\nfrom numba import cuda, float32, int32\n"


def checked(folder: Path, source: str) -> FileResult:
    """Return what is made of a file of kernels."""
    file = folder / "kernels.py"
    file.write_text(HEADER + dedent(source), encoding="utf-8")
    return check_file(Source(str(file)), Job((), architecture("sm_90"), tuple(load_rules().rules), keep=True))


def accesses(result: FileResult) -> dict[str, tuple[Access, float | None]]:
    """Return the accesses by their text, with what they cost."""
    found: dict[str, tuple[Access, float | None]] = {}
    for kernel in result.checked:
        assert kernel.analysis is not None
        for access, cost in zip(kernel.analysis.accesses, kernel.traffics, strict=True):
            found[f"{access.op.value} {access.expression}"] = (access, None if cost is None else cost.count)
    return found


def costs(folder: Path, source: str) -> dict[str, float | None]:
    """Return what the accesses of a file without problems cost."""
    result = checked(folder, source)
    assert not result.problems
    assert not result.failures
    return {text: cost for text, (_, cost) in accesses(result).items()}
