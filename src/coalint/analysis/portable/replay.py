"""Evaluates a portable access with numbers in place of all that is unknown, and finds numbers that fit the analysis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.arithmetic import TOO_LARGE, Number, apply, wrap
from coalint.analysis.domain.conditions import When
from coalint.analysis.warps.counters.plan import LINE, Plan
from coalint.analysis.warps.threads import LANES, thread_arrays
from coalint.core.arrays import distinct
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.portable_model import Model, ModelPart
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST = 1 << 62
FAR = 1 << 30  # how far what is only compared with lies above what addresses are made of
ENOUGH = 3  # tries for what matters to whole lines alone
HEAVY = 1 << 16  # cells from which on few numbers are tried
_UNITS = (1 << 20, (1 << 16) * 315, 4096)
"""What symbols are tried to be multiples of: large enough for bounds, then such that most divisors go into."""


class Replay:
    """One model at one block shape."""

    def __init__(self, model: Model, block: tuple[int, int, int]) -> None:
        self.model = model
        self.block = block
        x, y, z, exists = thread_arrays(block)
        self.threads = (x, y, z)
        columns = list(product(*(numbers for _, numbers in model.values)))
        self.rows = len(columns)
        combined = np.array(columns, dtype=np.int64).reshape(self.rows, len(model.values))
        self.counters = {node: combined[:, n].reshape(-1, 1, 1) for n, (node, _) in enumerate(model.values)}
        counts = {node: len(numbers) for node, numbers in model.values}
        weights = {node: np.array(own, dtype=np.int64) for node, own in model.weights}
        whole = frozenset(counts.keys() - weights.keys())
        self.plan = Plan(self.counters, self.rows, frozenset(), False, {}, counts, whole, weights=weights)
        self.shape = (self.rows, *exists.shape[1:])
        self.exists = np.broadcast_to(exists & (np.arange(LANES) < model.lanes), self.shape)

    def lanes(self, symbols: Mapping[int, int]) -> tuple[Lanes, Lanes | None]:
        """Return the lanes, and those at the other end of a copy. Raises OverflowError."""
        site = _Run(self, symbols)
        active = self._passing(site, self.model.parts, self.exists)
        if self.model.combined:
            active &= active.cumsum(axis=2) == 1
        own = self._lanes(site.node(self.model.address), active)
        if self.model.other is None:
            return own, None
        return own, self._lanes(site.node(self.model.other), self._passing(site, self.model.reading, active))

    def _passing(self, site: _Run, parts: Sequence[ModelPart], lanes: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the lanes pass conditions, as far as these can be followed."""
        active = lanes.copy()
        for part in parts:
            holds = np.broadcast_to(np.not_equal(site.node(part.node), 0), self.shape)
            followed = self.plan.follow(holds, [(node, When(when)) for node, when in part.over])
            if followed is not None:
                active &= followed
        return active

    def _lanes(self, offsets: Number, active: NDArray[np.bool_]) -> Lanes:
        whole = np.ascontiguousarray(np.broadcast_to(np.asarray(offsets, dtype=np.int64), self.shape))
        return Lanes(whole, active, self.plan.row_weights(), LINE * 2)


