"""Elements moved one by one in a kernel that the host launches for rows that another cannot move in vectors."""

from __future__ import annotations

import pytest
from project import Project

HOST = """
__global__ void vectors(const float *in, int pitch, float *out) {{
    int i = blockIdx.x * 256 + threadIdx.x;
    const float4 *row = (const float4 *)((const char *)in + blockIdx.y * pitch);
    ((float4 *)((char *)out + blockIdx.y * pitch))[i] = row[i];
}}
__global__ void elements(const float *in, int pitch, {type} *out) {{
    int i = 4 * (blockIdx.x * 256 + threadIdx.x);
    const float *row = (const float *)((const char *)in + blockIdx.y * pitch);
    {type} *to = ({type} *)((char *)out + blockIdx.y * pitch);
    to[i] = row[i] + row[i + 3];
    to[i + 3] = 0;
}}
void run(const float *in, {type} *out, float *f, int pitch, int mode, dim3 grid) {{
    {launches}
}}
"""


VECTORS, ELEMENTS = "vectors<<<grid, 256>>>(in, pitch, f);", "elements<<<grid, 256>>>(in, pitch, out);"


@pytest.mark.parametrize(
    ("launches", "type_", "severities"),
    [
        (f"if (pitch % 16 == 0) {VECTORS} else {ELEMENTS}", "float", {"info"}),
        (f"if ((pitch & 15) == 0) {{ {VECTORS} return; }} {ELEMENTS}", "float", {"info"}),
        (f"if (mode == 3) {VECTORS} else {ELEMENTS}", "float", {"warning"}),
        (f"if (pitch / 16 > 4) {VECTORS} else {ELEMENTS}", "float", {"warning"}),
        (f"if (pitch < 16) {VECTORS} else {ELEMENTS}", "float", {"warning"}),
        (f"if (pitch % 4 != 0) return; {VECTORS} {ELEMENTS}", "float", {"warning"}),
        (f"{VECTORS} if (pitch % 16 == 0) {ELEMENTS}", "float", {"warning"}),
        # what is loaded, and what is stored to another type
        (f"if (pitch % 16 == 0) {VECTORS} else {ELEMENTS}", "int", {"info", "warning"}),
    ],
)
def test_a_kernel_that_is_launched_where_another_cannot_move_vectors(
    project: Project, launches: str, type_: str, severities: set[str]
) -> None:
    project.put("k.cu", HOST.format(launches=launches, type=type_))
    found = project.lint("k.cu").report["diagnostics"]
    assert {d["severity"] for d in found if d["code"] == "COA101"} == severities
