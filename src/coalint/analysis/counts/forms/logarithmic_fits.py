"""Executions in loops that halve or double a size, where no product of sums over the guards gives them.

They are a multiple of the size's logarithm, and a constant, once the size is so large that all lanes take part. Both
are read off what the lane model counts at two sizes, and held against it at many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.executions import count_executions
from coalint.analysis.counts.forms.doublings import Doublings
from coalint.analysis.counts.forms.expression_values import open_symbol
from coalint.analysis.counts.forms.open_quantities import name_of
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.atoms import AtomKind
from coalint.analysis.warps.quantities import OPEN

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

NEAR = (-2, -1, 0, 1, 2)
SIZES = tuple(
    sorted({1, 1000, *(n for bit in range(18) for d in NEAR for n in ((1 << bit) + d, (3 << bit) + d) if n > 0)})
)
"""At which the executions are counted."""
LEAST_BIT, LAST_BIT = 5, 17
"""The powers of two at which sums are tried that are right for these alone."""
LARGEST_LEAST = 4100
"""The size at most from which on what is found holds."""


def logarithmic(model: WarpModel, reach: Reach, axes: Axes) -> tuple[Any, str, tuple[str, ...]] | None:
    """Return the executions as an expression, for which sizes it holds in words, and what they rest on.

    None where more than one size is open, or it is none.
    """
    algebra = model.algebra
    sequences = [loop.sequence for loop in reach.loops if loop.sequence is not None]
    doublings = Doublings(algebra, lambda value: value)
    if not sequences or not all(doublings.is_pure(sequence) for sequence in sequences):
        return None
    inside = algebra.closure(*reach.sizes)
    extents = {index for index in axes.extents if index is not None}
    open_ = [atom for atom in inside if atom.kind in OPEN and atom.index not in reach.stands_for]
    blocks = {index for index in axes.blocks if index is not None}
    if len(open_) != 1 or open_[0].kind is not AtomKind.UNIFORM or open_[0].index in extents:
        return None
    if axes.grid is None and any(atom.index in blocks for atom in inside):
        return None
    assumed: dict[str, None] = {}
    counts: dict[int, int] = {}
    for size in SIZES:
        counted = count_executions(model, reach, axes, {**dict.fromkeys(extents, 1), open_[0].index: size})
        if counted.warps is None:
            return None
        counts[size] = counted.warps
        assumed |= dict.fromkeys(counted.assumed)
    size = open_symbol(name_of(model, open_[0]))
    found = _fitted(counts, size) or _fitted_powers(counts, size)
    if found is None:
        return None
    expression, holds = found
    if axes.grid is None:
        for extent, is_read in zip(axes.extents, axes.read, strict=True):
            if is_read and extent is not None:
                expression *= open_symbol(name_of(model, algebra.atoms[extent]))
    return expression, holds, tuple(assumed)


def _fitted(counts: Mapping[int, int], size: Any) -> tuple[Any, str] | None:
    """Return the sum of a constant and a multiple of a rounded logarithm, and from which size on it is right."""
    best: tuple[int, Any] | None = None
    for rounded, whole in _roundings():
        first, last = 1 << 13, 1 << 16
        slope = Fraction(counts[last] - counts[first], 3)
        constant = counts[last] - slope * whole(last)
        right = [counts[n] == constant + slope * whole(n) for n in SIZES]
        least = next((n for at, n in enumerate(SIZES) if all(right[at:])), None)
        if least is not None and (best is None or least < best[0]):
            best = least, _number(constant) + _number(slope) * rounded(size)
    if best is None or best[0] > LARGEST_LEAST:
        return None
    return best[1], f"{size.name} >= {best[0]}"


def _fitted_powers(counts: Mapping[int, int], size: Any) -> tuple[Any, str] | None:
    """Return a sum that is right for powers of two: it grows with the size up to one, and with its logarithm above.

    So it is with `threadIdx.x < s` where a loop halves `s`: beyond the block's threads all of its warps take part.
    """
    from sympy import Integer, Max, Min
    from sympy.codegen.cfunctions import log2

    powers = [1 << bit for bit in range(LEAST_BIT, LAST_BIT + 1)]
    least, last = powers[0], powers[-1]
    slope = Fraction(counts[2 * least] - counts[least], least)
    constant = counts[least] - slope * least
    for bit in range(LEAST_BIT + 1, LAST_BIT):
        turn = 1 << bit
        above = Fraction(counts[last] - constant - slope * turn) / (LAST_BIT - bit)
        if all(counts[n] == constant + slope * min(n, turn) + above * max(0, n.bit_length() - 1 - bit) for n in powers):
            expression = _number(constant) + _number(slope) * Min(size, Integer(turn))
            expression += _number(above) * Max(0, log2(size) - bit)
            return expression, f"`{size.name}` is a power of two from {least} on"
    return None


def _roundings() -> tuple[tuple[Callable[[Any], Any], Callable[[int], int]], ...]:
    """Return how logarithms to the base of two are rounded, as expressions and as numbers."""
    import sympy
    from sympy.codegen.cfunctions import log2

    functions: dict[str, Any] = {"floor": sympy.floor, "ceiling": sympy.ceiling}
    return (
        (lambda size: functions["floor"](log2(size)), lambda n: n.bit_length() - 1),
        (lambda size: functions["ceiling"](log2(size)), lambda n: (n - 1).bit_length()),
    )


def _number(value: Fraction) -> Any:
    from sympy import Rational

    return Rational(value.numerator, value.denominator)
