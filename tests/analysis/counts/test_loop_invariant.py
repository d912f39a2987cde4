"""What stays the same in a loop is executed once, as nvcc makes it; what may not be is executed in each iteration."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

EACH = 2 * 8 * 40
"""Warps of the launch times iterations."""
ONCE = 2 * 8
LOOP = "for (int k = 0; k < 40; k++)"


@pytest.mark.parametrize(
    ("body", "loads", "stores"),
    [
        (f"{LOOP} a[t] += 1;", [ONCE], [ONCE]),
        (f"{LOOP} a[t] = a[t] + b[k];", [ONCE, EACH], [EACH]),  # `b` may lie in `a`
        (f"{LOOP} r[t] = r[t] + b[k];", [ONCE, EACH], [ONCE]),  # `b` does not lie in `r`
        (f"{LOOP} {{ a[t] += b[t]; a[t + 9999] += b[t]; }}", [EACH, ONCE, EACH, ONCE], [EACH, EACH]),
        (f"float sum = 0; {LOOP} sum += a[t] * b[k]; a[t] = sum;", [ONCE, EACH], [ONCE]),
        (f"float sum = 0; {LOOP} sum += s[t] * b[t]; a[t] = sum;", [ONCE, ONCE], [ONCE]),
        (f"{LOOP} for (int j = 0; j < 3; j++) a[t] += j;", [ONCE], [ONCE]),
        (f"{LOOP} for (int j = 0; j < 3; j++) a[t + k] += j;", [EACH], [EACH]),
        (f"{LOOP} for (int j = 0; j < k; j++) a[t] += j;", [EACH - ONCE], [EACH - ONCE]),
        (f"{LOOP} if (t > k) a[t] += 1;", [2 * (31 * 8 + 9 * 7)], [2 * (31 * 8 + 9 * 7)]),
        (f"{LOOP} {{ s[t] += 1; __syncthreads(); }}", [EACH], [EACH]),
        (f"{LOOP} {{ s[k] = s[t]; }}", [EACH], [EACH]),
        (f"{LOOP} {{ if (k > t) break; a[t] += 1; }}", [None], [None]),
        (f"volatile float *v = a; {LOOP} v[t] += 1;", [EACH], [EACH]),
        (f"{LOOP} a[t] += 1; volatile float *v = b; v[t] = 2;", [ONCE], [ONCE, ONCE]),
        (f'{LOOP} {{ a[t] += 1; printf("%d", k); }}', [EACH], [EACH]),
        (f"{LOOP} {{ a[t] += 1; atomicAdd(b, 1.0f); }}", [EACH], [EACH]),
        ("for (int k = 0; k < n; k++) a[t] += 1;", [None], [None]),
        ("for (int k = n; k > 0; k /= 2) a[t + k] += 1;", [None], [None]),  # how often it is halved is open
    ],
)
def test_invariant_accesses_leave_their_loops(
    body: str, loads: list[int | None], stores: list[int | None], tmp_path: Path
) -> None:
    path = tmp_path / "k.cu"
    head = "__global__ void k(float *a, float *b, int n, float *__restrict__ r) {"
    body = f"__shared__ float s[256]; int t = threadIdx.x; {body}"
    path.write_text(f"{head} {body} }}\nvoid run(float *a, float *b, int n) {{ k<<<2, 256>>>(a, b, n, a); }}\n")
    (kernel,) = check_file(
        Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    ).checked
    assert kernel.analysis is not None
    found: dict[Operation, list[int | None]] = {Operation.LOAD: [], Operation.STORE: [], Operation.ATOMIC: []}
    for access in kernel.analysis.accesses:
        assert access.executions is not None
        found[access.op].append(access.executions.warps)
    if None not in loads:
        assert found[Operation.LOAD] == loads
        assert found[Operation.STORE] == stores
    else:
        assert EACH not in found[Operation.LOAD]
        assert ONCE not in found[Operation.LOAD] or "for (int k = 0; k < n" in body
