"""What a thread does on its way out of a loop, it does once: it is little beside what iterations do."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__device__ void drop(float *box) {{ box[6] = 0; }}  // called
__global__ void nms(float *boxes, int n, float t) {{
    int p = threadIdx.x + blockIdx.x * blockDim.x;
    if (p >= n) return;
    float *own = boxes + p * 7;
    for (int i = 0; i < n; ++i) {{
        float *other = boxes + i * 7;
        float area = (own[2] - own[0]) * (own[3] - own[1]) + own[4] + own[5];
        area += other[0];
        {store}
    }}
}}
void run(float *b, int n) {{ nms<<<n, 256>>>(b, n, 0.5f); }}
"""
STORE = "own[6] = area;"


def severity(project: Project, store: str, line: int = 10) -> str:
    project.put("k.cu", KERNEL.format(store=store))
    found = project.lint("k.cu", "--show-info").report["diagnostics"]
    (severity,) = {at["severity"] for one in found for at in one["places"] if at["line"] == line}
    return str(severity)


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        (f"{STORE}", "warning"),
        (f"if (area > t) {{ {STORE} }}", "warning"),
        (f"if (area > t) {{ {STORE} return; }}", "info"),
        (f"if (area > t) {{ if (t > 3) {STORE} break; }}", "info"),
        (f"if (area > t) {{ {STORE} continue; }}", "warning"),
        (f"if (area > t) {{ {STORE} if (t > 3) continue; return; }}", "warning"),
        (f"for (int j = 0; j < n; ++j) if (area > j) {{ {STORE} break; }}", "warning"),
        (f"for (int j = 0; j < n; ++j) if (area > j) {{ {STORE} return; }}", "info"),
        (f"switch ((int)area) {{ case 3: {STORE} break; }}", "warning"),
    ],
)
def test_a_store_after_which_the_thread_leaves_the_loop(project: Project, store: str, expected: str) -> None:
    assert severity(project, store) == expected


@pytest.mark.parametrize(
    ("store", "expected"), [("drop(own);", "warning"), ("if (area > t) { drop(own); return; }", "info")]
)
def test_a_function_that_is_called_on_the_way_out(project: Project, store: str, expected: str) -> None:
    assert severity(project, store, 1 if "drop" in store else 10) == expected
