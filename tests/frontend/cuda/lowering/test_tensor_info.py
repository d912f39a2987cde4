"""PyTorch's TensorInfo and its walk over dimensions, as kernels of extensions use them."""

from __future__ import annotations

from pathlib import Path

from outcomes import outcomes

BEFORE = """\
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
using Info = at::cuda::detail::TensorInfo<float, int>;
"""


def test_one_dimension_is_one_stride(tmp_path: Path) -> None:
    body = """\
        Info info; info.strides[0] = 3;
        int at = at::cuda::detail::IndexToOffset<float, int, 1>::get(t, info); out[at] = in[t];
        """
    assert outcomes(tmp_path, body, BEFORE)["out[at]"] == "12"


def test_the_last_dimension_moves_fastest(tmp_path: Path) -> None:
    body = """\
        Info info; info.dims = 2; info.sizes[0] = 64; info.sizes[1] = 2048; info.strides[0] = 4096; info.strides[1] = 2;
        int at = at::cuda::detail::IndexToOffset<float, int, -1>::get(t, info); out[at] = in[t];
        """
    assert outcomes(tmp_path, body, BEFORE)["out[at]"] == "8"
