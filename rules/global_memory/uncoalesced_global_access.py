"""COA101: a global access that touches more sectors than its bytes need, for a reason that no other rule names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Service
from coalint.core.findings import Finding, Severity
from coalint.core.ir.types import Layout
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import global_traffic
from coalint.rule import Context, Rule
from coalint.rules.support import alignment, block_sectors, caching, copies, diagonals, fragments, scattered, wording

_WIDEST = 16  # bytes that a lane moves in one instruction
_VECTORS = (2, 4, 8, 16)  # bytes
_APART = (CauseKind.STRIDE, CauseKind.IRREGULAR, CauseKind.IDLE_LANES)
_FEW = 24
"""Active lanes of a warp in the mean up to which the idle ones are what spreads the others."""


class UncoalescedGlobalAccess(Rule):
    """A warp's global access is spread over more 32-byte sectors than its bytes need.

    ## What it does
    Counts the 32-byte sectors that the 32 lanes of each warp touch, and reports the access when that is more than one
    sector above the ideal. Rules that name the cause better (a field of a struct, swapped thread axes, a chunk per
    thread) replace this one.

    ## Why is this bad
    Global memory moves in sectors of 32 bytes. When neighbouring lanes use neighbouring elements, a warp that loads
    32 floats moves four sectors and uses every byte. When they are 8 bytes apart it moves eight and throws half of
    each away; from 32 bytes apart on, each lane has a sector of its own and seven eighths are thrown away. A kernel
    that waits for memory takes as many times longer as it moves sectors, unless caches make up for it.

    The order inside the sectors is free: reversed, shuffled or equal addresses cost nothing extra.

    Where the stride is a parameter that the launch does not fix, the cost is stated for a general value. Where the
    access would be good with 1 (or, by a name like `stride` or `pad`, another small number), and nothing in the kernel
    shows that the parameter is the length of a row, the finding is only an info and names the parameter. So it is
    where 1 leaves at most a quarter of the sectors above the ideal, as in a window of rows of an open length.

    Loads are only an info, too, where those beside them use the rest of the same sectors, as those of x, y and z of
    interleaved points do: the L1 cache still holds these, and memory delivers hardly more than is used. That holds
    up to 72 bytes from lane to lane, of which three fifths are used, and as well where the other warps of the block
    load the rest, as where threadIdx.y picks the component. So are two or three stores that together write all bytes
    from lane to lane, which the L2 cache joins; rows of a tensor of which three or four columns are used are
    taken for so long. Lanes that form two contiguous runs, or several of at
    least a sector, as rows of a window do, at no more than twice the ideal, are an info as well, and so are structs
    of a library. So are neighbouring 8-byte integers that are used as smaller ones, of which the compiler loads no
    more than these, what a few rows of the whole grid do, as at the border of an image, a table of at most 256
    bytes that each thread of all blocks reads once, diagonals of matrices (`a[i * ld + i]`) and of small square blocks,
    which lie where they lie, and what at most a quarter of a block moves once into or out of a table with a column
    for each block (`counts[threadIdx.x * gridDim.x + blockIdx.x]`). So are single elements that one side of a branch
    moves, for shapes that the vectors of its other side, of another instance of the template, or of another kernel that
    the host launches for multiples of a number (`if (pitch % 16 == 0)`) cannot take, and what a branch moves that is
    for all strides but 1 (`if (stride == 1) ... else ...`), and loads of fragments of instructions for matrices
    (`mma.sync`), of which four lanes have half a sector of each row, where the next fragment has the rest; stores of
    such fragments take 1.6 to 3 times as long as those of whole sectors.

    ## Example
    ```cuda
    __global__ void every_second(float *out, const float *in) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = in[2 * i];
    }
    ```

    ## Use instead
    Let consecutive threads use consecutive elements. If only every second element is wanted, store the wanted ones
    together where they are produced:
    ```cuda
    __global__ void packed(float *out, const float *in_even) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = in_even[i];
    }
    ```
    Where the stride is inherent, load whole rows into shared memory in order and pick from there.

    ## What the hardware counts
    Sectors per request on an H200, for a full warp of floats: `in[i]` 4, `in[2*i]` 8, `in[3*i]` 12, `in[7*i]` 28, and
    32 from `in[8*i]` on; the ideal is 4. Atomics count the same way. Nsight Compute shows the number as
    `L2 Theoretical Sectors Global` over `Instructions Executed`.
    """

    name = "uncoalesced-global-access"
    code = "COA101"
    severity = Severity.WARNING

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each global access with more than one sector too many."""
        for made in context.instructions:
            access, cost = made.written, made.cost
            if access.space is not Space.GLOBAL or access.result.data_dependent:
                continue
            if cost is not None and cost.excess > 1 and not _is_misplaced_copy(access, context):
                yield self._finding(context, made, cost)

    def _finding(self, context: Context, made: MachineInstruction, cost: Cost) -> Finding:
        access, spelling = made.written, context.spelling
        axis = wording.moving_axis(access)
        message = f"{wording.subject(access)} takes {wording.cost(cost)}{wording.general(made.access)}"
        kind = _kind(access)
        is_nearly_good = kind in (CauseKind.IRREGULAR, CauseKind.NARROW_BLOCK) and cost.count <= 2 * cost.ideal
        runs = alignment.runs_per_warp(made.access) if is_nearly_good else 0.0
        if kind is CauseKind.IRREGULAR:
            runs = runs or alignment.broken_once(made.access)
        is_narrowed = kind is CauseKind.STRIDE and _is_part_of_neighbours(access, axis)
        is_library = access.aggregate is not None and access.aggregate.layout is Layout.LIBRARY
        side = diagonals.side(access) if kind is CauseKind.IRREGULAR else 0
        vector = 0 if made.is_merged or not spelling.aligns_wider else _vector(context, access, axis)
        advice = scattered.advice(
            access,
            spelling,
            axis,
            kind,
            runs=runs,
            is_narrowed=is_narrowed,
            side=side,
            vector=vector,
            moved=made.access.bytes,
        )
        if is_library:
            advice = replace(advice, help=wording.OF_LIBRARY)
        is_diagonal = kind is CauseKind.STRIDE and diagonals.is_of_matrix(access, axis)
        if is_diagonal:
            advice = scattered.Advice(diagonals.REASON, diagonals.HELP)
        is_fragment = kind is CauseKind.IRREGULAR and not runs and fragments.is_fragment(context, access)
        if is_fragment:
            advice = fragments.advice(access)
        absorbed = _why_absorbed(context, made, kind)
        is_slight = (
            bool(absorbed or runs or side)
            or is_library
            or is_narrowed
            or is_diagonal
            or (is_fragment and access.op is Operation.LOAD)
            or (kind is CauseKind.PIECES and access.bytes == _WIDEST)
            or (kind is CauseKind.STRIDE and bool(access.open.dense) and not made.is_merged)
            or wording.is_rare(access)
            or bool(wording.general_case(access))
        )
        notes = (
            *wording.because(access, advice.reason, *((absorbed,) if absorbed else ())),
            *wording.short_rows(access),
            *wording.border(access),
            *wording.general_case(access),
            *copies.notes(access, spelling),
            *wording.merged(made, spelling),
        )
        return self.finding(
            access,
            message,
            help=wording.unless_fitting(access, spelling, wording.once_before_loop(access, advice.help)),
            notes=notes,
            severity=Severity.INFO if is_slight else None,
            instruction=made,
            cause=cause(
                kind,
                _declared_at(access, kind),
                bytes=access.strides[axis],
                stride=access.stride,
                axis="xyz"[axis],
                record=access.aggregate.name if _declared_at(access, kind) and access.aggregate is not None else None,
            ),
        )


