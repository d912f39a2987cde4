"""Variables that a loop leaves as they are cost nothing when it is looked for what it has changed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from compiled_analysis import replaces_what_is_compiled

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.values import Address, Base, Cell, Region
from coalint.analysis.interpreter.loops.exit_state import Leaving, _mix_others
from coalint.analysis.interpreter.loops.pointers.targets import learn
from coalint.core.facts.access import Memory

ALGEBRA = Algebra()
OTHERS = 50
"""Variables that nothing writes."""


class Unread(dict[int, Cell]):
    """The contents of a variable that nobody may look through."""

    def items(self) -> Any:
        raise AssertionError("an untouched variable is looked through")


def pointer(storage: int) -> Cell:
    base = Base(Region.LOCAL, Memory("v", 4), storage=storage)
    return Cell(8, Address(base, ALGEBRA.zero))


def number(value: int) -> Cell:
    return Cell(4, ALGEBRA.constant(value))


@replaces_what_is_compiled
def test_where_pointers_lead_is_asked_of_what_was_written_alone() -> None:
    untouched: dict[int, dict[int, Cell]] = {storage: Unread({0: pointer(3)}) for storage in range(OTHERS)}
    begin = {**untouched, OTHERS: {0: number(1), 4: pointer(3)}}
    end = {**untouched, OTHERS: {0: number(2), 4: begin[OTHERS][4]}}
    loop: Any = SimpleNamespace(leads={})
    assert not learn(loop, begin, begin, [end, begin])
    assert not loop.leads


@replaces_what_is_compiled
def test_elements_that_stayed_as_they_are_are_not_mixed() -> None:
    asked: list[int] = []

    def standing(_storage: int, cells: dict[int, Cell], at: int, _like: Cell) -> Cell | None:
        asked.append(at)
        return cells.get(at)

    before = {4 * element: number(element) for element in range(OTHERS)}
    after = {**before, 8: number(2)}
    loop: Any = SimpleNamespace(state=SimpleNamespace(store=SimpleNamespace(cells={1: after}, standing=standing)))
    _mix_others(loop, (), {1: before}, Leaving((), Level.UNIFORM, (), None, counted=False))
    assert asked == [8]
    assert loop.state.store.cells == {1: after}
