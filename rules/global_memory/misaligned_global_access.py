"""COA105: a contiguous access starts off a sector boundary and so touches one sector more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.arrays import distinct
from coalint.core.facts.access import Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Lanes
from coalint.core.findings import Finding, Severity
from coalint.core.lazy import np
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import traffic
from coalint.rule import Context, Rule
from coalint.rules.support import wording

if TYPE_CHECKING:
    from numpy.typing import NDArray
globals().setdefault("NDArray", object)

_SECTOR = 32
_LEAST_EXCESS = 0.2


class MisalignedGlobalAccess(Rule):
    """A contiguous access starts off a sector boundary and so touches one sector more.

    ## What it does
    Reports, at info, a global access whose lanes are contiguous but begin at an address that is known not to be a
    multiple of 32 bytes: because of a constant in the index, or of rows whose length is not a multiple of 32 bytes.

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
        """Yield a finding for each access that would be ideal if its warps started on a sector boundary."""
        for made in context.instructions:
            access, cost = made.access, made.cost
            if (
                access.space is not Space.GLOBAL
                or access.result.data_dependent
                or cost is None
                or access.result.lanes is None
            ):
                continue
            if not _LEAST_EXCESS < cost.excess <= 1:
                continue
            if not access.result.exact and len(_remainders(access.result.lanes)) > 1:
                continue  # where each warp starts is supposed
            aligned = traffic(access.with_lanes(_aligned(access.result.lanes)), context.arch)
            if aligned is not None and aligned.excess <= _LEAST_EXCESS:
                yield self._finding(made, access.result.lanes, cost)

    def _finding(self, made: MachineInstruction, lanes: Lanes, cost: Cost) -> Finding:
        access = made.written
        starts = _remainders(lanes)
        where = (
            f"starts {wording.plural(int(starts[0]), 'byte')} past a sector boundary"
            if len(starts) == 1
            else "mostly starts off a sector boundary"
        )
        offset = access.address.offset_bytes
        if offset is not None and offset % _SECTOR:
            reason = f"the address has a constant part of {wording.plural(offset, 'byte')}, not a multiple of {_SECTOR}"
        elif len(starts) == 1:
            reason = f"the first address of each warp is that far past a multiple of {_SECTOR} bytes"
        else:
            reason = f"the warps' first addresses differ by distances that are not multiples of {_SECTOR} bytes"
        reasons = (reason, "the neighbouring warp usually finds the extra sector in the L1 cache, so this is cheap")
        message = f"{wording.subject(access)} {where} and takes {wording.cost(cost)}"
        help = (
            f"if you can change the layout of {wording.name_of(access)}, move the first element that a warp uses to a "
            f"multiple of {_SECTOR} bytes (pad rows to a multiple of {_SECTOR} bytes); in a stencil, leave it"
        )
        past = int(starts[0]) if len(starts) == 1 else None
        return self.finding(
            access,
            message,
            help=help,
            notes=wording.because(access, *reasons),
            instruction=made,
            cause=cause(CauseKind.OFFSET, past_bytes=past, constant_bytes=offset),
        )


def _remainders(lanes: Lanes) -> NDArray[np.int64]:
    """Return how far past a sector boundary the warps start, in bytes: each number once."""
    return distinct(_starts(lanes)[lanes.active.any(axis=2)] % _SECTOR)


def _starts(lanes: Lanes) -> NDArray[np.int64]:
    """Return the lowest address of each warp, shape (E, W)."""
    highest = np.iinfo(np.int64).max
    return np.asarray(lanes.offsets.min(axis=2, where=lanes.active, initial=highest), dtype=np.int64)


def _aligned(lanes: Lanes) -> Lanes:
    """Return the same lanes with each warp moved down to a sector boundary."""
    return replace(lanes, offsets=lanes.offsets - (_starts(lanes) % _SECTOR)[..., None])
