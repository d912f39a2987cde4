"""COA104: an access whose index was loaded from memory, so that the data decide what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.findings import Finding, Note, Severity
from coalint.rule import Context, Rule
from coalint.rules.support import wording

_LANES = 32
_SECTOR = 32
_MOST_NAMED = 4
_GRAVITY = {Operation.ATOMIC: 0, Operation.STORE: 1, Operation.LOAD: 2}


class DataDependentAccess(Rule):
    """The index of a global access was loaded from memory (a gather or scatter): its cost depends on the data.

    ## What it does
    Reports, at info, a global access whose index each lane has loaded from memory, and names that load.
    What a kernel accesses of one array by one loaded index is reported once, and so is one line. An index that all
    lanes of a warp share, such as the row of an embedding that a whole block copies, is no gather: such accesses are
    counted as any other. Nor are accesses to a table so small that no index can cost more than a sector beyond the
    ideal: where the array's size, a mask or a remainder bounds what is touched, the most sectors follow from it.

    ## Why is this bad
    It need not be: the cost depends on the data. Lanes whose indices are neighbours share sectors as in any contiguous
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
        """Yield a finding for each array and loaded index, one for each line at most.

        It is about an atomic, else a store, else a load, since a scatter costs more than a gather: the first of those
        that may take most sectors.
        """
        accesses = [
            access
            for access in context.analysis.accesses
            if access.space is Space.GLOBAL
            and access.result.data_dependent
            and access.result.index_load
            and access.bytes
            and _most(context, access) > _ideal(access) + 1
        ]
        firsts: dict[object, Access] = {}
        for access in sorted(accesses, key=lambda a: (_GRAVITY[a.op], -_most(context, a), a.span)):
            firsts.setdefault((access.memory, access.result.index_load), access)
        lines: dict[tuple[str, int], Access] = {}
        for access in firsts.values():
            lines.setdefault((access.span.file, access.span.line), access)
        for access in lines.values():
            yield self._finding(context, access, [other for other in accesses if _goes_along(other, access)])

    def _finding(self, context: Context, access: Access, along: list[Access]) -> Finding:
        least, most = _granule(context, access) // _SECTOR, _most(context, access)
        index = f"`{wording.one_line(access.result.index_load)}`"
        message = f"{wording.subject(access)} has an index that {index} decides: {least} to {most} sectors per request"
        array = wording.name_of(access)
        help = (
            f"if the lanes of a warp are apart in {array}, order the work so that their indices lie close together "
            "(sort or renumber by index), or stage what is used again in shared memory"
        )
        others = dict.fromkeys(_place(other, access) for other in along)
        others.pop(_place(access, access))
        shown = list(others)[:_MOST_NAMED]
        if len(others) > len(shown):
            shown[-1:] = [f"{len(others) - len(shown) + 1} more"]
        notes = (Note(f"also affected: {wording.listed(shown)}"),) if shown else ()
        return self.finding(
            access,
            message,
            help=help,
            notes=(*notes, *access.provenance),
            cause=cause(CauseKind.DATA, least_sectors=least, most_sectors=most, index=access.result.index_load),
            others=[other for other in along if other is not access],
        )


def _granule(context: Context, access: Access) -> int:
    """Return the bytes that a request moves at least."""
    arch = context.arch
    return arch.load_granularity_bytes if access.op is Operation.LOAD else arch.store_granularity_bytes


def _most(context: Context, access: Access) -> int:
    """Return the most sectors that a request may take: one granule for each lane, or those that a table lies in."""
    granule = _granule(context, access)
    spread = min(filter(None, (access.result.spread, _table_bytes(access))), default=None)
    granules = _LANES if spread is None else min(_LANES, (spread + granule - 2) // granule + 1)
    return granules * granule // _SECTOR


def _table_bytes(access: Access) -> int | None:
    """Return the bytes of the array that is indexed; None where they are not known."""
    memory = access.memory
    if memory is None or not memory.extents or memory.dynamic:
        return None
    extents = [extent for extent in memory.extents if extent is not None]
    return None if len(extents) < len(memory.extents) else prod(extents) * memory.element_bytes


def _ideal(access: Access) -> int:
    """Return the sectors that a full warp of neighbouring elements takes."""
    return max(1, _LANES * access.bytes // _SECTOR)


def _goes_along(other: Access, access: Access) -> bool:
    """Whether an access is reported with another: it stands in its line, or goes by its index in its array."""
    if (other.span.file, other.span.line) == (access.span.file, access.span.line):
        return True
    return (other.memory, other.result.index_load) == (access.memory, access.result.index_load)


def _place(other: Access, access: Access) -> str:
    line = f" (line {other.span.line})" if other.span.line != access.span.line else ""
    return f"`{wording.one_line(other.expression)}`{line}"
