"""What is supposed of a thread-dependent number that meets an unknown one, or a type that may be too narrow."""

from __future__ import annotations

from coalint.analysis.domain.algebra.arithmetic import Number, bounds
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.evaluation import Assuming
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Undecided, same_in_warp
from coalint.core.facts.suppositions import Supposed
from coalint.core.lazy import np

WARP = 32  # lanes
MAX_RANGE = 4096  # numbers that the lanes of a warp may spread over
_WIDTHS = (8, 16, 32, 64)  # bits of integer types


def supposed(evaluator: Assuming, atom: Atom, values: list[LaneValue]) -> LaneValue | None:
    """Return x / width, x >> width, x & (width - 1), for neighbouring x.

    One number for the warp, plus the low bits of x.

    Widths are supposed to be multiples of what the numbers in a warp spread over. None for what is of another kind.
    """
    if atom.operator not in ("/", ">>", "&"):
        return None
    value, other = values
    unknown = atom.operands[1]
    if atom.operator == "&" and all(same_in_warp(n) for n in value.values()):
        value, other, unknown = other, value, atom.operands[0]
    if set(other) <= {CONSTANT} or not all(same_in_warp(n) for n in other.values()):
        return None
    if any(not same_in_warp(n) for key, n in value.items() if key != CONSTANT):
        return None
    lane = value.get(CONSTANT, 0)
    width = _width(lane)
    symbol: LaneValue = {((atom.index, 1),): 1}
    if atom.operator == "/":
        if width is None and int(np.max(np.max(lane, axis=-1) - np.min(lane, axis=-1))) >= WARP:
            return None
        known = "the unknown divisor of the thread index is a multiple of"
        text = f"{known} {width}" if width else "all lanes have the same quotient by an unknown one"
        evaluator.suppose(text, Supposed.DIVISOR)
    elif width is None:
        return None
    elif atom.operator == ">>":
        text = f"the unknown shift of the thread index is by {width.bit_length() - 1} bits or more"
        evaluator.suppose(text, Supposed.DIVISOR)
    else:
        low = _low_bits(evaluator, unknown)
        if low is None:
            return None
        evaluator.suppose(f"the unknown mask of the thread index is about multiples of {width}", Supposed.DIVISOR)
        if low:
            symbol[CONSTANT] = np.mod(lane, width)
    evaluator.approximate = True
    return symbol


def _width(lane: Number) -> int | None:
    """Return the least power of two, from the warp's size on, with all lanes of a warp between two of its multiples."""
    low, high = np.min(lane, axis=-1), np.max(lane, axis=-1)
    width = WARP
    while width <= MAX_RANGE:
        if np.array_equal(low // width, high // width):
            return width
        width *= 2
    return None


def _low_bits(evaluator: Assuming, mask: Poly) -> bool | None:
    """Whether a mask keeps the low bits, as `width - 1`, or drops them, as `-width`; None if that cannot be seen."""
    terms = evaluator.algebra.terms(mask)
    constant = next((coefficient for coefficient, monomial in terms if not monomial), 0)
    falling = all(coefficient < 0 for coefficient, monomial in terms if monomial)
    if constant == -1 and not falling:
        return True
    return False if constant == 0 and falling else None


def in_type(evaluator: Assuming, atom: Atom, value: LaneValue) -> LaneValue:
    """Return a conversion of lanes whose uniform part is not known: what they become is a matter of where it wraps.

    An index is supposed not to, if the block as a whole fits into the type; a byte may well be meant to.
    """
    bottom, top = bounds(atom.bits, atom.signed)
    lane = value.get(CONSTANT, 0)
    low, high = int(np.min(lane)), int(np.max(lane))
    below, above = _reach(evaluator, value)
    if below is not None and below + low >= bottom and (atom.bits >= 32 if above is None else above + high <= top):
        return value
    if atom.bits < 16 or high - low > top - bottom:
        raise Undecided(f"whether a value leaves the range of its {atom.bits}-bit type")
    text = f"the {atom.bits}-bit index does not wrap around"
    if atom.bits not in _WIDTHS:  # a number that is handled in floating point
        text = f"the index has at most {atom.bits - 1} bits, so that floating point holds it exactly"
    evaluator.suppose(text, Supposed.RANGE, about_lanes=True)
    evaluator.approximate = True
    return value


def _reach(evaluator: Assuming, value: LaneValue) -> tuple[int | None, int | None]:
    """Return bounds of the part of a value that is not known; None where there is none."""
    below: int | None = 0
    above: int | None = 0
    for key, number in value.items():
        if key == CONSTANT:
            continue
        product = evaluator.algebra.one
        for index, exponent in key:
            product *= generator(index) ** exponent
        ends = [evaluator.algebra.range(factor * product) for factor in (int(np.min(number)), int(np.max(number)))]
        lows = [low for low, _ in ends if low is not None]
        highs = [high for _, high in ends if high is not None]
        below = None if below is None or len(lows) < 2 else below + min(lows)
        above = None if above is None or len(highs) < 2 else above + max(highs)
    return below, above
