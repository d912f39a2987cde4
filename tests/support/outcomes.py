"""What the accesses of a kernel come to whose file names things that no header declares."""

from __future__ import annotations

from pathlib import Path

from project import shared_headers

from coalint.core.facts.access import Access
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.machine.architecture import architecture


def check(folder: Path, source: str, **headers: str) -> FileResult:
    for name, text in headers.items():
        (folder / f"{name}.h").write_text(text)
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    return result


def accesses(result: FileResult) -> list[Access]:
    return [a for kernel in result.checked if kernel.analysis is not None for a in kernel.analysis.accesses]


def outcome(access: Access) -> str:
    """The stride in bytes where the access is known, else why it is not."""
    return access.stride if access.result.unknown is None else access.result.unknown


def outcomes(folder: Path, body: str, before: str = "", **headers: str) -> dict[str, str]:
    """What the accesses of a kernel's body come to, by their text."""
    head = "__global__ void k(float *out, const float *in, int n) { int t = threadIdx.x;"
    found = accesses(check(folder, f"{before}\n{head}\n{body}\n}}\n", **headers))
    return {access.expression: outcome(access) for access in found}


def missing(name: str) -> str:
    return f"`{name}` is not declared in any header found"
