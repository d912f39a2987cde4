"""Strides that are not known: with which small numbers an access would be good, and what says that they are rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses

from coalint.core.facts.access import Access


def last(folder: Path, body: str, parameters: str) -> Access:
    *_, (found, _) = accesses(folder, f"int i = blockIdx.x * blockDim.x + threadIdx.x; {body}", parameters=parameters)
    return found


@pytest.mark.parametrize(
    ("body", "parameters", "numbers"),
    [
        ("out[i * m] = 0;", "int m", {"m": 1}),
        ("out[i * (m / 4)] = 0;", "int m", {"(m / 4)": 1}),
        ("out[i * stride * dilation] = 0;", "int stride, int dilation", {"stride": 1, "dilation": 1}),
        ("out[i * (1 + pad)] = 0;", "int pad", {"pad": 0}),
        ("out[(i % w) * stride - 3 + (i / w) * w] = 0;", "int w, int stride", {"stride": 1}),
        ("out[i * stride + k] = 0;", "int stride, int k", {"stride": 1}),
        ("for (int k = 0; k < 3; ++k) out[i * stride + k] = 0;", "int stride", {"stride": 1}),
        ("out[i * (ldq + 1)] = 0;", "int ldq", {}),
        ("out[i * (width * height)] = 0;", "int width, int height", {}),
        ("out[i * m + 5 * i] = 0;", "int m", {}),
        ("out[(i % w) * m] = 0;", "int w, int m", {"m": 1}),
        ("out[(i % w) * m + 8 * t] = 0;", "int w, int m, int t", {"m": 1}),
        ("out[i * width] = 0;", "int width", {}),  # by their names, the lengths of rows
        ("out[i * (vocab_size / 2)] = 0;", "int vocab_size", {}),
        ("out[i * numCols] = 0;", "int numCols", {}),
        ("out[i * rowStride] = 0;", "int rowStride", {}),
        ("out[i * dilation_stride] = 0;", "int dilation_stride", {"dilation_stride": 1}),
        ("out[i * kernelWidth] = 0;", "int kernelWidth", {"kernelWidth": 1}),
        ("if (m > 1) out[i * m] = 0;", "int m", {}),  # what the branch excludes
        ("if (m != 1) { if (m < 9) out[i * m] = 0; }", "int m", {}),
    ],
)
def test_numbers_that_make_an_access_good_are_named(
    tmp_path: Path, body: str, parameters: str, numbers: dict[str, int]
) -> None:
    assert dict(last(tmp_path, body, parameters).open.fitting) == numbers


@pytest.mark.parametrize("index", ["i * step", "i * step + 5", "(i % 64) * step"])
@pytest.mark.parametrize("type_", ["struct C { double re, im; };", "struct C { float x, y, z; };"])
def test_pieces_of_a_value_are_good_together(tmp_path: Path, type_: str, index: str) -> None:
    body = f"int i = threadIdx.x; at[{index}] = from[i];"
    stores = [
        a for a, _ in accesses(tmp_path, body, 64, "C *at, const C *from, int step", type_) if "at[" in a.expression
    ]
    assert len(stores) > 1
    assert {a.open.fitting for a in stores} == {(("step", 1),)}


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < n; ++k) out[i * n + k] = 0;",  # the length of rows that a loop walks
        "out[n * (i + 1) + t] = out[n * t + t];",  # that a column number goes along
        "if (i < n) out[i * n] = 0;",  # that bounds the lanes too
        "if (i >= n) return; out[i * n] = 0;",
        "if (!(n > i)) return; out[i * n] = 0;",
        "out[n * (i + 1) + t] = out[n * t + i];",
        "out[n * (i + 1) + inner] = out[n * inner + inner];",  # whose column's name holds the row's
        "out[i * n + blockIdx.y] = 0;",
        "out[blockIdx.y * n + i] = out[i * n];",  # that another access walks by rows
        "out[(i % t) * n + i / t] = 0;",  # a transposition
        "out[blockIdx.y * src_stride + i] = 0; out[i * src_stride] = 0;",
    ],
)
def test_the_length_of_rows_is_not_taken_for_1(tmp_path: Path, body: str) -> None:
    assert last(tmp_path, body, "int n, int t, int src_stride, int inner").open.fitting == ()


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("out[blockIdx.y * row + i * ch + blockIdx.z] = 0;", {"ch": 1}),
        ("out[blockIdx.y * row + i * mNumChannels + blockIdx.z] = 0;", {"mNumChannels": 1}),
        ("out[blockIdx.y * row + (i & ~1) * ch + blockIdx.z] = 0;", {"ch": 1}),  # a quotient, and no remainder
        ("out[blockIdx.y * row + i / 2 * ch + blockIdx.z] = 0;", {"ch": 1}),
        ("out[blockIdx.y * row + i * size + blockIdx.z] = 0;", {}),
        ("if (i < ch) out[blockIdx.y * row + i * ch + blockIdx.z] = 0;", {}),  # that many threads
        ("out[blockIdx.y * row + i * ch + C * blockIdx.z + blockIdx.z] = 0;", {}),  # of a layer of a network
    ],
)
def test_the_channels_of_a_pixel_may_be_one_though_their_place_is_told(
    tmp_path: Path, body: str, numbers: dict[str, int]
) -> None:
    parameters = "int row, int ch, int mNumChannels, int size, int C"
    assert dict(last(tmp_path, body, parameters).open.fitting) == numbers


WINDOW = "int x = threadIdx.x % 67, y = threadIdx.x / 67; out[((y + blockIdx.y) * in_w + x) * {} + {}] = 0;"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (WINDOW.format("m", "0"), "m"),
        (WINDOW.format("p", "3"), "p"),
        (WINDOW.format("inner_size", "blockIdx.x % inner_size"), "inner_size"),  # behind the last axis lies nothing
        (WINDOW.format("minorDim", "blockIdx.x"), "minorDim"),
        (WINDOW.format("after_dim_size", "blockIdx.x"), "after_dim_size"),
    ],
)
def test_numbers_that_make_an_access_nearly_good_are_named_with_its_cost(tmp_path: Path, body: str, name: str) -> None:
    parameters = "int in_w, int m, int p, int inner_size, int minorDim, int after_dim_size"
    found = last(tmp_path, body, parameters).open
    assert dict(found.fitting) == {name: 1}
    assert 4 < found.fitting_count < 12


@pytest.mark.parametrize(
    "body",
    [
        WINDOW.format("m", "blockIdx.x"),  # whose columns are told
        WINDOW.format("m", "blockIdx.x % m"),
        WINDOW.format("m", "c"),
        WINDOW.format("head_size", "blockIdx.x"),
        "if (i < inner_size) " + WINDOW.format("inner_size", "blockIdx.x"),  # that many threads
        "int x = threadIdx.x % 3, y = threadIdx.x / 3; out[(y * in_w + x) * m] = 0;",  # rows of three: as many sectors
        "out[(i % t) * m + i / t] = 0;",  # a transposition
        "out[((i % t) * in_w + i / t) * m] = 0;",
    ],
)
def test_no_number_is_named_that_leaves_much_or_may_not_be_1(tmp_path: Path, body: str) -> None:
    found = last(tmp_path, body, "int in_w, int m, int t, int c, int head_size, int inner_size").open
    assert (found.fitting, found.fitting_count) == ((), 0)


def test_a_branch_that_fixes_a_number_fixes_the_stride(tmp_path: Path) -> None:
    found = last(tmp_path, "if (m == 5) out[i * m] = 0;", "int m")
    assert (found.stride, found.result.exact, found.open.fitting) == ("20", True, ())
    found = last(tmp_path, "switch (m) { case 3: out[i * m + 1] = 0; }", "int m")
    assert found.stride == "12"
    found = last(tmp_path, "if (2 * m == 5 || m == 2) out[i * m] = 0;", "int m")
    assert found.stride == "4*m"


def dense(folder: Path, body: str, parameters: str) -> dict[str, int]:
    """The usual numbers with which the lanes of the last load lie close together."""
    found, *_ = accesses(
        folder, f"int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; {body} out[i] = s;", parameters=parameters
    )
    return dict(found[0].open.dense)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("dim", 3),
        ("numDims", 3),
        ("n_channels", 3),
        ("D", 3),
        ("point_dim", 3),
        ("head_dim", None),
        ("in_channels", None),
        ("n", None),
        ("width", None),
        ("ld", None),
        ("d", None),
        ("k", None),
    ],
)
def test_a_parameter_that_counts_components_is_tried_small(tmp_path: Path, name: str, number: int | None) -> None:
    found = dense(tmp_path, f"for (int j = 0; j < {name}; ++j) s += out[i * {name} + j];", f"int {name}")
    assert found == ({} if number is None else {name: number})


@pytest.mark.parametrize(
    "body",
    [
        "for (int j = 0; j < n; ++j) s += out[i * dim + j];",  # of which the loop does not walk all
        "for (int j = 0; j < dim; j += 2) s += out[i * dim + j];",
        "if (i < dim) for (int j = 0; j < dim; ++j) s += out[i * dim + j];",  # a square matrix
        "for (int j = 0; j < dim; ++j) s += out[i * dim + j] * out[j * dim + i];",
        "for (int j = 0; j < dim; ++j) s += out[(n * dim + i) * dim + j];",
        "for (int j = 0; j < dim; ++j) s += out[i * dim + j]; if (threadIdx.x < dim) s += out[i];",
        "for (int j = 0; j < dim; ++j) s += out[heads * n + i * dim + j];",
        "for (int j = 0; j < dim; ++j) s += out[M + i * dim + j];",
    ],
)
def test_components_are_many_where_the_kernel_shows_it(tmp_path: Path, body: str) -> None:
    assert dense(tmp_path, body, "int n, int dim, int heads, int M") == {}
