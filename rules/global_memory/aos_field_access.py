"""COA102: the lanes of a warp read or write one field in an array of structs."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Access, Operation, RecordField, Space
from coalint.core.facts.causes import Cause, CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.findings import Finding, Severity
from coalint.core.ir.spelling import Spelling
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.nvcc.vector_places import declared_alignment
from coalint.rule import Context, Rule
from coalint.rules.support import caching, copies, wording

_VECTOR_SIZES = (2, 4, 8, 16)
_COMPLEX = ("cufftComplex", "cufftDoubleComplex", "cuComplex", "cuFloatComplex", "cuDoubleComplex")
_PARTS = frozenset(("re", "im", "real", "imag"))
_OF_COMPLEX = (
    "a transform or product takes complex numbers in this layout: join this kernel with one that uses both parts, or "
    "leave it"
)


class AosFieldAccess(Rule):
    """A warp accesses one field in an array of structs, so its lanes are a whole struct apart.

    ## What it does
    Reports a global access to a field of a struct when neighbouring lanes use neighbouring structs and the fields
    between theirs cost more than one extra sector. A nested field or a member array counts at the size of the
    outermost struct, since that is how far the lanes are apart. A struct that is copied into a variable counts as what
    is used of the variable, since nvcc loads no more: a copy of all of it, or nearly all, is COA108.

    ## Why is this bad
    Global memory moves in 32-byte sectors. The lanes want only one field each, but the sectors hold whole structs: of
    a 12-byte struct a third of the bytes is used, of a 32-byte struct an eighth. When the same thread uses the other
    fields right after, the L1 cache usually still holds them, and what is lost is mostly requests; when it
    does not, the bandwidth itself is lost. Loads of most fields of a struct of at most 72 bytes, one after the other or
    before a loop that loads one of them again, are only an info, and so are stores to all of two or three fields. So is
    one field beside loads of whole structs next to it, as in a window, a struct of a library, as cuRAND's states,
    whose layout is not the program's, and one part of complex numbers: those with the names of cuFFT and cuBLAS, and
    structs of two halves, one of which is called `re`, `im`, `real` or `imag`.

    So are loads of one component of vectors (`float4`, `double2`) that more functions of the file use whole, or that
    another path of the kernel stores or assigns whole.

    Fields of a struct with a declared alignment of 8 or 16 bytes, such as `float2` and `float4`, are no problem when
    they are used together: nvcc joins their accesses into one vector instruction, and the rule is silent.

    ## Example
    ```cuda
    struct Point { float x, y, z; };

    __global__ void move(Point *points, float dx) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        points[i].x += dx;
    }
    ```

    ## Use instead
    One array per field (a struct of arrays):
    ```cuda
    struct Points { float *x, *y, *z; };

    __global__ void move(Points points, float dx) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        points.x[i] += dx;
    }
    ```
    When every thread uses all fields of a struct of 8 or 16 bytes, declare its alignment and copy it whole, which is
    a single vector instruction:
    ```cuda
    struct __align__(16) Particle { float x, y, z, mass; };
    Particle p = particles[i];
    ```

    ## What the hardware counts
    Sectors per request on an H200 for one float field of a struct of 12, 16, 24 and 32 bytes: 12, 16, 24 and 32
    (ideal: 4). An aligned 16-byte struct copied whole takes 16 sectors for 512 bytes, every one of them used. Of a
    `float4` that is copied into a variable one field costs 16 sectors (ideal: 4), `x` and `y` (one load of 8
    bytes) 16 (ideal: 8), `y` and `z` twice 16; three fields are loaded as the whole is.
    """

    name = "aos-field-access"
    code = "COA102"
    severity = Severity.WARNING
    refines = ("uncoalesced-global-access", "thread-contiguous-chunk")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding for each field access whose lanes are one record apart."""
        for made in context.instructions:
            access, cost, record = made.written, made.cost, made.written.field
            if access.space is not Space.GLOBAL or record is None or access.result.data_dependent:
                continue
            if cost is None or cost.excess <= 1 or record.record_bytes <= _moved(access):
                continue
            stride = access.strides[wording.lane_axis(access)]
            if stride is None or abs(stride) != record.record_bytes:
                continue
            if copies.is_partial(access):
                loads = copies.parts(context, access)
                if access.piece[0] == 1 and not copies.is_most(record, loads):
                    yield self._of_copy(context, made, record, cost, loads)
                continue
            if made.access.bytes < record.record_bytes:
                yield self._finding(context, made, record, cost)

    def _of_copy(
        self,
        context: Context,
        made: MachineInstruction,
        record: RecordField,
        cost: Cost,
        loads: tuple[Access, ...],
    ) -> Finding:
        access = made.written
        used, fields = copies.used(loads), copies.names(loads)
        verb, its = ("is", "its") if len(copies.fields(loads)) == 1 else ("are", "their")
        each = ", and" if len(loads) == 1 else f": each of {its} {len(loads)} loads"
        message = (
            f"{wording.subject(access)} copies `{record.record}`, of which only {fields} {verb} used{each} takes "
            f"{wording.cost(cost)}"
        )
        reason = (
            f"`{record.record}` is {record.record_bytes} bytes, so neighbouring lanes are {record.record_bytes} bytes "
            f"apart and use {used} of them; {context.spelling.compiler} loads only the fields of the copy that are used"
        )
        elsewhere = (_caching(access, record),) if _bytes_used(context, access, record) > used else ()
        absorbed, is_complex = _why_absorbed(context, access), _is_complex(record)
        severity = Severity.INFO if absorbed or is_complex else None
        if absorbed:
            elsewhere = (absorbed,)
        help = f"use one array per field of {wording.name_of(access)} (SoA), so that lanes find {fields} side by side"
        return self.finding(
            access,
            message,
            help=_OF_COMPLEX if is_complex else help,
            notes=wording.because(access, reason, *elsewhere),
            severity=severity,
            instruction=made,
            cause=_cause(CauseKind.PARTIAL_COPY, record, used, fields),
        )

    def _finding(self, context: Context, made: MachineInstruction, record: RecordField, cost: Cost) -> Finding:
        access, joins = made.written, wording.merged(made, context.spelling)
        message = (
            f"{wording.subject(access)} accesses one field in an array of `{record.record}` and takes "
            f"{wording.cost(cost)}"
        )
        reason = (
            f"`{record.record}` is {record.record_bytes} bytes, so neighbouring lanes are {record.record_bytes} bytes "
            f"apart and use {_moved(access)} of them"
        )
        arrays = (
            f"use one array per field of {wording.name_of(access)} (SoA), so that lanes find "
            f"`{record.field}` side by side"
        )
        used = _bytes_used(context, access, record)
        absorbed = _why_absorbed(context, access, made.access.bytes if made.is_merged else 0)
        is_library, is_complex = record.is_library, _is_complex(record)
        severity = Severity.INFO if absorbed or is_library or is_complex else None
        if is_library or is_complex:
            arrays = wording.OF_LIBRARY if is_library else _OF_COMPLEX
        because = _cause(CauseKind.FIELD, record, _moved(access), record.field)
        if used <= _moved(access):
            notes = (*wording.because(access, reason), *joins)
            arrays = wording.once_before_loop(access, arrays)
            return self.finding(
                access, message, help=arrays, notes=notes, severity=severity, instruction=made, cause=because
            )
        notes = (*wording.because(access, reason, absorbed or _caching(access, record)), *joins)
        is_aligned = declared_alignment(access) >= record.record_bytes
        can_be_whole = record.record_bytes in _VECTOR_SIZES and (is_aligned or context.spelling.aligns_wider)
        if can_be_whole and not (is_library or is_complex) and 2 * used > record.record_bytes:
            align = "" if is_aligned else f"{_aligning(record, context.spelling)} and "
            whole = (
                f"move whole structs: {align}copy `{record.record}` from or to a local variable, which is one "
                f"{record.record_bytes}-byte access per lane; or {arrays}"
            )
        else:
            whole = arrays
        whole = wording.once_before_loop(access, whole)
        return self.finding(
            access, message, help=whole, notes=notes, severity=severity, instruction=made, cause=because
        )


