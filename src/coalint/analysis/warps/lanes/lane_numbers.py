"""A number per lane plus unknown quantities that lanes share: sums, products, selections."""

from __future__ import annotations

from typing import Any

from coalint.analysis.domain.algebra.arithmetic import TOO_LARGE, Number, times
from coalint.core.lazy import np

Monomial = tuple[tuple[int, int], ...]
# Coefficients (integers, or int64 arrays that broadcast to (E, W, 32)) of products of unknown uniform atoms.
LaneValue = dict[Monomial, Number]

CONSTANT: Monomial = ()


class Undecided(Exception):
    """A lane's value cannot be known; `data_dependent` when that is because it was read from memory.

    `loaded` is then what was read (`index[i]`), where the value is that or computed from it.
    """

    def __init__(self, reason: str, data_dependent: bool = False, loaded: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.data_dependent = data_dependent
        self.loaded = loaded

    def copy(self) -> Undecided:
        """Return the same without a traceback."""
        return Undecided(self.reason, self.data_dependent, self.loaded)


def is_one_number(number: Number) -> bool:
    """Whether it is the same in all lanes of all warps and iterations."""
    return not isinstance(number, np.ndarray) or bool(np.all(number == number.flat[0]))


def same_in_warp(number: Number) -> bool:
    """Whether all 32 lanes of each warp hold the same number."""
    if not isinstance(number, np.ndarray) or number.ndim == 0 or number.shape[-1] == 1:
        return True
    return bool((number == number[..., :1]).all())


def is_zero(number: Number) -> bool:
    """Whether the number is 0 in every lane."""
    return not number.any() if isinstance(number, np.ndarray) else bool(number == 0)


def as_number(value: LaneValue) -> Number | None:
    """Return the numbers alone, where nothing unknown adds to them."""
    if not value:
        return 0
    if len(value) == 1 and CONSTANT in value:
        return value[CONSTANT]
    return None


def add(total: LaneValue, term: LaneValue) -> None:
    """Add to a total in place."""
    for key, number in term.items():
        summed = total[key] + number if key in total else number
        if key != CONSTANT and is_zero(summed):
            total.pop(key, None)
        else:
            total[key] = summed


def multiply(a: LaneValue, b: LaneValue) -> LaneValue:
    """Return the product. Raises OverflowError where it does not fit in 64 bits."""
    if len(a) == 1 and CONSTANT in a and len(b) == 1 and CONSTANT in b:
        return {CONSTANT: times(a[CONSTANT], b[CONSTANT])}
    product: LaneValue = {}
    for left, x in a.items():
        for right, y in b.items():
            add(product, {_joined(left, right): times(x, y)})
    return product


def in_range(value: LaneValue) -> LaneValue:
    """Return the value itself. OverflowError where numpy, for want of bits, took unsigned numbers or objects."""
    for number in value.values():
        if isinstance(number, np.ndarray) and number.dtype.kind not in "ib":
            raise OverflowError(TOO_LARGE)
    return value


def _joined(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    powers: dict[int, int] = dict(a)
    for index, exponent in b:
        powers[index] = powers.get(index, 0) + exponent
    return tuple(sorted(powers.items()))


def where(first: Any, a: LaneValue, b: LaneValue) -> LaneValue:
    """Return per lane, `a` where `first` holds and `b` elsewhere; what is one number for all lanes stays one."""
    chosen: LaneValue = {}
    for key in {**a, **b}:
        numbers = np.asarray(np.where(first, a.get(key, 0), b.get(key, 0)))
        number = numbers if numbers.ndim else int(numbers)
        if key == CONSTANT or not is_zero(number):
            chosen[key] = number
    return chosen
