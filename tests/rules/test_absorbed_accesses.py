"""What the caches absorb: interleaved stores, tables, coordinates of points; an info each."""

from __future__ import annotations

import pytest
from project import Project
from severities import HEAD, kernel, severities


def check_uses(project: Project, head: str, uses: dict[str, str]) -> None:
    """Hold the severity of what the first statement of a kernel makes, for each of its bodies."""
    for body, severity in uses.items():
        assert severities(project, f"{head}\n    {HEAD}\n    {body}\n}}")[4] == severity, body


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("out[3 * i] = n; out[3 * i + 1] = n; out[3 * i + 2] = n;", "info"),
        ("out[2 * i] = n; out[2 * i + 1] = n;", "info"),
        ("out[3 * i] = n; out[3 * i + 1] = n;", "warning"),
        ("out[3 * i] = n; if (n > 5) { out[3 * i + 1] = n; out[3 * i + 2] = n; }", "warning"),
        ("out[4 * i] = n; out[4 * i + 1] = n; out[4 * i + 2] = n; out[4 * i + 3] = n;", "warning"),
        ("out[3 * i] *= n; out[3 * i + 1] *= n; out[3 * i + 2] *= n;", "info"),
        ("for (int c = 0; c < 3; ++c) out[3 * i + c] = n;", "info"),
        ("atomicAdd(&out[2 * i], n); atomicAdd(&out[2 * i + 1], n);", "warning"),
    ],
)
def test_stores_of_all_of_a_few_interleaved_values_are_joined_in_the_cache(
    project: Project, body: str, severity: str
) -> None:
    assert severities(project, kernel(body))[3] == severity


def test_stores_of_a_loop_that_is_not_unrolled_are_too_far_from_each_other(project: Project) -> None:
    body = "\n#pragma unroll 1\n    for (int c = 0; c < 3; ++c) out[3 * i + c] = n;"
    assert severities(project, kernel(body)) == {5: "warning"}


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("out[i] = in[(threadIdx.x % 8) * 8 + threadIdx.x / 8 % 8];", "info"),  # 64 floats, the same for all blocks
        ("out[i] = in[(threadIdx.x % 8) * 64 + threadIdx.x / 8 % 4];", "warning"),
        (
            "float s = 0; for (int k = 0; k < 4; ++k) s += in[(threadIdx.x % 8) * 8 + threadIdx.x / 8]; out[i] = s;",
            "info",
        ),
        ("out[i] = in[blockIdx.x * 64 + (threadIdx.x % 8) * 8 + threadIdx.x / 8 % 4];", "warning"),
        ("out[i] = in[n + (threadIdx.x % 8) * 8 + threadIdx.x / 8 % 4];", "warning"),
        ("out[(threadIdx.x % 8) * 8 + threadIdx.x / 8 % 8] = n;", "warning"),
        (
            "float s = 0; for (int k = 0; k < n; ++k) s += in[threadIdx.x % 8 * 8 + threadIdx.x / 8 % 4]; out[i] = s;",
            "warning",
        ),
    ],
)
def test_a_small_table_that_each_thread_reads_once_is_an_info(project: Project, body: str, severity: str) -> None:
    assert severities(project, kernel(body, "64"))[3] == severity


@pytest.mark.parametrize(
    ("rest", "severity"),
    [
        ("first", "info"),
        ("other", "warning"),  # another place in the array
    ],
)
def test_coordinates_from_a_start_that_is_chosen_share_their_sectors(
    project: Project, rest: str, severity: str
) -> None:
    text = f"""\
__global__ void k(float *out, const float *in, const int *starts) {{
    const int first = blockIdx.x == 0 ? 0 : starts[blockIdx.x - 1];
    const int other = blockIdx.x == 1 ? 0 : starts[blockIdx.x - 1];
    const float *p = in + 3 * (first + threadIdx.x), *q = in + 3 * ({rest} + threadIdx.x);
    out[blockIdx.x * 256 + threadIdx.x] = p[0] * q[1] + q[2] + other;
}}
void run(float *x, const int *starts) {{ k<<<4, 256>>>(x, x, starts); }}
"""
    assert severities(project, text)[5] == severity


def test_half_of_the_lanes_whose_neighbours_use_their_sectors_are_an_info(project: Project) -> None:
    alone = "out[i] = i % 2 == 0 ? in[i + 1] : 0;"
    beside = "out[i] = in[i] + (i % 2 == 0 ? in[i + 1] : 0);"
    assert severities(project, kernel(alone))[3] == "warning"
    assert severities(project, kernel(beside))[3] == "info"


