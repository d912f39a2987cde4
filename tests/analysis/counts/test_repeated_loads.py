"""Loads from one address by several iterations of loops that nvcc copies to the end: made once.

The counts are those of the loads in the PTX that nvcc 13.0 makes of these bodies, for one warp.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from project import shared_headers

from coalint.core.facts.access import Access, Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

ALL = "\n#pragma unroll\n"
OUTER, INNER = "for (int i = 1; i < 9; i++)", "for (int j = -8; j <= 8; j++)"
BODIES: dict[str, list[tuple[int, bool]]] = {
    f"{ALL}{OUTER} {{ float sum = 0; {ALL}{INNER} sum += a[16 * i + j + t]; r[i + t] = sum; }}": [(129, False)],
    f"{ALL}{OUTER} {{ float sum = 0; {ALL}{INNER} sum += a[8 * i + j + t]; r[i + t] = sum; }}": [(73, False)],
    f"{ALL}{OUTER} {{ float sum = 0; {ALL}{INNER} sum += i * a[j + 8 + t]; r[i + t] = sum; }}": [(17, True)],
    f"{ALL}{OUTER} {{ float sum = 0; {ALL}{INNER} sum += a[j + 8 + t]; b[i + t] = sum; }}": [(136, True)],  # `a` is `b`
    f"{ALL}{OUTER} {{ float sum = 0; {ALL}{INNER} sum += a[17 * i + j + t]; r[i + t] = sum; }}": [(136, True)],
    f"{ALL}{OUTER} {{ float sum = 0; {ALL}{INNER} sum += i * a[n * j + t]; r[i + t] = sum; }}": [(17, True)],
    f"{OUTER} {{ float sum = 0; {INNER} sum += i * a[j + 8 + t]; r[i + t] = sum; }}": [(136, False)],
    f"{OUTER} {{ float sum = 0; {ALL}{INNER} sum += i * a[j + 8 + t]; r[i + t] = sum; }}": [(136, False)],
    f"float sum = 0; {ALL}{INNER} sum += a[j + 8 + t]; r[t] = sum;": [(17, True)],
    f"float sum = 0; {ALL}for (int j = 0; j < 12; j++) sum += j * a[j + t]; r[t] = sum;": [(12, True)],
}
"""What stands in a kernel, and of each of its loads the executions and whether that is exact."""


@pytest.fixture(scope="module")
def loads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Access]]:
    """The loads of each body."""
    path = tmp_path_factory.mktemp("repeated") / "k.cu"
    path.write_text("".join(_kernels()))
    checked = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    analyses = {kernel.analysis.kernel: kernel.analysis for kernel in checked.checked if kernel.analysis is not None}
    return {
        body: [access for access in analyses[f"k{number}"].accesses if access.op is Operation.LOAD]
        for number, body in enumerate(BODIES)
    }


def _kernels() -> Iterator[str]:
    for number, body in enumerate(BODIES):
        yield f"__global__ void k{number}(float *__restrict__ r, float *b, const float *a, int n) {{\n"
        yield f"    int t = threadIdx.x;\n    {body}\n}}\n"
    launches = " ".join(f"k{number}<<<1, 32>>>(r, b, a, n);" for number in range(len(BODIES)))
    yield f"void run(float *r, float *b, float *a, int n) {{ {launches} }}\n"


@pytest.mark.parametrize(("body", "expected"), BODIES.items())
def test_what_copies_share_is_loaded_once(
    body: str, expected: list[tuple[int, bool]], loads: dict[str, list[Access]]
) -> None:
    found = [access.executions for access in loads[body]]
    assert [(None if one is None else one.warps, one is not None and not one.assumed) for one in found] == expected
