"""What inner loops change through pointers, found out once for each way that leads to them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Frame
from coalint.core import ir
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


@record(slots=True)
class _Entry:
    """Storages that a loop changes, with their variables' keys; `around` are the loops that it is inside of."""

    storages: list[tuple[int, str]]
    around: frozenset[int]
    is_complete: bool = True


class Reached:
    """What inner loops change through pointers, by the loop and the calls that lead to it.

    Where a loop around it turns out to change more than was taken for granted when an entry was made, that entry is no
    more than what the next search begins with.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], _Entry] = {}
        self._around: list[int] = []  # the loops that are evaluated, outermost first

    @contextmanager
    def inside(self, loop: ir.Loop) -> Iterator[None]:
        """Evaluate a loop."""
        self._around.append(id(loop))
        try:
            yield
        finally:
            self._around.pop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Forget at the end what is found meanwhile: what one iteration does another may not."""
        found, self._found = self._found, dict(self._found)
        try:
            yield
        finally:
            self._found = found

    def find(self, site: Site, loop: ir.Loop, besides: Container[int]) -> tuple[list[int], bool]:
        """Return the storages that a loop is known to change, but for those `besides`, and whether these are all."""
        entry = self._found.get(way_to(site, loop))
        if entry is None:
            return [], False
        storages = [current(site, storage, key) for storage, key in entry.storages]
        alive = list(dict.fromkeys(s for s in storages if s is not None and s not in besides))
        return alive, entry.is_complete and None not in storages

    def keep(self, site: Site, loop: ir.Loop, storages: Iterable[int]) -> None:
        """Write down what such a loop changes."""
        keys = [(storage, key_of(site, storage)) for storage in storages]
        self._found[way_to(site, loop)] = _Entry(keys, frozenset(self._around) - {id(loop)})

    def outdate(self, loop: ir.Loop) -> None:
        """Take all that is known of the loops inside of one for a part of what there is to know."""
        for entry in self._found.values():
            if id(loop) in entry.around:
                entry.is_complete = False


def key_of(site: Site, storage: int) -> str:
    """Return the key of the variable that a storage belongs to; empty where it is none's."""
    variable = site.store.variables.get(storage)
    return "" if variable is None else variable.key


def current(site: Site, storage: int, key: str) -> int | None:
    """Return the storage of a variable, which has another one each time that it is declared."""
    frame: Frame | None = site.frame if key else None
    while frame is not None:
        held = frame.find(key)
        if isinstance(held, int):
            return held
        frame = frame.caller
    return storage if storage in site.store.cells else None


def way_to(site: Site, loop: ir.Loop) -> tuple[object, ...]:
    """Return a loop and the calls that lead to it."""
    way: list[object] = [id(loop)]
    frame: Frame | None = site.frame
    while frame is not None:
        way.append(frame.call)
        frame = frame.caller
    return tuple(way)
