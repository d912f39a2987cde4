"""Parameters whose names say that they count a few things: the dimensions of a point, the experts of a token."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from coalint.core.lazy import np

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes

USUAL = (3, 4)
"""What such a parameter is tried as: the coordinates of a point, the colours of a pixel with its opacity."""
CHOSEN = (2, 4)
"""What the number of the best that are chosen is tried as: the experts that each token goes to."""
OF_POINTS = (4, 5)
"""What the number of a point's features is tried as: its coordinates, the intensity, the time or the ring."""
FARTHEST = 32
"""Bytes from lane to lane up to which a warp's loads stay within a few lines of the L1 cache."""
MOST_STORES = 3
"""Stores that together write all of a row, which the L2 cache joins at no cost (benchmarks/interleaved.cu)."""

_PATH = re.compile(r"(?:\w+(?:\.|->|::))*([A-Za-z_]\w*)")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_INNER = frozenset("inner minor trailing after post suffix".split())
_EXTENT = frozenset("dim dims dimension dimensions size extent count num n".split())
_CHANNELS = frozenset("channel channels nchannel nchannels ch nch chn".split())
_COUNTED = _CHANNELS | frozenset("dim dims dimension dimensions ndim ndims component components ncomp".split())
_WHOSE = frozenset("m n num number of p point points pt pts coord coords coordinate coordinates spatial space".split())
_CHOICE = re.compile(
    r"(?:(?:m|n|num|number_of|moe)_?)?(?:top_?k|topk_?(?:num|size|count)?)(?:_?(?:num|size|val|value))?"
    r"|(?:(?:n|num)_?)?experts?_?per_?tok(?:en)?|moe_?k",
    re.IGNORECASE,
)
_CHOOSING = re.compile(r"[Tt]op_?[Kk](?![a-z])|TOP_?K(?![A-Z])")
_OF_ROWS = frozenset("head heads hidden embed embedding token tokens vocab seq seqlen feature features feat".split())
_MATRIX = frozenset("BCHKLMNST")
_POINTS = frozenset(
    "point points pts pos position positions xyz coord coords coordinates vert verts vertex vertices cloud".split()
)
_COLOURS = frozenset("color colors colour colours rgb rgba rgbs".split())
_FEATURES = frozenset("feature features feat feats nfeat nfeats nfeature nfeatures".split())
_TENSOR = r"(.+?)(?:\.|->|_)(?:m?_)?"
_NUMBER = r"_?(?:\((\d+)\)|\[(\d+)\])"
_TENSOR_STRIDE = re.compile(rf"{_TENSOR}strides?{_NUMBER}")
_TENSOR_EXTENT = re.compile(rf"{_TENSOR}(?:dims?|sizes?|shape|extents?){_NUMBER}")
_BOUND = re.compile(r"<\s*([A-Za-z_][\w.]*)")


def is_component_count(name: str) -> bool:
    """Whether a quantity, as it is written, is called the number of a thing's dimensions or channels.

    So are `dim`, `numDims`, `p.channels`, `m_numChannels`, `ch` and `D`, but not what another word makes the length of
    a row: `head_dim`, `in_channels`.
    """
    match = _PATH.fullmatch(name)
    if match is None:
        return False
    words = {word.lower() for word in _WORD.findall(match[1])}
    return match[1] == "D" or (bool(words & _COUNTED) and words <= _COUNTED | _WHOSE)


def is_choice_count(name: str, kernel: str) -> bool:
    """Whether a quantity is called the number of the best that are chosen: `topk`, `numExpertsPerToken`.

    So is `k` in a kernel that is called after choosing them, as `topkGatingSoftmax`.
    """
    match = _PATH.fullmatch(name)
    if match is not None and match[1] in ("k", "K"):
        return _CHOOSING.search(kernel) is not None
    return match is not None and _CHOICE.fullmatch(match[1].strip("_")) is not None


def is_feature_count(name: str, array: str) -> bool:
    """Whether a quantity is called the number of features, and an array as what holds points: each has a few."""
    match = _PATH.fullmatch(name)
    if match is None or not holds_points(array):
        return False
    words = _words(match[1])
    return bool(words & _FEATURES) and words <= _FEATURES | _EXTENT | _WHOSE


def may_be_one(name: str) -> bool:
    """Whether a quantity is called a number of columns that may be 1, as that of the coordinates of a point is not.

    So are the channels of a pixel, and what lies inside of an axis (`inner_size`, `p.minor_dim`), which is 1 where the
    axis is the last.
    """
    words = _words(name.rpartition("->")[2].rpartition(".")[2])
    if words & _INNER and words & _EXTENT:
        return words <= _INNER | _EXTENT
    return is_component_count(name) and bool(words & _CHANNELS)


def speaks_of_rows(names: Collection[str]) -> bool:
    """Whether other quantities of a kernel say that its dimensions are long: those of matrices and of networks."""
    return any(name in _MATRIX or not _words(name).isdisjoint(_OF_ROWS) for name in names)


def holds_points(name: str) -> bool:
    """Whether an array or a tensor is called as what holds points, of which each has few coordinates."""
    return not _words(name).isdisjoint(_POINTS)


def holds_colours(name: str) -> bool:
    """Whether an array or a tensor is called as what holds colours, of which each has three or four components."""
    return not _words(name).isdisjoint(_COLOURS)


def row_of_tensor(name: str) -> tuple[str, int] | None:
    """Return the tensor and the dimension that a stride of one is of: of `points.stride(1)`, `points` and 1.

    So are `t.strides[1]`, and `t.dims[2]` or `t.size(2)`: the extent of a dimension is the stride of the one before it.
    """
    if match := _TENSOR_STRIDE.fullmatch(name):
        return match[1], int(match[2] or match[3])
    match = _TENSOR_EXTENT.fullmatch(name)
    dimension = 0 if match is None else int(match[2] or match[3]) - 1
    return None if match is None or dimension < 0 else (match[1], dimension)


def bounded_by_count(conditions: Collection[str]) -> bool:
    """Whether a condition, as it is written, compares something with a number of components: `d < D`."""
    return any(is_component_count(name) for text in conditions for name in _BOUND.findall(text))


def tries(symbolic: tuple[str, ...], array: str, kernel: str) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield what the quantities that lanes are multiples of are tried as, where one alone counts components.

    `array` is what the memory is called, `kernel` what the kernel is.
    """
    if len(symbolic) != 1:
        return
    name = symbolic[0]
    if is_choice_count(name, kernel):
        yield from (((name, number),) for number in CHOSEN)
    elif is_feature_count(name, array):
        yield from (((name, number),) for number in OF_POINTS)
    elif is_component_count(name) or row_of_tensor(name):
        yield from (((name, number),) for number in USUAL)


def is_dense(lanes: Lanes) -> bool:
    """Whether the lanes of each warp lie so close together that loads of the same lines follow each other."""
    starts = lanes.offsets.reshape(-1, lanes.offsets.shape[-1])
    active = lanes.active.reshape(starts.shape)
    return all(
        int(np.ptp(offsets[on])) <= FARTHEST * on.size for offsets, on in zip(starts, active, strict=True) if on.any()
    )


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}
