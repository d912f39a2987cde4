"""How often a loop's body is executed that the whole block may leave."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture


@pytest.mark.parametrize(
    ("body", "stores"),
    [
        ("for (int i = 0; i < 10; ++i) { x[t + 32 * i] = i; if (*z >= 9) break; }", [None]),
        ("for (int i = 0; i < 10; ++i) { x[t + 32 * i] = i; if (z[i] >= 9) return; }", [None]),
        ("for (int i = 0; i < 10; ++i) { x[t + 32 * i] = i; if (i >= m) break; }", [None]),
        ("for (int i = 0; i < 10; ++i) { x[t + 32 * i] = i; if (i >= n) break; x[t + 32 * i + 1] = 3; }", [6, 5]),
        ("for (int i = 0; i < 10; ++i) { if (n == 5) break; x[t + 32 * i] = i; }", []),
        ("for (int i = 0; i < 10; ++i) x[t + 32 * i] = i;", [10]),
        ("for (int j = 0; j < 4; ++j) for (int i = 0; i < 10; ++i) { x[t + 32 * i] = j; if (i >= n) break; }", [24]),
    ],
)
def test_a_loop_that_the_block_may_leave_is_not_counted_whole(
    body: str, stores: list[int | None], tmp_path: Path
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"__global__ void k(int *x, int *z, int n, int m) {{ int t = threadIdx.x; {body} }}\n"
        "void run(int *x, int *z, int m) { k<<<1, 32>>>(x, z, 5, m); }\n"
    )
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(path)), job).checked
    assert kernel.analysis is not None
    counted = [a.executions for a in kernel.analysis.accesses if a.op is Operation.STORE]
    assert [None if one is None else one.warps for one in counted] == stores
