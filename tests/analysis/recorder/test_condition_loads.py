"""Loads of a loop's own condition, held against what an H200 counted of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses
from measured_files import compared

from coalint.engine.verification.comparison.records import Outcome

FILE = Path(__file__).resolve().parents[2] / "support" / "condition_loads.cu"
PASSES = "every lane passes"


def test_no_exact_number_differs() -> None:
    held = [(kernel, one) for kernel, one in compared(FILE) if all(access.result.exact for access in one.accesses)]
    assert {(kernel, one.line) for kernel, one in held if one.outcome is not Outcome.EQUAL} == set()
    once = {"row", "row_restricted", "counted", "counted_shared", "shared_count", "limit_and_count", "two_nested"}
    assert once <= {
        kernel for kernel, one in held if any("first" in a.expression or "count" in a.expression for a in one.accesses)
    }


def test_what_fewer_lanes_load_again_is_not_exact() -> None:
    apart = {
        kernel
        for kernel, one in compared(FILE)
        if one.outcome is Outcome.DIFFERENT
        and any(a.expression.startswith(("first[i + 1]", "count", "flag")) for a in one.accesses)
    }
    again = {"row_stored", "row_added", "counted_stored", "counted_synced"}
    assert apart == again | {"flags", "flags_and_limit", "few_flags", "flags_at_end"}


@pytest.mark.parametrize(
    ("loop", "is_exact"),
    [
        ("while (k < c[t]) { s += k; ++k; }", True),
        ("while (k < c[t]) { o[k] = k; ++k; }", False),
        ("while (k < c[t]) { r[k] = k; ++k; }", True),
        ("while (k < c[t]) { m[k % 64] = k; ++k; }", True),
        ("while (k < c[t]) { s += sqrtf(k); ++k; }", True),
        ("while (k < c[t]) { atomicAdd(&o[k], 1); ++k; }", False),
        ("while (k < c[t]) { __syncwarp(); ++k; }", False),
        ("while (k < c[k + t]) ++k;", False),
        ("while (k < c[t] && k < n) { s += k; ++k; }", True),
        ("while (k < n && k < c[t]) { s += k; ++k; }", True),
        ("while (k < n || k < c[t]) { s += k; ++k; }", False),
        ("while (k < c[t / 32]) { o[k] = k; ++k; }", True),
        ("while (k < c[n]) { o[k] = k; ++k; }", True),
        ("if (t == 0) while (c[2 * k + t]) ++k;", True),
        ("if (t < 2) while (c[2 * k + t]) ++k;", False),
        ("while (true) { if (k >= c[t]) break; s += k; ++k; }", False),
    ],
)
def test_a_load_is_made_again_where_it_may_find_something_else(tmp_path: Path, loop: str, is_exact: bool) -> None:
    body = f"__shared__ int m[64]; int t = threadIdx.x, k = 0; float s = 0; {loop} out[t] = s + m[t % 64];"
    made = accesses(tmp_path, body, 64, "const int *c, int *o, int *__restrict__ r, int n")
    (load,) = (access for access, _ in made if access.expression.startswith("c["))
    assert load.result.exact == is_exact
    assert any(PASSES in str(text) for text in load.result.assumed) != is_exact
