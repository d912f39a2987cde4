"""What is known of a value that is not followed: whether threads of the block, or lanes of a warp, hold one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Address, AggregateValue, Value
from coalint.analysis.warps.model import LANES

if TYPE_CHECKING:
    from coalint.analysis.uniformity.divergence import Uniformity


def facts(uniformity: Uniformity, text: str, level: Level, *values: Value | None) -> dict[str, Any]:
    """The facts of an opaque atom that is made of these values in a way that is not followed.

    Threads of the block differ for the reason `text` if they differ in one of the values; lanes of a warp do not if
    they agree in all of them.
    """
    if not Level.UNIFORM < level < Level.EXCHANGED:
        return {}
    numbers = [number for number in map(_number, values) if number is not None]
    return {
        "varies": text if any(uniformity.differs(number) for number in numbers) else "",
        "warp_divergent": any(uniformity.differs(number, LANES) for number in numbers),
        "warp_uniform": warp_uniform(uniformity, *values),
    }


def warp_uniform(uniformity: Uniformity, *values: Value | None) -> bool:
    """Whether the lanes of each warp agree in all of the values."""
    numbers = [_number(value) for value in values]
    return all(number is not None and uniformity.same_in_warps(number) for number in numbers)


def _number(value: Value | None) -> Poly | None:
    inside = value.offset if isinstance(value, Address) else value.rest if isinstance(value, AggregateValue) else value
    return inside if isinstance(inside, Polynomial) else None
