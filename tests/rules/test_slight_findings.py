"""What is only an info: loads that the caches absorb, runs that begin badly, conflicts of one wavefront."""

from __future__ import annotations

import pytest
from project import Project
from severities import kernel, severities

FOURS = "int j = 4 * (i & 15) + blockIdx.x * 512;"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];", "info"),
        ("out[i] = in[3 * i] + in[3 * i + 1];", "info"),
        ("out[i] = in[3 * i];", "warning"),
        ("out[i] = in[2 * i];", "warning"),
        ("out[i] = in[7 * i] + in[7 * i + 1];", "warning"),
        ("out[i] = in[5 * i] + in[5 * i + 1] + in[5 * i + 2];", "info"),
        ("out[i] = in[5 * i] + in[5 * i + 1];", "warning"),
        ("out[i] = in[3 * i]; if (n > 5) out[i] = in[3 * i + 1] + in[3 * i + 2];", "warning"),
        ("if (in[3 * i] > 0 && in[3 * i + 1] > 0) out[i] = 1;", "info"),
        ("float s = 0; for (int c = i; c < n; ++c) s += in[2 * i + c]; out[i] = s;", "info"),
        ("float s = 0; for (int c = n; in[c] > 0; ++c) s += in[2 * i + c]; out[i] = s;", "info"),
        ("float s = 0; for (int c = n; in[c] > 0; ++c) s += in[24 * i + c]; out[i] = s;", "warning"),
        ("out[i] = in[12 * i] + in[12 * i + 1] + in[12 * i + 2];", "warning"),
        ("float s = 0; for (int c = 0; c < 3; ++c) s += in[3 * i + c]; out[i] = s;", "info"),
        ("float s = 0; for (int c = 0; c < n; ++c) s += in[i * n + c]; out[i] = s;", "warning"),
        (f"{FOURS} out[i] = in[j] + in[j + 1] + in[j + 2] + in[j + 3];", "info"),
        (
            f"{FOURS} float s; for (int c = 0; c < 4; ++c) s += in[j + c]; out[i] = s;",
            "info",
        ),
        (
            f"{FOURS} float s; for (int c = 0; c < 2; ++c) s += in[j + c]; out[i] = s;",
            "warning",
        ),
        (f"{FOURS} out[i] = in[j] + in[j + 1];", "warning"),
        (
            f"{FOURS} out[i] = in[j]; if (n > 5) out[i] += in[j + 1] + in[j + 2] + in[j + 3];",
            "warning",
        ),
    ],
)
def test_loads_of_sectors_that_are_used_at_once(project: Project, body: str, severity: str) -> None:
    """Three fifths of at most 72 bytes from lane to lane, by loads that are executed together."""
    assert severities(project, kernel(body))[3] == severity


def test_rows_of_a_window_are_an_info(project: Project) -> None:
    """Rows of 20 floats with a pitch: a warp covers parts of two or three."""
    body = "int t = threadIdx.x; out[i] = in[t / 20 * pitch + t % 20];"
    assert set(severities(project, kernel(body)).values()) <= {"info"}


def test_a_stencil_in_narrow_blocks_speaks_of_rows_and_not_of_scattered_lanes(project: Project) -> None:
    """The distance between lanes of a row is known where rows are an unknown distance apart."""
    project.put(
        "k.cu",
        """\
__global__ void k(float *out, const float *in, unsigned pitch) {
    unsigned x = threadIdx.x + 16 * blockIdx.x, y = threadIdx.y + 16 * blockIdx.y, at = y * pitch + x;
    out[at] = in[at - 1];
}
void run(float *x, unsigned pitch) { k<<<dim3(4, 4), dim3(16, 16)>>>(x, x, pitch); }
""",
    )
    for finding in project.lint("k.cu").report["diagnostics"]:
        assert finding["severity"] == "info"
        assert "scatter" not in str(finding)


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("s[2 * t] = n; __syncthreads(); out[i] = s[t];", "info"),
        ("for (int j = 0; j < n; ++j) { s[2 * t] = n; __syncthreads(); out[i] += s[t + j]; }", "warning"),
        ("s[4 * t] = n; __syncthreads(); out[i] = s[t];", "warning"),
    ],
)
def test_one_wavefront_too_many_outside_of_loops_is_an_info(project: Project, body: str, severity: str) -> None:
    declared = "__shared__ float s[1024]; int t = threadIdx.x; "
    assert severities(project, kernel(declared + body))[3] == severity


@pytest.mark.parametrize(
    ("guard", "kind", "lanes"), [("1", "narrow-block", "16 lanes are"), ("y < 6", "idle-lanes", "10 of 16")]
)
def test_threads_that_a_small_block_does_not_have_are_no_idle_lanes(
    project: Project, guard: str, kind: str, lanes: str
) -> None:
    project.put(
        "k.cu",
        f"""\
__global__ void k(float *out, int n) {{
    int x = threadIdx.x, y = threadIdx.y;
    if ({guard} && n != y) out[y * 64 + x] = 0;
}}
void run(float *x) {{ k<<<4, dim3(2, 8)>>>(x, 5); }}
""",
    )
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["cause"]["kind"] == kind
    assert lanes in str(finding["notes"])


