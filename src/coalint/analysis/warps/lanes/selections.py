"""Values that a condition chooses, and clamps: one side for a whole warp where the condition is open."""

from __future__ import annotations

from coalint.analysis.domain.algebra.arithmetic import Number, apply
from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.warps.lanes.evaluation import Evaluation
from coalint.analysis.warps.lanes.lane_numbers import (
    CONSTANT,
    LaneValue,
    Undecided,
    add,
    as_number,
    multiply,
    same_in_warp,
    where,
)
from coalint.core.facts.suppositions import Supposed
from coalint.core.lazy import np


def select(lanes: Evaluation, atom: Atom) -> LaneValue:
    """Return the value per lane of `condition ? a : b`. Raises Undecided."""
    condition, a, b = atom.operands
    try:
        known = lanes.number(condition)
    except Undecided as undecided:
        inner = None if undecided.data_dependent else _interior(lanes, condition, a, b)
        if inner is None and not _parts_warps(lanes, condition):
            raise _clamped(lanes, (a, b)) or Undecided(undecided.reason, undecided.data_dependent) from None
        return inner if inner is not None else _one_side(lanes, atom)
    if known is not None:
        return where(np.not_equal(known, 0), _lenient(lanes, a, known, True), _lenient(lanes, b, known, False))
    if lanes.uniform_in_warp((condition,)):
        inner = None if lanes.algebra.level(condition) is Level.UNIFORM else _interior(lanes, condition, a, b)
        if inner is not None:
            return inner
        return lanes.value(a if choose(lanes, condition) else b)
    lanes.suppose("every lane takes the same side of a bounds check", Supposed.EDGE)
    return lanes.value(a)


def logical(lanes: Evaluation, atom: Atom, symbol: LaneValue) -> LaneValue:
    """Return the value per lane of `a && b` or `a || b`, `symbol` where that is one open value. Raises Undecided."""
    numbers = []
    for operand in atom.operands:
        try:
            numbers.append(lanes.number(operand))
        except Undecided:
            numbers.append(None)
    a, b = numbers
    neutral = 1 if atom.operator == "&&" else 0
    if a is not None and b is not None:
        return {CONSTANT: apply(atom.operator, (a, b))}
    for one, other in ((a, 1), (b, 0)):
        if one is not None and not isinstance(one, np.ndarray):
            return lanes.value(atom.operands[other]) if bool(one) == bool(neutral) else {CONSTANT: 1 - neutral}
    if atom.level is Level.UNIFORM or lanes.uniform_in_warp(atom.operands):
        return symbol
    raise Undecided("a condition that is not known")


def _clamped(lanes: Evaluation, sides: tuple[Poly, Poly]) -> Undecided | None:
    """Return why a side is not known that was loaded: data decide an address even where a condition bounds them."""
    for side in sides:
        try:
            lanes.value(side)
        except Undecided as undecided:
            if undecided.loaded:
                return undecided
    return None


def extreme(lanes: Evaluation, atom: Atom, values: list[LaneValue]) -> LaneValue:
    """Return the value per lane of a minimum or maximum. Raises Undecided."""
    difference: LaneValue = {}
    add(difference, values[0])
    add(difference, multiply(values[1], {CONSTANT: -1}))
    gap = as_number(difference)
    if gap is not None:
        first = np.less_equal(gap, 0) if atom.operator == "min" else np.greater_equal(gap, 0)
        return where(first, values[0], values[1])
    varying = [not all(same_in_warp(n) for n in value.values()) for value in values]
    if varying[0] != varying[1]:
        lanes.suppose("no lane is clamped at an edge", Supposed.EDGE, about_lanes=True)
        return values[0] if varying[0] else values[1]
    raise Undecided(f"`{atom.operator}` of two thread-dependent values that cannot be compared")


def magnitude(lanes: Evaluation, value: LaneValue) -> LaneValue:
    """Return the absolute value per lane of a sum with an unknown part: that sum, but at a border that reflects."""
    lanes.suppose("no lane is reflected at an edge", Supposed.EDGE, about_lanes=True)
    lanes.approximate = True
    return value


def _parts_warps(lanes: Evaluation, condition: Poly) -> bool:
    """Whether a condition compares with bounds only, so that it parts few warps: no data, and no equality."""
    if lanes.algebra.level(condition) is Level.UNIFORM:
        return True
    if lanes.algebra.level(condition) is Level.LOADED:
        return False
    atoms = [atom for atom in lanes.algebra.atoms_of(condition) if atom.level is not Level.UNIFORM]
    if len(atoms) != 1:
        return False
    if atoms[0].operator in ("&&", "||"):
        return all(_parts_warps(lanes, part) for part in atoms[0].operands)
    return atoms[0].operator == "<" and all(
        inner.operator in ("", "&&", "||", "wrap") or inner.level is Level.UNIFORM
        for inner in lanes.algebra.closure(*atoms[0].operands)
    )


