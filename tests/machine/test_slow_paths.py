"""What becomes one instruction over operations with branches, as nvcc 13.0 compiles each of these kernels for sm_90."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import instructions

from coalint.core.facts.access import Operation, Space

STATIC, DYNAMIC = "__shared__ float s[512];", "extern __shared__ float s[];"
STRAIGHT = """\
    float a = s[2 * t];
    float b = OPERATION;
    float c = s[2 * t + 1];
    out[t] = b + c;
"""
LOOP = """\
    float x = 0;
    for (int j = 0; j < n; ++j) {
        float a = s[j];
        float b = OPERATION;
        x += b;
    }
    out[t] = x;
"""
QUOTIENTS = ["n / a", "a / 3.0f", "sqrtf(a)", "(float)(1.0 / (double)a)", "(float)sqrt((double)a)", "1.0f / sqrtf(a)"]
QUOTIENTS += ["sqrtf(a * a + n)", "(float)((long long)a / n)"]
LOOPING = ["sinf(a)", "fmodf(a, n)"]
OTHERS = ["a", "expf(a)", "logf(a)", "__sinf(a)", "rsqrtf(a)", "__fdividef(n, a)", "tanhf(a)", "erff(a)", "floorf(a)"]
OTHERS += ["(float)((int)a / n)", "(float)((int)a % n)", "(float)exp((double)a)", "fmaxf(a, n)", "(a > 3 ? v[n] : a)"]
OTHERS += ["a / 4.0f", "a / 2", "(float)((long long)a / 10)", "a * (1.0f / 255.0f)"]


def widths(folder: Path, array: str, body: str, operation: str) -> set[tuple[int, bool]]:
    """Bytes per lane and exactness of the loads of shared memory."""
    source = f"""\
__global__ void k(const float *v, float *out, int n) {{
    {array}
    int t = threadIdx.x;
    s[t] = v[t];
    s[t + 256] = v[t + 256];
    __syncthreads();
{body.replace("OPERATION", operation)}}}
void run(float *p, int n) {{ k<<<4, 256, 2048>>>(p, p, n); }}
"""
    made = instructions(folder, source)
    loads = (one for one in made if (one.written.space, one.written.op) == (Space.SHARED, Operation.LOAD))
    return {(one.access.bytes, one.access.result.exact) for one in loads}


@pytest.mark.parametrize("operation", QUOTIENTS)
def test_exact_quotients_and_roots_part_static_arrays_alone(tmp_path: Path, operation: str) -> None:
    assert widths(tmp_path, STATIC, STRAIGHT, operation) == {(4, False)}
    assert widths(tmp_path, DYNAMIC, STRAIGHT, operation) == {(8, True)}
    assert widths(tmp_path, STATIC, LOOP, operation) == {(4, False)}
    assert widths(tmp_path, DYNAMIC, LOOP, operation) == {(16, False)}


@pytest.mark.parametrize("operation", LOOPING)
@pytest.mark.parametrize("array", [STATIC, DYNAMIC], ids=["static", "dynamic"])
def test_functions_with_loops_part_all(tmp_path: Path, array: str, operation: str) -> None:
    assert widths(tmp_path, array, STRAIGHT, operation) == {(4, False)}
    assert widths(tmp_path, array, LOOP, operation) == {(4, False)}


@pytest.mark.parametrize("operation", OTHERS)
@pytest.mark.parametrize("array", [STATIC, DYNAMIC], ids=["static", "dynamic"])
def test_other_operations_part_nothing(tmp_path: Path, array: str, operation: str) -> None:
    assert widths(tmp_path, array, STRAIGHT, operation) == {(8, True)}
    assert widths(tmp_path, array, LOOP, operation) == {(16, False)}


def test_an_operation_after_both_loads_parts_nothing(tmp_path: Path) -> None:
    body = "    out[t] = (s[2 * t] + s[2 * t + 1]) / n;\n"
    assert widths(tmp_path, STATIC, body, "") == {(8, True)}
    assert widths(tmp_path, STATIC, "    out[t] = s[2 * t] / n + s[2 * t + 1];\n", "") == {(4, False)}


@pytest.mark.parametrize(
    "body",
    [
        "    out[t] = s[3 * t] / n + s[3 * t + 1];\n",  # which begin at no multiple of a vector
        "    float x = 0;\n    for (int j = 0; j < n; ++j) { x += s[j] / n; __syncthreads(); }\n    out[t] = x;\n",
        "    out[t] = s[2 * t] / n;\n    s[t] = 1;\n    out[t] += s[2 * t + 1];\n",
    ],
)
def test_what_is_alone_without_it_rests_on_nothing(tmp_path: Path, body: str) -> None:
    assert widths(tmp_path, STATIC, body, "") == {(4, True)}
