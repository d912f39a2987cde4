"""Images whose pixels have a few channels, side by side: how bad what is said of them is."""

from __future__ import annotations

import pytest
from project import Project
from severities import severities

IMAGE = """\
struct Image {
    unsigned char *data;
    int rows, cols, ch;
    long rowStride;
    __device__ unsigned char *ptr(int y, int x, int c) const { return data + y * rowStride + x * ch + c; }
};
"""


@pytest.mark.parametrize(
    ("block", "body", "severity"),
    [
        ("32, 8", "*out.ptr(y, x, blockIdx.z) = 1;", "info"),  # there may be one
        ("16, 16", "*out.ptr(y, x, 0) = 1;", "info"),  # whatever the length of a row is
        ("32, 8", "for (int c = 0; c < out.ch; ++c) *out.ptr(y, x, c) = 1;", "info"),
        ("32, 8", "out.data[x * out.rowStride + y] = 1;", "warning"),  # a column, however it is called
    ],
)
def test_what_the_number_of_channels_decides_is_an_info(project: Project, block: str, body: str, severity: str) -> None:
    text = f"""{IMAGE}\
__global__ void k(Image out) {{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < out.cols && y < out.rows) {{
        {body}
    }}
}}
void run(Image image, dim3 grid) {{ k<<<grid, dim3({block})>>>(image); }}
"""
    assert set(severities(project, text).values()) == {severity}
