"""Values as a warp's lanes hold them: a known number per lane plus unknown uniform quantities."""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import TOO_LARGE, Number, apply, wrap
from coalint.analysis.domain.algebra.atoms import CROWDED, Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.warps.lanes import unknown_factors
from coalint.analysis.warps.lanes.lane_numbers import (
    CONSTANT,
    LaneValue,
    Monomial,
    Undecided,
    add,
    as_number,
    in_range,
    multiply,
    same_in_warp,
    where,
)
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np

WARP = 32  # lanes


class LaneEvaluator:
    """Evaluates polynomials for all lanes of a block at once.

    `known` gives the numbers of atoms: thread indices, and counters that are enumerated. Conditions that are open but
    the same for the whole warp are looked up in `choices` (atom index -> 0 or 1) and collected in `open_choices`.
    What had to be supposed is collected in `assumed`; `supposed` says that some of it is about single lanes.

    A `strict` one supposes nothing and decides no condition: what would need that is undecided.
    Without `choosing` a selection that is the same for the block is an unknown like any other.

    Of the atoms x ^ u in `permutable` only the set of values in a warp need come out right: `permuted` gives their x.
    """

    def __init__(
        self,
        algebra: Algebra,
        known: dict[int, Number],
        choices: dict[int, int] | None = None,
        permutable: frozenset[int] = frozenset(),
        strict: bool = False,
        choosing: bool = True,
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
        self._cache: dict[int, LaneValue | Undecided] = {}

    def value(self, poly: Poly) -> LaneValue:
        """The polynomial's value per lane. Raises Undecided."""
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
        """The value when it is a known number in every lane, else None. Raises Undecided."""
        return as_number(self.value(poly))

    def shares(self, atom: Atom) -> bool:
        """Whether all lanes of a warp hold the same value of an atom that was read from one place."""
        return atom.kind is AtomKind.LOAD and self._uniform_in_warp(atom.operands)

    def suppose(self, text: str, kind: Supposed, *, about_lanes: bool = False) -> None:
        """Take note of what is supposed. Raises Undecided where nothing may be."""
        if self.strict:
            raise Undecided(f"only if {text}")
        self.assumed[Supposition(text, kind)] = None
        self.supposed = self.supposed or about_lanes

    # --- atoms

    def _atom(self, index: int) -> LaneValue:
        found = self._cache.get(index)
        if found is None:
            try:
                found = self._evaluate(self.algebra.atoms[index])
            except Undecided as undecided:
                found = undecided
            self._cache[index] = found
        if isinstance(found, Undecided):
            raise Undecided(found.reason, found.data_dependent, found.loaded) from None
        return found

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
            if self._uniform_in_warp(atom.operands):
                self.approximate = True
                return symbol
            raise Undecided(f"index loaded from memory (`{atom.name}`)", data_dependent=True, loaded=atom.name)
        if atom.warp_uniform:
            self.approximate = True
            return symbol
        raise Undecided(atom.reason or f"`{atom.name}` is not known")

    def _looked_up(self, atom: Atom, symbol: LaneValue) -> LaneValue:
        place = self.value(atom.operands[0])
        row = as_number(place)
        if row is None:
            if atom.lanes is None and all(same_in_warp(number) for number in place.values()):
                return symbol
            raise Undecided(f"`{atom.name}` is not known")
        if atom.lanes is None:
            return {CONSTANT: np.asarray(atom.values, dtype=np.int64)[np.clip(row, 0, len(atom.values) - 1)]}
        rows, warps, lanes = atom.lanes.shape
        at = np.clip(np.asarray(row), 0, rows - 1)
        return {CONSTANT: atom.lanes[at, np.arange(warps).reshape(1, -1, 1), np.arange(lanes).reshape(1, 1, -1)]}

    def _uniform_in_warp(self, operands: tuple[Poly, ...]) -> bool:
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
            return self._select(atom)
        if operator in ("&&", "||"):
            return self._logical(atom, symbol)
        values = [self.value(operand) for operand in atom.operands]
        numbers = [as_number(value) for value in values]
        if all(n is not None for n in numbers):
            if operator == "wrap":
                if atom.bits >= 64 and not atom.signed and np.any(np.less(np.asarray(numbers[0]), 0)):
                    raise Undecided("64-bit unsigned arithmetic that wraps around")
                return {CONSTANT: wrap(numbers[0], atom.bits, atom.signed)}
            return {CONSTANT: apply(operator, numbers)}
        if all(same_in_warp(n) for value in values for n in value.values()):
            return symbol
        if operator == "wrap":
            return unknown_factors.in_type(self, atom, values[0])
        if operator in ("min", "max"):
            return self._extreme(atom, values)
        if len(values) != 2:
            raise Undecided(f"`{operator}` of a thread-dependent value and an unknown one")
        divided = self._by_divisibility(atom, values, numbers)
        if divided is not None:
            return divided
        if operator == "^" and atom.index in self.permutable:
            permuted = self._permutation(atom, values)
            if permuted is not None:
                return permuted
        supposed = unknown_factors.supposed(self, atom, values)
        if supposed is not None:
            return supposed
        raise Undecided(f"`{operator}` of a thread-dependent value and an unknown one")

    def _logical(self, atom: Atom, symbol: LaneValue) -> LaneValue:
        numbers = []
        for operand in atom.operands:
            try:
                numbers.append(self.number(operand))
            except Undecided:
                numbers.append(None)
        a, b = numbers
        neutral = 1 if atom.operator == "&&" else 0
        if a is not None and b is not None:
            return {CONSTANT: apply(atom.operator, (a, b))}
        for one, other in ((a, 1), (b, 0)):
            if one is not None and not isinstance(one, np.ndarray):
                return self.value(atom.operands[other]) if bool(one) == bool(neutral) else {CONSTANT: 1 - neutral}
        if atom.level is Level.UNIFORM or self._uniform_in_warp(atom.operands):
            return symbol
        raise Undecided("a condition that is not known")

    def _select(self, atom: Atom) -> LaneValue:
        condition, a, b = atom.operands
        try:
            known = self.number(condition)
        except Undecided as undecided:
            inner = None if undecided.data_dependent else self._interior(condition, a, b)
            if inner is None and not self._parts_warps(condition):
                raise Undecided(undecided.reason, undecided.data_dependent) from None
            return inner if inner is not None else self._one_side(atom)
        if known is not None:
            return where(np.not_equal(known, 0), self._lenient(a, known, True), self._lenient(b, known, False))
        if self._uniform_in_warp((condition,)):
            inner = None if self.algebra.level(condition) is Level.UNIFORM else self._interior(condition, a, b)
            if inner is not None:
                return inner
            return self.value(a if self._choice(condition) else b)
        self.suppose("every lane takes the same side of a bounds check", Supposed.EDGE)
        return self.value(a)

    def _parts_warps(self, condition: Poly) -> bool:
        """Whether a condition compares with bounds only, so that it parts few warps: no data, and no equality."""
        if self.algebra.level(condition) is Level.UNIFORM:
            return True
        if self.algebra.level(condition) is Level.LOADED:
            return False
        atoms = [atom for atom in self.algebra.atoms_of(condition) if atom.level is not Level.UNIFORM]
        if len(atoms) != 1:
            return False
        if atoms[0].operator in ("&&", "||"):
            return all(map(self._parts_warps, atoms[0].operands))
        return atoms[0].operator == "<" and all(
            inner.operator in ("", "&&", "||", "wrap") or inner.level is Level.UNIFORM
            for inner in self.algebra.closure(*atoms[0].operands)
        )

    def _one_side(self, atom: Atom) -> LaneValue:
        """One side for a whole warp of what a condition chooses that can differ between lanes, as bounds checks can."""
        condition, a, b = atom.operands
        text = "" if self.strict else Printer(self.algebra).text(condition)
        self.suppose(f"every lane of a warp takes the same side of `{text}`", Supposed.EDGE, about_lanes=True)
        self.approximate = True
        return self.value(a if self._choice(condition) else b)

    def _choice(self, condition: Poly) -> int:
        """Which way an open condition is decided: alike for all that it selects."""
        if self.strict:
            raise Undecided("only if a condition is known")
        index = self.algebra.selection(condition)
        if index not in self.choices and index not in self.open_choices:
            self.open_choices.append(index)
        return self.choices.get(index, 1)

    def _interior(self, condition: Poly, a: Poly, b: Poly) -> LaneValue | None:
        """What a clamp leaves alone: `x` of `x < width ? x : width - 1`, and of `x < width ? x : x - width`.

        As for a guard, every lane is supposed to pass the comparison with a bound that is not known.
        """
        if not self._compares(condition):
            return None
        values = [self.value(a), self.value(b)]
        depths = [
            2
            if not all(same_in_warp(n) for n in value.values())
            else int(self.algebra.level(side) is not Level.UNIFORM)
            for side, value in zip((a, b), values, strict=True)
        ]
        if depths[0] != depths[1]:
            chosen = 0 if depths[0] > depths[1] else 1
        elif depths[0] and any(self._parallel(values[0], values[1], sign) for sign in (-1, 1)):
            chosen = min((0, 1), key=lambda side: (len(values[side]), -_rises(values[side]), -side))
        else:
            return None
        first = self.algebra.atoms_of(condition)[0]
        if chosen == 0 and first.operator == "==" and condition.coefficient(((first.index, 1),)) > 0:
            return None  # `x == n ? x : 0`: few lanes are equal
        self.suppose("no lane is clamped at an edge", Supposed.EDGE, about_lanes=True)
        return values[chosen]

    def _compares(self, condition: Poly) -> bool:
        """Whether a condition is made of comparisons of lanes that are known, but for a number that all share."""
        atoms = self.algebra.atoms_of(condition)
        if len(atoms) != 1 or condition not in (gen := generator(atoms[0].index), 1 - gen):
            return False
        if atoms[0].operator in ("&&", "||"):
            return all(self.algebra.number(part) is not None or self._compares(part) for part in atoms[0].operands)
        if atoms[0].operator not in ("<", "<=", "=="):
            return False
        try:
            difference = self.value(atoms[0].operands[0])
        except Undecided:
            return False
        return all(same_in_warp(number) for key, number in difference.items() if key != CONSTANT)

    @staticmethod
    def _parallel(a: LaneValue, b: LaneValue, sign: int) -> bool:
        """Whether the lanes are as far apart in both (in opposite order for sign 1)."""
        combined = dict(a)
        add(combined, multiply(b, {CONSTANT: sign}))
        return all(same_in_warp(number) for number in combined.values())

    def _lenient(self, poly: Poly, known: Number, wanted: bool) -> LaneValue:
        """The value of one side of a selection; a side that no lane takes need not be known."""
        taken = np.not_equal(known, 0) if wanted else np.equal(known, 0)
        return self.value(poly) if np.any(taken) else {CONSTANT: 0}

    def _extreme(self, atom: Atom, values: list[LaneValue]) -> LaneValue:
        difference: LaneValue = {}
        add(difference, values[0])
        add(difference, multiply(values[1], {CONSTANT: -1}))
        gap = as_number(difference)
        if gap is not None:
            first = np.less_equal(gap, 0) if atom.operator == "min" else np.greater_equal(gap, 0)
            return where(first, values[0], values[1])
        varying = [not all(same_in_warp(n) for n in value.values()) for value in values]
        if varying[0] != varying[1]:
            self.suppose("no lane is clamped at an edge", Supposed.EDGE, about_lanes=True)
            return values[0] if varying[0] else values[1]
        raise Undecided(f"`{atom.operator}` of two thread-dependent values that cannot be compared")

    def _by_divisibility(self, atom: Atom, values: list[LaneValue], numbers: list[Number | None]) -> LaneValue | None:
        """(U + v) op w, where the unknown U is a multiple of a power of two (or divisor) larger than v and w."""
        operator = atom.operator
        if numbers[1] is None:
            if operator not in ("^", "|", "&") or numbers[0] is None:
                return None
            values, numbers = values[::-1], numbers[::-1]
        right: Number = numbers[1]
        unknown = {key: n for key, n in values[0].items() if key != CONSTANT}
        lane = values[0].get(CONSTANT, 0)
        if not all(isinstance(n, int) or not isinstance(n, np.ndarray) for n in unknown.values()):
            step = gcd(*(int(np.gcd.reduce(np.ravel(n))) for n in unknown.values()))
        else:
            step = gcd(*(int(n) for n in unknown.values()))
        low, high = int(np.min(lane)), int(np.max(lane))
        if operator in ("^", "|", "&"):
            power = step & -step
            if low < 0 or high >= power or int(np.min(right)) < 0 or int(np.max(right)) >= power:
                return None
            bits = apply(operator, (lane, right))
            return {CONSTANT: bits} if operator == "&" else {**unknown, CONSTANT: bits}
        divisor = right if operator == "/" else (1 << int(right) if isinstance(right, int) and 0 <= right < 62 else 0)
        if operator not in ("/", ">>") or not isinstance(divisor, int) or divisor <= 0:
            return None
        if step % divisor or low < 0:
            return self._quotient(atom, unknown, lane, divisor)
        return {**{key: n // divisor for key, n in unknown.items()}, CONSTANT: apply("/", (lane, divisor))}

    def _quotient(self, atom: Atom, unknown: LaneValue, lane: Number, divisor: int) -> LaneValue | None:
        """(U + v) / d of an unknown U that d need not divide: floor((U + r) / d) + (v - r) / d where r = v mod d.

        One r for all lanes leaves nothing open; otherwise U is supposed to be a multiple of d, if it can be one.
        """
        if not all(same_in_warp(number) for number in unknown.values()) or int(np.max(lane) - np.min(lane)) >> 31:
            return None
        if not same_in_warp(np.mod(lane, divisor)):
            parts = {key: n for key, n in unknown.items() if np.any(np.mod(n, divisor) != 0)}
            if any(self._counted(key) for key in parts):
                return None
            text = Printer(self.algebra).text(self._uniform(parts))
            self.suppose(f"the uniform offset `{text}` is a multiple of {divisor}", Supposed.MULTIPLE)
            self.approximate = True
        return {((atom.index, 1),): 1, CONSTANT: np.floor_divide(lane, divisor)}

    def _counted(self, key: Monomial) -> bool:
        """Whether a product is one of numbers of blocks and iterations alone: these take all values, not only some."""
        return all(self.algebra.atoms[index].kind in (AtomKind.COUNTER, AtomKind.TABLE) for index, _ in key)

    def _uniform(self, value: LaneValue) -> Poly:
        """The polynomial that is the uniform part of a value (its coefficients' greatest common divisors)."""
        total = self.algebra.zero
        for key, number in value.items():
            term = self.algebra.constant(int(np.gcd.reduce(np.ravel(np.asarray(number)))))
            for index, exponent in key:
                term *= generator(index) ** exponent
            total += term
        return total

    def _permutation(self, atom: Atom, values: list[LaneValue]) -> LaneValue | None:
        """x ^ u with the same u in all lanes: 32 neighbours from a multiple of 32 on trade places with such another 32.

        What is left to see is that the active lanes do fill such a range; then the set is that of x, moved.
        """
        varying = [value for value in values if not all(same_in_warp(n) for n in value.values())]
        if len(varying) != 1:
            return None
        for key, number in varying[0].items():
            if key != CONSTANT and (not same_in_warp(number) or np.any(np.mod(number, WARP) != 0)):
                return None
        self.permuted[atom.index] = varying[0]
        return {**varying[0], ((atom.index, 1),): WARP}


def _rises(value: LaneValue) -> bool:
    """Whether the last lane is not below the first."""
    lane = value.get(CONSTANT, 0)
    return not isinstance(lane, np.ndarray) or bool(np.all(lane[..., -1] >= lane[..., 0]))
