"""COA203: a shared tile has padded rows, and its accesses conflict all the same."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Service
from coalint.core.findings import Finding, Note, Severity
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.padding import Padding
from coalint.machine.traffic import takes_turns, ways
from coalint.rule import Context, Rule
from coalint.rules.support import tiles, wording


class IneffectivePadding(Rule):
    """The rows of a shared tile are padded, but not by a number of elements that ends the bank conflicts.

    ## What it does
    Reports a shared access with bank conflicts in a tile whose rows end in columns that no access uses, where longer
    rows serve all accesses of the tile better. It names the shortest of the best row lengths up to 32 elements more,
    with the wavefronts of each access before and after. Where no such length helps the access, shared-bank-conflict
    reports it. A 2-way conflict that takes rows half as long again is an info: the memory costs more than it.

    ## Why is this bad
    One unused element per row is the usual cure, and it is right for 4-byte elements and 32 lanes along one column. A
    block that is narrower than a warp puts several rows or columns into one request, and rows that are right for one
    column may not be for two. An even number of words leaves half of the banks idle. The memory is then spent, and
    the lanes still wait for each other.

    ## Example
    A warp covers two rows of this block of 16x16 threads:
    ```cuda
    __shared__ float tile[16][16 + 1];
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y];
    ```

    ## Use instead
    The length that the finding names, or a block as wide as a warp:
    ```cuda
    __shared__ float tile[32][32 + 1];
    ```
    `coalint lint --fix --unsafe-fixes` pads the rows in the declaration where every use of the tile is a subscript
    of all its extents, there is room in 48 KB, and another analysis shows each access in its row and free of conflicts.

    ## What the hardware counts
    Wavefronts per request on an H200 (ideal: 1): with 16x16 threads and `float tile[16][17]`, 2 for the row
    store and 2 for the column read; with 32x32 threads, a column of `float tile[32][34]` takes 2, one of `tile[32][33]`
    1.
    """

    name = "ineffective-padding"
    code = "COA203"
    severity = Severity.WARNING
    refines = ("shared-bank-conflict", "unpadded-tile-column")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each conflict in a padded tile that longer rows remove or shorten."""
        for made in context.instructions:
            access, cost = made.written, made.cost
            if (
                access.space is not Space.SHARED
                or access.result.data_dependent
                or cost is None
                or access.result.lanes is None
            ):
                continue
            if access.served.service is Service.BYPASS or takes_turns(access):
                continue
            if cost.excess < 0.5 or ways(made.access, context.arch) < 2:
                continue
            tile = tiles.tile_of(context, access)
            if tile is None or not tile.is_padded(context.arch):
                continue
            padding = tiles.padded(tile, context)
            if padding is not None and tiles.spares(tile, padding, access):
                yield self._finding(context, made, cost, tile, padding)

    def _finding(
        self, context: Context, made: MachineInstruction, cost: Cost, tile: tiles.Tile, padding: Padding
    ) -> Finding:
        access, most = made.written, ways(made.access, context.arch)
        message = (
            f"{wording.subject(access)} has bank conflicts although the rows of its tile are padded, and takes "
            f"{wording.cost(cost)}"
        )
        row = f"{wording.plural(tile.extent, 'element')} of {wording.plural(tile.element_bytes, 'byte')}"
        reason = (
            f"a row of {wording.name_of(access)} is {row}, with which up to {most} lanes that are served together need "
            "different words of one bank"
        )
        declared = tile.memory.span
        notes = (
            *wording.because(access, reason),
            *wording.merged(made, context.spelling),
            *((Note("the tile is declared here", declared),) if declared is not None else ()),
            *tiles.effects(tile, padding),
        )
        fix = tiles.fix(tile, padding, context)
        is_dear = most <= 2 and 2 * padding.pitch_bytes >= 3 * tile.pitch_bytes
        return self.finding(
            access,
            message,
            help=tiles.advice(tile, padding, context.spelling),
            notes=notes,
            fix=fix,
            severity=Severity.INFO if is_dear or tiles.is_little(tile, padding, access) else None,
            instruction=made,
            cause=cause(CauseKind.PADDING, ways=most, pitch_bytes=tile.pitch_bytes, better_bytes=padding.pitch_bytes),
        )
