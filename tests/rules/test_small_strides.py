"""Strides whose names or branches say what they may be: a few numbers of a point or pixel, 1, or all but 1."""

from __future__ import annotations

import pytest
from project import Project
from severities import severities


def test_loads_of_all_components_of_a_point_are_an_info_that_names_their_number(project: Project) -> None:
    body = "float s = 0; for (int d = 0; d < {name}; ++d) s += in[i * {name} + d]; out[i] = s;"
    head = "__global__ void k(float *out, const float *in, int {name}) {{ int i = blockIdx.x * 256 + threadIdx.x;"
    run = "void run(float *x, int {name}) {{ k<<<4, 256>>>(x, x, {name}); }}"
    found = {}
    for name in ("dim", "width"):
        project.put("k.cu", "\n".join((head, body, "}}", run)).format(name=name))
        (found[name],) = project.lint("k.cu").report["diagnostics"]
    assert (found["dim"]["severity"], found["width"]["severity"]) == ("info", "warning")
    assert found["dim"]["help"].startswith("if `dim` is large, let the lanes of a warp walk `in` together")
    assert any("`dim` is small by its name or use: with 3" in note["message"] for note in found["dim"]["notes"])


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("topk", "info"),
        ("k", "warning"),
        ("num_top_k", "info"),
        ("numExpertsPerToken", "info"),
        ("topkRows", "warning"),
        ("stop_keys", "warning"),
    ],
)
def test_loads_of_the_few_that_each_token_chooses_are_an_info(project: Project, name: str, severity: str) -> None:
    """Also where the kernel speaks of tokens, whose features are many."""
    text = f"""\
__global__ void k(int *out, const int *chosen, int num_tokens, int {name}) {{
    int token = blockIdx.x * blockDim.x + threadIdx.x;
    if (token < num_tokens)
        for (int j = 0; j < {name}; ++j)
            if (chosen[token * {name} + j] == 7)
                out[token] = j;
}}
void run(int *x, int num_tokens, int {name}) {{ k<<<4, 256>>>(x, x, num_tokens, {name}); }}
"""
    assert severities(project, text)[5] == severity


@pytest.mark.parametrize(
    ("kernel", "severity"),
    [("topkGatingSoftmax", "info"), ("moe_top_k_kernel", "info"), ("select", "warning"), ("stopKernel", "warning")],
)
def test_k_is_the_few_that_are_chosen_in_a_kernel_that_is_called_so(
    project: Project, kernel: str, severity: str
) -> None:
    """Both of loads and of stores."""
    text = f"""\
__global__ void {kernel}(int *out, const int *chosen, int num_rows, int k) {{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < num_rows)
        for (int j = 0; j < k; ++j)
            out[row * k + j] = chosen[row * k + j];
}}
void run(int *x, int num_rows, int k) {{ {kernel}<<<4, 256>>>(x, x, num_rows, k); }}
"""
    assert severities(project, text)[5] == severity


@pytest.mark.parametrize(
    ("array", "name", "used", "severity"),
    [
        ("points", "num_features", 3, "info"),
        ("points", "point_feature_num", 4, "info"),
        ("points", "num_features", 2, "warning"),
        ("points", "num_rows", 3, "warning"),
        ("features", "num_features", 3, "warning"),
        ("image", "channels", 3, "info"),
        ("image", "in_channels", 3, "warning"),
    ],
)
def test_points_and_pixels_of_a_few_numbers_are_an_info_where_those_are_loaded(
    project: Project, array: str, name: str, used: int, severity: str
) -> None:
    loads = " + ".join(f"{array}[i * {name} + {column}]" for column in range(used))
    text = f"""\
__global__ void k(float *out, const float *{array}, int n, int {name}) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = {loads};
    for (int f = 0; f < {name}; ++f)
        out[i * {name} + f] = sum;
}}
void run(float *x, int n, int {name}) {{ k<<<4, 256>>>(x, x, n, {name}); }}
"""
    assert severities(project, text)[3] == severity


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("if (stride == 1) out[i] = in[i]; else {loop}", "info"),
        ("if (1 != stride) {loop} else out[i] = in[i];", "info"),
        ("if (stride > 1) {loop} else out[i] = in[i];", "warning"),
        ("if (n != 1 && stride > 1) {loop} else out[i] = in[i];", "warning"),
    ],
)
def test_the_branch_for_all_strides_but_1_is_an_info(project: Project, body: str, severity: str) -> None:
    loop = "for (int j = i; j < n; j += 256) out[j] = in[j * stride];"
    text = f"""\
__global__ void k(float *out, const float *in, int n, int stride) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body.format(loop=loop)}
}}
void run(float *x, int n, int s) {{ k<<<n, 256>>>(x, x, n, s); }}
"""
    assert max(severities(project, text).values(), key=["info", "warning"].index) == severity


@pytest.mark.parametrize(("name", "severity"), [("after", "info"), ("inner", "info"), ("reduce", "warning")])
def test_threads_of_a_block_may_walk_a_dimension_behind_which_nothing_lies(
    project: Project, name: str, severity: str
) -> None:
    """Also where a later step than the first is compared with the end: `after_size * 256` is no count of threads."""
    text = f"""\
__global__ void k(float *out, const float *in, size_t length, size_t {name}_size) {{
    size_t x = blockIdx.x / {name}_size, y = blockIdx.x % {name}_size;
    size_t start = x * length * {name}_size + y + threadIdx.x * {name}_size;
    size_t end = x * length * {name}_size + y + length * {name}_size;
    float sum = 0;
    for (size_t p = start + {name}_size * blockDim.x; p < end; p += {name}_size * blockDim.x) sum += in[p];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}}
void run(float *x, int blocks, size_t length, size_t {name}_size) {{ k<<<blocks, 256>>>(x, x, length, {name}_size); }}
"""
    assert severities(project, text)[6] == severity


@pytest.mark.parametrize(
    ("step", "statement", "severity"),
    [
        ("incx", "x[i * incx] *= s;", "info"),
        ("ldx", "x[i * ldx] *= s;", "warning"),
        ("incx", "x[i * incx].x = s;", "warning"),
        ("incx", "if (x[i * incx].x > s) x[i * incx + n].y = s;", "warning"),
    ],
)
def test_the_step_of_a_vector_of_complex_numbers_may_be_1(
    project: Project, step: str, statement: str, severity: str
) -> None:
    """nvcc moves the real and the imaginary part as one."""
    text = f"""\
__device__ void operator*=(double2 &a, double s) {{ a.x *= s; a.y *= s; }}
__global__ void k(double2 *x, int n, int {step}, double s) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {statement}
}}
void run(double2 *x, int n, int step, double s) {{ k<<<n, 256>>>(x, n, step, s); }}
"""
    assert max(severities(project, text).values(), key=["info", "warning"].index) == severity
