"""COA402: an access at an address that is not a multiple of its size, which is a fault at run time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.lanes import Lanes
from coalint.core.findings import Confidence, Finding, Severity
from coalint.core.ir.spelling import Spelling
from coalint.core.lazy import np
from coalint.core.records import record
from coalint.rule import Context, Rule
from coalint.rules.support import wording


class MisalignedVectorAccess(Rule):
    """A vector is read or written at an address that is not a multiple of its size: a fault at run time.

    ## What it does
    Reports an access of 2 to 16 bytes per lane, most often a `float4 *` view of a `float *`, in two cases. If the lanes
    of one warp are apart by a distance that is not a multiple of the size, some of them are misaligned wherever the
    array begins. Where all lanes lie equally far from a multiple, they are misaligned if the array begins at one: an
    array in shared memory does; of a pointer that the kernel is given it is assumed, since `cudaMalloc` aligns to 256
    bytes, and the confidence is medium.

    Where an unknown offset decides, as in `(float4 *)(row + pitch)`, nothing is reported.

    ## Why is this bad
    A lane can read or write 2, 4, 8 or 16 bytes in one instruction only at a multiple of as many bytes. Otherwise the
    kernel ends with `cudaErrorMisalignedAddress`, and all later calls of the process fail. In C++ such a cast is
    undefined even where it happens to work.

    ## Example
    ```cuda
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = *(const float4 *)(in + i);
    ```

    ## Use instead
    Let the vector's own index count vectors:
    ```cuda
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    ```
    Where a header or an odd row length shifts the data, pad it to a multiple of 16 bytes, or read single elements up
    to the first multiple.

    ## What the hardware counts
    No counter shows this: the first such instruction ends the kernel.
    """

    name = "misaligned-vector-access"
    code = "COA402"
    severity = Severity.ERROR
    refines = (
        "uncoalesced-global-access",
        "misaligned-global-access",
        "thread-contiguous-chunk",
        "shared-bank-conflict",
        "unpadded-tile-column",
    )

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each access of which some lane is certainly misaligned."""
        for access in context.analysis.accesses:
            if access.space not in (Space.GLOBAL, Space.SHARED) or access.result.lanes is None:
                continue
            if not access.result.exact and not access.result.aligned_if:
                continue
            if access.bytes in (2, 4, 8, 16) and not _is_packed(access):
                lanes = _misaligned(access.result.lanes, access.bytes)
                if lanes is not None:
                    yield self._finding(access, lanes, context.spelling)

    def _finding(self, access: Access, lanes: _Misaligned, spelling: Spelling) -> Finding:
        size = wording.plural(access.bytes, "byte")
        message = (
            f"{wording.subject(access)} moves {size} per lane at an address that is not a multiple of {access.bytes}"
        )
        array = wording.name_of(access)
        if lanes.apart is not None:
            reason = (
                f"lanes are {wording.plural(lanes.apart, 'byte')} apart, so not all of them can be at a multiple of it"
            )
            view = f" (`{spelling.vector_view}`)" if spelling.vector_view else ""
            help = f"index by vectors of {size}{view}, or move single elements"
        else:
            where = f"all lanes lie {wording.plural(lanes.past or 0, 'byte')} past a multiple of {access.bytes}"
            is_given = access.space is Space.GLOBAL
            given = f", as memory from `{spelling.allocation}` does" if is_given and spelling.allocation else ""
            reason = f"{where}, where {array} begins at one{given}"
            start = f"begin at a multiple of {access.bytes} bytes in {array}"
            help = f"{start} (pad what comes before), or move single elements"
        fault = f"such an instruction ends the kernel with {spelling.misaligned_fault or 'an error'}"
        finding = self.finding(
            access,
            message,
            help=help,
            notes=wording.because(access, reason, fault),
            cause=cause(CauseKind.START, past_bytes=lanes.past)
            if lanes.apart is None
            else cause(CauseKind.LANES_APART, bytes=lanes.apart),
        )
        is_assumed = lanes.apart is None and access.space is Space.GLOBAL
        if is_assumed and finding.confidence is Confidence.HIGH:
            return replace(finding, confidence=Confidence.MEDIUM)
        return finding


@record(unsafe_hash=True)
class _Misaligned:
    """Lanes that are misaligned: bytes that two of them are `apart`, or by which all are `past` a multiple."""

    apart: int | None = None
    past: int | None = None


def _misaligned(lanes: Lanes, size: int) -> _Misaligned | None:
    """Return how some lane of a warp is misaligned for sure; None where that is not known.

    Lanes of one row and group share their base, whatever it is.
    """
    for row in _rows_apart(lanes, size):
        active, offsets = lanes.active[row], lanes.offsets[row]
        groups = None
        if lanes.groups is not None:
            groups = lanes.groups[row] if lanes.groups.ndim == 3 else lanes.groups
        for group in (0,) if groups is None else distinct(groups[active]):
            there = active if groups is None else active & (groups == group)
            touched = distinct(offsets[there])
            if len({int(offset) % size for offset in touched}) > 1:
                steps = np.diff(touched)
                return _Misaligned(apart=int(steps[steps % size != 0][0]))
    touched = lanes.offsets[lanes.active]
    if lanes.groups is None and touched.size and lanes.alignment % size == 0 and (touched % size).all():
        return _Misaligned(past=int(touched.flat[0] % size))
    return None


def _rows_apart(lanes: Lanes, size: int) -> list[int]:
    """Return the rows of which not all active lanes lie equally far from a multiple of `size` bytes."""
    past = lanes.offsets % size
    within = tuple(range(1, past.ndim))
    least = np.where(lanes.active, past, size).min(axis=within, initial=size)
    most = np.where(lanes.active, past, -1).max(axis=within, initial=-1)
    return [int(row) for row in np.flatnonzero(least < most)]


def _is_packed(access: Access) -> bool:
    """Whether the address is that of a field which its struct does not align: the compiler then moves it in bytes."""
    field = access.field
    return field is not None and (field.record_bytes % access.bytes != 0 or field.offset % access.bytes != 0)
