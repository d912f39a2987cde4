"""Which small numbers of what is not known make an access good that is bad for a general one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.warps.model import WarpModel
from coalint.core.facts.access import Access, Space
from coalint.machine.global_memory.sectors import ideal_sectors, sector_counts
from coalint.machine.traffic import mean_per_request

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.warps.results import WarpResult
    from coalint.core.facts.lanes import Lanes

Numbers = tuple[tuple[str, int], ...]

MOST_NAMES = 4  # of quantities that one address is a multiple of
_SMALL_NAME = re.compile(r"stride|step|pad|dilat|inc|skip|factor|interval|subsampl|spacing|hop", re.IGNORECASE)
_TENSOR_STRIDE = re.compile(r"\.stride\(\d+\)$")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def is_small(name: str) -> bool:
    """Whether what is called so is usually a small number: a stride of a convolution, not the length of a row."""
    return _SMALL_NAME.search(name) is not None


class Plausible:
    """Tries numbers for what the lanes of an access are multiples of."""

    def __init__(self, model: WarpModel) -> None:
        self.model = model
        self._models: dict[Numbers, WarpModel] = {}

    def fitting(self, offset: Poly, conditions: Sequence[Condition], width: int, result: WarpResult) -> Numbers:
        """Return the numbers with which an access to global memory costs a sector more than the ideal at most.

        One quantity is tried as 1; those with names of small numbers also together, or as 2 (a padding as 0). Empty
        where the access is good as it is, or none of these makes it good.
        """
        if not result.symbolic or result.lanes is None or _is_good(result.lanes, width):
            return ()
        for numbers in _tries(result.symbolic):
            found = self._with(numbers).lanes(offset, conditions, sectors=True)
            if all(one.lanes is not None and not one.symbolic and _is_good(one.lanes, width) for one in found):
                return numbers
        return ()

    def _with(self, numbers: Numbers) -> WarpModel:
        if numbers not in self._models:
            given = {**self.model.given, **dict(numbers)}
            self._models[numbers] = WarpModel(self.model.algebra, self.model.block, self.model.axes, given)
        return self._models[numbers]


def _tries(names: Sequence[str]) -> Iterator[Numbers]:
    if len(names) > MOST_NAMES:
        return
    small = [name for name in names if is_small(name)]
    yield from (((name, 1),) for name in [*small, *(name for name in names if name not in small)])
    if len(small) > 1:
        yield tuple((name, 1) for name in small)
    yield from (((name, 0 if "pad" in name.lower() else 2),) for name in small)


def _is_good(lanes: Lanes, width: int) -> bool:
    count = mean_per_request(sector_counts(lanes, width), lanes)
    ideal = mean_per_request(ideal_sectors(lanes, width), lanes)
    return count is None or ideal is None or count - ideal <= 1


def without_pitches(accesses: Sequence[Access], indices: Collection[str]) -> tuple[Access, ...]:
    """Return the accesses of a kernel with `fitting` numbers only where nothing shows that these are row lengths.

    `indices` are the components of the thread index and the block index, as the language spells them.
    """
    if not any(access.open.fitting for access in accesses):
        return tuple(accesses)
    others = [access for access in accesses if access.space in (Space.GLOBAL, Space.GENERIC)]
    names = {name for access in accesses for name, _ in access.open.fitting}
    pitches = {name for name in names if any(_is_pitch(name, access, indices) for access in others)}
    return tuple(
        replace(access, open=replace(access.open, fitting=()))
        if pitches.intersection(_named(access)) or _is_transposed(access)
        else access
        for access in accesses
    )


def _named(access: Access) -> list[str]:
    return [name for name, _ in access.open.fitting]


def _is_transposed(access: Access) -> bool:
    """Whether a remainder of the index is multiplied and its quotient, it seems, walks along the rows."""
    if access.stride != "?" or any(map(is_small, _named(access))):
        return False
    return any("/" in text for text in (access.expression, *(note.message for note in access.provenance)))


def _is_pitch(name: str, access: Access, indices: Collection[str]) -> bool:
    """Whether an access walks rows of this length: something moves by the quantity, and something else by an element.

    So are a tensor's strides but the last. What has the name of a small number may be a stride inside of rows. It is a
    row's length where lanes are neighbours and something else than they moves by it.
    """
    if _TENSOR_STRIDE.search(name):
        return True
    lanes, others = _moves(access)
    by_name = [text for text in (*others, *_terms(access.address.common)) if _multiplies(name, text)]
    if is_small(name):
        counted = {name, *indices, *(loop.variable for loop in access.loops)}
        alone = (counted.issuperset(_NAME.findall(text)) for text in by_name)
        return _is_unit(lanes, access.bytes) and any(alone)
    if _is_unit(lanes, access.bytes):
        return bool(by_name)
    if not _multiplies(name, lanes) and not by_name:
        return False
    units = [text for text in (*others, *_terms(access.address.common)) if _is_unit(text, access.bytes)]
    beside = [
        text for text in _terms(access.address.common) if _is_one_element(text, access.bytes) and name not in text
    ]
    bounds = any(name in _NAME.findall(text) and "<" in text for text in access.guard)
    return bool(units or beside or bounds)


def _moves(access: Access) -> tuple[str, list[str]]:
    """How lanes move the address, and how other axes and loops do, in bytes as text."""
    block = access.specialization.block
    axes = [text for text, count in zip(access.address.stride_texts, block, strict=True) if count > 1]
    numbers = [number for number, count in zip(access.strides, block, strict=True) if count > 1]
    shown = [text if number is None else str(number) for text, number in zip(axes, numbers, strict=True)]
    loops = [loop.text if loop.bytes is None else str(loop.bytes) for loop in access.loops if loop.trips != 1]
    return (shown[0] if shown else "0"), [*shown[1:], *loops]


def _terms(text: str) -> list[str]:
    """The terms of a sum at its top level."""
    terms, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "+-" and position:
            terms.append(text[start:position].strip())
            start = position + 1
    return [*terms, text[start:].strip()]


def _multiplies(name: str, text: str) -> bool:
    return name in text if not name.isidentifier() else name in _NAME.findall(text)


def _is_unit(text: str, width: int) -> bool:
    return text.lstrip("-") == str(width)


def _is_one_element(text: str, width: int) -> bool:
    """Whether a term is one element for each unit of one quantity: `4*t`, `4*blockIdx.y`."""
    found = re.fullmatch(r"(?:(\d+)\*)?[A-Za-z_][\w.]*", text)
    return found is not None and int(found[1] or 1) == width
