"""Everything known of one kernel at one specialization."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING

from coalint.core.facts.slow_paths import SlowPath
from coalint.core.findings import Note
from coalint.core.ir.spelling import Spelling
from coalint.core.records import record
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.core.facts.access import Access
    from coalint.core.facts.compiled_address import CompiledAddresses
    from coalint.core.facts.executions import Counting
    from coalint.core.facts.launch import Specialization
    from coalint.core.facts.synchronization import Barrier, Fence, Race


@record(frozen=True, slots=True)
class Analysis:
    """Everything known of one kernel at one specialization; `races` only where they were asked for.

    `spelling` is how the kernel's language spells things in messages. `counting` counts how often the launch executes
    the accesses and barriers, by their order here; it holds on to the whole evaluation. `compiled` gives the addresses
    of accesses to shared memory as the compiler sees them, which does not know the launch.
    """

    kernel: str
    specialization: Specialization
    span: Span
    accesses: tuple[Access, ...]
    barriers: tuple[Barrier, ...]
    spelling: Spelling
    gaps: tuple[Note, ...] = ()
    races: tuple[Race, ...] = ()
    fences: tuple[Fence, ...] = ()
    slow_paths: tuple[SlowPath, ...] = ()
    counting: Counting | None = field(default=None, compare=False, repr=False)
    compiled: Callable[[], CompiledAddresses] | None = field(default=None, compare=False, repr=False)

    def counted(self) -> Analysis:
        """Return the analysis with the executions of its accesses and barriers, and without what counts them."""
        if self.counting is None:
            return replace(self, compiled=None)
        counts = [self.counting.of_access(number) for number in range(len(self.accesses))]
        accesses = tuple(
            replace(access, executions=executions) for access, executions in zip(self.accesses, counts, strict=True)
        )
        barriers = tuple(
            replace(barrier, executions=self.counting.of_barrier(number))
            for number, barrier in enumerate(self.barriers)
        )
        return replace(self, accesses=accesses, barriers=barriers, counting=None, compiled=None)
