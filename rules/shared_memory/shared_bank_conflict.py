"""COA202: lanes of a warp need different words of one shared-memory bank."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Access, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Service
from coalint.core.findings import Finding, Severity
from coalint.core.ir.spelling import Spelling
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.shared_memory.banks import conflict_ways, phase_lanes
from coalint.machine.traffic import shares_words, takes_turns, ways
from coalint.rule import Context, Rule
from coalint.rules.support import caching, copies, longer_rows, tiles, wording


class SharedBankConflict(Rule):
    """Lanes of a warp need different words of one bank of shared memory, and are served one after the other.

    ## What it does
    Counts the wavefronts of each shared access and reports it when bank conflicts cost half a wavefront or more on
    average over the executed requests. Columns of unpadded tiles have a rule of their own.

    ## Why is this bad
    Shared memory has 32 banks of 4 bytes, and word w lies in bank w mod 32. Lanes that need different words of one bank
    are served in turn, each turn a wavefront, and the warp waits for all of them. Lanes that need the same word share
    it at no cost. Wide accesses are served in parts: 16 lanes at a time for 8 bytes, 8 lanes for 16 bytes, so that a
    contiguous `float4` takes 4 wavefronts without any conflict. Only what exceeds that is reported.

    The lanes of an atomic take turns at a bank even where they share the word; where nothing else keeps them waiting,
    that is reported as a contended atomic.

    One wavefront too many outside of loops, a 2-way conflict between lanes that follow no stride, of pairs of words of
    which each lane uses both, or between rows that no padding helps, and the conflicts of four lanes or fewer are only
    an info.

    ## Example
    ```cuda
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int i = 2 * stride * threadIdx.x;
        if (i < blockDim.x)
            partial[i] += partial[i + stride];
        __syncthreads();
    }
    ```

    ## Use instead
    Let neighbouring lanes use neighbouring words:
    ```cuda
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    ```
    An odd stride in words has no conflicts either, since it visits every bank before it returns to the first.

    ## What the hardware counts
    Wavefronts per request on an H200: a stride of two `float4` takes 8 (ideal: 4); a column of
    `float tile[32][34]` takes 2, one of `tile[32][33]` 1, an exclusive-or swizzle of a 32x32 tile 1 in both directions.
    Conflicts of 2, 4, 8, 16 and 32 ways take that many wavefronts.
    """

    name = "shared-bank-conflict"
    code = "COA202"
    severity = Severity.WARNING

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each shared access whose conflicts cost half a wavefront or more."""
        for made in context.instructions:
            access, cost = made.written, made.cost
            if (
                access.space is not Space.SHARED
                or access.result.data_dependent
                or cost is None
                or access.result.lanes is None
            ):
                continue
            if access.served.service is Service.BYPASS:  # goes by lines, not by banks
                continue
            most = ways(made.access, context.arch)
            if cost.excess >= 0.5 and most >= 2 and not shares_words(access, context.arch):
                yield self._finding(context, made, cost, most)

    def _finding(self, context: Context, made: MachineInstruction, cost: Cost, most: int) -> Finding:
        access, compiled = made.written, made.access
        assert compiled.result.lanes is not None
        turns = takes_turns(access)
        what = f"makes up to {most} lanes take turns" if turns else f"has {wording.conflict(most, cost)}"
        message = f"{wording.subject(access)} {what} and takes {wording.cost(cost, most)}"
        spelling = context.spelling
        stride = access.strides[wording.moving_axis(access)]
        because = cause(CauseKind.TURNS if turns else CauseKind.BANKS, ways=most, bytes=stride)
        reason, joins = _reason(compiled, most, spelling), wording.merged(made, spelling)
        tile = tiles.tile_of(context, access)
        padding = longer_rows.padded(tile, context) if tile is not None else None
        is_of_few = tiles.active_lanes(compiled) <= tiles.FEW_LANES
        if tile is not None and padding is not None and longer_rows.spares(tile, padding, access):
            notes = (
                *wording.because(access, reason),
                *copies.notes(access, spelling),
                *joins,
                *longer_rows.effects(tile, padding),
            )
            advice = longer_rows.advice(tile, padding, spelling)
            severity = Severity.INFO if is_of_few or longer_rows.is_little(tile, padding, access) else None
            return self.finding(
                access, message, help=advice, notes=notes, severity=severity, instruction=made, cause=because
            )
        if turns and conflict_ways(compiled.result.lanes, compiled.bytes, context.arch) < most:
            help = (
                f"combine what the lanes of a warp add to one element of {wording.name_of(access)} before "
                f"({wording.reduction('add', spelling)}a shuffle, or a private copy for each group of lanes), so that "
                "fewer lanes share one"
            )
        elif access.field is not None and stride is not None and abs(stride) == access.field.record_bytes:
            help = (
                f"neighbouring lanes already use neighbouring structs of {wording.name_of(access)}: keep each field "
                "in an array of its own, or let each lane move its whole struct at once"
            )
        elif stride is not None and abs(stride) > access.bytes:
            help = (
                f"let neighbouring lanes use neighbouring elements of {wording.name_of(access)}; if a stride is "
                "needed, pad it to an odd number of 4-byte words"
            )
        else:
            help = (
                f"let the lanes served together use words of {wording.name_of(access)} in different banks "
                "(word number mod 32), for example with a padded row or an exclusive-or swizzle"
            )
        notes = (*wording.because(access, reason), *copies.notes(access, spelling), *joins)
        is_in_rows = tile is not None or (stride is not None and abs(stride) == access.bytes)
        is_pair = stride is not None and abs(stride) == 2 * access.bytes == caching.used_beside(context, access)
        is_slight = cost.excess * access.weight <= 1 or (most <= 2 and (stride is None or is_in_rows or is_pair))
        severity = Severity.INFO if is_slight or is_of_few else None
        return self.finding(access, message, help=help, notes=notes, severity=severity, instruction=made, cause=because)


def _reason(access: Access, most: int, spelling: Spelling) -> str:
    together = phase_lanes(access.bytes)
    where = f"{_apart(access, spelling)}; " if wording.has_stride(access) else ""
    need = "need one bank, which serves one lane of an atomic at a time, even for the same word"
    if not takes_turns(access):
        need = "need different words of one bank"
    return f"{where}of the {together} lanes that are served together, up to {most} {need}"


def _apart(access: Access, spelling: Spelling) -> str:
    """Return how far lanes are apart: those of a row of the block, or the rows where these are contiguous."""
    axis = wording.moving_axis(access)
    stride, width = access.strides[axis], access.specialization.block[axis]
    if stride is None or abs(stride) > access.bytes or width >= 32 or axis == 2:
        return str(wording.neighbours(access, spelling))
    extent, apart = wording.block_extent(axis, spelling), wording.stride_in(access, axis + 1)
    return f"{extent} is {width}, so that a warp lies on several rows, {apart} from one to the next"
