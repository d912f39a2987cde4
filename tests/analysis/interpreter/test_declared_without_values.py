"""What a variable holds after a loop that was declared without a value before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

LOOP = "for (int i = 0; i < 8; ++i)"


@pytest.mark.parametrize(
    ("body", "is_exact"),
    [
        (f"int n; {LOOP} {{ n = 4 * i; }} x[t * n] = 1;", False),  # it is 28 and not 0, 4, ... 28
        (f"int2 v; {LOOP} v.x = 4 * i; x[t * v.x] = 1;", False),
        (f"int *p; {LOOP} p = x + 100 * i; p[t] = 1;", False),
        (f"int n; {LOOP} {{ if (i == 0) n = 4 * t; }} x[n] = 1;", True),
        (f"int n; {LOOP} {{ n = 4 * t; }} x[n] = 1;", True),
        (f"int n = 0; {LOOP} {{ n = 4 * i; }} x[t * n] = 1;", True),
        (f"int n; {LOOP} {{ n = 4 * i; x[t + n] = 1; }}", True),
    ],
)
def test_after_the_loop_it_is_not_that_of_any_iteration(body: str, is_exact: bool, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"__global__ void k(int *x) {{ int t = threadIdx.x; {body} }}\nvoid run(int *x) {{ k<<<1, 32>>>(x); }}\n"
    )
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(path)), job).checked
    assert kernel.analysis is not None
    (store,) = kernel.analysis.accesses
    assert store.result.exact is is_exact
