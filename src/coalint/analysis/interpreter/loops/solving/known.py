"""What loops made of their variables where they were run without recording: the next such run begins with it.

It holds while the runs around go on: these only ever take variables for less uniform than before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.values import Cell
from coalint.analysis.interpreter.loops.changes.records import Slot
from coalint.analysis.interpreter.loops.pointers.reached import current, key_of, way_to
from coalint.core import ir
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


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
class Entry:
    """The variables of a loop, in order; `ages` says that its body changes memory."""

    variables: tuple[Known, ...]
    ages: bool


@record(frozen=True, slots=True)
class Split:
    """The parts of structs that a loop writes, each with a sample of its value; structs that it replaces as a whole.

    These have the level that they come to.
    """

    parts: Mapping[Slot, Cell]
    replaced: Mapping[Slot, Level]


class Solved:
    """What is known of loops, by the calls that lead to them."""

    def __init__(self) -> None:
        self._entries: dict[tuple[object, ...], Entry] = {}
        self._splits: dict[tuple[object, ...], tuple[Split, Mapping[int, str]]] = {}

    def forget(self) -> None:
        """Forget everything: what comes next may take variables for more uniform than they were."""
        self._entries.clear()
        self._splits.clear()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Begin with nothing, and forget what is found meanwhile: what one iteration does another may not."""
        entries, self._entries = self._entries, {}
        splits, self._splits = self._splits, {}
        try:
            yield
        finally:
            self._entries, self._splits = entries, splits

    def find(self, site: Site, loop: ir.Loop) -> Entry | None:
        """Return what is known of a loop; None of one that was not run so yet."""
        return self._entries.get(way_to(site, loop))

    def keep(self, site: Site, loop: ir.Loop, entry: Entry) -> None:
        """Write down what a loop has made of its variables."""
        self._entries[way_to(site, loop)] = entry

    def split(self, site: Site, loop: ir.Loop, *, is_searched: bool) -> Split | None:
        """Return the parts of structs that a loop writes, of those that there are now; None of one not run so yet.

        `is_searched`: in a search for what a loop around it changes, which sees more of them.
        """
        known = self._splits.get((is_searched, *way_to(site, loop)))
        if known is None:
            return None
        split, keys = known
        now = {storage: current(site, storage, key) for storage, key in keys.items()}
        parts = {(at, offset): cell for (old, offset), cell in split.parts.items() if (at := now[old]) is not None}
        replaced = {
            (at, offset): level for (old, offset), level in split.replaced.items() if (at := now[old]) is not None
        }
        return Split(parts, replaced)

    def keep_split(self, site: Site, loop: ir.Loop, split: Split, *, is_searched: bool) -> None:
        """Write down the parts of structs that a loop writes."""
        keys = {storage: key_of(site, storage) for storage, _ in (*split.parts, *split.replaced)}
        self._splits[is_searched, *way_to(site, loop)] = split, keys
