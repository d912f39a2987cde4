"""COA201: a shared tile is walked by column, and its rows lie so that a column falls into few banks."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Access, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Service
from coalint.core.findings import Finding, Note, Severity
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.padding import Padding
from coalint.machine.traffic import ways
from coalint.rule import Context, Rule
from coalint.rules.support import copies, longer_rows, tiles, wording


class UnpaddedTileColumn(Rule):
    """The lanes of a warp walk down a column of a shared tile whose rows are not padded.

    ## What it does
    Reports a shared access in which threadIdx.x steps over whole rows of a tile, when the words of a column share
    banks. It then tries row lengths up to 32 elements more and names the shortest of those that serve all accesses
    of the tile best, together and none of them worse, with the wavefronts of each before and after. An access that
    these lengths leave as it is, while others of the tile gain, is shared-bank-conflict's. One that they spare a
    quarter of its wavefronts at most is an info, and so are a 2-way conflict that no such length spares, the
    conflicts of four lanes or fewer, as in a block of 2x2 threads, and a tile that a tensor copy
    (`cp.async.bulk.tensor`) moves: its rows cannot be padded.

    ## Why is this bad
    Shared memory has 32 banks of 4 bytes, and word w lies in bank w mod 32. A bank gives one word at a time: lanes that
    need different words of the same bank wait for each other. In a tile with rows of 32 floats, all elements of
    a column are 32 words apart, so that the whole column lies in one bank and 32 lanes take 32 turns instead of one.

    ## Example
    ```cuda
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    out[v * height + u] = tile[threadIdx.x][threadIdx.y];
    ```

    ## Use instead
    One unused element per row shifts each row by one bank:
    ```cuda
    __shared__ float tile[32][33];
    ```
    One is not always the right number: in a block of 16x16 threads a warp covers two rows, and with `tile[16][17]` both
    the row store and the column read still take two wavefronts. A tile that is accessed as `float4` needs rows of a
    multiple of 16 bytes. Exchanging the column with an exclusive or (`tile[y][x ^ y]`) needs no memory.
    `coalint lint --fix --unsafe-fixes` pads the rows in the declaration where every use of the tile is a subscript
    of all its extents, there is room in 48 KB, and another analysis shows each access in its row and free of conflicts.

    ## What the hardware counts
    Wavefronts per request on an H200 (ideal: 1): the column of `float tile[32][32]` takes 32, of
    `tile[32][33]` 1, of `tile[32][34]` 2; of `tile[16][16]` in a 16x16 block 8. A column of `double tile[32][32]`
    takes 32, of `double tile[32][33]` 2, which is the ideal for 8-byte lanes.
    """

    name = "unpadded-tile-column"
    code = "COA201"
    severity = Severity.WARNING
    refines = ("shared-bank-conflict",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each column walk over rows without padding, but those that the advised pitch leaves."""
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
            if cost.excess < 0.5 or ways(access, context.arch) < 2:
                continue
            tile = tiles.tile_of(context, access)
            if tile is None or not _walks_column(access, tile):
                continue
            if tile.is_padded(context.arch) or tile.begins_apart(context.arch):
                continue
            padding = longer_rows.padded(tile, context)
            if padding is None or longer_rows.spares(tile, padding, access):
                yield self._finding(context, made, cost, tile, padding)

    def _finding(
        self, context: Context, made: MachineInstruction, cost: Cost, tile: tiles.Tile, padding: Padding | None
    ) -> Finding:
        access, most = made.written, ways(made.access, context.arch)
        message = f"{wording.subject(access)} walks a column of a tile without padding and takes {wording.cost(cost)}"
        row = f"{wording.plural(tile.extent, 'element')} of {wording.plural(tile.element_bytes, 'byte')}"
        array = f"this tile in {wording.name_of(access)}" if tile.mixed else wording.name_of(access)
        step = abs(tiles.lane_step(access) or 0)
        rows = f", which is {step // tile.pitch_bytes} rows," if step > tile.pitch_bytes else ""
        reason = (
            f"a row of {array} is {row}, and neighbouring lanes are {wording.plural(step, 'byte')}{rows} "
            f"apart, so they use the same banks: "
            f"{wording.conflict(most, cost)}"
        )
        declared = tile.memory.span
        notes = (
            *wording.because(access, reason),
            *copies.notes(access, context.spelling),
            *wording.merged(made, context.spelling),
            *((Note("the tile is declared here", declared),) if declared is not None else ()),
            *longer_rows.effects(tile, padding),
        )
        fix = longer_rows.fix(tile, padding, context)
        is_slight = longer_rows.is_little(tile, padding, access) or (padding is None and most <= 2)
        is_slight |= tiles.active_lanes(made.access) <= tiles.FEW_LANES
        return self.finding(
            access,
            message,
            help=longer_rows.advice(tile, padding, context.spelling),
            notes=notes,
            fix=fix,
            severity=Severity.INFO if is_slight else None,
            instruction=made,
            cause=cause(CauseKind.COLUMN, ways=most, pitch_bytes=tile.pitch_bytes, bytes=tiles.lane_step(access)),
        )


def _walks_column(access: Access, tile: tiles.Tile) -> bool:
    step = tiles.lane_step(access)
    if access.field is not None and step in (access.field.record_bytes, -access.field.record_bytes):
        return False  # neighbouring structs are no rows
    if step is not None and abs(step) <= access.bytes:
        return False  # nor are lanes side by side
    return step is not None and step != 0 and step % tile.pitch_bytes == 0
