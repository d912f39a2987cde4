"""Warnings in kernels that nothing in their repository launches are infos; in those that something may, they stay."""

from __future__ import annotations

from typing import Any

import pytest
from project import Project

SLOW = "__global__ void {}(float *p) {{ p[32 * (blockIdx.x * 256 + threadIdx.x)] = 1; }}\n"
LAUNCH = "void {}(float *p) {{ {}<<<64, 256>>>(p); }}\n"
CALLED = "abcd"


def kernel(name: str) -> str:
    """A kernel `NAME_kernel` that a function `NAME` launches."""
    return SLOW.format(f"{name}_kernel") + LAUNCH.format(name, f"{name}_kernel")


def library(project: Project, *, header: str = "src/ops.h", call: str = "", more: str = "") -> None:
    """Put a library of kernels into a project: a program calls four of their functions, and `old` by `call` alone."""
    names = [*CALLED, "old"]
    project.put(header, "".join(f"void {name}(float *p);\n" for name in names))
    project.put("src/ops.cu", '#include "ops.h"\n' + "".join(map(kernel, names)) + more)
    calls = "".join(f"    {name}(p);\n" for name in CALLED)
    project.put("app/main.c", f'#include "ops.h"\nint main(void) {{\n    float *p = 0;\n{calls}{call}\n}}\n')


def finding(project: Project, name: str = "old_kernel") -> dict[str, Any]:
    """The finding in a kernel."""
    (found,) = (one for one in project.lint(".").report["diagnostics"] if one["kernel"] == name)
    return dict(found)


def test_a_kernel_is_an_info_where_nothing_calls_what_launches_it(project: Project) -> None:
    library(project)
    found = finding(project)
    assert (found["severity"], found["unreached"]) == ("info", "old")
    said = f"nothing in `{project.root.name}` calls `old`, which launches the kernel"
    assert said in [note["message"] for note in found["notes"]]


def test_the_kernels_of_functions_that_are_called_keep_their_warnings(project: Project) -> None:
    library(project)
    found = finding(project, "a_kernel")
    assert (found["severity"], found["unreached"]) == ("warning", None)


@pytest.mark.parametrize(
    ("call", "severity"),
    [
        ("    old(p);", "warning"),
        ("    // old(p);", "info"),
        ("    /* old(p); */", "info"),
        ("#if 0\n    old(p);\n#endif", "info"),
        ("#if 0\n#else\n    old(p);\n#endif", "warning"),
        ("#ifdef OLD\n    old(p);\n#endif", "warning"),
        ("    s.old = 0;", "info"),
        ("    table(old);", "warning"),
        ("    void (*f)(float *) = &old;", "warning"),
        ('    load("old");', "warning"),
        ('    load("_Z3oldPf");', "warning"),
        ('    load("ol");  // old', "info"),
    ],
)
def test_what_names_a_function_outside_of_comments_may_call_it(project: Project, call: str, severity: str) -> None:
    library(project, call=call)
    assert finding(project)["severity"] == severity


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tool.py", "library.old(p)\n"),
        ("src/bind.cpp", 'PYBIND11_MODULE(x, m) { m.def("f", &old); }\n'),
        ("src/table.cpp", "static const entry entries[] = {{1, old}};\n"),
        ("src/names.h", "#define CURRENT old\n"),
        ("src/paste.cpp", "#define CALL(x) o##x(p)\nvoid go(float *p) { CALL(ld); }\n"),
        (
            "src/paste.cpp",
            "#define CAT(x, y) x##y\n#define CALL(x, y) CAT(x, y)(p)\nvoid go(float *p) { CALL(ol, d); }\n",
        ),
        ("src/other.cu", "void go(float *p) { old(p); }\n"),
    ],
)
def test_a_function_that_anything_names_is_reached(project: Project, path: str, text: str) -> None:
    library(project)
    project.put(path, text)
    assert finding(project)["severity"] == "warning"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/again.h", "extern void old(float *p);\n"),
        ("src/other.h", "struct layer { float *old; };\n"),
        ("src/other.cu", '#include "old.h"\n__global__ void other(float *old);\n'),
        ("README.md", "`old` is slow.\n"),
    ],
)
def test_declarations_and_other_things_of_the_name_call_nothing(project: Project, path: str, text: str) -> None:
    library(project, call="    // old(p);")
    project.put(path, text)
    assert finding(project)["severity"] == "info"