def test_structs_in_pieces_that_no_alignment_joins_are_an_info(project: Project) -> None:
    text = """\
struct Four { float x, y, z, w; };
__global__ void k(float3 *out, const float3 *in, Four *to, const Four *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 three = in[i];
    out[i] = three;
    Four four = from[i];
    to[i] = four;
}
void run(float3 *x, Four *y) { k<<<4, 256>>>(x, x, y, y); }
"""
    assert severities(project, text) == {4: "info", 5: "info", 6: "warning", 7: "warning"}


def test_rows_of_which_a_warp_crosses_one_end_are_an_info(project: Project) -> None:
    rows = "unsigned char *b = (unsigned char *)in; int t = threadIdx.x, x = t % {0}, y = t / {0};"
    for row, severity in ((33, "info"), (9, "warning")):
        body = f"{rows.format(row)} out[i] = b[x + y * pitch + blockIdx.x * 32];"
        assert severities(project, kernel(body))[3] == severity, row


def test_the_states_of_random_numbers_at_a_stride_are_an_info(project: Project) -> None:
    text = """\
#include <curand_kernel.h>
__global__ void k(curandState *states, float *out, int n) {
    int id = blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < n; ++i)
        out[i * 4096 + id] = curand_normal2(&states[2 * id]).x;
}
void run(curandState *x, float *y, int n) { k<<<4, 256>>>(x, y, n); }
"""
    assert set(severities(project, text).values()) <= {"info"}


@pytest.mark.parametrize(("alias", "state"), [("", "curandState"), ("using MyState = curandState;", "MyState")])
def test_the_layout_of_a_librarys_struct_is_not_the_programs(alias: str, state: str, project: Project) -> None:
    text = f"""\
#include <curand_kernel.h>
{alias}
__global__ void k({state} *states, float *out) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {state} own = states[i];
    out[i] = curand_uniform(&own);
    states[i] = own;
}}
void run({state} *x, float *y) {{ k<<<4, 256>>>(x, y); }}
"""
    assert set(severities(project, text).values()) == {"info"}


def test_a_row_that_a_loop_walks_to_its_end_is_not_padded(project: Project) -> None:
    text = """\
__global__ void k(float *out) {
    __shared__ float s[256 * 8];
    for (int i = 0; i < 8; ++i) s[threadIdx.x * 8 + i] = out[i];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += s[threadIdx.x * 8 + i];
    out[threadIdx.x] = sum;
}
void run(float *x) { k<<<4, 256>>>(x); }
"""
    project.put("k.cu", text)
    assert {d["code"] for d in project.lint("k.cu").report["diagnostics"]} <= {"COA201", "COA202"}


def test_rows_of_an_odd_number_of_words_are_not_called_unpadded(project: Project) -> None:
    text = """\
__global__ void k(float *out) {
    __shared__ float s[64][9];
    for (int i = 0; i < 9; ++i) s[threadIdx.y + threadIdx.x][i] = out[i];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 9; ++i) sum += s[2 * threadIdx.x + threadIdx.y][i];
    out[threadIdx.x] = sum;
}
void run(float *x) { k<<<4, dim3(16, 2)>>>(x); }
"""
    project.put("k.cu", text)
    assert "COA201" not in {d["code"] for d in project.lint("k.cu").report["diagnostics"]}


@pytest.mark.parametrize(
    ("body", "block", "severity"),
    [
        # rows of 16 threads, 17 apart: no longer row helps the columns too
        (
            "s[threadIdx.y * 17 + threadIdx.x] = n; __syncthreads(); out[j] += s[threadIdx.x * 17 + j % 16];",
            "16, 16",
            "info",
        ),
        (
            "if (t < 4) s[t * 96 + j + (t & 1) * 32] = n; __syncthreads(); out[j] += s[j];",
            "64",
            "info",
        ),
        (
            "if (t < 8) s[t * 96 + j + (t & 1) * 32] = n; __syncthreads(); out[j] += s[j];",
            "64",
            "warning",
        ),
    ],
)
def test_conflicts_of_two_rows_or_a_few_lanes_are_an_info(
    project: Project, body: str, block: str, severity: str
) -> None:
    text = f"""\
__global__ void k(float *out, int n) {{
    __shared__ float s[2048]; int t = threadIdx.x;
    for (int j = 0; j < 16; ++j) {{ {body} __syncthreads(); }}
}}
void run(float *x, int n) {{ k<<<4, dim3({block})>>>(x, n); }}
"""
    assert severities(project, text)[3] == severity


def test_structs_of_pieces_that_are_as_wide_as_any_are_an_info(project: Project) -> None:
    text = """\
struct __align__(16) Eight { float x[8]; };
__global__ void k(Eight *to, const Eight *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}
void run(Eight *y) { k<<<4, 256>>>(y, y); }
"""
    assert severities(project, text) == {4: "info"}


