"""COA107: the rows of a block are so short that a warp lies on several of them, at a cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from coalint.core.facts.access import Access, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Finding, Severity
from coalint.core.ir.spelling import Spelling
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import Traffic
from coalint.rule import Block, Context, Rule
from coalint.rules.support import wording

_WARP = 32
_LEAST_GAIN = 0.9  # sectors
_WORTH = 1.25
"""From how many times the sectors on it is more than a hint."""
_WIDE = 16
"""Threads in a row that cost 5 % of time at most (benchmarks/windows.cu)."""
_FAIR = 8
"""Threads in a row that cost 15 % of the time of a copy at most, and nothing where a kernel does more."""
_OF_A_COPY = 4
"""Up to how many accesses of a thread to global memory a kernel counts as a copy."""


class NarrowBlockRows(Rule):
    """The block's rows are shorter than a warp, so that a warp's lanes lie on several rows of the data, at a cost.

    ## What it does
    Reports a global access along rows in a block of known shape with fewer than 32 threads in x, where the kernel,
    analysed once more with as many threads in rows of 32, touches fewer sectors. The finding names both numbers; where
    they differ by less than a quarter, it is an info. So it is with 16 threads in x, and with 8 in a kernel that does
    more than a copy.

    ## Why is this bad
    A warp is 32 consecutive threads of the block, counted along x first. In a block of 4x64 threads it covers 8 rows of
    4 threads. Each row is a place of its own in memory: 4 floats use half of its sector, and a row that does not begin
    at a multiple of 32 bytes takes one sector more, as often as there are rows. 8 or 16 threads in x cost nothing where
    the rows are aligned; then nothing is reported.

    In time, on an H100, images of 1 to 8 bytes per pixel take up to 1.05 times as long to copy in blocks of 16x16 as in
    32x8, 1.02 to 1.15 times in 8x32, 1.14 to 1.9 in 4x64 and 2 to 4 in 2x128, whether rows are aligned or not; filters
    of 3x3 to 9x9 pixels take up to 1.04, 1.1, 1.1 to 2.1 and 1.5 to 3.4 times as long.

    ## Example
    ```cuda
    __global__ void scale(float *image, int width) {
        int col = blockIdx.x * blockDim.x + threadIdx.x;
        int row = blockIdx.y * blockDim.y + threadIdx.y;
        image[row * width + col] *= 2.0f;
    }
    scale<<<dim3(256, 16), dim3(4, 64)>>>(image, 1024);
    ```

    ## Use instead
    ```cuda
    scale<<<dim3(32, 128), dim3(32, 8)>>>(image, 1024);
    ```

    ## What the hardware counts
    Sectors per request on an H200 for rows of floats that begin at multiples of 128 bytes: 4 with 32, 16 or 8 threads
    in x, 8 with 4, 16 with 2, 32 with 1. With rows of 250 floats, which mostly begin
    inside of a sector: 4.75 with 32 threads in x, 7 with 8.
    """

    name = "narrow-block-rows"
    code = "COA107"
    severity = Severity.WARNING
    refines = ("uncoalesced-global-access",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each access along rows that longer rows of the block would make cheaper."""
        specialization = context.analysis.specialization
        block = _with_whole_rows(specialization.block)
        if specialization.source in (LaunchSource.ASSUMED, LaunchSource.BOUNDS) or block is None:
            return
        suspects = [(made, made.cost) for made in context.instructions if made.cost and _is_suspect(made, made.cost)]
        wide = context.reshaped(block) if suspects else None
        if wide is None:
            return
        there: dict[tuple[object, ...], list[Traffic | None]] = defaultdict(list)
        for other, other_cost in wide.traffics:
            there[_key(other)].append(other_cost)
        for made, cost in suspects:
            costs = there[_key(made.written)]
            if len(costs) == 1 and costs[0] is not None and cost.count - costs[0].count >= _LEAST_GAIN:
                yield self._finding(context, made, cost, block, costs[0])

    def _finding(self, context: Context, made: MachineInstruction, cost: Cost, block: Block, wide: Traffic) -> Finding:
        access, spelling = made.written, context.spelling
        x = access.specialization.block[0]
        rows = wording.plural(x, "thread")
        message = (
            f"{wording.subject(access)} runs along rows of {rows}, {_WARP // x} rows per warp, and takes "
            f"{wording.cost(cost)}; in rows of {_WARP} threads it would cost {wording.number(wide.count)}"
        )
        reason = f"a warp is {_WARP} threads counted along x first, and {wording.block_extent(0, spelling)} is {x}"
        shape = "x".join(str(extent) for extent in (block if block[2] > 1 else block[:2]))
        help = f"launch with {shape} threads"
        if not _uses_block_width(access, spelling):
            help += ", and change the kernel's own constants for the block width accordingly"
        else:
            help += " and a grid to match"
        # A sector that only misaligned rows cost is often one that the next warp needs, too.
        is_slight = cost.count < _WORTH * wide.count or x >= _WIDE or (x >= _FAIR and not _is_of_copy(context, access))
        return self.finding(
            access,
            message,
            help=help,
            notes=wording.because(access, reason),
            severity=Severity.INFO if is_slight else None,
            instruction=made,
            cause=cause(CauseKind.NARROW_BLOCK, threads=x, reshaped_count=wide.count),
        )


def _with_whole_rows(block: Block) -> Block | None:
    """Return as many threads in rows of a warp; None where the rows are no shorter, or it does not come out even."""
    x, y, z = block
    if x >= _WARP or _WARP % x or y * z == 1:
        return None
    if x * y % _WARP == 0:
        return (_WARP, x * y // _WARP, z)
    return (_WARP, x * y * z // _WARP, 1) if x * y * z % _WARP == 0 else None


def _is_suspect(made: MachineInstruction, cost: Cost) -> bool:
    access = made.written
    stride = access.strides[0]
    is_along_x = stride is not None and abs(stride) == access.bytes and access.specialization.block[0] > 1
    return access.space is Space.GLOBAL and is_along_x and cost.excess > 1 and not access.result.data_dependent


def _is_of_copy(context: Context, access: Access) -> bool:
    """Whether the kernel does hardly more than to move what this access moves, but for what a block loads alike."""
    weights = (
        other.weight
        for other in context.analysis.accesses
        if other.space is Space.GLOBAL and (any(other.strides) or other.result.data_dependent)
    )
    return sum(weights) <= _OF_A_COPY * access.weight


def _key(access: Access) -> tuple[object, ...]:
    return access.span, access.op, access.expression, access.bytes, access.piece, access.memory


def _uses_block_width(access: Access, spelling: Spelling) -> bool:
    """Whether the index is computed from the block's extents, as far as its assignments show."""
    return access.address.names.issuperset(spelling.block_extent.split("."))
