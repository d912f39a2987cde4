"""One finding for one cause: which accesses share one, which place stands for them, and where helpers are reported."""

from __future__ import annotations

from typing import Any

import pytest
from project import Project

HEAD = "int i = blockIdx.x * 256 + threadIdx.x;"


def found(project: Project, text: str, *options: str) -> list[dict[str, Any]]:
    """The findings of a file with this text, with the lines of their places."""
    project.put("k.cu", text)
    return [
        {**d, "lines": sorted({at["line"] for at in d["places"]})}
        for d in project.lint("k.cu", *options).report["diagnostics"]
    ]


def lines(project: Project, text: str, *options: str) -> list[tuple[str, list[int]]]:
    return sorted((d["code"], d["lines"]) for d in found(project, text, *options))


def test_the_fields_of_a_struct_are_one_finding_in_all_kernels(project: Project) -> None:
    text = f"""\
struct Body {{ float mass, x, y, z, vx, vy; }};
__global__ void one(Body *b, float *out) {{
    {HEAD}
    out[i] = b[i].x
           + b[i].vy;
}}
__global__ void two(Body *others) {{
    {HEAD}
    others[i].z = 1;
}}
void run(Body *b, float *x) {{ one<<<4, 256>>>(b, x); two<<<4, 256>>>(b); }}
"""
    assert lines(project, text) == [("COA102", [4, 5, 9])]


def test_structs_of_one_name_in_two_files_are_two_layouts(project: Project) -> None:
    text = f"""\
struct Body {{ float mass, x, y, z, vx, vy; }};
__global__ void KERNEL(Body *b) {{
    {HEAD}
    b[i].z = 1;
}}
void run(Body *b) {{ KERNEL<<<4, 256>>>(b); }}
"""
    project.put("a.cu", text.replace("KERNEL", "one"))
    project.put("b.cu", text.replace("KERNEL", "two"))
    assert len(project.lint("a.cu", "b.cu").report["diagnostics"]) == 2


def test_a_struct_of_a_header_is_one_layout_in_all_files(project: Project) -> None:
    project.put("body.h", "struct Body { float mass, x, y, z, vx, vy; };\n")
    for name in ("one", "two"):
        project.put(
            f"{name}.cu",
            f'#include "body.h"\n__global__ void {name}(Body *b) {{ {HEAD} b[i].z = 1; }}\n'
            f"void run(Body *b) {{ {name}<<<4, 256>>>(b); }}\n",
        )
    (finding,) = project.lint("one.cu", "two.cu").report["diagnostics"]
    assert {at["file"] for at in finding["places"]} == {"one.cu", "two.cu"}


def test_interleaved_components_are_one_finding(project: Project) -> None:
    text = f"""\
__global__ void k(const float *xyz, float *out) {{
    {HEAD}
    float x = xyz[3 * i];
    float y = xyz[3 * i + 1];
    float z = xyz[3 * i + 2];
    out[i] = x + y + z;
}}
void run(float *x) {{ k<<<4, 256>>>(x, x); }}
"""
    assert lines(project, text) == [("COA101", [3, 4, 5])]


def test_strides_of_two_arrays_are_two_findings_and_the_worst_comes_first(project: Project) -> None:
    text = f"""\
__global__ void k(const float *a, const float *b, float *out) {{
    {HEAD}
    out[i] = a[2 * i] + b[8 * i];
}}
void run(float *x) {{ k<<<4, 256>>>(x, x, x); }}
"""
    assert [d["accesses"][0]["array"] for d in found(project, text)] == ["b", "a"]


@pytest.mark.parametrize(
    ("load", "found_lines"),
    [
        ("b[i * width * depth]", [[4, 5]]),  # threads are numbered along rows of both arrays
        ("b[8 * i]", [[4], [5]]),
        ("b[i + blockDim.x * width]", [[4]]),
    ],
)
def test_rows_of_two_lengths_along_which_threads_are_numbered_are_one_cause(
    project: Project, load: str, found_lines: list[list[int]]
) -> None:
    text = f"""\
__global__ void k(const float *a, const float *b, float *out, int width, int depth) {{
    {HEAD}
    float sum =
        a[i * width]
        + {load};
    out[i] = sum;
}}
void run(float *x, int width, int depth) {{ k<<<4, 256>>>(x, x, x, width, depth); }}
"""
    assert sorted(at for _, at in lines(project, text)) == found_lines


