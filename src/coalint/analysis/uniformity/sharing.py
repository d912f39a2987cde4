"""How values that are not followed differ between the threads of a block and between the lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atom_table import NOTHING_CERTAIN
from coalint.analysis.domain.algebra.atoms import Level, Poly, Sharing
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Address, AggregateValue, Value
from coalint.analysis.warps.threads import LANES

if TYPE_CHECKING:
    from coalint.analysis.uniformity.divergence import Uniformity


def sharing_of(uniformity: Uniformity, text: str, level: Level, *values: Value | None) -> Sharing:
    """Return how an opaque value of this level differs that is made of `values` in a way that is not followed.

    Threads of the block differ for the reason `text` if they differ in one of the values; lanes of a warp do not if
    they agree in all of them.
    """
    if not can_differ(level):
        return NOTHING_CERTAIN
    numbers = [number for number in map(_number, values) if number is not None]
    differing = [number for number in numbers if uniformity.differs(number)]
    deciders = [uniformity.deciding_parameters(number) for number in differing]
    return Sharing(
        varies=text if differing else "",
        deciders=tuple(dict.fromkeys(name for names in deciders for name in names)) if all(deciders) else (),
        warp_divergent=any(uniformity.differs(number, LANES) for number in numbers),
        warp_uniform=warp_uniform(uniformity, *values),
    )


def can_differ(level: Level) -> bool:
    """Whether `sharing_of` looks at the values of an opaque value of this level."""
    return Level.UNIFORM < level < Level.EXCHANGED


def warp_uniform(uniformity: Uniformity, *values: Value | None) -> bool:
    """Whether the lanes of each warp agree in all of the values."""
    numbers = [_number(value) for value in values]
    return all(number is not None and uniformity.same_in_warps(number) for number in numbers)


def _number(value: Value | None) -> Poly | None:
    inside = value.offset if isinstance(value, Address) else value.rest if isinstance(value, AggregateValue) else value
    return inside if isinstance(inside, Polynomial) else None
