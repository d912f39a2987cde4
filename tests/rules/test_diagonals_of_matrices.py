"""The diagonal of a matrix has one element in each row: what it costs is an info, and no order of threads helps."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
__global__ void k(TYPE *a, int ld, int n) {
    int i = blockIdx.x * 256 + threadIdx.x, j = blockIdx.y;
    BODY
}
void f(TYPE *a, int ld, int n) { k<<<dim3(n / 256, n), 256>>>(a, ld, n); }
"""


def found(project: Project, body: str, type_name: str) -> tuple[str, bool]:
    """The severity, and whether the reason is that it is a diagonal."""
    project.put("k.cu", SOURCE.replace("TYPE", type_name).replace("BODY", body))
    (one,) = project.lint("--select=COA101,COA103,COA106", "k.cu").report["diagnostics"]
    return one["severity"], any("along a diagonal" in note["message"] for note in one["notes"])


@pytest.mark.parametrize("type_name", ["float", "double"])
@pytest.mark.parametrize("body", ["a[i + i * ld] = 0;", "a[i * ld + i] += 1;", "if (i < n) a[(long)i * ld + i] = 1;"])
def test_a_diagonal_is_an_info(project: Project, body: str, type_name: str) -> None:
    assert found(project, body, type_name) == ("info", True)


def test_the_length_of_a_row_may_be_what_a_pointer_leads_to(project: Project) -> None:
    body = "int i = blockIdx.x * 256 + threadIdx.x; a[i * (ld[0u] + 1)] = 1;"
    text = f"__global__ void k(float *a, const int *ld) {{ {body} }}\n"
    project.put("k.cu", f"{text}void f(float *a, int *ld, int n) {{ k<<<n, 256>>>(a, ld); }}\n")
    (one,) = project.lint("--select=COA101", "k.cu").report["diagnostics"]
    assert one["severity"] == "info"


@pytest.mark.parametrize(
    ("body", "severity"), [("a[i + i * ld].x = 0;", "info"), ("a[2 * i + i * ld].x = 0;", "warning")]
)
def test_a_diagonal_of_complex_numbers_is_an_info_where_one_part_is_used(
    project: Project, body: str, severity: str
) -> None:
    assert found(project, body, "double2") == (severity, severity == "info")


@pytest.mark.parametrize(
    "body",
    [
        "a[i * (ld + 2)] = 0;",
        "a[i * (ld + 3)] = 0;",
        "a[i * (ld + 1) + j] = 0;",
        "for (int c = 0; c < ld + 1; c++) a[i * (ld + 1) + c] = 0;",
    ],
)
def test_a_column_of_rows_that_others_walk_is_none(project: Project, body: str) -> None:
    assert found(project, body, "float") == ("warning", False)
