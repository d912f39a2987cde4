"""A component of vectors that most functions of a file use whole is no warning."""

from __future__ import annotations

import pytest
from project import Project

ASSUMED = "// coalint: assume(blockDim.x == 256)\n"
HEAD = f"{ASSUMED}__global__ void"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
PART = f"{HEAD} part(float *o, const float4 *p) {{ {INDEX} o[i] = p[i].w; }}"
WHOLE = f"{HEAD} whole(float4 *o, const float4 *p) {{ {INDEX} o[i] = p[i]; }}"
COPY = f"{HEAD} copied(float *o, const float4 *p) {{ {INDEX} float4 q = p[i]; o[i] = q.x + q.y * q.z + q.w; }}"
FIELDS = f"{HEAD} each(float *o, const float4 *p) {{ {INDEX} o[i] = p[i].x + p[i].y + p[i].z + p[i].w; }}"
OTHER = f"{HEAD} other(float4 *o, const float4 *q) {{ {INDEX} o[i] = q[i]; }}"
TAKEN = f"{HEAD} taken(const float4 **o, const float4 *p) {{ {INDEX} o[i] = &p[i]; }}"
MORE = f"{HEAD} more(float *o, const float4 *p) {{ {INDEX} o[i] = p[i].x; }}"
HALF = f"{HEAD} half(float *o, const float4 *p) {{ {INDEX} float4 q = p[i]; o[i] = q.z + q.y; }}"
THIRD = f"{HEAD} third(float *o, const float4 *p) {{ {INDEX} float4 q; q = p[i]; o[i] = q.x; }}"
STORE = f"{HEAD} stores(float4 *p) {{ {INDEX} p[i].w = 1; }}"
STRUCT = "struct Four { float x, y, z, w; };\n"


def severity(project: Project, *kernels: str) -> str:
    project.put("k.cu", "\n".join(kernels))
    found = project.lint("k.cu").report["diagnostics"]
    places = [at for one in found if one["code"] == "COA102" for at in one["places"]]
    return str(next(at["severity"] for at in places if at["kernel"] in ("part", "stores")))


AGAIN = WHOLE.replace("whole", "again")


@pytest.mark.parametrize("others", [(WHOLE, AGAIN), (COPY, AGAIN), (FIELDS, AGAIN), (WHOLE, COPY, AGAIN, MORE)])
def test_a_component_of_vectors_that_are_used_whole_is_an_info(project: Project, others: tuple[str, ...]) -> None:
    assert severity(project, PART, *others) == "info"


@pytest.mark.parametrize(
    "others",
    [
        (),
        (OTHER, OTHER.replace("other(", "again(")),
        (WHOLE,),
        (WHOLE, COPY, MORE),
        (TAKEN, WHOLE),
        (WHOLE, HALF, THIRD),
        (HALF, THIRD),
    ],
)
def test_it_stays_a_warning_where_no_more_functions_use_them_whole(project: Project, others: tuple[str, ...]) -> None:
    assert severity(project, PART, *others) == "warning"


def test_a_store_of_a_component_may_be_a_part_of_the_whole(project: Project) -> None:
    assert severity(project, STORE, WHOLE, COPY, FIELDS) == "warning"


def test_a_copy_of_which_one_component_is_used_is_no_whole_itself(project: Project) -> None:
    kernel = f"{HEAD} part(float *o, const float4 *p) {{ {INDEX} float4 q = p[i]; o[i] = q.w; }}"
    assert severity(project, kernel) == "warning"
    assert severity(project, kernel, WHOLE) == "warning"
    assert severity(project, kernel, WHOLE, COPY) == "info"


def test_structs_of_the_program_stay_warnings(project: Project) -> None:
    kernels = [one.replace("float4", "Four") for one in (PART, WHOLE, COPY)]
    assert severity(project, STRUCT, *kernels) == "warning"


def test_a_copy_of_which_a_part_is_used_is_no_use_of_the_whole(project: Project) -> None:
    copy = f"{HEAD} part(float *o, const float4 *p) {{ {INDEX} float4 q = p[i]; o[i] = q.x; }}"
    assert severity(project, copy) == "warning"
    assert severity(project, copy, copy.replace("part", "again")) == "warning"
    assert severity(project, copy, WHOLE, AGAIN) == "info"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (i < n) { float w = p[i].w; q[i] = make_float4(0, 0, 0, w); } else q[i] = p[i];", "info"),
        ("if (i < n) { float w = p[i].w; q[i] = make_float4(0, 0, 0, w); } else q[i].x = n;", "warning"),
        ("float w = 0; for (int k = 0; k < n; ++k) w += p[i + k * 256].w; q[i] = p[i + n]; q[i].w = w;", "warning"),
        ("float w = p[i].w; float4 v = p[i + n]; q[i].w = v.x * w;", "warning"),
    ],
)
def test_a_path_that_moves_the_vectors_whole_speaks_for_their_layout(
    project: Project, body: str, expected: str
) -> None:
    kernel = f"{HEAD} part(float4 *q, const float4 *p, int n) {{ {INDEX} {body} }}"
    project.put("k.cu", kernel)
    found = project.lint("k.cu").report["diagnostics"]
    assert {at["severity"] for one in found if "`p[" in one["message"] for at in one["places"]} == {expected}
