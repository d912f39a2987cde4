"""Tiles that tensor copies move are not padded: an info for their columns, and other advice."""

from __future__ import annotations

from typing import Any

import pytest
from project import Project

BULK = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
KERNEL = """\
__device__ void copy_out(const CUtensorMap *map, int x, int y, const void *from) {{
    unsigned at = __cvta_generic_to_shared(from);
    asm volatile("{instruction} [%0, {{%1, %2}}], [%3];"
        :: "l"(map), "r"(x), "r"(y), "r"(at) : "memory");
}}
__device__ void send(unsigned long long map, unsigned from) {{
    asm volatile("{instruction} [%0, {{%1, %2}}], [%3];" :: "l"(map), "r"(0), "r"(0), "r"(from) : "memory");
}}
__global__ void k(const float *in, float *out, const __grid_constant__ CUtensorMap map, unsigned long long where) {{
    __shared__ alignas(128) float tile[32][32];
    tile[threadIdx.x][threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    {use}
}}
void run(float *x, CUtensorMap map) {{ k<<<4, dim3(32, 32)>>>(x, x, map, 0); }}
"""


def finding(project: Project, use: str, instruction: str = BULK) -> dict[str, Any]:
    project.put("k.cu", "#include <cuda.h>\n" + KERNEL.format(use=use, instruction=instruction))
    [found] = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA201"]
    return dict(found)


@pytest.mark.parametrize(
    "use",
    [
        "copy_out(&map, 0, 0, tile);",
        "float (*rows)[32] = tile; copy_out(&map, 0, 0, &rows[0][0]);",
        "send(where, static_cast<unsigned>(__cvta_generic_to_shared(&tile[0][0])));",
        "cuda::device::experimental::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 0, &tile);",
    ],
)
def test_a_column_of_what_a_tensor_copy_moves_is_an_info(project: Project, use: str) -> None:
    found = finding(project, use)
    assert found["severity"] == "info"
    assert "tensor map swizzle" in found["help"]
    assert found["fix"] is None
    assert not any("with rows of" in note["message"] for note in found["notes"])


@pytest.mark.parametrize(
    ("use", "instruction"),
    [
        ("out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];", BULK),
        ("send(where, static_cast<unsigned>(__cvta_generic_to_shared(&tile[0][0])));", "prefetch.tensormap"),
        ("__shared__ alignas(128) float other[32][32]; copy_out(&map, 0, 0, other);", BULK),
    ],
)
def test_a_column_of_another_tile_is_a_warning(project: Project, use: str, instruction: str) -> None:
    found = finding(project, use, instruction)
    assert found["severity"] == "warning"
    assert "float tile[32][33]" in found["help"]
