"""COA105: a constant offset pushes a contiguous access across one more sector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coalint import wording
from coalint.analysis.access import Access, Space
from coalint.diagnostics import Finding, Severity
from coalint.machine.traffic import Traffic, traffic
from coalint.rule import Context, Rule

_SECTOR = 32
_LEAST_EXCESS = 0.2


class MisalignedGlobalAccess(Rule):
    """A contiguous access starts off a sector boundary, because of a constant in the index.

    ## What it does
    Reports, at info, a global access whose lanes are contiguous but begin at a constant offset that is no multiple
    of 32 bytes, when leaving out the offset would save the extra sector.

    ## Why is this bad
    It is only slightly bad. 32 floats that start on a sector boundary fill four sectors; one float further on they
    reach into a fifth. The neighbouring warp needs that sector as well and usually finds it in the L1 cache, so that
    little time is lost. In a stencil it cannot be avoided and is not worth a change.

    ## Example
    ```cuda
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
    ```

    ## Use instead
    Where the layout is yours, put the first element that a warp uses on a multiple of 32 bytes: store a header of one
    element elsewhere, or pad it to eight floats.
    ```cuda
    out[i] = in[i + 8];
    ```
    Memory from `cudaMalloc` itself starts on a multiple of 256 bytes.

    ## What the hardware counts
    Sectors per request on an H200 for floats: `in[i]` 4, `in[i + 1]` 5; the ideal is 4. By the
    same count doubles take 9 instead of 8.
    """

    name = "misaligned-global-access"
    code = "COA105"
    severity = Severity.INFO

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each access that is ideal but for its constant offset."""
        for access, cost in context.traffics:
            offset = access.offset_bytes
            if access.space is not Space.GLOBAL or access.data_dependent or cost is None or offset is None:
                continue
            if not _LEAST_EXCESS < cost.excess <= 1 or offset % _SECTOR == 0:
                continue
            aligned = _without_offset(access, offset, context)
            if aligned is not None and aligned.excess <= _LEAST_EXCESS:
                yield self._finding(access, cost, offset)

    def _finding(self, access: Access, cost: Traffic, offset: int) -> Finding:
        message = (
            f"{wording.subject(access)} starts {wording.plural(offset % _SECTOR, 'byte')} past a sector boundary and "
            f"costs {wording.cost(access, cost)}"
        )
        reasons = (
            f"the constant part of the address is {wording.plural(offset, 'byte')}, no multiple of {_SECTOR}",
            "the neighbouring warp usually finds the extra sector in the L1 cache, so this is cheap",
        )
        help = (
            f"where the layout of {wording.name_of(access)} is yours, move the first element that a warp uses to a "
            f"multiple of {_SECTOR} bytes; in a stencil, leave it"
        )
        return self.finding(access, message, help=help, notes=wording.because(access, *reasons))


def _without_offset(access: Access, offset: int, context: Context) -> Traffic | None:
    """What the access would cost without the part of the constant that is off the boundary."""
    if access.lanes is None:
        return None
    moved = replace(access.lanes, offsets=access.lanes.offsets - offset % _SECTOR)
    return traffic(replace(access, lanes=moved), context.arch)
