"""What inner loops change through pointers, found out once for each way that leads to them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Frame
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


class Reached:
    """What inner loops change through pointers, by the loop and the calls that lead to it.

    Where an outer loop turns out to change more than was taken for granted when an entry was made, that entry is no
    more than what the next search begins with.
    """

    def __init__(self) -> None:
        self._round = 0
        self._found: dict[tuple[object, ...], tuple[int, list[tuple[int, str]]]] = {}

    def find(self, site: Site, loop: ir.Loop, besides: Container[int]) -> tuple[list[int], bool]:
        """Return the storages that a loop is known to change, but for those `besides`, and whether these are all."""
        made, entries = self._found.get(_way(site, loop), (-1, []))
        storages = [_now(site, storage, key) for storage, key in entries]
        alive = list(dict.fromkeys(s for s in storages if s is not None and s not in besides))
        return alive, made == self._round and None not in storages

    def keep(self, site: Site, loop: ir.Loop, storages: Iterable[int]) -> None:
        """Write down what such a loop changes."""
        variables = site.store.variables
        keys = [(storage, variables[storage].key if storage in variables else "") for storage in storages]
        self._found[_way(site, loop)] = self._round, keys

    def outdate(self) -> None:
        """Take all that is known for a part of what there is to know."""
        self._round += 1


def _now(site: Site, storage: int, key: str) -> int | None:
    """Return the storage of a variable, which has another one each time that it is declared."""
    frame: Frame | None = site.frame if key else None
    while frame is not None:
        held = frame.find(key)
        if isinstance(held, int):
            return held
        frame = frame.caller
    return storage if storage in site.store.cells else None


def _way(site: Site, loop: ir.Loop) -> tuple[object, ...]:
    """Return a loop and the calls that lead to it."""
    way: list[object] = [id(loop)]
    frame: Frame | None = site.frame
    while frame is not None:
        way.append(frame.call)
        frame = frame.caller
    return tuple(way)
