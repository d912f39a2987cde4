"""COA103: threadIdx.x steps over whole rows while threadIdx.y walks along them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coalint.core.facts.access import Access, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.findings import Finding, Severity
from coalint.core.ir.registers import Axis, Register
from coalint.core.ir.spelling import Spelling
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.rule import Context, Rule
from coalint.rules.support import wording

_SECTOR = 32
_WARP = 32
_LONGEST_RUN = 64
"""Bytes per thread up to which walking in y, and not the run, is what keeps the lanes apart."""


class SwappedThreadAxes(Rule):
    """threadIdx.x multiplies the row pitch, while threadIdx.y walks the consecutive elements.

    ## What it does
    Reports a global access in a two-dimensional block whose address moves by one element with threadIdx.y and by a
    whole row with threadIdx.x. An element may be a vector, or the few elements that each thread walks in a short loop.

    ## Why is this bad
    The 32 lanes of a warp are neighbours in x: lane number and threadIdx.x run together, threadIdx.y changes only every
    blockDim.x lanes. An index in which x counts rows puts every lane on a row of its own, and so into a sector of its
    own. Each of these sectors holds seven more floats that other warps will ask for later, when the cache may
    have dropped them.

    ## Example
    ```cuda
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * width + col] = in[row * width + col];
    ```

    ## Use instead
    ```cuda
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * width + col] = in[row * width + col];
    ```
    A transpose has one side by rows and the other by columns whichever way the axes are named. There, read a tile by
    rows into shared memory, `__shared__ float tile[32][33]`, synchronise, and write the tile's columns as rows.

    ## What the hardware counts
    Sectors per request on an H200 for floats: the naive transpose's store `out[col * height + row]` takes 32
    (ideal: 4), with 32 threads in x. With 16x16 threads a warp covers two values of y, whose elements share a sector:
    16.
    """

    name = "swapped-thread-axes"
    code = "COA103"
    severity = Severity.WARNING
    refines = ("uncoalesced-global-access", "thread-contiguous-chunk")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each global access that walks rows by y and columns by x."""
        for made in context.instructions:
            access, cost = made.written, made.cost
            if access.space is not Space.GLOBAL or access.result.data_dependent or cost is None:
                continue
            if cost.excess > 1 and _is_swapped(access):
                yield self._finding(context, made, cost)

    def _finding(self, context: Context, made: MachineInstruction, cost: Cost) -> Finding:
        access = made.written
        x, y = (wording.thread_index(axis, context.spelling) for axis in (0, 1))
        message = (
            f"{x} steps over rows in {wording.subject(access)}: it takes {wording.cost(cost)}{wording.general(access)}"
        )
        reason = (
            f"neighbouring lanes differ in {x} and are {wording.stride_in(access, 0)} apart, while {y} "
            f"moves by {wording.stride_in(access, 1)}"
        )
        straight = _straight_partner(context, access)
        if straight is None:
            block = context.spelling.component_of(Register.BLOCK_INDEX, Axis.X)
            lines, gain = _exchange(context, access)
            help = (
                f"swap the axes{lines}: let {x} (with {block}) walk the consecutive elements of "
                f"{wording.name_of(access)}, which {y} walks now, and let {y} count the rows{gain}"
            )
            if abs(access.strides[1] or 0) > _element(access):
                help += "; within a row, let the lanes alternate from one iteration to the next"
            if _needs_wider_block(access):
                help += f"; that pays only in blocks of 32 threads or more in {x}: this block is one warp"
        else:
            help = (
                f"`{wording.one_line(straight.expression)}` runs along the rows, so swapping the axes would only "
                "move the problem there: pass the data through a tile in shared memory with padded rows (32 by 33 "
                "elements for 32x32 of them), so that both sides run along rows"
            )
        in_x, in_y = access.strides[:2]
        return self.finding(
            access,
            message,
            help=help,
            notes=wording.because(access, reason),
            instruction=made,
            cause=cause(CauseKind.SWAPPED_AXES, x_bytes=in_x, y_bytes=in_y, stride=access.stride),
        )


