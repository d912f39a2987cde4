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
    if ({condition}) vectors<<<grid, 256>>>(in, pitch, f);
    else elements<<<grid, 256>>>(in, pitch, out);
}}
"""


@pytest.mark.parametrize(
    ("condition", "type_", "severities"),
    [
        ("pitch % 16 == 0", "float", {"info"}),
        ("(pitch & 15) == 0", "float", {"info"}),
        ("mode == 3", "float", {"warning"}),
        ("pitch % 16 == 0", "int", {"info", "warning"}),  # what is loaded, and what is stored to another type
    ],
)
def test_a_kernel_for_rows_that_another_cannot_move_in_vectors(
    project: Project, condition: str, type_: str, severities: set[str]
) -> None:
    project.put("k.cu", HOST.format(condition=condition, type=type_))
    found = project.lint("k.cu").report["diagnostics"]
    assert {d["severity"] for d in found if d["code"] == "COA101"} == severities
