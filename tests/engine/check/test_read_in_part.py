"""What could not be read: the cause alone is reported, and a kernel with errors in it counts as read in part."""

from __future__ import annotations

from project import Project

REFUSES = """\
#if REAL_BITS == 32
typedef float Real;
#define ONE 1.0f
#elif REAL_BITS == 64
typedef double Real;
#define ONE 1.0
#else
#error "REAL_BITS must be 32 or 64"
#endif
__global__ void k(Real *out, const Real *in) {
    out[threadIdx.x] = in[8 * threadIdx.x] + ONE;
}
void run(Real *a) { k<<<1, 256>>>(a, a); }
"""


def test_an_error_directive_is_the_one_problem_with_the_option_that_avoids_it(project: Project) -> None:
    project.put("k.cu", REFUSES)
    (problem,) = project.lint("-UREAL_BITS", "k.cu").report["diagnostics"]
    assert problem["message"].startswith('#error "REAL_BITS must be 32 or 64"')
    assert problem["line"] == 8
    assert problem["help"] == "pass the build's definitions: -D REAL_BITS=32"
    text = project.coalint("lint", "-UREAL_BITS", "k.cu").out
    assert "#error" in text
    assert "-D REAL_BITS=32" in text


def test_a_value_that_an_error_directive_asks_for_is_tried_and_named(project: Project) -> None:
    project.put("k.cu", REFUSES)
    report = project.lint("k.cu").report
    assert report["coverage"]["unknown"] == 0
    assert report["coverage"]["exact"] == 0
    (supposed,) = (d for d in report["diagnostics"] if d["code"] == "COA902")
    assert "supposed: REAL_BITS = 32" in supposed["message"]
    assert {d["severity"] for d in report["diagnostics"]} == {"info"}
    assert project.lint("-DREAL_BITS=32", "k.cu").codes == ["COA101"]


def test_a_kernel_with_errors_in_it_counts_as_read_in_part(project: Project) -> None:
    project.put(
        "k.cu",
        "__global__ void good(float *x) { x[threadIdx.x] = 0; }\n"
        "__global__ void bad(float *x) { x[threadIdx.x] = ); x[threadIdx.x] = 1; }\n"
        "void run(float *x) { good<<<1, 256>>>(x); bad<<<1, 256>>>(x); }\n",
    )
    coverage = project.lint("k.cu").report["coverage"]
    assert (coverage["kernels"], coverage["analysed"], coverage["partial"]) == (2, 1, 1)
    text = project.coalint("lint", "k.cu").out
    assert "read in part: 1 kernel" in text
    assert "not analysed: " not in text


def test_what_a_header_lacks_by_itself_is_an_info(project: Project) -> None:
    text = "__device__ void NAME\n#ifdef WIDE\n_wide\n#endif\n(float *p) { p[0] = 1 }\n#define KERNEL __global__ void\n"
    severities = {}
    for name in ("part.cuh", "part.cu"):
        project.put(name, text)
        (problem,) = project.lint(name).report["diagnostics"]
        severities[name] = problem["severity"], "a file that includes it" in problem["help"]
    assert severities == {"part.cuh": ("info", True), "part.cu": ("warning", False)}
