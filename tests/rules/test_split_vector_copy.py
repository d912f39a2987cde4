"""COA108: structs that are copied in pieces."""

from __future__ import annotations

import pytest
from project import Project

COPIES = """\
namespace physics {{ {declaration} }}
using namespace physics;
__global__ void copy({type} *out, const {type} *in) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {statement}
}}
void run({type} *a) {{ copy<<<4, 256>>>(a, a); }}
"""


@pytest.mark.parametrize(
    ("declaration", "type_", "says"),
    [
        (
            "struct Four { float x, y, z, w; };",
            "Four",
            "`struct __align__(16) Four { ... };`: each lane then moves its 16",
        ),
        (
            "struct Two { int key; float value; };",
            "Two",
            "`struct __align__(8) Two { ... };`: each lane then moves its 8",
        ),
        ("struct Three { float x, y, z; };", "Three", "pad it to 16 bytes, `struct __align__(16) Three { ... };`"),
        ("", "float3", "use `float4`"),
        ("", "double3", "one array per field (SoA)"),
        (
            "struct Eight { double v[4]; };",
            "Eight",
            "`struct __align__(16) Eight { ... };`, which makes 2 accesses of it",
        ),
        ("struct Six { float value[6]; };", "Six", "`struct __align__(8) Six { ... };`, which makes 3 accesses of it"),
        ("struct Five { float value[5]; };", "Five", "one array per field (SoA)"),
        ("template <class T> struct Pair { T a, b; };", "Pair<int>", "`struct __align__(8) Pair { ... };`"),
    ],
)
def test_a_struct_in_pieces_is_told_what_makes_it_whole(
    project: Project, declaration: str, type_: str, says: str
) -> None:
    project.put("k.cu", COPIES.format(declaration=declaration, type=type_, statement="out[i] = in[i];"))
    found = project.lint("k.cu").report["diagnostics"]
    assert {d["code"] for d in found} == {"COA108"}
    assert [at["line"] for d in found for at in d["places"]] == [found[0]["line"]] * 2
    assert all(says in d["help"] for d in found)


@pytest.mark.parametrize(
    ("type_", "statement", "codes"),
    [
        ("Four", "out[i] = in[blockIdx.x];", ["COA108"]),  # only the store
        ("Four", "out[i].x = in[i].y;", ["COA102", "COA102"]),
        ("Four", "out[2 * i] = in[i];", ["COA101", "COA108"]),  # the stride is more than the struct
        ("float4", "out[i] = in[i];", []),
    ],
)
def test_a_struct_in_pieces_has_one_finding(project: Project, type_: str, statement: str, codes: list[str]) -> None:
    declaration = "struct Four { float x, y, z, w; };"
    project.put("k.cu", COPIES.format(declaration=declaration, type=type_, statement=statement))
    assert project.lint("k.cu").codes == codes


def test_a_struct_of_the_language_is_moved_as_a_vector_since_a_program_cannot_align_it(project: Project) -> None:
    project.put(
        "k.cu",
        "#include <complex>\n"
        + COPIES.format(declaration="", type="std::complex<double>", statement="out[i] = in[i];").replace(
            "namespace physics {  }\nusing namespace physics;\n", ""
        ),
    )
    told = {d["help"] for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA108"}
    assert len(told) == 1
    assert told.pop().startswith("move it through a pointer to a vector type of 16 bytes: each lane then moves its 16")
