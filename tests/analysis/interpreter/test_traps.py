"""What is done on the way to a trap is done once at most: no rule speaks of it, though it is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import check
from project import Project

HEAD = """\
__device__ int flag;
__device__ void report() { if (atomicExch(&flag, 1) == 0) printf("bad"); __trap(); }
__global__ void k(float *out, const float *in, int n) { int t = threadIdx.x;
"""


@pytest.mark.parametrize(
    ("body", "trapped"),
    [
        ("if (in[t] > 1) { out[4 * t] = 1; __trap(); }", {"out[4 * t]"}),
        ('if (in[t] > 1) { out[4 * t] = 1; asm volatile("trap;"); }', {"out[4 * t]"}),
        ("if (in[t] > 1) { if (n > 2) out[4 * t] = 1; __trap(); }", {"out[4 * t]"}),
        ("if (n < 0) report();", {"atomicExch(&flag, 1)"}),
        ("if (in[t] > 1) { out[4 * t] = 1; if (n > 2) return; __trap(); }", set()),
        ("if (in[t] > 1) { out[4 * t] = 1; if (n > 2) __trap(); }", set()),
        ("if (in[t] > 1) out[4 * t] = 1; else __trap();", set()),
        ('out[4 * t] = in[t]; asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p trap; }" :: "r"(n));', set()),
        ("out[4 * t] = in[t]; __trap();", set()),
    ],
)
def test_what_leads_to_a_trap_is_told_from_what_may_not(body: str, trapped: set[str], tmp_path: Path) -> None:
    (kernel,) = check(tmp_path, f"{HEAD}{body}\nout[t] = 2;\n}}\n").checked
    assert kernel.analysis is not None
    assert {access.expression for access in kernel.analysis.accesses if access.traps} == trapped
    assert kernel.coverage.accesses == len(kernel.analysis.accesses)


def test_rules_leave_alone_what_leads_to_a_trap(project: Project) -> None:
    project.put("k.cu", f"{HEAD}if (n < 0) {{ out[4 * t] = 1; report(); }}\nout[2 * t] = 1;\n}}\n")
    assert project.coalint("lint", ".", "--output-format=json").places == [("k.cu", "COA101", 5)]
