"""The barriers and warp primitives of inline PTX (PTX ISA, 9.7.13), and what leaves the kernel."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Exit
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.interpreter.calls.ptx import instructions
from coalint.analysis.recorder.barriers import Waits
from coalint.analysis.synchronization.named_lanes import FULL

if TYPE_CHECKING:
    from collections.abc import Callable

    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.interpreter.state import State
    from coalint.core.source.spans import Span

MASKED = {"shfl": 5, "vote": 3, "match": 3, "redux": 3}
"""How many operands the instructions have whose last one is a mask: with fewer, which ptxas refuses, none is known."""


def execute(state: State, i: instructions.Instruction, span: Span, value: Callable[[str], Poly | None]) -> bool:
    """Record a barrier or an end under the guards at hand; False for any other instruction. `value` gives operands."""
    record, name = state.recorder.barriers.record, f"asm {i.opcode}"
    if i.opcode == "exit":
        leave(state, span)
    elif i.opcode == "trap":
        state.recorder.mark_traps(state)
        state.alive = state.alive and bool(i.guard)
    elif i.opcode.startswith("bar.warp.sync"):
        mask = value(i.arguments[0]) if i.arguments else None
        record(state, name, span, Waits("warp", mask=mask, masked=True))
    elif i.opcode.startswith("barrier.cluster.wait"):
        record(state, name, span, Waits())
    elif i.name in ("bar", "barrier") and any(word in i.words for word in ("sync", "red")):
        at = i.arguments[:1] if "sync" in i.words else i.arguments[1:2]
        counts = i.arguments[1:] if "sync" in i.words else i.arguments[2:-1]
        number = value(at[0]) if at else None
        named(state, name, span, number, value(counts[0]) if counts else None, whole=not counts)
    elif i.name in ("bar", "barrier", "mbarrier"):
        state.recorder.unsynchronised.clear()
        state.recorder.order.doubted(state)
    elif i.name in MASKED and "sync" in i.words and i.arguments:
        reads = i.opcode.startswith("shfl")
        mask = value(i.arguments[-1]) if len(i.arguments) == MASKED[i.name] else None
        waits = Waits("warp", mask=mask, masked=True, orders_memory=False, reads=reads)
        record(state, name, span, waits)
    else:
        return False
    state.epoch += 1
    return True


def named(state: State, name: str, span: Span, number: Poly | None, count: Poly | None, *, whole: bool = False) -> None:
    """Handle a numbered barrier of `count` threads: one of the block if these are all, else of some of its warps."""
    specialization = state.recorder.specialization
    threads = None if count is None else state.algebra.number(count)
    if whole or (threads is not None and specialization is not None and threads >= prod(specialization.block)):
        waits = Waits(number=None if number is None else state.algebra.number(number))
        state.recorder.barriers.record(state, name, span, waits)
        return
    state.recorder.unsynchronised.clear()
    state.recorder.order.doubted(state)
    state.recorder.barriers.record(state, name, span, Waits("warp", mask=state.algebra.constant(FULL)))


def leave(state: State, span: Span) -> None:
    """Handle `exit`: the thread is gone, from whatever function it is in."""
    state.exits.append(Exit(GuardKind.RETURN, state.guards, span, cells=state.store.snapshot(), final=True))
    state.alive = False