def test_barriers_behind_one_branch_are_one_finding(project: Project) -> None:
    text = """\
__global__ void k(float *x) {
    if (threadIdx.x < 7) {
        __syncthreads();
        x[0] = 1;
        __syncthreads();
    }
    if (threadIdx.x > 9) {
        __syncthreads();
    }
    x[1] = 1;
}
void run(float *x) { k<<<4, 256>>>(x); }
"""
    assert lines(project, text, "--select=COA301") == [("COA301", [3, 5]), ("COA301", [8])]


def test_a_place_in_a_loop_stands_for_its_cause(project: Project) -> None:
    text = f"""\
__global__ void k(const float *a, float *out) {{
    {HEAD}
    float sum = a[8 * i];
    for (int j = 0; j < 100; ++j)
        sum += a[8 * i + 8 * 1024 * j];
    out[i] = sum;
}}
void run(float *x) {{ k<<<4, 256>>>(x, x); }}
"""
    (finding,) = found(project, text)
    assert finding["line"] == 5
    assert finding["lines"] == [3, 5]
    assert finding["weight"] == 100


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
        for (int i = 1; i < 4; ++i)
            c = f(c, s[i + threadIdx.x * 4]);
    out[threadIdx.y * 32 + threadIdx.x] = c;
}
void run(float *x) { k<<<1, dim3(32, 4)>>>(Add(), x); }
"""
    assert lines(project, text) == [("COA201", [4, 9])]


def test_lanes_that_are_taken_to_run_in_lockstep_are_one_mistake(project: Project) -> None:
    text = """\
__global__ void k(float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = out[t];
    __syncthreads();
    if (t < 32) {
        volatile float *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
    }
    out[t] = s[t];
}
void run(float *x) { k<<<1, 64>>>(x); }
"""
    (finding,) = [one for one in found(project, text) if one["code"] == "COA304"]
    assert finding["cause"] == {"kind": "lockstep", "array": "s"}
    assert finding["lines"] == [9, 10]


def test_two_tiles_that_rely_on_lockstep_are_one_mistake(project: Project) -> None:
    text = """\
__global__ void k(float *out) {
    __shared__ float s[64], c[64];
    int t = threadIdx.x;
    s[t] = out[t];
    c[t] = out[t + 64];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        c[t] += c[t + 16];
        c[t] += c[t + 8];
    }
    out[t] = s[t] + c[t];
}
void run(float *x) { k<<<1, 64>>>(x); }
"""
    (finding,) = [one for one in found(project, text) if one["code"] == "COA304"]
    assert set(finding["lines"]) >= {9, 11}


@pytest.mark.parametrize("line", [1, 10])
def test_a_comment_at_the_helper_or_at_the_call_hides_the_finding(project: Project, line: int) -> None:
    written = GETTER.replace("CALL", "get(x, 8 * i)").split("\n")
    written[line - 1] += "  // coalint: ignore[COA101]"
    assert found(project, "\n".join(written)) == []


def test_a_comment_hides_one_place_of_a_finding(project: Project) -> None:
    text = f"""\
__global__ void k(const float *xyz, float *out) {{
    {HEAD}
    float x = xyz[3 * i];  // coalint: ignore[COA101]
    float y = xyz[3 * i + 1];
    float z = xyz[3 * i + 2];
    out[i] = x + y + z;
}}
void run(float *x) {{ k<<<4, 256>>>(x, x); }}
"""
    assert lines(project, text) == [("COA101", [4, 5])]


def test_a_scatter_stands_for_the_gather_beside_it(project: Project) -> None:
    text = f"""\
__global__ void k(const float *in, float *out, const int *from, const int *to) {{
    {HEAD}
    out[to[i]] = in[from[i]];
}}
void run(float *x, int *n) {{ k<<<4, 256>>>(x, x, n, n); }}
"""
    (finding,) = (d for d in found(project, text) if d["code"] == "COA104")
    assert finding["accesses"][0]["op"] == "store"


def test_a_long_list_of_template_arguments_names_what_the_index_is_made_of(project: Project) -> None:
    text = f"""\
