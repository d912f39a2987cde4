"""Which small numbers of what is not known make an access good, or nearly so, that is bad for a general one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.recorder import component_counts
from coalint.analysis.warps.model import WarpModel
from coalint.core.lazy import np
from coalint.core.records import record
from coalint.machine.global_memory.sectors import ideal_sectors, sector_counts
from coalint.machine.traffic import mean_per_request

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.warps.results import WarpResult
    from coalint.core.facts.lanes import Lanes

Numbers = tuple[tuple[str, int], ...]

MOST_NAMES = 4  # of quantities that one address is a multiple of
NEARLY = 0.25
"""Of the sectors above the ideal for a general number: what costs no more with 1 is nearly good with it."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EXTENTS = frozenset(
    "width height pitch row rows nrows col cols ncols column columns vocab vocabulary hidden embed embedding rowlen"
    " lda ldb ldc ldd ldx ldq ldk ldv ldo".split()
)
_MAY_BE_ONE = frozenset(
    "kernel filter window patch block tile group thread per stride step pad padding dilation idx index id offset start"
    " begin end this cur current i".split()
)
_ROW_STRIDE = re.compile(r"(row|line)_?stride", re.IGNORECASE)
_SMALL_NAME = re.compile(r"stride|step|pad|dilat|inc|skip|factor|interval|subsampl|spacing|hop", re.IGNORECASE)


def is_small(name: str) -> bool:
    """Whether what is called so is usually a small number: a stride of a convolution, not the length of a row."""
    return _SMALL_NAME.search(name) is not None and _ROW_STRIDE.search(name) is None


def is_extent(text: str) -> bool:
    """Whether a quantity, as it is written, is called the length of a row or column, which is not 1 in earnest.

    So are `width`, `hidden_dim / 2`, `numCols` and `rowStride`, but not the extents of what may be one element wide:
    `kernel_w`.
    """
    for name in _NAME.findall(text):
        words = {word.lower() for word in _WORD.findall(name)}
        if (words & _EXTENTS and not words & _MAY_BE_ONE) or _ROW_STRIDE.search(name):
            return True
    return False


@record(frozen=True, slots=True)
class Fitting:
    """Numbers with which an access is good, or nearly so; none where there are none.

    Attributes:
        numbers: The quantities, as they are written, with their numbers.
        count: The sectors of a request with these, where they are more than one above the ideal; else 0.
        whole: Whether the access is good with these together with those to the other parts of its struct.
    """

    numbers: Numbers = ()
    count: float = 0.0
    whole: bool = False


class Plausible:
    """Tries numbers for what the lanes of an access are multiples of."""

    def __init__(self, model: WarpModel) -> None:
        self.model = model
        self._models: dict[Numbers, WarpModel] = {}

    def fitting(self, offset: Poly, conditions: Sequence[Condition], width: int, result: WarpResult) -> Fitting:
        """Return the numbers with which an access to global memory costs a sector more than the ideal at most.

        One quantity is tried as 1, but where its name says that it is the length of a row; those with names of small
        numbers also together, or as 2 (a padding as 0). Where none makes it good, the 1 that does best tells, if it
        leaves little of the excess, whatever else is open. Empty where the access is good as it is, none of these
        makes it good or nearly so, or no lane comes to it with them.
        """
        general = _excess(result, width) if result.symbolic else None
        if general is None or general <= 1:
            return Fitting()
        nearly, least = Fitting(), NEARLY * general
        for numbers in _tries(result.symbolic):
            results = self._with(numbers).lanes(offset, conditions, sectors=True)
            is_one = [number for _, number in numbers] == [1]
            if (whole := _of_elements(numbers, results, width)) != numbers:
                numbers, results = whole, self._with(whole).lanes(offset, conditions, sectors=True)
            costs = [_excess(one, width) for one in results if one.lanes is None or one.lanes.active.any()]
            if not costs or None in costs:
                continue
            worst = max(cost for cost in costs if cost is not None)
            if worst <= 1 and all(is_extent(name) for one in results for name in one.symbolic):
                return Fitting(numbers)
            if worst <= least and is_one:
                count = max(_count(one, width) for one in results)
                nearly, least = Fitting(numbers, count), worst
        return nearly

    def dense(
        self, offset: Poly, conditions: Sequence[Condition], result: WarpResult, array: str, kernel: str
    ) -> Numbers:
        """Return the small number that a quantity's name tells with which lanes lie within a sector of each other.

        `array` is what the memory is called, `kernel` what the kernel is.
        """
        if result.lanes is None:
            return ()
        return self._first(
            component_counts.tries(result.symbolic, array, kernel), offset, conditions, component_counts.is_dense
        )

    def _first(
        self,
        tries: Iterable[Numbers],
        offset: Poly,
        conditions: Sequence[Condition],
        fits: Callable[[Lanes], bool],
    ) -> Numbers:
        """Return the first numbers with which lanes come to the access and all of them fit; empty where none do.

        The lengths of rows may stay open.
        """
        for numbers in tries:
            results = self._with(numbers).lanes(offset, conditions, sectors=True)
            counted = [one.lanes for one in results if one.lanes is not None and all(map(is_extent, one.symbolic))]
            is_reached = any(lanes.active.any() for lanes in counted)
            if is_reached and len(counted) == len(results) and all(map(fits, counted)):
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
    others = [name for name in names if name not in small and not is_extent(name)]
    yield from (((name, 1),) for name in [*small, *others])
    if len(small) > 1:
        yield tuple((name, 1) for name in small)
    yield from (((name, 0 if "pad" in name.lower() else 2),) for name in small)


def _of_elements(numbers: Numbers, results: Sequence[WarpResult], width: int) -> Numbers:
    """Return numbers with which lanes do not overlap: a stride of 1 byte stands for one of a value's `width`."""
    steps = [step for one in results if one.lanes is not None and (step := _least_step(one.lanes))]
    least = min(steps, default=width)
    if least >= width or width % least:
        return numbers
    return tuple((name, number * width // least) for name, number in numbers)


def _least_step(lanes: Lanes) -> int:
    """Return the least distance above 0 of neighbouring lanes, in bytes; 0 where there is none."""
    both = lanes.active[..., 1:] & lanes.active[..., :-1]
    steps = np.abs(np.diff(lanes.offsets, axis=-1))[both]
    return int(steps[steps > 0].min()) if (steps > 0).any() else 0


def _excess(result: WarpResult, width: int) -> float | None:
    """Return how many sectors a request takes above the ideal; None where the lanes are not known."""
    if result.lanes is None:
        return None
    ideal = mean_per_request(ideal_sectors(result.lanes, width), result.lanes)
    return _count(result, width) - (ideal or 0.0)


def _count(result: WarpResult, width: int) -> float:
    if result.lanes is None:
        return 0.0
    return mean_per_request(sector_counts(result.lanes, width), result.lanes) or 0.0
