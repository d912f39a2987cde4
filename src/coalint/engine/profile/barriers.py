"""The barriers and warp primitives of a kernel over a whole launch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from coalint.core.facts.block_forms import BlockForm, BlockForms
from coalint.core.facts.executions import Executions
from coalint.core.facts.synchronization import Barrier
from coalint.core.records import record
from coalint.core.source.spans import Span

KEPT = "the compiler keeps barriers of lanes that run together anyway"
"""What the count of a barrier of a warp rests on that hands over no value, as nvcc may leave it out."""


@record(frozen=True, slots=True)
class ProfiledBarrier:
    """A barrier at one place of the source.

    Attributes:
        function: What is called, as the source writes it.
        scope: For whom it waits: `block` or `warp`.
        span: Where it is called.
        executions: How often warps execute it: at several copies of the place together.
        in_block: The same in extents of the block that are open; None where none is, or where there is no such formula.
    """

    function: str
    scope: str
    span: Span
    executions: Executions
    in_block: BlockForm | None = None

    @property
    def assumed(self) -> tuple[str, ...]:
        """What the number, or its formula in extents of the block, rests on, but for which blocks it holds."""
        of_form = () if self.in_block is None else self.in_block.assumed
        return tuple(dict.fromkeys((*self.executions.assumed, *of_form)))

    @property
    def is_exact(self) -> bool:
        """Whether the number is what the hardware counts for this launch."""
        return self.executions.warps is not None and not self.executions.assumed


def profiled_barriers(
    barriers: Iterable[Barrier], block_forms: BlockForms | None = None
) -> tuple[ProfiledBarrier, ...]:
    """Return the counted barriers, each place once, in the order of the kernel."""
    by_place: dict[tuple[Span, str], ProfiledBarrier] = {}
    for number, barrier in enumerate(barriers):
        executions = barrier.executions
        if executions is None:
            continue
        if barrier.scope == "warp" and barrier.orders_memory:
            executions = replace(executions, assumed=(*executions.assumed, KEPT))
        form = None if block_forms is None else block_forms.barriers.get(number)
        key = barrier.span, barrier.function
        before = by_place.get(key)
        if before is not None:
            executions = before.executions + executions
            form = None if form is None or before.in_block is None else before.in_block + form
        by_place[key] = ProfiledBarrier(barrier.function, barrier.scope, barrier.span, executions, form)
    return tuple(by_place.values())