def _vector(context: Context, access: Access, axis: int) -> int:
    """Return the bytes from lane to lane where this and others move all of them, as a vector could; else 0."""
    apart = abs(access.strides[axis] or 0)
    is_whole = apart in _VECTORS and access.op is not Operation.ATOMIC and caching.used_beside(context, access) == apart
    return apart if is_whole else 0


def _declared_at(access: Access, kind: CauseKind) -> str:
    """Return where the struct is declared that is moved in pieces; empty where there is none."""
    is_named = kind is CauseKind.PIECES and access.aggregate is not None and not access.aggregate.is_nameless
    return access.aggregate.declared if is_named and access.aggregate is not None else ""


def _why_absorbed(context: Context, made: MachineInstruction, kind: CauseKind) -> str:
    """Return why the caches make up for the sectors; empty where they do not."""
    access, alone = made.written, not made.is_merged
    text: str = caching.TABLE if caching.is_table(access) else ""
    if kind is CauseKind.STRIDE and caching.is_of_each_block(access, context.spelling):
        text = caching.OF_EACH_BLOCK
    if kind is CauseKind.STRIDE:
        used = caching.absorbed(context, access, 0 if alone else made.access.bytes)
        text = caching.reason(access, used) if used else text
    elif kind is CauseKind.PIECES:
        used = caching.absorbed_pieces(access) or caching.absorbed(context, access)
        text = caching.reason(access, used) if used else text
    elif alone and kind in (CauseKind.IRREGULAR, CauseKind.IDLE_LANES) and caching.shares_sectors(context, access):
        text = caching.SHARED_SECTORS
    if not text and kind in _APART and block_sectors.are_shared_in_block(made.access):
        text = block_sectors.SHARED_IN_BLOCK
    return text or (caching.LOADED_BEFORE if alone and caching.is_loaded_before(context, access) else "")


