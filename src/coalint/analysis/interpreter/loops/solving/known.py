"""What loops made of their variables where they were run without recording: the next such run begins with it.

It holds while the runs around go on: these only ever take variables for less uniform than before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atom_table import NOTHING_CERTAIN
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, Sharing
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.interpreter.loops.pointers.reached import way_to
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState


@record(frozen=True, slots=True)
class Known:
    """What a variable was at the start of any iteration: its level, and how it differed where it was not followed.

    `warp_uniform`: the lanes of each warp agreed on it; `differs`: threads, or lanes, did not for certain.
    """

    name: str
    level: Level
    warp_uniform: bool = False
    differs: bool = False


@record(frozen=True, slots=True)
class _Entry:
    """The variables of a loop, in order; `ages` says that its body changes memory."""

    variables: tuple[Known, ...]
    ages: bool


class Solved:
    """What is known of loops, by the calls that lead to them."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], _Entry] = {}

    def forget(self) -> None:
        """Forget everything: what comes next may take variables for more uniform than they were."""
        self._known.clear()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Begin with nothing, and forget what is found meanwhile: what one iteration does another may not."""
        known, self._known = self._known, {}
        try:
            yield
        finally:
            self._known = known

    def of(self, loop: LoopState, numbers: Sequence[Carried], floats: Collection[Carried]) -> dict[Slot, Known] | None:
        """Return what is known of a loop's variables; None for one that was not run so yet.

        Where its body changes memory it reads it as later iterations find it from here on.
        """
        entry = self._known.get(way_to(loop.state, loop.statement))
        items = [*numbers, *floats]
        if entry is None or [item.name for item in items] != [known.name for known in entry.variables]:
            return None
        if loop.algebra.crowded():
            return None
        loop.state.epoch += entry.ages
        return {item.slot: known for item, known in zip(items, entry.variables, strict=True)}

    def keep(
        self,
        loop: LoopState,
        numbers: Sequence[Carried],
        floats: Collection[Carried],
        levels: Mapping[Slot, Level],
        *,
        ages: bool,
    ) -> None:
        """Write down what a loop has made of its variables."""
        known = [
            *(_known(loop, item, levels[item.slot]) for item in numbers),
            *(Known(item.name, levels[item.slot]) for item in floats),
        ]
        self._known[way_to(loop.state, loop.statement)] = _Entry(tuple(known), ages)


def as_opaque(algebra: Algebra, value: Poly) -> tuple[Level, str, Sharing] | None:
    """Return what is known of a value that is not followed at all; None for any other."""
    atoms = algebra.atoms_of(value)
    if len(atoms) != 1 or value != generator(atoms[0].index) or atoms[0].kind is not AtomKind.OPAQUE:
        return None
    atom = atoms[0]
    if atom.operands or atom.is_float:
        return None
    return atom.level, atom.reason, Sharing(atom.varies, atom.warp_divergent, atom.warp_uniform)


def _known(loop: LoopState, item: Carried, level: Level) -> Known:
    opaque = as_opaque(loop.algebra, loop.closed[item.slot])
    sharing = NOTHING_CERTAIN if opaque is None else opaque[2]
    return Known(item.name, level, sharing.warp_uniform, bool(sharing.varies or sharing.warp_divergent))
