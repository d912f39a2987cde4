"""Accessors of tensors and structs like them: what their strides are called, and which of them is 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Access
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

TENSORS = """\
#include <torch/extension.h>
__global__ void k(at::PackedTensorAccessor32<float, 3> alphas, torch::PackedTensorAccessor64<float, 1> out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = alphas[1][blockIdx.y][i] + alphas[1][i][blockIdx.y];
}
void run(at::Tensor a, at::Tensor b) {
    k<<<dim3(4, 4), 256>>>(a.packed_accessor32<float, 3>(), b.packed_accessor64<float, 1>());
}
"""
VIEW = """\
struct Layout { int pitch; };
struct View { float *data; int strides[2]; Layout layout; };
__global__ void k(View v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v.data[i * v.strides[1]] = 0;
    v.data[i * v.layout.pitch] = 0;
}
void run(View v) { k<<<4, 256>>>(v); }
"""


def accesses(folder: Path, source: str, *assumed: str) -> list[Access]:
    file = folder / "k.cu"
    file.write_text(source)
    job = Job(assumed, architecture("sm_90"), (), keep=True, headers=shared_headers())
    result = check_file(Source(str(file)), job)
    assert not result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return list(kernel.analysis.accesses)


def by_text(found: list[Access]) -> dict[str, Access]:
    return {access.expression: access for access in found}


def test_the_last_stride_of_a_tensor_is_supposed_to_be_1(tmp_path: Path) -> None:
    found = by_text(accesses(tmp_path, TENSORS))
    row, column, out = (found[text] for text in ("alphas[1][blockIdx.y][i]", "alphas[1][i][blockIdx.y]", "out[i]"))
    assert row.strides[0] == out.strides[0] == 4
    assert "`alphas.stride(2)` is 1" in row.result.assumed
    assert "`out.stride(0)` is 1" in out.result.assumed
    assert not row.result.exact
    assert column.stride == "4*alphas.stride(1)"
    assert column.open.fitting == ()


@pytest.mark.parametrize(
    ("parameters", "alias"),
    [
        ("const Points points, at::PackedTensorAccessor64<float, 1> out", "at::PackedTensorAccessor32<float, 2>"),
        ("const Points points, at::PackedTensorAccessor64<long, 1> out", "at::PackedTensorAccessor32<float, 2>"),
        ("const Points points, const Points out", "at::PackedTensorAccessor32<float, 2>"),
        ("Points points, Points out", "at::GenericPackedTensorAccessor<float, 2>"),
    ],
)
def test_accessors_of_one_size_and_with_names_of_the_users_are_told_apart(
    tmp_path: Path, parameters: str, alias: str
) -> None:
    out = "out[0][i]" if parameters.endswith("Points out") else "out[i]"
    source = f"""\
#include <torch/extension.h>
typedef {alias} Points;
__global__ void k({parameters}, float *sums) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = points[i][0] + points[0][i] + {out};
}}
"""
    found = by_text(accesses(tmp_path, source))
    assert found["points[i][0]"].stride == "4*points.stride(0)"
    assert "`points.stride(1)` is 1" in found["points[0][i]"].result.assumed
    assert found[out].strides[0] == found[out].bytes


def test_a_stride_of_a_tensor_can_be_stated(tmp_path: Path) -> None:
    assumed = "alphas.stride(2) == 3 && alphas.stride(1) == 1"
    found = by_text(accesses(tmp_path, TENSORS, assumed))
    assert found["alphas[1][blockIdx.y][i]"].strides[0] == 12
    assert found["alphas[1][i][blockIdx.y]"].strides[0] == 4


def test_members_and_elements_of_parameters_are_named_and_can_be_stated(tmp_path: Path) -> None:
    element, member = accesses(tmp_path, VIEW)
    assert (element.stride, member.stride) == ("4*v.strides[1]", "4*v.layout.pitch")
    assert element.open.fitting == (("v.strides[1]", 1),)
    element, member = accesses(tmp_path, VIEW, "v.strides[1] == 1", "v.layout.pitch == 2")
    assert (element.strides[0], member.strides[0]) == (4, 8)


def test_a_tensor_of_which_one_column_is_used_may_have_no_other(tmp_path: Path) -> None:
    one, two = "p[i][0] = 0;", "p[i][0] = p[i][1];"
    for body, fitting in ((one, (("p.stride(0)", 1),)), (two, ())):
        source = f"""\
#include <torch/extension.h>
__global__ void k(torch::PackedTensorAccessor32<float, 2> p) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
"""
        found = by_text(accesses(tmp_path, source))
        assert found["p[i][0]"].open.fitting == fitting


@pytest.mark.parametrize(
    ("body", "fitting"),
    [
        ("p[b][i][0] = 0;", (("p.stride(1)", 1),)),
        ("p[b][i][0] = p[b][i][1];", ()),
        ("p[b][i][0] = 0; p[0][b][i] = 0;", ()),
    ],
)
def test_which_of_a_batch_of_tensors_is_meant_says_nothing_of_its_columns(
    tmp_path: Path, body: str, fitting: object
) -> None:
    source = f"""\
#include <torch/extension.h>
__global__ void k(torch::PackedTensorAccessor32<float, 3> p) {{
    int i = threadIdx.x, b = blockIdx.x;
    {body}
}}
"""
    assert by_text(accesses(tmp_path, source))["p[b][i][0]"].open.fitting == fitting


def test_what_pointers_inside_of_parameters_lead_to_is_called_as_the_parameter(tmp_path: Path) -> None:
    """So that equal members of two parameters are two arrays."""
    source = """\
#include <torch/extension.h>
struct View { float *data; int pitch; __device__ float &at(int i) { return data[i * pitch]; } };
typedef torch::PackedTensorAccessor32<float, 1> Row;
__global__ void k(Row p, Row q, View v, View w) {
    int i = threadIdx.x;
    p[i] = q[i];
    v.at(i) = w.at(i);
}
"""
    names = [access.memory and access.memory.name for access in accesses(tmp_path, source)]
    assert names == ["q", "p", "w.data", "v.data"]
