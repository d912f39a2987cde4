"""What loops made of their variables where they were run without recording: the next such run begins with it.

It holds while the runs around go on: these only ever take variables for less uniform than before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.interpreter.loops.pointers.reached import way_to
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


class Solved:
    """What is known of loops, by the calls that lead to them."""

    def __init__(self) -> None:
        self._entries: dict[tuple[object, ...], Entry] = {}

    def forget(self) -> None:
        """Forget everything: what comes next may take variables for more uniform than they were."""
        self._entries.clear()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Begin with nothing, and forget what is found meanwhile: what one iteration does another may not."""
        entries, self._entries = self._entries, {}
        try:
            yield
        finally:
            self._entries = entries

    def find(self, site: Site, loop: ir.Loop) -> Entry | None:
        """Return what is known of a loop; None of one that was not run so yet."""
        return self._entries.get(way_to(site, loop))

    def keep(self, site: Site, loop: ir.Loop, entry: Entry) -> None:
        """Write down what a loop has made of its variables."""
        self._entries[way_to(site, loop)] = entry
