"""One finding for one cause: which accesses share one, and which place stands for them."""

from __future__ import annotations

import pytest
from finding_lines import HEAD, found, lines
from project import Project


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


def test_calls_that_masks_leave_out_are_one_mistake_of_a_kernel(project: Project) -> None:
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
    assert places == [[3, 4, 6]]


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
