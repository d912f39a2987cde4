"""What the functions of a module want of the elements that they read, and what macros make in them: found once."""

from __future__ import annotations

import weakref

from coalint.analysis.domain.wants import Want
from coalint.analysis.interpreter.effects.narrowed_reads import NarrowedReads, Wants
from coalint.core import ir
from coalint.core.ir.macro_parts import MacroParts

_latest: list[tuple[weakref.ref[ir.Module], dict[tuple[str, Want], Wants]]] = []
"""The module that was evaluated last, with what is known of its functions."""
_parts: list[tuple[weakref.ref[ir.Module], dict[str, frozenset[int]]]] = []
"""The same with the parts of what macros make in its functions."""


def narrowed_reads(module: ir.Module) -> NarrowedReads:
    """Return what says how many bytes of elements the functions of a module read."""
    if not _latest or _latest[0][0]() is not module:
        _latest[:] = [(weakref.ref(module), {})]
    return NarrowedReads(module.functions, _latest[0][1])


def macro_parts(module: ir.Module) -> MacroParts:
    """Return what tells the expressions of a module that macros make beside others."""
    if not _parts or _parts[0][0]() is not module:
        _parts[:] = [(weakref.ref(module), {})]
    return MacroParts(module.functions, module.macro_uses, _parts[0][1])
