"""Values as a warp's lanes hold them: a known number per lane plus unknown uniform quantities."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import TOO_LARGE, Number, apply, wrap
from coalint.analysis.domain.algebra.atoms import CROWDED, Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.warps.lanes import divisibility, permuted, selections, unknown_factors
from coalint.analysis.warps.lanes.lane_numbers import (
    CONSTANT,
    LaneValue,
    Undecided,
    add,
    as_number,
    in_range,
    is_one_number,
    multiply,
    same_in_warp,
)
from coalint.analysis.warps.lanes.shared_values import Effects, Outcome, SharedValues
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np


class LaneEvaluator:
    """Evaluates polynomials for all lanes of a block at once.

    `known` gives the numbers of atoms: thread indices, and counters that are enumerated. Conditions that are open but
    the same for the whole warp are looked up in `choices` (atom index -> 0 or 1) and collected in `open_choices`.
    What had to be supposed is collected in `assumed`; `supposed` says that some of it is about single lanes.

    A `strict` one supposes nothing and decides no condition: what would need that is undecided.
    Without `choosing` a selection that is the same for the block is an unknown like any other.

    Of the atoms x ^ u in `permutable` only the set of values in a warp need come out right: `permuted` gives their x.
    Values are taken from `shared`, and left there, which is for evaluators with the same `known` that are not strict.
    """

    def __init__(
        self,
        algebra: Algebra,
        known: dict[int, Number],
        choices: dict[int, int] | None = None,
        permutable: frozenset[int] = frozenset(),
        strict: bool = False,
        choosing: bool = True,
        shared: SharedValues | None = None,
    ) -> None:
        self.strict = strict
        self.choosing = choosing
        self.permutable = permutable
        self.permuted: dict[int, LaneValue] = {}
        self.algebra = algebra
        self.known = known
        self.choices = choices or {}
        self.open_choices: list[int] = []
        self.assumed: dict[str, None] = {}
        self.approximate = False
        self.supposed = False
        self.asked: dict[Poly, int] = {}
        self._shared = None if permutable else shared
        self._cache: dict[int, Outcome] = {}

    def forget_from(self, first: int) -> None:
        """Forget the values of atoms from an index on, which are gone."""
        self._cache = {index: outcome for index, outcome in self._cache.items() if index < first}

    def value(self, poly: Poly) -> LaneValue:
        """Return the polynomial's value per lane. Raises Undecided."""
        total: LaneValue = {}
        try:
            for coefficient, monomial in self.algebra.terms(poly):
                term: LaneValue = {CONSTANT: coefficient}
                for index, exponent in monomial:
                    factor = self._atom(index)
                    for _ in range(exponent):
                        term = multiply(term, factor)
                add(total, term)
            return in_range(total)
        except OverflowError:
            lost = any(atom.reason == CROWDED for atom in self.algebra.atoms_of(poly))
            raise Undecided(CROWDED if lost else TOO_LARGE) from None

    def number(self, poly: Poly) -> Number | None:
        """Return the value when it is a known number in every lane, else None. Raises Undecided."""
        return as_number(self.value(poly))

    def shares(self, atom: Atom) -> bool:
        """Whether all lanes of a warp hold the same value of an atom that was read from one place."""
        return atom.kind is AtomKind.LOAD and self.uniform_in_warp(atom.operands)

    def suppose(self, text: str, kind: Supposed, *, about_lanes: bool = False) -> None:
        """Take note of what is supposed. Raises Undecided where nothing may be."""
        if self.strict:
            raise Undecided(f"if and only if {text}")
        self.assumed[Supposition(text, kind)] = None
        self.supposed = self.supposed or about_lanes

    # --- atoms

    def _atom(self, index: int) -> LaneValue:
        outcome = self._cache.get(index)
        if outcome is None:
            outcome = self._cache[index] = self._found(self.algebra.atoms[index])
        if outcome.effects is not None:
            self._note(outcome.effects)
        if isinstance(outcome.value, Undecided):
            raise outcome.value.copy()
        return outcome.value

    def _found(self, atom: Atom) -> Outcome:
        """Return the value of an atom from those that are shared, or else evaluate it."""
        if self._shared is None:
            return Outcome(self._evaluated(atom))
        known = self._shared.get(atom, self._side)
        if known is not None:
            return known
        before, asked_before = (self.assumed, self.approximate, self.supposed), self.asked
        self.assumed, self.approximate, self.supposed, self.asked = {}, False, False, {}
        try:
            value = self._evaluated(atom)
            effects = Effects(tuple(self.assumed), self.approximate, self.supposed, tuple(self.asked.items()))
        finally:
            asked_before.update(self.asked)
            (self.assumed, self.approximate, self.supposed), self.asked = before, asked_before
        is_plain = not (effects.assumed or effects.approximate or effects.supposed or effects.choices)
        found = Outcome(value, None if is_plain else effects)
        self._shared.put(atom, found)
        return found

    def _side(self, condition: Poly) -> int:
        return selections.choose(self, condition)

    def _evaluated(self, atom: Atom) -> LaneValue | Undecided:
        try:
            return self._evaluate(atom)
        except Undecided as undecided:
            return undecided.copy()  # for the one that was raised holds all frames, and so this cache

    def _note(self, effects: Effects) -> None:
        self.assumed.update(dict.fromkeys(effects.assumed))
        self.approximate = self.approximate or effects.approximate
        self.supposed = self.supposed or effects.supposed
        self.asked.update(effects.choices)

    def _evaluate(self, atom: Atom) -> LaneValue:
        if atom.index in self.known:
            return {CONSTANT: self.known[atom.index]}
        symbol: LaneValue = {((atom.index, 1),): 1}
        if atom.kind is AtomKind.TABLE:
            return self._looked_up(atom, symbol)
        if atom.kind is AtomKind.OPERATION:
            return self._operation(atom, symbol)
        if atom.level is Level.UNIFORM:
            return symbol
        if atom.kind is AtomKind.LOAD:
            if self.uniform_in_warp(atom.operands):
                self.approximate = True
                return symbol
            raise Undecided(f"index loaded from memory (`{atom.name}`)", data_dependent=True, loaded=atom.name)
        if atom.warp_uniform:
            self.approximate = True
            return symbol
        loaded = atom.name if atom.is_quoted and atom.level is Level.LOADED else ""
        raise Undecided(atom.reason or f"`{atom.name}` is not known", data_dependent=bool(loaded), loaded=loaded)

    def _looked_up(self, atom: Atom, symbol: LaneValue) -> LaneValue:
        if atom.supposed:
            self.suppose(atom.supposed, Supposed.SAMPLE)
            self.approximate = True
        place = self.value(atom.operands[0])
        row = as_number(place)
        if row is None:
            if atom.lanes is None and all(same_in_warp(number) for number in place.values()):
                return symbol
            raise Undecided(f"`{atom.name}` is not known")
        if atom.lanes is None:
            element = np.asarray(atom.values, dtype=np.int64)[np.clip(row, 0, len(atom.values) - 1)]
            return {CONSTANT: element if isinstance(element, np.ndarray) else int(element)}
        rows, warps, lanes = atom.lanes.shape
        at = np.clip(np.asarray(row), 0, rows - 1)
        return {CONSTANT: atom.lanes[at, np.arange(warps).reshape(1, -1, 1), np.arange(lanes).reshape(1, 1, -1)]}

    def uniform_in_warp(self, operands: tuple[Poly, ...]) -> bool:
        """Whether all lanes of a warp hold the same values, for all that is known."""
        try:
            return all(same_in_warp(n) for operand in operands for n in self.value(operand).values())
        except Undecided:
            return False

    def _operation(self, atom: Atom, symbol: LaneValue) -> LaneValue:
        operator = atom.operator
        if operator == "?:":
            whole = not self.choosing and atom.level is Level.UNIFORM
            if whole and all(a.index not in self.known for a in self.algebra.closure(*atom.operands)):
                return symbol
            return selections.select(self, atom)
        if operator in ("&&", "||"):
            return selections.logical(self, atom, symbol)
        values = [self.value(operand) for operand in atom.operands]
        numbers = [as_number(value) for value in values]
        if all(n is not None for n in numbers):
            if operator == "wrap":
                if atom.bits >= 64 and not atom.signed and np.any(np.less(np.asarray(numbers[0]), 0)):
                    raise Undecided("64-bit unsigned arithmetic that wraps around")
                return {CONSTANT: wrap(numbers[0], atom.bits, atom.signed)}
            return {CONSTANT: apply(operator, numbers)}
        if all(same_in_warp(n) for value in values for n in value.values()):
            if all(is_one_number(n) for value in values for n in value.values()):
                return symbol
            return self._uniform_in_parts(atom, values, numbers, symbol)
        if operator == "wrap":
            return unknown_factors.in_type(self, atom, values[0])
        if operator in ("min", "max"):
            return selections.extreme(self, atom, values)
        if operator == Function.ABSOLUTE:
            return selections.magnitude(self, values[0])
        if len(values) != 2:
            raise Undecided(f"`{operator}` of a thread-dependent value and an unknown one")
        divided = divisibility.by_divisibility(self, atom, values, numbers)
        if divided is not None:
            return divided
        if operator == "^" and atom.index in self.permutable:
            varying = permuted.varying_part(values)
            if varying is not None:
                self.permuted[atom.index] = varying
                return {**varying, ((atom.index, 1),): permuted.WARP}
        supposed = unknown_factors.supposed(self, atom, values)
        if supposed is not None:
            return supposed
        raise Undecided(f"`{operator}` of a thread-dependent value and an unknown one")

    def _uniform_in_parts(
        self, atom: Atom, values: list[LaneValue], numbers: list[Number | None], symbol: LaneValue
    ) -> LaneValue:
        """Return what the lanes of a warp agree on, and warps or iterations need not.

        No one symbol stands for all of it.
        """
        if atom.operator in ("/", ">>"):
            divided = divisibility.by_divisibility(self, atom, values, numbers)
            if divided is not None:
                return divided
        # A comparison only selects or guards, and what it then selects is looked at warp by warp.
        self.approximate = self.approximate or atom.operator not in ("<", "==")
        return symbol
