"""What a loop is taken to change through pointers, until a run of its body has shown that it changes no more."""

from __future__ import annotations

from dataclasses import field

from coalint.core.records import record


@record
class Search:
    """What is known so far: `changed` are storages that earlier runs have found.

    `is_open` says that a run has to confirm these, and `known` are they with those that the loop assigns to by name.
    """

    changed: list[int] = field(default_factory=list)
    is_open: bool = False
    known: frozenset[int] = frozenset()
