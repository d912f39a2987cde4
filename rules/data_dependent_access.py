"""COA104: an access whose index was loaded from memory, so that the data decide what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from coalint import wording
from coalint.analysis.access import Access, Operation, Space
from coalint.diagnostics import Finding, Note, Severity
from coalint.rule import Context, Rule

_LANES = 32
_SECTOR = 32


class DataDependentAccess(Rule):
    """The index of a global access was loaded from memory (a gather or scatter): its cost depends on the data.

    ## What it does
    Reports, at info, a global access whose lanes go where values say that each lane has loaded, and names that load.
    One line is reported once. An index that all lanes of a warp share, such as the row of an embedding that a whole
    block copies, is no gather: such accesses are counted as any other.

    ## Why is this bad
    It need not be: what it costs is in the data. Lanes whose indices are neighbours share sectors as in any contiguous
    access, lanes that scatter take a sector each, of which they use one element. coalint cannot know, so it says
    where to look.

    ## Example
    ```cuda
    for (int j = row_begin[row]; j < row_begin[row + 1]; ++j)
        sum += value[j] * x[column[j]];
    ```

    ## Use instead
    Order the indices so that neighbouring lanes have neighbouring ones: sort or bin the work by index, renumber a mesh
    or graph, or give a whole warp to each row so that at least `value[j]` and `column[j]` are contiguous:
    ```cuda
    for (int j = row_begin[row] + lane; j < row_begin[row + 1]; j += 32)
        sum += value[j] * x[column[j]];
    ```
    Rows that are used again and again can be staged in shared memory.

    ## What the hardware counts
    Sectors per request on an H200 for a full warp of floats: 1 where all indices are equal, 4 where they are
    consecutive, 32 where they are 8 or more elements apart from each other.
    """

    name = "data-dependent-access"
    code = "COA104"
    severity = Severity.INFO

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for the first such access of each line."""
        lines: dict[tuple[str, int], list[Access]] = {}
        for access in context.analysis.accesses:
            if access.space is Space.GLOBAL and access.data_dependent and access.index_load and access.bytes:
                lines.setdefault((access.span.file, access.span.line), []).append(access)
        for accesses in lines.values():
            first = min(accesses, key=lambda access: access.span)
            yield self._finding(context, first, accesses)

    def _finding(self, context: Context, access: Access, line: list[Access]) -> Finding:
        arch = context.arch
        granule = arch.load_granularity_bytes if access.op is Operation.LOAD else arch.store_granularity_bytes
        least, most = granule // _SECTOR, _LANES * granule // _SECTOR
        packed = -(-_LANES * access.bytes // granule) * least
        index = f"`{wording.one_line(access.index_load)}`"
        message = (
            f"{wording.subject(access)} goes where {index} says: {least} to {most} sectors per request, "
            f"{packed} where neighbouring lanes have neighbouring indices"
        )
        array = wording.name_of(access)
        help = (
            f"if the lanes of a warp are apart in {array}, order the work so that their indices lie close together "
            "(sort or renumber by index), or stage what is used again in shared memory"
        )
        others = dict.fromkeys(f"`{wording.one_line(other.expression)}`" for other in line)
        others.pop(f"`{wording.one_line(access.expression)}`")
        notes = (Note(f"so do others of this line: {', '.join(others)}"),) if others else ()
        return self.finding(access, message, help=help, notes=(*notes, *access.provenance))
