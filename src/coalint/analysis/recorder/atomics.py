"""Atomics whose address nvcc knows to be the same for all lanes: one lane of a warp acts for all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.derivations import Definition, holds_thread
from coalint.core import ir
from coalint.core.facts.access import Atomic
from coalint.core.facts.launch import LaunchSource
from coalint.core.ir import Intrinsic

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.core.facts.launch import Specialization


_SUMS = frozenset({Intrinsic.ATOMIC_ADD, Intrinsic.ATOMIC_SUB})
_REDUCED = _SUMS | {
    Intrinsic.ATOMIC_MIN,
    Intrinsic.ATOMIC_MAX,
    Intrinsic.ATOMIC_AND,
    Intrinsic.ATOMIC_OR,
    Intrinsic.ATOMIC_XOR,
}
ONE_INSTRUCTION = _REDUCED | {Intrinsic.ATOMIC_INC, Intrinsic.ATOMIC_DEC}


def combines(function: Intrinsic | None, type_: ir.Type, *, used: bool | None, alike: bool) -> bool | None:
    """Whether nvcc makes one atomic per warp of lanes whose address it knows to be the same; None where it may.

    `alike`: the lanes' operands are the same, too. Seen in the machine code of nvcc 13.2 for sm_90: integer sums of the
    same operand, on 4 and 8 bytes, with or without a use of the old value; other functions on 4-byte integers where the
    old value is not used; sums of different operands with their old values where the whole warp is there. Not: float,
    double, half precision and vectors, exchange, compare-and-swap, inc, dec, the others on 8 bytes.
    """
    if function is None or function is Intrinsic.ATOMIC_OTHER:
        return None
    if not isinstance(type_, ir.Integer) or function not in _REDUCED or type_.bits not in (32, 64):
        return False if isinstance(type_, ir.Integer | ir.Floating | ir.Record) else None
    if function in _SUMS and alike:
        return True
    if type_.bits == 64:
        return False
    if used is False:
        return True
    return False if used and function not in _SUMS else None


def addressed(
    atomic: Atomic | None,
    algebra: Algebra,
    at: Specialization | None,
    offset: Poly,
    trace: tuple[Definition, ...],
) -> Atomic | None:
    """Return the atomic at this address.

    Nvcc combines lanes only where the address holds nothing that threads differ in.

    Lanes that share `a[threadIdx.x / 32]` are not combined, nor are those that only the launch tells to be alike:
    `a[threadIdx.y]` in a block of one row. What `__launch_bounds__` says, nvcc may know as well.
    """
    if atomic is None or atomic.is_combined is False:
        return atomic
    if algebra.level(offset) is Level.UNIFORM:
        if not holds_thread(trace):
            return atomic
        bounded = at is not None and at.source is LaunchSource.BOUNDS
        return replace(atomic, is_combined=None if bounded else False)
    differs = any(atom.kind is AtomKind.THREAD for atom in algebra.closure(offset))
    return replace(atomic, is_combined=False if differs else None)