template <typename T, int ROWS, int COLUMNS, int STEP, bool FLAG>
__global__ void k(const T *in, T *out) {{
    {HEAD}
    out[i] = in[STEP * i];
}}
void run(float *x) {{ k<float, 128, 64, 8, true><<<4, 256>>>(x, x); }}
"""
    (finding,) = found(project, text)
    basis = finding["notes"][-1]["message"]
    assert "k<STEP=8, ...> with 256 threads" in basis


def test_a_chunk_and_its_first_element_are_one_finding(project: Project) -> None:
    text = f"""\
__global__ void k(const float *rows, float *out, int width) {{
    {HEAD}
    float sum = rows[i * width];
    for (int col = 1; col < width; ++col)
        sum += rows[i * width + col];
    out[i] = sum;
}}
void run(float *x, int width) {{ k<<<4, 256>>>(x, x, width); }}
"""
    assert lines(project, text) == [("COA106", [3, 5])]


def test_arrays_that_are_walked_at_one_row_length_are_one_finding(project: Project) -> None:
    text = f"""\
__global__ void k(const float *a, const float *b, float *out, int width) {{
    {HEAD}
    out[i] = a[i * width + blockIdx.y]
           + b[i * width + blockIdx.y];
}}
void run(float *x, int width) {{ k<<<dim3(4, 9), 256>>>(x, x, x, width); }}
"""
    assert lines(project, text) == [("COA101", [3, 4])]


def test_the_barriers_behind_one_exit_are_one_finding(project: Project) -> None:
    text = """\
__global__ void k(float *x, int n) {
    __shared__ float s[64];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x ^ 1];
    __syncthreads();
    s[threadIdx.x] = 0;
    __syncthreads();
}
void run(float *x, int n) { k<<<1, 64>>>(x, n); }
"""
    assert [found for found in lines(project, text) if found[0] == "COA302"] == [("COA302", [5, 7, 9])]


def test_the_pieces_of_one_struct_are_one_finding_in_all_kernels(project: Project) -> None:
    project.put("four.h", "struct Four { float x, y, z, w; };\n")
    copy = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    for name in ("k", "l"):
        kernel = f"__global__ void {name}(Four *out, const Four *in) {{ {copy} out[i] = in[i + 1]; }}"
        project.put(
            f"{name}.cu", f'#include "four.h"\n{kernel}\nvoid r{name}(Four *x) {{ {name}<<<4, 256>>>(x, x); }}\n'
        )
    (finding,) = project.lint("k.cu", "l.cu").report["diagnostics"]
    assert (finding["code"], len(finding["places"])) == ("COA108", 4)


def test_calls_that_one_mask_leaves_out_are_one_mistake(project: Project) -> None:
    project.put(
        "k.cu",
        """\
__global__ void k(float *out, float a, float b) {
    for (int offset = 16; offset > 0; offset /= 2) {
        a += __shfl_down_sync(0xfffffff, a, offset);
        b += __shfl_down_sync(0xfffffff, b, offset);
    }
    b += __shfl_down_sync(0x7fffffff, b, 1);
    out[threadIdx.x] = a + b;
}
void run(float *x) { k<<<4, 256>>>(x, 1, 2); }
""",
    )
    places = [[at["line"] for at in finding["places"]] for finding in project.lint("k.cu").report["diagnostics"]]
    assert places == [[3, 4], [6]]


def test_what_all_threads_update_in_place_is_one_mistake(project: Project) -> None:
    project.put(
        "k.cu",
        """\
__global__ void k(float *out, float a) {
    __shared__ float t[3], u[1];
    if (threadIdx.x < 3) t[threadIdx.x] = a;
    if (threadIdx.x == 0) u[0] = a;
    __syncthreads();
    t[0] = a - t[0];
    t[1] = a - t[1];
    u[0] = a - u[0];
    __syncthreads();
    out[threadIdx.x] = t[0] + t[1] + t[2] + u[0];
}
void run(float *x) { k<<<4, 256>>>(x, 1); }
""",
    )
    places = [[at["line"] for at in finding["places"]] for finding in project.lint("k.cu").report["diagnostics"]]
    assert places == [[6, 7], [8]]
