"""Edits of a text, and where the lines of the new text come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes from `begin` to `end`; lines that begin inside of the new text stand for the line `origin`.

    Where there is no `origin`, they stand for the line at `begin`. What follows its last line break stands for the line
    at `end`.
    """

    begin: int
    end: int
    text: str
    origin: int | None = None


Site = tuple[Edit, ...]
"""One rewrite at one place: edits that are made together."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A new text; `lines` has for each of its lines, from 1, the line of the old text that it stands for."""

    text: str
    lines: tuple[int, ...]


def apply(text: str, sites: Sequence[Site]) -> Rewritten:
    """Make the edits of all sites, which must be disjoint. Offsets count the characters of `text`."""
    edits = sorted((edit for site in sites for edit in site), key=lambda edit: (edit.begin, edit.end))
    parts: list[str] = []
    lines, at, line = [0, 1], 0, 1
    for edit in edits:
        kept = text[at : edit.begin]
        parts += [kept, edit.text]
        lines += range(line + 1, line + kept.count("\n") + 1)
        line += kept.count("\n")
        behind = line + text.count("\n", edit.begin, edit.end)
        breaks = edit.text.count("\n")
        lines += [edit.origin or line] * (breaks - 1) + [behind] * (breaks > 0)
        at, line = edit.end, behind
    rest = text[at:]
    lines += range(line + 1, line + rest.count("\n") + 1)
    return Rewritten("".join([*parts, rest]), tuple(lines))


def disjoint(sites: Sequence[Site]) -> list[Site]:
    """The sites, in order, that do not touch what one before them changes."""
    taken: list[Edit] = []
    chosen = []
    for site in dict.fromkeys(sites):  # instances of a template have their places in common
        if not any(_overlap(edit, other) for edit in site for other in taken):
            chosen.append(site)
            taken.extend(site)
    return chosen


def _overlap(one: Edit, other: Edit) -> bool:
    if one.begin == one.end and other.begin == other.end:
        return False
    return max(one.begin, other.begin) < min(one.end, other.end) or any(
        a.begin == a.end and b.begin < a.begin < b.end for a, b in ((one, other), (other, one))
    )