def _is_swapped(access: Access) -> bool:
    in_x, in_y = access.strides[0], access.strides[1]
    runs = (access.bytes, _run(access), _element(access))
    if 1 in access.specialization.block[:2] or in_y is None or abs(in_y) not in runs:
        return False
    if in_x is None:
        return bool(access.result.symbolic) and access.stride != "?"
    return abs(in_x) >= abs(in_y) + _SECTOR


def _element(access: Access) -> int:
    """Return the bytes of the whole value or struct of which an access moves a piece or a field; its own elsewhere."""
    record = access.field.record_bytes if access.field is not None else 0
    return max(access.bytes * access.piece[1], record)


def _needs_wider_block(access: Access) -> bool:
    """Whether the block is one warp that is no wider than high: exchanged, its lanes lie on as many rows or more."""
    x, y, z = access.specialization.block
    return x * y * z <= _WARP and x <= y


def _run(access: Access) -> int:
    """Return the bytes that each thread walks on its own in a short loop over its elements.

    One access without such a loop.
    """
    for loop in reversed(access.loops):
        if loop.bytes is not None and abs(loop.bytes) == access.bytes and loop.trips is not None:
            run = access.bytes * loop.trips
            return run if run <= _LONGEST_RUN else access.bytes
    return access.bytes


def _exchange(context: Context, access: Access) -> tuple[str, str]:
    """Return the lines to write, and what the kernel then costs, where another analysis shows that it pays."""
    there = context.exchanged
    before, after = _sectors(context), _sectors(there) if there is not None else None
    if before is None or after is None or len(before) != len(after) or sum(after) >= sum(before) - 1:
        return "", ""
    lines = (_exchanged_line(note.quote, context.spelling) for note in access.provenance)
    written = wording.listed([f"`{line}`" for line in dict.fromkeys(lines) if line])
    gain = (
        "; with x and y swapped in the whole kernel and in the launch's grid, its global accesses take "
        f"{wording.number(sum(after))} sectors in total instead of {wording.number(sum(before))}"
    )
    return f" ({written})" if written else "", gain


def _exchanged_line(line: str, spelling: Spelling) -> str:
    """Return a line with x and y exchanged; empty where it names neither."""
    if spelling.grid_place:
        function = re.escape(spelling.grid_place.rpartition(".")[2])
        line, count = re.subn(rf"(\w+)(\s*,\s*)(\w+)(\s*=\s*(?:\w+\.)*{function})", r"\3\2\1\4", line)
        if count:
            return line
    others = _exchanged_components(spelling)
    component = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, others))})(?!\w)")
    return component.sub(lambda m: others[m[0]], line) if component.search(line) else ""


def _exchanged_components(spelling: Spelling) -> dict[str, str]:
    """Return the x and y components of the special registers, each with the other."""
    registers = (register for register in Register if register is not Register.WARP_SIZE)
    both = [
        (spelling.component_of(register, Axis.X), spelling.component_of(register, Axis.Y)) for register in registers
    ]
    return dict(both) | {y: x for x, y in both}


def _sectors(context: Context) -> list[float] | None:
    """Return sectors per request of each global access; None where one is not known."""
    costs = [cost for access, cost in context.traffics if access.space is Space.GLOBAL]
    known = [cost.count for cost in costs if cost is not None]
    return known if len(known) == len(costs) else None


def _straight_partner(context: Context, access: Access) -> Access | None:
    """Return an access of the kernel that runs along rows, and would not any more if the axes were exchanged."""
    for other in context.analysis.accesses:
        if other.space is not Space.GLOBAL or other.strides[0] is None or other.op is access.op:
            continue
        rows_by_y = other.strides[1] is None or abs(other.strides[1]) >= other.bytes + _SECTOR
        if abs(other.strides[0]) == other.bytes and rows_by_y:
            return other
    return None
