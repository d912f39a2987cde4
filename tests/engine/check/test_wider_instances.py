"""What an instance of a template costs for wider numbers than a sound one of the same launch is no warning."""

from __future__ import annotations

import pytest
from project import Project

CAST = "int4 v = *reinterpret_cast<const int4 *>(&in[8 * i]); out[i] = v.x + v.y + v.z + v.w;"
DISPATCH = "launch<{one}>(a, n); launch<{two}>(a, n);"


def severities(project: Project, body: str, one: str, two: str, hosts: str = DISPATCH) -> set[str]:
    project.put(
        "k.cu",
        f"""\
#include <cuda_fp16.h>
template <typename T> __global__ void k(const T *in, T *out, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
template <typename T> void launch(void *a, int n) {{ k<T><<<4, 64>>>((const T *)a, (T *)a, n); }}
void run(void *a, int n, int kind) {{ {hosts.format(one=one, two=two)} }}
""",
    )
    found = project.lint("k.cu", "--show-info").report["diagnostics"]
    return {at["severity"] for each in found for at in each["places"] if at["line"] == 4}


@pytest.mark.parametrize(
    ("body", "one", "two", "expected"),
    [
        (CAST, "float", "half", "info"),
        (CAST, "half", "float", "info"),
        (CAST, "float", "float", "warning"),
        (CAST, "double", "half", "info"),
        (CAST, "float", "double", "warning"),
        ("out[i] = in[2 * i];", "double", "float", "warning"),
        ("out[i] = in[i / 2 * 4 + i % 2];", "float", "half", "warning"),
    ],
)
def test_a_vector_of_wider_numbers_than_the_code_has_in_mind(
    project: Project, body: str, one: str, two: str, expected: str
) -> None:
    assert max(severities(project, body, one, two), key=["info", "warning"].index) == expected


def test_instances_of_different_launches_say_nothing_of_each_other(project: Project) -> None:
    hosts = "k<{one}><<<4, 64>>>(({one} *)a, ({one} *)a, n);\n k<{two}><<<4, 64>>>(({two} *)a, ({two} *)a, n);"
    assert "warning" in severities(project, CAST, "float", "half", hosts)