@pytest.mark.slow
def test_coordinates_of_the_points_in_a_tensor_are_an_info(project: Project) -> None:
    """Rows of which the first three columns are used may be three elements long, those of features are not."""
    tensor = "torch::PackedTensorAccessor32<float, 2>"
    head = f"#include <torch/extension.h>\n__global__ void k({tensor} p, float *out, int n) {{"
    uses = {
        "out[i] = p[i][0] + p[i][1] + p[i][2];": "info",
        "float s = 0; const int D = p.size(1); for (int d = 0; d < D; ++d) s += p[i][d]; out[i] = s;": "info",
        "float s = 0; const int C = p.size(1); for (int d = 0; d < C; ++d) s += p[i][d]; out[i] = s;": "warning",
        "out[i] = p[i][0] + p[i][7];": "warning",
        "out[i] = p[i][0] + p[i][1] + p[i][2] + p[i][3] + p[i][4] + p[i][5] + p[i][6];": "info",
        "out[i] = p[i][0] + p[i][1] + p[i][2] + p[i][3] + p[i][4] + p[i][5] + p[i][6] + p[i][8];": "warning",
        "out[i] = p[i][0] + p[i][1] + p[i][6];": "warning",
        "out[i] = p[i][0] + p[i][n];": "warning",
    }
    check_uses(project, head, uses)


@pytest.mark.parametrize("row", ["p.dims[2]", "p.strides[1]"])
@pytest.mark.parametrize(
    ("use", "is_short"),
    [
        ("out[i] = a[0] + a[1] + a[2];", True),
        ("a[0] = n; a[1] = n; a[2] = n;", True),
        ("out[i] = a[0] + a[7];", False),
        ("a[0] = n; a[1] = n; a[2] = n; a[3] = n; a[4] = n;", False),
    ],
)
def test_rows_of_a_struct_that_is_a_tensor_may_be_as_short_as_the_columns_used(
    project: Project, row: str, use: str, is_short: bool
) -> None:
    """The last extent, `dims[2]`, is how far pixels are apart, and so is `strides[1]`."""
    image = "struct Image { float *data; int dims[3]; int strides[3]; };"
    body = f"{HEAD} float *a = p.data + i * {row}; {use}"
    project.put("k.cu", f"{image}\n__global__ void k(Image p, float *out, int n) {{ {body} }}")
    finding = project.lint("k.cu", "--show-info").report["diagnostics"][0]
    assert any("is small by its name or use" in note["message"] for note in finding["notes"]) == is_short


@pytest.mark.slow
def test_rows_of_a_tensor_that_are_used_as_smaller_numbers_or_lead_to_others_are_an_info(project: Project) -> None:
    """A column counts as an element though half of it is loaded; what is loaded by way of a row says nothing of it."""
    tensor = "torch::PackedTensorAccessor64<int64_t, 2>"
    head = f"#include <torch/extension.h>\n__global__ void k({tensor} r, float *out, int n) {{"
    uses = {
        "out[i] = (int)r[i][0] + (int)r[i][1] + (int)r[i][2];": "info",
        "out[i] = (int)r[i][0] + (int)r[i][7];": "warning",
        "const int a = r[i][0], b = r[i][1], c = r[i][2]; out[i] = out[a] + b + c;": "info",
        "const int a = r[i][0], b = r[i][5]; out[i] = out[a] + b;": "warning",
    }
    check_uses(project, head, uses)


@pytest.mark.slow
def test_a_loop_over_three_columns_of_a_tensor_walks_no_chunk_of_its_own(project: Project) -> None:
    tensor = "torch::PackedTensorAccessor32<float, 2> t"
    tensors = (
        f"{tensor}, torch::PackedTensorAccessor32<float, 2> rgb, torch::PackedTensorAccessor32<float, 3> rgbs, int n"
    )
    head = f"#include <torch/extension.h>\n__global__ void k({tensors}) {{"
    uses = {
        "float s = 0; for (int d = 0; d < 3; ++d) s += t[i][d]; rgb[0][i] = s;": "info",
        "float s = 0; for (int d = 0; d < 30; ++d) s += t[i][d]; rgb[0][i] = s;": "warning",
        "for (int d = 0; d < 3; ++d) t[i][d] = i;": "info",
        "t[i][0] = i; t[i][1] = i;": "info",
        "t[i][0] = i; t[i][2] = i;": "warning",
        "t[i][0] = i; t[i][1] = i; t[i][2] = i; t[i][3] = i;": "warning",
        "float s = 0; for (int d = 0; d < rgb.size(1); ++d) s += rgb[i][d]; t[0][i] = s;": "info",
        "for (int d = 0; d < rgb.size(1); ++d) rgb[i][d] = i;": "info",
        "for (int d = 0; d < t.size(1); ++d) t[i][d] = i;": "warning",
        "float s = 0; for (int d = 0; d < t.size(1); ++d) s += t[i][d]; rgb[0][i] = s;": "warning",
        "float s = 0; for (int d = 0; d < n; ++d) s += rgbs[i][d][0] + rgbs[i][d][1]; t[0][i] = s;": "warning",
    }
    check_uses(project, head, uses)


