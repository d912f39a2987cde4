"""A struct that is copied whole is one finding: of the copy where it is the whole record, else of the field."""

from __future__ import annotations

import pytest
from project import Project

WHOLE = (
    "struct Q { struct { int a, b, c; } v; };\n__global__ void k(Q *q) { q[threadIdx.x].v = q[threadIdx.x + 64].v; }\n"
)
PART = """\
struct Three { int a, b, c; }; struct Q { Three v; int w; };
__global__ void k(Q *q) { q[threadIdx.x].v = q[threadIdx.x + 64].v; }
"""


@pytest.mark.parametrize(("source", "code"), [(WHOLE, "COA108"), (PART, "COA102")])
def test_one_rule_speaks_of_a_field_that_is_a_struct(source: str, code: str, project: Project) -> None:
    project.put("k.cu", source)
    assert set(project.lint(".").codes) == {code}


def test_a_struct_without_a_name_is_told_by_its_size(project: Project) -> None:
    project.put("k.cu", WHOLE)
    (finding, *_) = project.lint(".").report["diagnostics"]
    assert " moves a struct of 12 bytes in 3 pieces of 4 bytes" in finding["message"]
    assert "the struct is 12 bytes, aligned to 4: " in finding["notes"][0]["message"]


def test_the_bytes_that_are_used_are_those_of_the_whole_field(project: Project) -> None:
    project.put("k.cu", PART)
    (finding, *_) = project.lint(".").report["diagnostics"]
    assert "so neighbouring lanes are 16 bytes apart and use 12 of them" in finding["notes"][0]["message"]


NAMELESS = "struct V { union { struct { float x, y, z, w; }; float all[4]; }; }; struct R { V from; int n, pad[3]; };\n"


@pytest.mark.parametrize(
    ("statement", "fields"),
    [
        ("*o = v[threadIdx.x].y;", "`y`"),
        ("*o = r[threadIdx.x].from.y;", "`from.y`"),
        ("R c = r[threadIdx.x]; *o = c.from.z + c.n;", "`from.z` and `n`"),
        ("V c = v[threadIdx.x]; *o = c.z;", "`z`"),
    ],
)
def test_nameless_unions_are_left_out_of_the_names_of_fields(statement: str, fields: str, project: Project) -> None:
    project.put("k.cu", f"{NAMELESS}__global__ void k(const V *v, const R *r, float *o) {{ {statement} }}\n")
    (finding,) = (one for one in project.lint(".").report["diagnostics"] if one["code"] == "COA102")
    assert finding["help"].endswith(f"lanes find {fields} side by side")


CAST = """\
struct Three { float v[3]; };
struct Four { float x, y, z, w; __device__ const Three &xyz() const { return *(const Three *)this; } };
__global__ void k(const Four *in, Three *out) {
    Four whole = in[threadIdx.x];
    if (whole.w > 0) out[threadIdx.x] = in[threadIdx.x].xyz();
}
"""


@pytest.mark.parametrize("source", [CAST, CAST.replace("in[threadIdx.x].xyz()", "Three()")])
def test_what_a_cast_reaches_counts_among_the_fields_that_are_used(source: str, project: Project) -> None:
    project.put("k.cu", source)
    (finding,) = (one for one in project.lint(".").report["diagnostics"] if one["code"] == "COA102")
    uses_all = any("the loads beside it use all 16 bytes" in note["message"] for note in finding["notes"])
    assert ("of which only `w` is used" in finding["message"], uses_all) == (True, source == CAST)
