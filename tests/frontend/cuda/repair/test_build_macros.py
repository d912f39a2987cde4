"""Macros that a file lacks and to which a build of its repository gives values: one is supposed, and said to be."""

from __future__ import annotations

from typing import Any

import pytest
from project import Project

SOURCE = """\
__global__ void sums(float *out, const float *in) {
    __shared__ REAL part[SIZE];
    part[threadIdx.x] = in[blockIdx.x * SIZE + threadIdx.x];
    __syncthreads();
#if SIZE >= 64
    out[SIZE * threadIdx.x] = part[0];
#endif
}
void run(float *x) { sums<<<4, SIZE>>>(x, x); }
"""
PROGRAM = """\
from torch.utils.cpp_extension import load
SIZE = 32
if big:
    SIZE = 64
load(name="sums", sources=["csrc/a.cu"], extra_cuda_cflags=[f"-DSIZE={SIZE}", "-DREAL=float"])
"""
CMAKE = """\
foreach(SIZE 32 64)
  add_library(a_${SIZE} a.cu)
  target_compile_definitions(a_${SIZE} PRIVATE SIZE=${SIZE} REAL=float)
endforeach()
"""


def problems(report: dict[str, Any]) -> list[tuple[str, str, int, str, str]]:
    return [
        (d["code"], d["severity"], d["line"], d["message"], d["help"])
        for d in report["diagnostics"]
        if d["code"] in ("COA902", "COA903")
    ]


@pytest.fixture(autouse=True)
def repository(project: Project) -> None:
    (project.root / ".git").mkdir()
    project.put("csrc/a.cu", SOURCE)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("build.py", PROGRAM, "build.py:5"),
        ("csrc/setup.py", PROGRAM, "csrc/setup.py:5"),
        (
            "CMakeLists.txt",
            CMAKE,
            "CMakeLists.txt:3",
        ),
    ],
)
def test_a_build_gives_what_a_file_lacks(project: Project, name: str, text: str, place: str) -> None:
    project.put(name, text)
    report = project.lint("csrc/a.cu").report
    assert problems(report) == [
        (
            "COA902",
            "info",
            2,
            f"the build defines SIZE, REAL ({place}); supposed: SIZE = 64 (also 32), REAL = float",
            "say what they are to be: -D SIZE=64 -D REAL=float; -U SIZE keeps it undefined",
        )
    ]
    assert report["coverage"]["analysed"] == 1
    assert report["coverage"]["exact"] == 0
    (scattered,) = (d for d in report["diagnostics"] if d["code"] == "COA101")
    assert scattered["line"] == 6  # the condition on the macro holds with the value
    assert scattered["launch"]["block"] == [64, 1, 1]


def test_an_option_that_only_conditions_ask_for_lowers_no_finding(project: Project) -> None:
    project.put(
        "csrc/a.cu",
        "#ifndef HALF\n#error HALF is not defined\n#endif\n"
        "__global__ void k(float *p) { p[2 * threadIdx.x] = 0; }\nvoid go(float *p) { k<<<1, 64>>>(p); }\n",
    )
    project.put("CMakeLists.txt", "if(X)\n  list(APPEND D -DHALF=1)\nelse()\n  list(APPEND D -DHALF=0)\nendif()\n")
    report = project.lint("csrc/a.cu").report
    assert [(d["code"], d["severity"]) for d in report["diagnostics"]] == [("COA101", "warning")]
    assert report["coverage"]["exact"] == 1


def test_what_the_user_says_wins(project: Project) -> None:
    project.put("build.py", PROGRAM)
    report = project.lint("csrc/a.cu", "-D", "SIZE=32", "-D", "REAL=float").report
    assert problems(report) == []
    assert report["coverage"]["exact"] > 0


def test_a_macro_that_a_file_reads_without_is_left_alone(project: Project) -> None:
    project.put("csrc/a.cu", "#ifndef SIZE\n#define SIZE 16\n#endif\n" + SOURCE.replace("REAL", "float"))
    project.put("build.py", PROGRAM)
    report = project.lint("csrc/a.cu").report
    assert problems(report) == []
    assert report["coverage"]["exact"] > 0


def test_the_nearest_build_file_counts(project: Project) -> None:
    project.put("build.py", PROGRAM.replace("32", "96"))
    project.put("csrc/setup.py", PROGRAM)
    (problem,) = problems(project.lint("csrc/a.cu").report)
    assert "(csrc/setup.py:5); supposed: SIZE = 64" in problem[3]


def test_a_kernel_that_a_macro_with_a_value_switches_on_is_read_with_the_value(project: Project) -> None:
    kernel = "__global__ void k(REAL *p) { p[2 * threadIdx.x] = 0; }\nvoid go(REAL *p) { k<<<1, 64>>>(p); }\n"
    project.put("csrc/a.cu", f"#if defined(SIZE) && defined(REAL)\n{kernel}#endif\n")
    project.put("build.py", PROGRAM)
    report = project.lint("csrc/a.cu").report
    assert report["coverage"]["analysed"] == 1
    assert [d["code"] for d in report["diagnostics"]] == ["COA101"]


CASTS = """\
#ifdef WITH_CUDA
#define BOTH __host__ __device__
#else
#define BOTH
#endif
template <class To> struct Cast { BOTH To operator()(float x) const { return x; } };
"""


@pytest.mark.parametrize(
    ("flags", "is_read"),
    [("['-DWITH_CUDA']", True), ("['-DWITH_CPU']", False), ("[]", False), ("['-DWITH_CUDA'] if cuda else []", True)],
)
def test_a_switch_of_a_build_is_tried_where_instances_of_kernels_have_errors(
    project: Project, flags: str, is_read: bool
) -> None:
    """No name is lacking: the functor is there, but for the host alone."""
    project.put("csrc/casts.h", CASTS)
    project.put(
        "csrc/a.cu",
        '#include "casts.h"\ntemplate <class T> __global__ void k(T *p) { p[2 * threadIdx.x] = Cast<T>()(p[0]); }\n'
        "void go(float *p) { k<<<1, 64>>>(p); }\n",
    )
    project.put("builder.py", f"flags = {flags}\n")
    report = project.lint("csrc/a.cu").report
    assert bool(problems(report)) != is_read
    assert report["coverage"]["partial"] == (0 if is_read else 1)
    assert ("`WITH_CUDA` is defined" in project.coalint("inspect", "csrc/a.cu").out) == is_read
