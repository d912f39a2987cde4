"""Checks of one source text, with the analyses that they leave."""

from __future__ import annotations

from pathlib import Path

from project import shared_headers

from coalint.core.facts.access import Access
from coalint.core.facts.analysis import Analysis
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.machine.architecture import architecture


def check(folder: Path, source: str, *flags: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(
        Source(str(file), flags), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    assert not result.failures, result.failures
    return result


def analyses(folder: Path, source: str) -> list[Analysis]:
    return [kernel.analysis for kernel in check(folder, source).checked if kernel.analysis is not None]


def single(folder: Path, source: str) -> Access:
    (analysis,) = analyses(folder, source)
    (access,) = analysis.accesses
    return access