def test_loads_in_pieces_that_are_as_wide_as_any_are_an_info(project: Project) -> None:
    body = "ulonglong4 v = *(const ulonglong4 *)(in + (i & 7) * 8 + (i >> 3) * pitch); out[i] = v.x + v.y + v.z + v.w;"
    assert severities(project, kernel(body))[3] == "info"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("out[i] = in[i / 6 * 36 + i % 6 * 7];", "info"),
        ("in += i / 3 * 9; out[i] = in[i % 3 * 3 + i % 3];", "info"),
        ("out[i] = in[i / 6 * 36 + i % 6 * 6];", "warning"),  # the first column
        ("out[i] = in[i / 6 * 42 + i % 6 * 7];", "warning"),  # blocks that are not side by side
        ("out[i] = in[i / 32 * 1024 + i % 32 * 33];", "warning"),  # of large blocks
    ],
)
def test_the_diagonals_of_small_blocks_are_an_info(project: Project, body: str, severity: str) -> None:
    assert severities(project, kernel(body))[3] == severity


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("float3 p = *(const float3 *)(in + 4 * i); out[i] = p.x + p.y + p.z;", "info"),
        ("float3 p = *(const float3 *)(in + 6 * i); out[i] = p.x + p.y + p.z;", "warning"),
        (
            "const float3 *m = (const float3 *)in + 3 * i; float3 p = m[0], q = m[1]; out[i] = p.x * p.y * p.z * q.y;",
            "warning",
        ),
        (
            "auto m = (float3 *)in + 2 * i; float3 p = m[0], q = m[1]; out[i] = p.x * p.y * p.z * q.x * q.y * q.z;",
            "info",
        ),
        ("const float3 *m = (const float3 *)in + 3 * i; float3 p = m[0]; out[i] = p.x + p.y + p.z;", "warning"),
        ("*(float3 *)(out + 4 * i) = make_float3(n, n, n);", "warning"),
    ],
)
def test_three_of_four_numbers_that_are_loaded_together_are_an_info(project: Project, body: str, severity: str) -> None:
    assert severities(project, kernel(body))[3] == severity


@pytest.mark.parametrize(
    ("element", "count", "severity"), [("double", 8, "info"), ("float", 15, "info"), ("float", 16, "warning")]
)
def test_rows_of_64_bytes_crowd_the_cache_where_16_loads_use_them(
    project: Project, element: str, count: int, severity: str
) -> None:
    text = f"""\
__global__ void k({element} *out, const {element} *in) {{
    int i = blockIdx.x * 256 + threadIdx.x;
    {element} v = 0;
    for (int k = 0; k < {count}; ++k) v += in[{count} * i + k];
    out[i] = v;
}}
void run({element} *out, const {element} *in, int n) {{ k<<<n, 256>>>(out, in); }}
"""
    assert severities(project, text)[4] == severity


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("float4 a = v[2 * i], b = v[2 * i + 1]; out[i] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;", "info"),
        ("float4 a = v[2 * i], b = v[2 * i + 1]; out[i] = a.x + a.y + a.z + b.x + b.y + b.z;", "info"),
        ("float4 a = v[4 * i], b = v[4 * i + 1]; out[i] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;", "warning"),
        ("float4 a = v[2 * i]; out[i] = a.x + a.y + a.z + a.w;", "warning"),
    ],
)
def test_vectors_whose_neighbours_are_loaded_too_share_their_sectors(
    project: Project, body: str, severity: str
) -> None:
    text = f"""\
__global__ void k(const float4 *v, float *out) {{
    {HEAD}
    {body}
}}
void run(float4 *v, float *x) {{ k<<<4, 256>>>(v, x); }}
"""
    assert severities(project, text)[3] == severity


def test_a_merged_load_names_the_bytes_of_its_instruction(project: Project) -> None:
    body = "float4 a = ((const float4 *)in)[2 * i]; out[i] = a.x + a.y + a.z + a.w;"
    project.put("k.cu", kernel(body))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert "neighbouring lanes are 32 bytes apart and use 16 bytes each" in [n["message"] for n in finding["notes"]]


@pytest.mark.parametrize(("trips", "severity"), [("4", "info"), ("1", "warning"), ("n", "info")])
def test_iterations_use_the_rest_of_the_sectors_of_rows_that_are_any_distance_apart(
    project: Project, trips: str, severity: str
) -> None:
    """Eight lanes are 16 bytes apart in each of four rows, whose distance is not known."""
    body = f"""int x = threadIdx.x * 4 & 31, y = threadIdx.x / 8;
    float s = 0;
    for (int k = 0; k < {trips}; ++k) s += in[y * pitch + x + k];
    out[i] = s;"""
    assert severities(project, kernel(body))[5] == severity


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("out[u] = in[u] + (u % 2 ? in[u - 1] : in[u + 1]);", "info"),  # a partner of each, as in rotary embeddings
        ("out[u] = in[u] + (u % 2 ? in[u - 1] : 0);", "info"),
        ("out[u] = u % 2 ? in[u - 1] : 0;", "warning"),
        ("out[u] = in[u] + (u % 2 ? in[2 * (u - 1)] : 0);", "warning"),
    ],
)
def test_lanes_apart_that_an_unsigned_index_takes_back_are_as_those_beside_them(
    project: Project, body: str, severity: str
) -> None:
    """`u - 1` may wrap around for the first thread, which is not among the active ones."""
    assert severities(project, kernel(f"unsigned u = i; {body}"))[3] == severity
