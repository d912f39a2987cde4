"""A loop's variables as an earlier dry run has left them, and as a later one may take them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atom_table import NOTHING_CERTAIN
from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.algebra.opaque_values import as_opaque
from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
from coalint.analysis.interpreter.loops.solving.known import Entry, Known

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def recalled(loop: LoopState, numbers: Sequence[Carried], floats: Collection[Carried]) -> dict[Slot, Known] | None:
    """Return what is known of a loop's variables; None for one that was not run so yet.

    Where its body changes memory it reads it as later iterations find it from here on.
    """
    entry = loop.state.solved.find(loop.state, loop.statement)
    items = [*numbers, *floats]
    if entry is None or [item.name for item in items] != [known.name for known in entry.variables]:
        return None
    loop.state.epoch += entry.ages
    return {item.slot: known for item, known in zip(items, entry.variables, strict=True)}


def remember(
    loop: LoopState,
    numbers: Sequence[Carried],
    floats: Collection[Carried],
    levels: Mapping[Slot, Level],
    *,
    ages: bool,
) -> None:
    """Write down what a dry run has made of a loop's variables; `ages`: its body changes memory."""
    known = [
        *(_known(loop, item, levels[item.slot]) for item in numbers),
        *(Known(item.name, levels[item.slot]) for item in floats),
    ]
    loop.state.solved.keep(loop.state, loop.statement, Entry(tuple(known), ages))


def _known(loop: LoopState, item: Carried, level: Level) -> Known:
    opaque = as_opaque(loop.algebra, loop.closed[item.slot])
    sharing = NOTHING_CERTAIN if opaque is None else opaque[2]
    return Known(item.name, level, sharing.warp_uniform, bool(sharing.varies or sharing.warp_divergent))
