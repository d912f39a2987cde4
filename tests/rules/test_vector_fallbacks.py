"""Elements moved one by one where a branch cannot move whole vectors: an info each, with the branch or without it."""

from __future__ import annotations

import pytest
from project import Project
from severities import severities

SLOW = "for (int k = 0; k < 4; ++k) out[4 * i + k] = n;"
FAST = "reinterpret_cast<float4 *>(out)[i] = make_float4(n, n, n, n);"


def places(project: Project, body: str, other: str = "") -> dict[int, str]:
    text = f"""\
{other}
__global__ void k(float *out, float *beside, int n, int rest, bool odd, bool is_aligned) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
void run(float *x, int n, bool b) {{ k<<<4, 256>>>(x, x, n, n, b, b); }}
"""
    return severities(project, text)


@pytest.mark.parametrize(
    ("condition", "severity"),
    [
        ("is_aligned", "info"),
        ("n % 4 == 0", "info"),
        ("reinterpret_cast<unsigned long long>(out) % 16 == 0", "info"),
        ("(reinterpret_cast<unsigned long long>(out) & 15) == 0", "info"),
        ("4 * i + 4 <= n", "info"),
        ("odd", "warning"),  # no matter of shapes
    ],
)
def test_the_side_of_a_branch_without_vectors_is_an_info(project: Project, condition: str, severity: str) -> None:
    assert places(project, f"if ({condition}) {{ {FAST} }} else {{ {SLOW} }}")[4] == severity


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        (f"if (!is_aligned) {{ {SLOW} return; }} {FAST}", "info"),
        (f"if (is_aligned) {{ {FAST} return; }} {SLOW}", "info"),
        (
            f"if (is_aligned) {{ float4 *v = reinterpret_cast<float4 *>(out + 4 * i); *v = {{}}; }} else {{ {SLOW} }}",
            "info",
        ),
        (f"if (is_aligned) {{ {FAST.replace('(out)', '(beside)')} }} else {{ {SLOW} }}", "warning"),
        (f"if (is_aligned) {{ {SLOW.replace('= n', '= 0')} }} else {{ {SLOW} }}", "warning"),
        (SLOW, "warning"),
    ],
)
def test_the_other_side_moves_vectors_of_the_same_array(project: Project, body: str, severity: str) -> None:
    assert places(project, body)[4] == severity, body


def test_a_method_may_choose_between_the_elements_and_the_vector_at_a_pointer(project: Project) -> None:
    helper = """\
struct Four { float at[4];
  __device__ void whole(void *to) { *static_cast<float4 *>(to) = make_float4(at[0], at[1], at[2], at[3]); }
  __device__ void put(float *base, int first, int count) {
    float *to = base + first;
    if (count < 4 || reinterpret_cast<unsigned long long>(to) % 16 != 0) {
      for (int k = 0; k < 4; ++k) if (k < count) to[k] = at[k];
    } else whole(to);
  } };"""
    body = "Four four = {}; four.put(out, 4 * i, rest);"
    assert set(places(project, body, helper).values()) == {"info"}
    assert set(places(project, body, helper.replace("else whole(to)", "")).values()) == {"warning"}


INSTANCES = """\
template <bool aligned> __global__ void k(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (aligned) {
        reinterpret_cast<float4 *>(out)[i] = make_float4(n, n, n, n);
    } else {
        for (int j = 0; j < 4; ++j) out[4 * i + j] = n;
    }
}
void run(float *x, int n) { k<true><<<4, 256>>>(x, n); k<false><<<4, 256>>>(x, n); }
"""


def test_another_instance_of_the_kernel_may_move_the_vectors(project: Project) -> None:
    assert severities(project, INSTANCES)[6] == "info"
    assert severities(project, INSTANCES.replace("k<true><<<4, 256>>>(x, n); ", ""))[6] == "warning"
    assert (
        severities(project, INSTANCES.replace("reinterpret_cast<float4 *>(out)[i] = make_float4(n, n, n, n)", ";"))[6]
        == "warning"
    )
