"""One finding for what keeps several files from being read: a name, a header, a condition, a header nobody uses."""

from __future__ import annotations

from typing import Any

from project import Project


def found(project: Project, *arguments: str) -> list[dict[str, Any]]:
    """The findings about what could not be read, with their places as file and line."""
    report = project.lint(*arguments).report
    return [
        {**d, "at": [(place["file"], place["line"]) for place in d["places"]]}
        for d in report["diagnostics"]
        if d["code"] in ("COA902", "COA903")
    ]


def test_a_name_that_several_files_lack_is_one_finding_and_what_follows_from_it_too(project: Project) -> None:
    project.put("a.cu", "__global__ void a(Real *p) { p[threadIdx.x] = Other(1); }\n")
    project.put("b.cu", "__global__ void b(Real *p) { Third t; p[threadIdx.x] = t; }\n")
    project.put("c.cu", "__global__ void d(Real *p) {\n  p[threadIdx.x] = p[1] > 0 ? p[0] : -p[0];\n}\n")
    (finding,) = found(project, "a.cu", "b.cu", "c.cu")
    assert finding["severity"] == "info"
    lacks = "Other, Real are not declared in any header found; what depends on them is unknown"
    assert finding["message"] == f"{lacks}; at the other places also Third"
    assert finding["at"] == [("a.cu", 1), ("b.cu", 1), ("c.cu", 1), ("c.cu", 2)]
    assert finding["cause"] == {"kind": "undeclared", "names": "Other, Real"}


def test_names_that_no_file_has_in_common_are_findings_of_their_own(project: Project) -> None:
    project.put("a.cu", "__global__ void a(Real *p) { p[threadIdx.x] = 1; }\n")
    project.put("b.cu", "__global__ void b(Whole *p) { p[threadIdx.x] = 1; }\n")
    assert [f["at"] for f in found(project, "a.cu", "b.cu")] == [[("a.cu", 1)], [("b.cu", 1)]]


def test_a_header_that_several_files_lack_is_one_finding(project: Project) -> None:
    project.put("a.cu", '#include "nowhere.h"\n#include "else.h"\n__global__ void a(float *p) { p[0] = far(p); }\n')
    project.put("b.cu", '\n#include "nowhere.h"\n__global__ void b(Near *p) {\n p[0] = 1 +;\n}\n')
    (finding,) = found(project, "a.cu", "b.cu")
    assert finding["message"].startswith("'nowhere.h' file not found (and 1 more include)")
    assert finding["at"] == [("a.cu", 1), ("b.cu", 2), ("b.cu", 4)]
    assert finding["cause"] == {"kind": "not-found", "names": "nowhere.h, else.h"}


def test_kernels_that_one_condition_leaves_out_are_one_finding(project: Project) -> None:
    kernels = "".join(f"#if DIMS >= 3\n__global__ void k{i}(float *p) {{ p[0] = 1; }}\n#endif\n" for i in range(2))
    project.put("a.cu", kernels)
    project.put(
        "b.cu", kernels.replace("k", "l") + "#if DIMS >= 4\n__global__ void m(float *p) { p[0] = 1; }\n#endif\n"
    )
    findings = found(project, "a.cu", "b.cu")
    assert [(f["severity"], f["at"]) for f in findings] == [
        ("info", [("a.cu", 2), ("a.cu", 5), ("b.cu", 2), ("b.cu", 5)]),
        ("info", [("b.cu", 8)]),
    ]
    assert findings[0]["help"] == "pass the definitions of a build that has it: -D DIMS=3"


def test_the_kernels_of_a_header_that_no_file_uses_are_one_finding(project: Project) -> None:
    kernels = "__global__ void one(float *p) { p[0] = 1; }\n__global__ void two(float *p) { p[0] = 1; }\n"
    project.put("src/lone.h", kernels)
    project.put("src/other.h", kernels)
    project.put("src/a.cu", "__global__ void a(float *p) { p[threadIdx.x] = 1; }\n")
    assert [f["at"] for f in found(project, "src")] == [
        [("src/lone.h", 1), ("src/lone.h", 2)],
        [("src/other.h", 1), ("src/other.h", 2)],
    ]


def test_the_most_findings_count_causes(project: Project) -> None:
    for name in "abc":
        project.put(f"{name}.cu", f"__global__ void {name}(Real *p, {name.upper()}x q) {{ p[threadIdx.x] = q; }}\n")
    project.put("d.cu", "__global__ void d(Whole *p) { p[threadIdx.x] = 1; }\n")
    report = project.lint("a.cu", "b.cu", "c.cu", "d.cu", "--max-findings=1").report
    assert [len(d["places"]) for d in report["diagnostics"]] == [3]
    assert report["hidden"]["more"] == 1
