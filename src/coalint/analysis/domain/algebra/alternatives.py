"""Values that hinge on conditions which are not known: what they are on each way through these conditions.

`threads = n < 512 ? 128 : 256` is 128 on one way and 256 on the other; what else hinges on `n < 512` goes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.way import Undecided, Way, Ways, single_atom

MAX_WAYS = 32


def ways(
    algebra: Algebra,
    values: Sequence[Poly],
    conditions: Sequence[Poly] = (),
    selected: Sequence[Poly] = (),
    most: int = MAX_WAYS,
) -> Iterator[Way]:
    """Yield each way through the conditions that the values hinge on, as far as the `conditions` that hold allow it.

    Of the values in `selected` only selections `c ? a : b` count, not bounds. Nothing where there are more than `most`;
    with `selected` those count that conditions rule out: numbers that a kernel is passed matter less than its block.
    """
    given, fixed, zeros = _facts(algebra, conditions)
    decisions: list[dict[int, int]] = []
    pending: list[dict[int, int]] = [given]
    while pending:
        decided = pending.pop()
        try:
            way = Way(algebra, decided, fixed, zeros, decide=True)
            for value in values:
                way.number(value)
            way = Way(algebra, decided, fixed, zeros, decide=True, bounded=False)
            for value in selected:
                way.number(value)
        except Undecided as open_:
            if len(pending) + len(decisions) >= most:
                return
            taken = ({**decided, open_.atom: 0}, {**decided, open_.atom: 1})
            pending += taken if selected else [one for one in taken if _possible(algebra, one)]
            continue
        decisions.append(decided)
    for decided in decisions:
        way = Way(algebra, decided, fixed, zeros)
        hinges = len(decided) > len(given)
        if not hinges or (_possible(algebra, decided) and not any(way.number(c) == 0 for c in conditions)):
            yield way


def _facts(algebra: Algebra, conditions: Sequence[Poly]) -> tuple[dict[int, int], dict[int, int], list[Poly]]:
    """Return what conditions that hold say: how comparisons come out, values of quantities, and sums that are zero."""
    given: dict[int, int] = {}
    fixed: dict[int, int] = {}
    zeros: list[Poly] = []
    pending = list(conditions)
    while pending:
        condition = pending.pop()
        for holds, value in ((1, condition), (0, 1 - condition)):
            atom = single_atom(algebra, value)
            if atom is None:
                continue
            if atom.operator == ("&&" if holds else "||"):
                pending += [operand if holds else 1 - operand for operand in atom.operands]
            elif atom.operator in ("<", "<=", "==") or (atom.low, atom.high) == (0, 1):
                given[atom.index] = holds
            if atom.operator == "==" and holds:
                found = solution(algebra, atom.operands[0])
                fixed |= found
                zeros += [] if found else [atom.operands[0]]
    return given, fixed, zeros


def solution(algebra: Algebra, difference: Poly) -> dict[int, int]:
    """Return the value of an atom x where `x - c` is zero; nothing for other differences."""
    for sign in (1, -1):
        terms = algebra.terms(sign * difference)
        unknown = [(coefficient, monomial) for coefficient, monomial in terms if monomial]
        if len(unknown) == 1 and unknown[0][0] == 1 and len(unknown[0][1]) == 1 and unknown[0][1][0][1] == 1:
            constant = sum(coefficient for coefficient, monomial in terms if not monomial)
            return {unknown[0][1][0][0]: -constant}
    return {}


def _possible(algebra: Algebra, decided: Ways) -> bool:
    """Whether comparisons of one quantity can come out so together: not `n < 32` and `n >= 64`."""
    ranges: list[tuple[Poly, int | None, int | None]] = []
    for index, outcome in decided.items():
        atom = algebra.atoms[index]
        if atom.operator == "<":
            ranges.append((atom.operands[0], None, -1) if outcome else (atom.operands[0], 0, None))
        elif atom.operator == "==" and outcome:
            ranges.append((atom.operands[0], 0, 0))
    for (a, low, high), (b, least, most) in combinations(ranges, 2):
        for sign in (1, -1):
            apart = algebra.number(a - sign * b)
            if apart is None:
                continue
            first, last = (least, most) if sign > 0 else (_negated(most), _negated(least))
            first, last = (None if end is None else end + apart for end in (first, last))
            if (low is not None and last is not None and low > last) or (
                high is not None and first is not None and high < first
            ):
                return False
    return True


def _negated(end: int | None) -> int | None:
    return None if end is None else -end
