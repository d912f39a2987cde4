"""Where a finding stands whose access is in a helper: where the user chose what is accessed."""

from __future__ import annotations

import pytest
from finding_lines import HEAD, found, lines
from project import Project

GETTER = f"""\
__device__ float get(const float *x, int i) {{ return x[i]; }}
__device__ float handed(const float *x, int i) {{ return get(x, i); }}
__device__ float spread(const float *x, int i) {{ return x[8 * i]; }}
__device__ float shifted(const float *x, int i) {{
    int j = 8 * i;
    return x[j];
}}
__global__ void k(const float *x, float *out) {{
    {HEAD}
    out[i] = CALL;
}}
void run(float *x) {{ k<<<4, 256>>>(x, x); }}
"""


@pytest.mark.parametrize(
    ("call", "line", "access"),
    [("get(x, 8 * i)", 10, 1), ("handed(x, 8 * i)", 10, 1), ("spread(x, i)", 3, 3), ("shifted(x, i)", 6, 6)],
)
def test_a_finding_stands_where_the_index_is_made(project: Project, call: str, line: int, access: int) -> None:
    (finding,) = found(project, GETTER.replace("CALL", call))
    assert finding["line"] == line
    assert finding["accesses"][0]["line"] == access
    if access != line:
        assert any(note.get("line") == access and "helper" in note["message"] for note in finding["notes"])
        assert f"access at k.cu:{access}" in project.coalint("lint", "k.cu").out


ADDERS = """\
__device__ float total;
__device__ void add(float *address, float v) { atomicAdd(address, v); }
__device__ void add_to_total(float v) { atomicAdd(&total, v); }
__global__ void k(const float *in) {
    __shared__ float sums[8];
    CALL;
}
void run(float *x) { k<<<4, 256>>>(x); }
"""


@pytest.mark.parametrize(
    ("call", "line"), [("add(sums + threadIdx.x % 8, in[threadIdx.x])", 6), ("add_to_total(in[threadIdx.x])", 3)]
)
def test_an_atomic_stands_where_its_address_is_chosen(project: Project, call: str, line: int) -> None:
    (finding,) = [f for f in found(project, ADDERS.replace("CALL", call)) if f["code"] == "COA109"]
    assert finding["line"] == line


@pytest.mark.parametrize(("parameter", "line"), [("Position &p", 7), ("float &p", 7), ("Point &point", 4)])
def test_a_part_of_an_element_that_a_helper_is_handed_is_reported_where_the_element_is_picked(
    project: Project, parameter: str, line: int
) -> None:
    """That is the innermost place that picks it, not where the array is handed on; a helper for such elements picks."""
    field = {"Position &p": "p.x", "float &p": "p", "Point &point": "point.at.x"}[parameter]
    part = {"Position &p": ".at", "float &p": ".at.x", "Point &point": ""}[parameter]
    text = f"""\
struct Position {{ float x, y, z; }};
struct Point {{ Position at; float w, mass, age; }};
__device__ void shift({parameter}) {{
    {field} += 1;
}}
__device__ void shift_at(Point *points, int i) {{
    shift(points[i]{part});
}}
__global__ void k(Point *points) {{
    {HEAD}
    shift_at(points, i);
}}
void run(Point *x) {{ k<<<4, 256>>>(x); }}
"""
    (finding,) = found(project, text)
    assert (finding["code"], finding["lines"], finding["accesses"][0]["line"]) == ("COA102", [line], 4)


def test_a_tile_of_structs_is_reported_where_an_operator_is_used(project: Project) -> None:
    text = """\
struct Four { float x, y, z, w; };
__device__ Four &operator+=(Four &a, const Four &b) {
    a.x += b.x;
    return a;
}
__global__ void k(float *out) {
    __shared__ Four s[128];
    int t = threadIdx.x;
    for (int j = 0; j < 64; ++j)
        s[t] += s[j];
    __syncthreads();
    out[t] = s[0].x;
}
void run(float *x) { k<<<1, 128>>>(x); }
"""
    assert lines(project, text, "--select=COA202") == [("COA202", [10])]


def test_a_tile_that_a_function_object_is_handed_is_reported_where_it_is_used(project: Project) -> None:
    text = """\
struct Add { __device__ float operator()(const float &x, const float &y) const { return x + y; } };
template <class F> __global__ void k(F f, float *out) {
    __shared__ float s[128];
    s[threadIdx.x * 4 + threadIdx.y] = threadIdx.x;
    __syncthreads();
    float c = 0;
    if (threadIdx.y == 0)
#pragma unroll 1
        for (int i = 1; i < 4; ++i)
            c = f(c, s[i + threadIdx.x * 4]);
    out[threadIdx.y * 32 + threadIdx.x] = c;
}
void run(float *x) { k<<<1, dim3(32, 4)>>>(Add(), x); }
"""
    assert lines(project, text) == [("COA201", [4, 10])]


@pytest.mark.parametrize("line", [1, 10])
def test_a_comment_at_the_helper_or_at_the_call_hides_the_finding(project: Project, line: int) -> None:
    written = GETTER.replace("CALL", "get(x, 8 * i)").split("\n")
    written[line - 1] += "  // coalint: ignore[COA101]"
    assert found(project, "\n".join(written)) == []
