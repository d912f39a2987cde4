"""What one block moves beside kernels of many blocks is no warning."""

from __future__ import annotations

import pytest
from project import Project

SUM = "__global__ void last(float *sum, const float *parts) {{ {body} }}"
MANY = "__global__ void many(float *a, const float *b) { int i = blockIdx.x * 256 + threadIdx.x; a[i] = b[8 * i]; }"


def severities(project: Project, body: str, launches: str) -> list[tuple[str, str]]:
    """The kernel and severity of each place."""
    project.put("k.cu", f"{SUM.format(body=body)}\n{MANY}\nvoid run(float *a, int n) {{ {launches} }}\n")
    found = project.lint("k.cu").report["diagnostics"]
    return sorted({(at["kernel"], at["severity"]) for one in found for at in one["places"]})


@pytest.mark.parametrize(
    ("body", "launches", "severity"),
    [
        ("sum[threadIdx.x] = parts[9 * threadIdx.x];", "last<<<1, 256>>>(a, a); many<<<n, 256>>>(a, a);", "info"),
        ("sum[threadIdx.x] = parts[9 * threadIdx.x];", "last<<<2, 256>>>(a, a); many<<<n, 256>>>(a, a);", "warning"),
        ("sum[blockIdx.x] = parts[9 * threadIdx.x];", "last<<<n, 256>>>(a, a); last<<<1, 256>>>(a, a);", "warning"),
        ("sum[threadIdx.x] = parts[9 * threadIdx.x];", "last<<<1, 256>>>(a, a); many<<<1, 256>>>(a, a);", "warning"),
        (
            "for (int i = 0; i < 99; ++i) sum[threadIdx.x] += parts[9 * threadIdx.x + 9999 * i];",
            "last<<<1, 256>>>(a, a); many<<<n, 256>>>(a, a);",
            "warning",
        ),
        ("atomicAdd(sum, parts[threadIdx.x]);", "last<<<1, 256>>>(a, a); many<<<n, 256>>>(a, a);", "warning"),
    ],
)
def test_a_last_step_of_one_block_is_an_info(project: Project, body: str, launches: str, severity: str) -> None:
    assert ("last", severity) in severities(project, body, launches)
    if "many" in launches:
        assert ("many", "warning") in severities(project, body, launches)


def test_what_one_block_gets_wrong_stays_a_warning(project: Project) -> None:
    body = "__shared__ float s[64]; s[threadIdx.x] = parts[threadIdx.x]; sum[threadIdx.x] = s[63 - threadIdx.x];"
    assert ("last", "warning") in severities(project, body, "last<<<1, 64>>>(a, a); many<<<n, 256>>>(a, a);")


WALK = "float s = 0; for (int i = 0; parts[i] > 0; ++i) s += parts[999 * threadIdx.x + i]; sum[threadIdx.x] = s;"
ALIKE = "sum[threadIdx.x] = parts[9 * threadIdx.x];"


@pytest.mark.parametrize(
    ("body", "launches", "severity"),
    [
        (ALIKE, "many<<<n, 256>>>(a, a);", "info"),
        (ALIKE, "last<<<n, 256>>>(a, a); many<<<n, 256>>>(a, a);", "info"),
        (f"int b = atomicAdd((int *)sum, 1); if (b < 3) {{ {ALIKE} }}", "many<<<n, 256>>>(a, a);", "warning"),
        (f"if (gridDim.x < 3) {{ {ALIKE} }}", "many<<<n, 256>>>(a, a);", "warning"),
        (WALK, "many<<<n, 256>>>(a, a);", "warning"),
        ("sum[threadIdx.x + blockIdx.y] = parts[9 * threadIdx.x];", "many<<<n, 256>>>(a, a);", "warning"),
        (
            f'int b; asm("mov.u32 %0, %%ctaid.x;" : "=r"(b)); if (b < 3) {{ {ALIKE} }}',
            "many<<<n, 256>>>(a, a);",
            "warning",
        ),
    ],
)
def test_a_kernel_that_tells_no_blocks_apart_has_one(project: Project, body: str, launches: str, severity: str) -> None:
    assert ("last", severity) in severities(project, body, launches)
    assert ("many", "warning") in severities(project, body, launches)


@pytest.mark.parametrize(("launches", "severity"), [("", "warning"), ("last<<<n, 256>>>(a, a);", "info")])
def test_a_file_of_such_kernels_may_be_an_example(project: Project, launches: str, severity: str) -> None:
    comment = "// coalint: assume(blockDim.x == 256)"
    kernel = f"{comment}\n{SUM.format(body=ALIKE)}"
    project.put("k.cu", f"{kernel}\nvoid run(float *a, int n) {{ {launches} }}\n")
    assert [one["severity"] for one in project.lint("k.cu").report["diagnostics"]] == [severity]


@pytest.mark.parametrize(
    ("body", "launches", "severity"),
    [
        ("for (int i = 0; i < 999; ++i) sum[9 * threadIdx.x + i] = 0;", "last<<<1, 16>>>(a, a);", "info"),
        ("for (int i = 0; i < 999; ++i) sum[9 * threadIdx.x + i] = 0;", "last<<<2, 16>>>(a, a);", "warning"),
        ("for (int i = 0; i < 999; ++i) sum[9 * threadIdx.x + i] = 0;", "last<<<n, 16>>>(a, a);", "warning"),
        ("atomicAdd(sum, parts[threadIdx.x]);", "last<<<1, 16>>>(a, a);", "info"),
        ("atomicAdd(sum, parts[threadIdx.x]);", "last<<<1, 32>>>(a, a);", "warning"),
    ],
)
def test_what_a_launch_of_a_handful_of_threads_costs_is_an_info(
    project: Project, body: str, launches: str, severity: str
) -> None:
    assert [found for found in severities(project, body, launches) if found[0] == "last"] == [("last", severity)]