def _kind(access: Access) -> CauseKind:
    """Return why the lanes' sectors are more than their bytes need."""
    if access.piece[1] > 1 and not _is_far(access):
        return CauseKind.PIECES
    if _is_unit(access) and _has_idle_lanes(access):
        return CauseKind.IDLE_LANES
    if _is_unit(access) and access.specialization.block[wording.moving_axis(access)] < 32:
        return CauseKind.NARROW_BLOCK
    if _is_unit(access):  # where the runs of neighbours begin and end is the reason
        return CauseKind.IRREGULAR
    return CauseKind.STRIDE if wording.has_stride(access) else CauseKind.IRREGULAR


def _is_far(access: Access) -> bool:
    """Whether lanes are more than twice as far apart as the value is long that an access moves a piece of."""
    apart = access.strides[wording.moving_axis(access)]
    return apart is not None and abs(apart) > 2 * access.bytes * access.piece[1]


def _is_unit(access: Access) -> bool:
    stride = access.strides[wording.lane_axis(access)]
    return stride is not None and abs(stride) == access.bytes


def _is_part_of_neighbours(access: Access, axis: int) -> bool:
    """Whether lanes load parts of numbers that lie side by side.

    The compiler makes that of a cast to fewer bytes, the user of a cast of the pointer: `((int *)doubles)[2 * i + 1]`.
    """
    memory = access.memory
    if memory is None or access.field is not None or access.op is not Operation.LOAD:
        return False
    is_part = access.is_narrowed or (memory.is_number and access.bytes < memory.element_bytes)
    return is_part and access.strides[axis] in (memory.element_bytes, -memory.element_bytes)


def _has_idle_lanes(access: Access) -> bool:
    """Whether a guard leaves out so many lanes that it matters: more than the last warp of a block is short of."""
    if wording.guarded(access) is None or access.result.lanes is None:
        return False
    active = access.result.lanes.active[access.result.lanes.active.any(axis=2)]
    few: float = _FEW * wording.warp_threads(access) / 32
    return float(active.sum(axis=1).mean()) <= few


def _is_misplaced_copy(access: Access, context: Context) -> bool:
    """Whether an asynchronous copy reads few sectors, but puts their halves into several of shared memory."""
    if access.served.service is not Service.BYPASS or access.result.lanes is None:
        return False
    read = global_traffic(access.result.lanes, access.bytes, access.op, context.arch)
    return read is not None and read.excess <= 1