def _one_side(lanes: Evaluation, atom: Atom) -> LaneValue:
    """Return one side, for a whole warp, of a choice whose condition can differ between lanes, as bounds checks can."""
    condition, a, b = atom.operands
    text = "" if lanes.strict else Printer(lanes.algebra).text(condition)
    lanes.suppose(f"every lane of a warp takes the same side of `{text}`", Supposed.EDGE, about_lanes=True)
    lanes.approximate = True
    return lanes.value(a if choose(lanes, condition) else b)


def choose(lanes: Evaluation, condition: Poly) -> int:
    """Return which way an open condition is decided: alike for all that it selects, its opposite the other way.

    Asking again gives the same side and opens nothing more. Raises Undecided.
    """
    if lanes.strict:
        raise Undecided("only if a condition is known")
    side = lanes.asked.get(condition)
    if side is None:
        side = lanes.asked[condition] = _decided(lanes, condition)
    return side


def _decided(lanes: Evaluation, condition: Poly) -> int:
    index = lanes.algebra.selection(condition)
    if index not in lanes.choices and index not in lanes.open_choices:
        for other in (*lanes.choices, *lanes.open_choices):
            if lanes.algebra.atoms[other].operands[0] == 1 - condition:
                return 1 - lanes.choices.get(other, 1)
        lanes.open_choices.append(index)
    return lanes.choices.get(index, 1)


def _interior(lanes: Evaluation, condition: Poly, a: Poly, b: Poly) -> LaneValue | None:
    """Return what a clamp leaves alone: `x` of `x < width ? x : width - 1`, and of `x < width ? x : x - width`.

    As for a guard, every lane is supposed to pass the comparison with a bound that is not known.
    """
    if not _compares(lanes, condition):
        return None
    values = [lanes.value(a), lanes.value(b)]
    depths = [
        2 if not all(same_in_warp(n) for n in value.values()) else int(lanes.algebra.level(side) is not Level.UNIFORM)
        for side, value in zip((a, b), values, strict=True)
    ]
    if depths[0] != depths[1]:
        chosen = 0 if depths[0] > depths[1] else 1
    elif depths[0] and any(_parallel(values[0], values[1], sign) for sign in (-1, 1)):
        chosen = min((0, 1), key=lambda side: (len(values[side]), -_rises(values[side]), -side))
    else:
        return None
    first = lanes.algebra.atoms_of(condition)[0]
    if chosen == 0 and first.operator == "==" and condition.coefficient(((first.index, 1),)) > 0:
        return None  # `x == n ? x : 0`: few lanes are equal
    lanes.suppose("no lane is clamped at an edge", Supposed.EDGE, about_lanes=True)
    return values[chosen]


def _compares(lanes: Evaluation, condition: Poly) -> bool:
    """Whether a condition is made of comparisons of lanes that are known, but for a number that all share."""
    atoms = lanes.algebra.atoms_of(condition)
    if len(atoms) != 1 or condition not in (gen := generator(atoms[0].index), 1 - gen):
        return False
    if atoms[0].operator in ("&&", "||"):
        return all(lanes.algebra.number(part) is not None or _compares(lanes, part) for part in atoms[0].operands)
    if atoms[0].operator not in ("<", "<=", "=="):
        return False
    try:
        difference = lanes.value(atoms[0].operands[0])
    except Undecided:
        return False
    return all(same_in_warp(number) for key, number in difference.items() if key != CONSTANT)


def _parallel(a: LaneValue, b: LaneValue, sign: int) -> bool:
    """Whether the lanes are as far apart in both (in opposite order for sign 1)."""
    combined = dict(a)
    add(combined, multiply(b, {CONSTANT: sign}))
    return all(same_in_warp(number) for number in combined.values())


def _lenient(lanes: Evaluation, poly: Poly, known: Number, wanted: bool) -> LaneValue:
    """Return the value of one side of a selection; a side that no lane takes need not be known."""
    taken = np.not_equal(known, 0) if wanted else np.equal(known, 0)
    return lanes.value(poly) if np.any(taken) else {CONSTANT: 0}


def _rises(value: LaneValue) -> bool:
    """Whether the last lane is not below the first."""
    lane = value.get(CONSTANT, 0)
    return not isinstance(lane, np.ndarray) or bool(np.all(lane[..., -1] >= lane[..., 0]))
