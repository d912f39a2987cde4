"""What a search through an open number of elements stores is little beside it; what it reads is not."""

from __future__ import annotations

from typing import Any

import pytest
from project import Project

KERNEL = """\
struct Best {{
    float *keys; int *values; int size, room;
    __device__ void add(float key, int value) {{
        if (size < room) {{ keys[size] = key; values[size] = value; size++; }}
        else if (key < keys[0]) {{ keys[0] = key; values[0] = value; }}
    }}
}};
__device__ float apart(const float *p, int i, float x);
__global__ void k(int *out, const float *points, int n, int m, int results) {{
    int t = blockIdx.x * 256 + threadIdx.x;
    if (t >= m) return;
    float x = points[t], nearest = 1e30f;
    int best[64], count = 0, which = 0;
    float distances[64];
    Best heap{{distances, best, 0, results}};
    {search}
    for (int j = 0; j < results; ++j)
        out[t * results + j] = best[j] + which;  // stored
}}
void run(int *out, float *p, int n, int m, int results) {{ k<<<(m + 255) / 256, 256>>>(out, p, n, m, results); }}
"""
READ = "float d = (points[i] - x) * (points[i] - x); "


def said(project: Project, search: str, line: str = "// stored") -> list[dict[str, Any]]:
    text = KERNEL.format(search=search)
    project.put("k.cu", text)
    number = next(n for n, written in enumerate(text.splitlines(), 1) if line in written)
    return [d for d in project.lint("k.cu", "--show-info").report["diagnostics"] if d["line"] == number]


@pytest.mark.parametrize(
    "search",
    [
        f"for (int i = 0; i < n; ++i) {{ {READ} if (d < nearest) {{ nearest = d; which = i; }} }}",
        f"for (int i = 0; i < n; i++) {{ {READ} which = d < nearest ? i : which; nearest = fminf(d, nearest); }}",
        f"for (int i = 0; i < n; ++i) {{ {READ} if (d < 1) {{ best[count++] = i; if (count == results) break; }} }}",
        f"for (int i = 0; i < n; ++i) {{ {READ} heap.add(d, i); }}",
    ],
)
def test_results_of_a_search_are_little_of_the_kernel(project: Project, search: str) -> None:
    (found,) = said(project, search)
    assert found["severity"] == "info"
    assert any("searches elements whose number is open" in note["message"] for note in found["notes"])


@pytest.mark.parametrize(
    "search",
    [
        "",
        f"for (int i = 0; i < n; ++i) {{ {READ} nearest += d; }}",  # a sum
        f"for (int i = 0; i < n; ++i) {{ {READ} if (d < nearest) nearest = d; }}",  # no element is kept
        f"for (int i = 0; i < n; ++i) {{ {READ} if (i < m) which = i; }}",  # what is read decides nothing
        f"for (int i = 0; i < 8; ++i) {{ {READ} if (d < nearest) {{ nearest = d; which = i; }} }}",  # few elements
        f"for (int i = threadIdx.x; i < n; i += 256 * m) {{ {READ} if (d < nearest) {{ nearest = d; which = i; }} }}",
    ],
)
def test_what_is_stored_after_another_loop_may_be_much(project: Project, search: str) -> None:
    assert [one["severity"] for one in said(project, search)] == ["warning"]


def test_what_a_search_reads_is_all_of_it(project: Project) -> None:
    search = "for (int i = 0; i < n; ++i)\n"
    search += "if (points[t * n + i] < nearest) { nearest = points[t * n + i]; which = i; }  // read"
    assert [one["severity"] for one in said(project, search, "// read")] == ["warning"]


def test_what_a_search_stores_where_an_element_fits_is_little(project: Project) -> None:
    search = f"for (int i = 0; i < n; ++i) {{ {READ} d += points[n + i] * points[2 * n + i]; if (d < 1) {{\n"
    search += "for (int j = 0; j < results; ++j) out[t * results + j] = i;\nwhich = i; } }"
    assert [one["severity"] for one in said(project, search)] == ["info"]
