"""A loop that lanes of one warp leave in different iterations has no exact count: the compiler may copy its body."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from project import shared_headers

from coalint.core.facts.access import Access
from coalint.core.facts.suppositions import Supposed, kind_of
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

BODIES = {
    "for (int j = lane; j < 100; j += 7) a[j] = 0;": True,
    "for (int j = 0; j <= t; j++) a[j * 64 + t] = 0;": True,
    "for (int j = 0; j < t % 3; j++) a[j * 64 + t] = 0;": True,
    "for (int j = 0; j < 20; j++) { if (j > lane) break; a[j] = 0; }": True,
    "for (int j = lane; j < 100; j += 32) a[j] = 0;": True,
    "for (int k = 0; k < 9; k++) for (int j = 0; j < lane; j++) a[j + k] = 0;": True,
    "for (int k = 0; k < lane; k++) for (int j = 0; j < 9; j++) a[j + k] = 0;": True,
    "for (int j = i; j < 1003; j += 128) a[j] = 0;": True,
    "for (int j = i; j < (1 << 25 | 1); j += 128) a[j] = 0;": True,
    "if (lane < 5) for (int j = i; j < (1 << 25 | 3); j += 128) a[j] = 0;": True,
    "\n#pragma unroll 1\n    for (int j = lane; j < 100; j += 7) a[j] = 0;": False,
    "for (int j = lane; j < 96; j += 32) a[j] = 0;": False,
    "for (int j = lane; j < 100; j += 32) if (lane < 4) a[j] = 0;": False,
    "for (int j = 0; j < 20; j++) if (j <= lane) a[j] = 0;": False,
    "for (int j = 0; j < t / 32; j++) a[j * 64 + t] = 0;": False,
    "for (int j = i; j < 1024; j += 128) a[j] = 0;": False,
    "for (int j = i; j < 1 << 25; j += 128) a[j] = 0;": False,
    "for (int j = i; j < (1 << 25) + 96; j += 128) a[j] = 0;": False,
    "if (lane < 5) for (int j = i; j < (1 << 25) + 5; j += 128) a[j] = 0;": False,
    "if (lane == 3) for (int j = lane; j < 100; j += 7) a[j] = 0;": False,
    "for (int j = 0; j < b + 3; j++) a[j] = 0;": False,
    "if (i < 1) for (int j = t % 2; j < 4; j++) a[j] = 0;": False,
    "if (i < 2) for (int j = t % 2; j < 4; j++) a[j] = 0;": True,
    "if (i > 62 && i < 65) for (int j = t % 2; j < 4; j++) a[j] = 0;": False,
}
"""What stands in a kernel, and whether lanes of one warp make different numbers of iterations."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Access]:
    """The one store of each body."""
    path = tmp_path_factory.mktemp("uneven") / "k.cu"
    path.write_text("".join(_kernels()))
    checked = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    analyses = {kernel.analysis.kernel: kernel.analysis for kernel in checked.checked if kernel.analysis is not None}
    return {body: analyses[f"k{number}"].accesses[0] for number, body in enumerate(BODIES)}


def _kernels() -> Iterator[str]:
    for number, body in enumerate(BODIES):
        yield (
            f"__global__ void k{number}(int *a) {{\n"
            "    int t = threadIdx.x, lane = t % 32, b = blockIdx.x, i = b * blockDim.x + t;\n"
            f"    {body}\n}}\n"
        )
    yield f"void run(int *a) {{ {' '.join(f'k{number}<<<2, 64>>>(a);' for number in range(len(BODIES)))} }}\n"


@pytest.mark.parametrize(("body", "is_uneven"), BODIES.items())
def test_uneven_loops_are_counted_under_a_supposition(body: str, is_uneven: bool, stores: dict[str, Access]) -> None:
    store = stores[body]
    assert store.executions is not None
    assert store.executions.warps is not None
    expected = [Supposed.UNROLLING] if is_uneven else []
    assert [kind_of(text) for text in store.executions.assumed] == expected


@pytest.mark.parametrize("body", [body for body, is_uneven in BODIES.items() if is_uneven and "25" not in body])
def test_requests_of_uneven_loops_are_not_exact(body: str, stores: dict[str, Access]) -> None:
    assert not stores[body].result.exact
    assert Supposed.UNROLLING in map(kind_of, stores[body].result.assumed)
    assert stores[body].result.lanes is not None
