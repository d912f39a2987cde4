"""Updates that give the same however often they are made: `pos = min(pos, most)` by all threads of a block."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.way import single_atom
from coalint.analysis.recorder.events import SharedAccess
from coalint.core.facts.access import Operation


def is_repeatable(algebra: Algebra, load: SharedAccess, store: SharedAccess) -> bool:
    """Whether the store leaves the smaller or larger of what the load beside it found and a number of the block.

    A thread that finds what another one has left already leaves the same again: none sees anything else.
    """
    if (load.operation, store.operation) != (Operation.LOAD, Operation.STORE) or store.value is None:
        return False
    if load.base is not store.base or load.offset != store.offset or load.bytes != store.bytes:
        return False
    is_beside = store.index == load.index + 1 and load.span.line == store.span.line
    return is_beside and algebra.level(store.offset) is Level.UNIFORM and _is_bounded(algebra, store.value, load)


def _is_bounded(algebra: Algebra, value: Poly, load: SharedAccess) -> bool:
    """Whether a value is `found - most < 0 ? found : most`, or `found - least < 0 ? least : found`."""
    choice = single_atom(algebra, value)
    compared = single_atom(algebra, choice.operands[0]) if choice is not None and choice.operator == "?:" else None
    if choice is None or compared is None or compared.operator != "<":
        return False
    one, other = choice.operands[1:]
    found, bound = (one, other) if _is_found(single_atom(algebra, one), load) else (other, one)
    if not _is_found(single_atom(algebra, found), load) or algebra.level(bound) is not Level.UNIFORM:
        return False
    if any(_is_found(atom, load) for atom in algebra.closure(bound)):
        return False
    return compared.operands in ((found - bound,), (bound - found,))


def _is_found(atom: Atom | None, load: SharedAccess) -> bool:
    """Whether an atom is what a load of one element has found."""
    is_load = atom is not None and atom.kind is AtomKind.LOAD
    return is_load and atom is not None and atom.operands == (load.offset,) and atom.name == load.text
