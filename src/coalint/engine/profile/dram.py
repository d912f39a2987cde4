"""What DRAM moves at least for a launch: each byte that it touches, once."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.facts.access import Operation, Space
from coalint.core.facts.suppositions import Supposed, kind_of
from coalint.engine.profile.instruction import ProfiledInstruction

READS = (Operation.LOAD, Operation.ATOMIC)
WRITES = (Operation.STORE, Operation.ATOMIC)


def least_dram_bytes(instructions: Sequence[ProfiledInstruction]) -> int | None:
    """Return the least bytes that loads fetch and stores write back; None where an instruction's are open.

    Several accesses to an array may touch the same: the one that touches most counts, for loads and for stores. What a
    kernel stores before it loads it need not be fetched.
    """
    read: dict[str, int] = {}
    written: dict[str, int] = {}
    for item in instructions:
        access = item.made.access
        if access.space is not Space.GLOBAL:
            continue
        touched = _touched(item)
        if touched is None or access.memory is None:
            return None
        name = access.memory.name
        if access.op in READS and (name not in written or name in read):
            read[name] = max(read.get(name, 0), touched)
        if access.op in WRITES:
            written[name] = max(written.get(name, 0), touched)
    return sum(read.values()) + sum(written.values())


def _touched(item: ProfiledInstruction) -> int | None:
    """Return how many bytes an instruction touches at least."""
    threads, reuse = item.executions.threads, item.executions.reuse
    # Copies of a loop's body put the same lanes into other requests.
    supposed = [text for text in item.executions.assumed if kind_of(text) is not Supposed.UNROLLING]
    if threads is None or reuse is None or supposed:
        return None
    return -(-threads * item.made.access.bytes // reuse)
