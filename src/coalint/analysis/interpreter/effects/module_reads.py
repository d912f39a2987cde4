"""What the functions of a module want of the elements that they read: found once for all its kernels."""

from __future__ import annotations

import weakref

from coalint.analysis.domain.wants import Want
from coalint.analysis.interpreter.effects.narrowed_reads import NarrowedReads, Wants
from coalint.core import ir
from coalint.core.ir.macro_parts import MacroParts

_latest: list[tuple[weakref.ref[ir.Module], dict[tuple[str, Want], Wants]]] = []
"""The module that was evaluated last, with what is known of its functions."""


def narrowed_reads(module: ir.Module) -> NarrowedReads:
    """Return what says how many bytes of elements the functions of a module read."""
    if not _latest or _latest[0][0]() is not module:
        _latest[:] = [(weakref.ref(module), {})]
    return NarrowedReads(module.functions, _latest[0][1])


_macros: list[tuple[weakref.ref[ir.Module], MacroParts]] = []
"""The module that was evaluated last, with what tells the parts of what macros make in it."""


def macro_parts(module: ir.Module) -> MacroParts:
    """Return what tells the expressions of a module that macros make beside others."""
    if not _macros or _macros[0][0]() is not module:
        _macros[:] = [(weakref.ref(module), MacroParts(module.functions, module.macro_uses))]
    return _macros[0][1]