def _is_complex(record: RecordField) -> bool:
    """Whether a field is one part of a complex number."""
    is_half = 2 * record.bytes == record.record_bytes and record.field.strip("_").lower() in _PARTS
    return is_half or record.record in _COMPLEX


def _why_absorbed(context: Context, access: Access, moved: int = 0) -> str:
    """Return why the caches make up for the sectors; empty where they do not. What is merged is `moved` with others."""
    used = caching.absorbed(context, access, moved)
    text: str = caching.reason(access, used) if used else ""
    return text or ("" if moved else caching.LOADED_BEFORE if caching.is_loaded_before(context, access) else "")


def _cause(kind: CauseKind, record: RecordField, used: int, fields: str) -> Cause:
    return cause(
        kind,
        record=record.record,
        declared=record.declared,
        record_bytes=record.record_bytes,
        used_bytes=used,
        fields=fields,
    )


def _aligning(record: RecordField, spelling: Spelling) -> str:
    declared = f", or by {spelling.alignment.format(bytes=record.record_bytes)}" if spelling.alignment else ""
    return f"let `{record.record}` be aligned to {record.record_bytes} bytes (as vector types are{declared})"


def _caching(access: Access, record: RecordField) -> str:
    if access.op is Operation.STORE:
        return (
            f"this kernel stores other fields of `{record.record}` too: the L2 cache joins what lies in one sector, "
            "but each store is a request to it of its own"
        )
    return (
        f"this kernel uses other fields of `{record.record}` too: the L1 cache usually serves them from the "
        "sectors that are already there, so time may suffer less than these numbers say"
    )


def _moved(access: Access) -> int:
    """Return bytes of the field per lane, in however many pieces."""
    return access.bytes * access.piece[1]


def _bytes_used(context: Context, access: Access, record: RecordField) -> int:
    """Return how many bytes of each record of this array the kernel touches in the same way, at the same stride."""
    used: set[int] = set()
    for other in context.analysis.accesses:
        if other.memory != access.memory or other.strides != access.strides or other.op is not access.op:
            continue
        # The field may be an array, or reached by a cast: its own constant says more precisely where the access lies.
        if other.address.offset_bytes is not None:
            within = other.address.offset_bytes % record.record_bytes
        elif other.field is not None and other.field.record == record.record:
            within = other.field.offset
        else:
            continue
        used.update(range(within, within + other.bytes))
    return len(used)
