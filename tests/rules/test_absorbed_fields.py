"""What other loads use of the same sectors: of fields, of taps of windows, of elements in short loops."""

from __future__ import annotations

import pytest
from project import Project
from severities import HEAD, kernel, severities

POINT = "struct P { float x, y, sigma; int octave, count, first; float angle; };"


@pytest.mark.parametrize(
    ("before", "severity"),
    [("float s = q.x + q.y + q.sigma + q.octave;", "info"), ("float s = q.x;", "warning")],
)
def test_a_field_that_a_loop_loads_again_and_again_is_beside_those_before_it(
    project: Project, before: str, severity: str
) -> None:
    text = f"""\
{POINT}
__global__ void k(float *out, const P *p, int n) {{
    {HEAD}
    const P &q = p[i];
    {before}
    for (int k = 0; k < n; ++k)
        out[k * n + i] = q.first + s;
}}
void run(float *out, P *p, int n) {{ k<<<4, 256>>>(out, p, n); }}
"""
    assert severities(project, text)[7] == severity


@pytest.mark.parametrize(("also", "severity"), [("a.y + a.z", "info"), ("a.x", "warning")])
def test_one_field_of_a_copy_beside_taps_that_use_the_rest_is_an_info(
    project: Project, also: str, severity: str
) -> None:
    text = f"""\
__global__ void k(float *out, const float4 *in) {{
    {HEAD}
    const float4 c = in[i];
    const float4 a = in[i + 1];
    out[i] = c.x + a.x + {also};
}}
void run(float *out, float4 *in) {{ k<<<4, 256>>>(out, in); }}
"""
    assert severities(project, text).get(3) == severity


@pytest.mark.parametrize(
    ("second", "severity"),
    [
        ("2 * i + 1 < n", "info"),
        ("2 * i + 1 < pitch", "warning"),  # other limits
        ("2 * pitch + 1 < n", "warning"),  # of something else
        ("2 * i + 1 >= n", "warning"),
        ("!(2 * i < n)", "warning"),
        ("out[2 * i] < n", "warning"),
    ],
)
def test_taps_within_the_same_limits_are_beside_each_other(project: Project, second: str, severity: str) -> None:
    text = kernel(f"float s = 0; if (2 * i < n) s += in[2 * i]; if ({second}) s += in[2 * i + 1]; out[i] = s;")
    assert severities(project, text)[3] == severity


@pytest.mark.parametrize(("rounds", "severity"), [("2", "info"), ("16", "warning"), ("n", "warning")])
def test_the_iterations_of_a_short_loop_around_another_use_the_rest(
    project: Project, rounds: str, severity: str
) -> None:
    body = f"""float s = 0;
    for (int c = 0; c < 2; ++c) for (int y = 0; y < {rounds}; ++y) s += in[2 * i + c + y * pitch];
    out[i] = s;"""
    assert severities(project, kernel(body))[4] == severity


@pytest.mark.parametrize(("count", "offset", "is_vector"), [(4, 0, True), (4, 1, False), (3, 0, False), (6, 0, False)])
def test_stores_of_all_of_a_vector_are_advised_to_be_one(
    project: Project, count: int, offset: int, is_vector: bool
) -> None:
    stores = "".join(f"out[{count} * i + {part}] = n + {part};" for part in range(offset, count))
    project.put("k.cu", kernel(f"out += pitch; {stores}"))
    diagnostics = project.lint("k.cu").report["diagnostics"]
    assert (
        any(f"move the {4 * count} bytes of each thread as one vector" in d["help"] for d in diagnostics) is is_vector
    )


@pytest.mark.parametrize(
    ("before", "inside", "severity"),
    [
        ("if (in[9 * i] < 0) return;", "in[9 * i]", "info"),
        ("if (in[9 * i + 1] < 0) return;", "in[9 * i]", "warning"),  # another element
        ("if (n > 3 && in[9 * i] < 0) return;", "in[9 * i]", "warning"),  # which may not be loaded before
        ("if (in[9 * i] < 0) return;", "in[9 * i + k * pitch]", "warning"),
    ],
)
def test_what_was_loaded_before_a_loop_is_an_info_in_it(
    project: Project, before: str, inside: str, severity: str
) -> None:
    body = f"{before}\n    float s = 0; for (int k = 0; k < n; ++k)\n    s += k * {inside};\n    out[i] = s;"
    assert severities(project, kernel(body))[5] == severity


@pytest.mark.parametrize(
    ("condition", "severity"),
    [
        ("c.w > 0", "info"),
        ("0 < c.w && n > 3", "info"),
        ("n > 3", "warning"),
        ("limit.v > 0", "warning"),
        ("w > 0", "warning"),
    ],
)
def test_the_rest_of_a_struct_may_be_loaded_where_the_field_of_its_copy_is_right(
    project: Project, condition: str, severity: str
) -> None:
    text = f"""\
struct Q {{ float x, y, z, w; }}; struct V {{ float v; }};
__global__ void k(float *out, const Q *in, int n, float w, V limit) {{
    {HEAD}
    const Q c = in[i];
    out[i] = c.w;
    if ({condition}) out[i] = in[i].x + in[i].y + in[i].z;
}}
void run(float *out, Q *in, int n) {{ k<<<4, 256>>>(out, in, n, n, {{n}}); }}
"""
    assert severities(project, text)[4] == severity


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("p[i].a = n; p[i].b = n; p[i].c = n; p[i].d = n;", "COA102"),
        ("for (int k = 0; k < 6; ++k) x[6 * i + k] = n;", "COA106"),
        ("p[i] = {1, 2, 3, 4, 5};", "COA108"),
        ("reinterpret_cast<P *>(x + n * i)[0] = {1, 2, 3, 4, 5};", "COA101"),
    ],
)
def test_no_store_is_said_to_be_held_by_the_first_cache(project: Project, body: str, code: str) -> None:
    project.put(
        "k.cu",
        f"""\
struct P {{ float a, b, c, d, e; }};
__global__ void k(P *p, float *x, int n) {{
    {HEAD}
    {body}
}}
void run(P *p, float *x, int n) {{ k<<<4, 256>>>(p, x, n); }}
""",
    )
    found = project.lint("k.cu").report["diagnostics"]
    assert code in {d["code"] for d in found}
    notes = [note["message"] for d in found for note in d["notes"]]
    assert any("L2 cache" in note for note in notes)
    assert not any("L1 cache" in note for note in notes)