def test_a_public_header_is_for_other_programs(project: Project) -> None:
    library(project, header="include/ops.h")
    assert finding(project)["severity"] == "warning"


def test_a_library_whose_functions_nothing_calls_is_for_other_programs(project: Project) -> None:
    project.put("src/ops.h", "void a(float *p);\nvoid b(float *p);\nvoid old(float *p);\n")
    project.put("src/ops.cu", '#include "ops.h"\n' + kernel("a") + kernel("b") + kernel("old"))
    assert finding(project)["severity"] == "warning"


@pytest.mark.parametrize("mark", ["__declspec(dllexport) ", "MY_API ", '__attribute__((visibility("default"))) '])
def test_what_is_exported_is_for_other_programs(project: Project, mark: str) -> None:
    more = SLOW.format("own_kernel") + mark + LAUNCH.format("own", "own_kernel")
    library(project, more=more)
    assert finding(project, "own_kernel")["severity"] == "warning"


def test_a_kernel_without_a_launch_beside_others_is_an_info(project: Project) -> None:
    project.put("k.cu", SLOW.format("used") + SLOW.format("unused") + LAUNCH.format("run", "used"))
    found = finding(project, "unused")
    assert (found["severity"], found["unreached"]) == ("info", "unused")
    assert any("launches the kernel" in note["message"] for note in found["notes"])


@pytest.mark.parametrize(
    "launch",
    [
        "void more(float *p) { auto f = unused; f<<<64, 256>>>(p); }\n",
        "void more(float *p) { cudaLaunchKernel((void *)unused, 64, 256, 0, 0, 0); }\n",
        "#define GO(name) name##used<<<64, 256>>>(p)\nvoid more(float *p) { GO(un); }\n",
        "__global__ void outer(float *p) { unused<<<1, 32>>>(p); }\nvoid more(float *p) { outer<<<1, 1>>>(p); }\n",
    ],
)
def test_a_kernel_that_is_named_may_be_launched(project: Project, launch: str) -> None:
    project.put("k.cu", SLOW.format("used") + SLOW.format("unused") + LAUNCH.format("run", "used") + launch)
    assert finding(project, "unused")["severity"] == "warning"


def test_a_kernel_that_only_an_unreached_function_launches_is_an_info(project: Project) -> None:
    inner = (
        SLOW.format("deep") + "static " + LAUNCH.format("inner", "deep") + "static void outer(float *p) { inner(p); }\n"
    )
    project.put("k.cu", SLOW.format("used") + LAUNCH.format("run", "used") + inner)
    assert finding(project, "deep")["unreached"] == "outer"


def test_kernels_that_no_file_launches_are_for_other_programs(project: Project) -> None:
    project.put("k.cu", SLOW.format("one") + SLOW.format("other"))
    assert finding(project, "one")["severity"] == "warning"


def test_kernels_of_headers_are_for_other_programs(project: Project) -> None:
    project.put("k.cuh", SLOW.format("used") + SLOW.format("unused"))
    project.put("k.cu", '#include "k.cuh"\n' + LAUNCH.format("run", "used"))
    found = [one for one in project.lint(".").report["diagnostics"] if one["kernel"] == "unused"]
    assert all(one["unreached"] is None for one in found)


def test_nothing_is_said_of_a_lone_file(project: Project) -> None:
    project.put("k.cu", SLOW.format("used") + SLOW.format("unused") + LAUNCH.format("run", "used"))
    diagnostics = project.lint("k.cu").report["diagnostics"]
    assert [one["unreached"] for one in diagnostics] == [None, None]


def test_an_error_in_an_unreached_kernel_is_an_error(project: Project) -> None:
    wrong = "__global__ void unused(float *p) { if (threadIdx.x < 5) __syncthreads(); p[threadIdx.x] = 1; }\n"
    project.put("k.cu", SLOW.format("used") + wrong + LAUNCH.format("run", "used"))
    found = finding(project, "unused")
    assert (found["severity"], found["unreached"]) == ("error", "unused")