def test_fields_of_structs_in_shared_memory_are_advised_as_fields(project: Project) -> None:
    body = "s[i] = make_int2(n, n); __syncthreads(); out[i] = s[i].x; out[i + 256] = s[255 - i].y;"
    project.put(
        "k.cu",
        "__global__ void k(int *out, int n) {\n"
        f"    __shared__ int2 s[256]; int i = threadIdx.x; {body}\n"
        "}\n"
        "void run(int *a, int n) { k<<<4, 256>>>(a, n); }\n",
    )
    helps = [d["help"] for d in project.lint("--show-info", "k.cu").report["diagnostics"] if d["code"] == "COA202"]
    assert helps
    assert all("keep each field in an array of its own" in text for text in helps)


@pytest.mark.parametrize(
    ("guard", "severity"),
    [
        ("i < n", "warning"),
        ("i >= n - 6 && i < n", "info"),
        ("i >= n - 12 && i < n", "warning"),
        ("!(i >= 3 && i + 4 < n) && i < n", "info"),
    ],
)
def test_what_the_ends_of_a_row_alone_do_is_an_info(project: Project, guard: str, severity: str) -> None:
    """At most 8 lanes of a warp pass, whatever n is."""
    assert severities(project, kernel(f"if ({guard}) out[16 * i] = 0;"))[3] == severity


def test_a_finding_that_advises_a_pitch_is_at_an_access_that_the_pitch_spares_wavefronts(project: Project) -> None:
    """Longer rows end the store's conflict and leave that of the load, which costs more in all."""
    body = """__shared__ float s[32][11]; int t = threadIdx.x, a = 15 - t % 32 / 8 + t % 8 * 16; float v = 0;
    for (int j = 0; j < 4; ++j) if (t < 176) s[t % 16][t / 16] = n + j;
    __syncthreads();
    for (int j = 0; j < 16; ++j) v += s[a % 16 + j][a / 16];
    out[i] = v;"""
    project.put("k.cu", kernel(body))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["line"] == 4
    assert "rows of" in finding["help"]


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("if (threadIdx.x < 16) counts[threadIdx.x * n + blockIdx.x] = in[threadIdx.x];", "info"),
        ("if (threadIdx.x < 64) counts[threadIdx.x * n + blockIdx.x] = in[threadIdx.x];", "info"),
        ("counts[threadIdx.x * n + blockIdx.x] = in[threadIdx.x];", "warning"),
        ("if (threadIdx.x < 16) counts[4096 * threadIdx.x + 8 * blockIdx.x] = in[threadIdx.x];", "warning"),
        (
            "if (threadIdx.x < 16) for (int i = 0; i < 9; ++i) counts[(16 * i + threadIdx.x) * n + blockIdx.x] = i;",
            "warning",
        ),
    ],
)
def test_a_column_for_each_block_is_an_info(project: Project, body: str, severity: str) -> None:
    head = "__global__ void k(float *counts, const float *in, int n)"
    run = "void run(float *x, int n) { k<<<n, 256>>>(x, x, n); }"
    project.put("k.cu", f"{head} {{ {body} }}\n{run}\n")
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert (found["code"], found["severity"]) == ("COA101", severity)


def of_fields(project: Project, head: str, kind: str, body: str) -> set[str]:
    """The severities of what is said of single fields in a kernel over structs of a kind."""
    text = f"{head}\n__global__ void k({kind} *x, double *out)"
    text += f" {{ int i = blockIdx.x * 256 + threadIdx.x; {body} }}\nvoid run({kind} *x, double *o)"
    project.put("k.cu", f"{text} {{ k<<<9, 256>>>(x, o); }}\n")
    found = project.lint("k.cu").report["diagnostics"]
    return {one["severity"] for one in found if one["code"] == "COA102"}


@pytest.mark.parametrize(
    ("body", "kind", "severity"),
    [
        ("x[i].y *= -1;", "cufftComplex", "info"),
        ("x[i].y *= -1;", "cuDoubleComplex", "info"),
        ("out[i] = x[i].x;", "cuComplex", "info"),
        ("x[i].y *= -1;", "float2", "warning"),
    ],
)
def test_one_part_of_a_library_s_complex_numbers_is_an_info(
    project: Project, body: str, kind: str, severity: str
) -> None:
    assert of_fields(project, "#include <cufft.h>", kind, body) == {severity}


@pytest.mark.parametrize(
    ("fields", "body", "severity"),
    [
        ("double real, imag;", "out[i] = x[i].real;", "info"),
        ("double re_; double im_;", "out[i] = x[i].im_;", "info"),
        ("double real, imag;", "Number one = x[i]; out[i] = one.imag;", "info"),
        ("double real, imag;", "x[i].imag *= -1;", "info"),
        ("double real, imag, length;", "out[i] = x[i].real;", "warning"),
        ("double low, high;", "out[i] = x[i].low;", "warning"),
    ],
)
def test_one_part_of_a_program_s_complex_numbers_is_an_info(
    project: Project, fields: str, body: str, severity: str
) -> None:
    assert of_fields(project, f"struct Number {{ {fields} }};", "Number", body) == {severity}