class _Run:
    def __init__(self, replay: Replay, symbols: Mapping[int, int]) -> None:
        self.replay = replay
        self.model = replay.model
        self.symbols = symbols
        self.choices = dict(replay.model.choices)
        self.known: dict[int, Number] = {}

    def node(self, number: int) -> Number:
        value = self.known.get(number)
        if value is None:
            value = self.known[number] = self._value(number)
        return value

    def _value(self, number: int) -> Number:
        node = self.model.nodes[number]
        match node[0]:
            case "p":
                return self._polynomial(node[1])
            case "t":
                return self.replay.threads[node[1]]
            case "b":
                return self.replay.block[node[1]]
            case "c":
                return self.replay.counters.get(number, self.symbols.get(number, 0))
            case "s":
                return self.symbols.get(number, 0)
            case "v":
                row = np.clip(self.node(node[2]), 0, len(node[3]) - 1)
                return np.asarray(node[3], dtype=np.int64)[row]
            case "l":
                return self._lane_table(node[2], node[3], node[4])
        operator, bits, signed, *operands = node[1:]
        if operator == "?:" and operands[0] in self.choices:
            return self.node(operands[1] if self.choices[operands[0]] else operands[2])
        numbers = [self.node(operand) for operand in operands]
        return wrap(numbers[0], bits, signed) if operator == "wrap" else apply(operator, numbers)

    def _lane_table(self, place: int, warps: int, numbers: Sequence[int]) -> Number:
        table = np.asarray(numbers, dtype=np.int64).reshape(-1, warps, LANES)
        if warps != self.replay.shape[1]:
            raise OverflowError("a table of another block shape")
        row = np.clip(np.asarray(self.node(place)), 0, len(table) - 1)
        return table[row, np.arange(warps).reshape(1, -1, 1), np.arange(LANES).reshape(1, 1, -1)]

    def _polynomial(self, terms: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> Number:
        total: Number = 0
        for coefficient, monomial in terms:
            term: Number = coefficient
            for number, exponent in monomial:
                for _ in range(exponent):
                    factor = self.node(number)
                    if _size(term) * _size(factor) >= LARGEST:
                        raise OverflowError(TOO_LARGE)
                    term = term * factor
            total = total + term
        if _size(total) >= LARGEST:
            raise OverflowError(TOO_LARGE)
        return total


def _size(number: Number) -> int:
    if isinstance(number, np.ndarray):
        return max(abs(int(number.min())), abs(int(number.max()))) if number.size else 0
    return abs(int(number))


def settled(
    model: Model,
    block: tuple[int, int, int],
    lanes: Lanes,
    other: Lanes | None,
    granularities: tuple[int, ...],
    hints: Mapping[str, int],
    most: int = 40,
    given: Mapping[str, int] | None = None,
) -> Model | None:
    """Return the model with numbers for its symbols with which its lanes are those that the analysis found.

    None if none do.

    A warp's lanes are alike where they are moved by a multiple of so many bytes: the first of the granularities that
    any numbers fulfil. `hints` are numbers, by the symbols' names, that are tried first; `most` is how many are tried.
    Those that are `given` stay as they are, and are marked as supposed.
    """
    replay = Replay(model, block)
    if other is not None:  # lanes that read nothing may write zeros
        other = replace(other, active=other.active & lanes.active)
    if replay.shape != lanes.offsets.shape or (other is None) != (model.other is None):
        return None
    enumerated = {node for node, _ in model.values}
    fixed = {
        number: (given or {})[node[2]]
        for number, node in enumerate(model.nodes)
        if node[0] in "sc" and number not in enumerated and node[2] in (given or {})
    }
    used = model.reach(model.address, *([] if model.other is None else [model.other]))
    open_symbols = [
        _Symbol(number, node[2], node[3], node[4], number not in used)
        for number, node in model.of_kind("s").items()
        if number not in fixed
    ]
    most = min(most, 6) if replay.exists.size > HEAVY else most
    fitting: dict[int, dict[int, int]] = {}
    for tried, attempt in enumerate(_attempts(open_symbols, most, hints), 1):
        symbols = {**fixed, **attempt}
        try:
            made = replay.lanes(symbols)
        except OverflowError:
            continue
        for granularity in granularities:
            if _alike(made[0], lanes, granularity) and (
                other is None or made[1] is None or _alike(made[1], other, granularity)
            ):
                fitting.setdefault(granularity, symbols)
        if granularities[0] in fitting or (fitting and tried >= ENOUGH):
            break
    best = next((fitting[granularity] for granularity in granularities if granularity in fitting), None)
    return None if best is None else replace(model, symbols=tuple(best.items()), supposed=tuple(fixed))


@record(frozen=True, slots=True)
class _Symbol:
    """A number that is not known: its node, its bounds, and whether conditions alone hold it."""

    node: int
    name: str
    low: int | None
    high: int | None
    bounds: bool

    def within(self, number: int) -> int:
        number = number if self.high is None else min(number, self.high)
        return number if self.low is None else max(number, self.low)


def _attempts(symbols: Sequence[_Symbol], most: int, hints: Mapping[str, int]) -> Iterator[dict[int, int]]:
    def all_of(unit: int) -> dict[int, int]:
        return {s.node: s.within(unit * (2 * n + 1) + FAR * s.bounds) for n, s in enumerate(symbols)}

    def tries() -> Iterator[dict[int, int]]:
        usual = all_of(_UNITS[0])
        if any(s.name in hints for s in symbols):
            yield {s.node: hints.get(s.name, usual[s.node]) for s in symbols}
        yield from map(all_of, _UNITS)
        for number in (0, 1):
            yield {s.node: s.within(number) for s in symbols}
        for number in (0, 1, 32):
            for symbol in symbols:
                yield {**usual, symbol.node: symbol.within(number)}

    seen: list[dict[int, int]] = []
    for attempt in tries():
        if attempt not in seen:
            seen.append(attempt)
            yield attempt
            if len(seen) >= most:
                return


def named_symbols(model: Model) -> dict[str, int]:
    """Return the numbers of the symbols by their names."""
    return {model.nodes[node][2]: number for node, number in model.symbols}


def agree(a: Model, b: Model, block: tuple[int, int, int]) -> bool:
    """Whether two models give the same addresses at a block shape for any numbers: so they do for some odd ones."""
    names = sorted({node[2] for model in (a, b) for node in model.of_kind("s").values()})
    numbers = {name: 33 + 14 * n for n, name in enumerate(names)}

    def offsets(model: Model) -> NDArray[np.int64]:
        symbols = {number: numbers[node[2]] for number, node in model.of_kind("s").items()}
        return Replay(model, block).lanes(symbols)[0].offsets

    try:
        return np.array_equal(offsets(a), offsets(b))
    except OverflowError:
        return False


def named_supposed(model: Model) -> dict[str, int]:
    """Return those of them that are supposed."""
    return {model.nodes[node][2]: number for node, number in model.symbols if node in model.supposed}


def _alike(made: Lanes, expected: Lanes, granularity: int) -> bool:
    """Whether the same lanes take part, and lie as far apart; lanes of different groups so far that they never meet."""
    if not (made.active == expected.active).all():
        return False
    shift = made.offsets - expected.offsets
    active = expected.active
    if (np.where(active, shift, 0) % granularity).any():
        return False
    if expected.groups is None:
        low = np.where(active, shift, LARGEST).min(axis=2)
        high = np.where(active, shift, -LARGEST).max(axis=2)
        return bool((low >= high).all())
    groups = np.broadcast_to(expected.groups, shift.shape)
    for row, warp in np.ndindex(*shift.shape[:2]):
        here = active[row, warp]
        pairs = np.unique(np.stack([groups[row, warp][here], shift[row, warp][here]]), axis=1)
        ranges = []
        for group in distinct(pairs[0]):
            if (pairs[0] == group).sum() != 1:
                return False
            places = made.offsets[row, warp][here & (groups[row, warp] == group)]
            ranges.append((int(places.min()), int(places.max())))
        ranges.sort()
        if any(after[0] - before[1] < LINE for before, after in pairwise(ranges)):
            return False
    return True
