"""COA108: a struct is copied in several pieces, since its size or alignment allows no single vector access."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost
from coalint.core.findings import Finding, Severity
from coalint.core.ir.spelling import Spelling
from coalint.core.ir.types import Layout
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import traffic
from coalint.rule import Context, Rule
from coalint.rules.support import caching, copies, wording

_VECTOR_SIZES = (2, 4, 8, 16)


class SplitVectorCopy(Rule):
    """Neighbouring lanes copy neighbouring structs, each in several pieces that lie a whole struct apart.

    ## What it does
    Reports a global load or store of a whole struct that nvcc must do in several instructions, where each of them
    costs more than one extra sector. It moves as many bytes at once as the struct's alignment promises: a struct of
    four floats is aligned to 4 bytes and copied in four pieces unless an alignment is declared; of a `float3`, 12
    bytes, no alignment makes one piece. Of a struct that is copied into a variable nvcc loads what is used of it:
    as long as that is more than half, it is reported here, else as COA102. `memcpy` from or to a pointer is done
    byte by byte, whatever the pointer's type was: what it takes is a `void *`. Loads of at most 72 bytes
    and stores in at most three pieces that no declaration makes one, as of a `float3`, are only an info: the caches
    join the pieces. So are pieces of 16 bytes, which are as wide as any.

    ## Why is this bad
    The pieces of one lane lie side by side, but those that a warp moves in one instruction are a struct apart. Each
    instruction touches all sectors of all 32 structs and uses a part of each; the next one asks for the same sectors
    again. The L1 cache usually still has them, so that the memory moves them once, but the warp issues and waits for
    several requests in place of one, and stores that fill their sectors piece by piece cost even more.

    ## Example
    ```cuda
    struct Particle { float x, y, z, mass; };

    __global__ void copy(Particle *out, const Particle *in) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = in[i];
    }
    ```

    ## Use instead
    Declare the alignment, where the size is 8 or 16 bytes:
    ```cuda
    struct __align__(16) Particle { float x, y, z, mass; };
    ```
    A struct of another size can be padded to one of these, or kept as an array per field (a struct of arrays). Rows
    of such structs can also be read through shared memory as plain words. To `memcpy`, pass
    `__builtin_assume_aligned(pointer, 16)`, where the address is such a multiple.

    ## What the hardware counts
    Sectors per request on an H200: a struct of four floats is four instructions of 16 sectors each (ideal: 4);
    with `__align__(16)` it is one of 16, all of them used. A struct of 12 bytes is three instructions of 12 sectors,
    one of 8 bytes two of 8.
    """

    name = "split-vector-copy"
    code = "COA108"
    severity = Severity.WARNING
    refines = ("uncoalesced-global-access", "thread-contiguous-chunk")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield a finding at the first piece of each struct that neighbouring lanes copy."""
        for made in context.instructions:
            access, cost = made.written, made.cost
            if access.space is not Space.GLOBAL or access.piece[0] != 1 or access.piece[1] == 1:
                continue
            if access.result.data_dependent or cost is None or cost.excess <= 1:
                continue
            stride = access.strides[wording.lane_axis(access)]
            if stride is None or abs(stride) != _size(access):
                continue
            record = access.field
            partial = record is not None and copies.is_partial(access)
            if not partial or (record is not None and copies.is_most(record, copies.parts(context, access))):
                yield self._finding(context, made, cost)

    def _finding(self, context: Context, made: MachineInstruction, cost: Cost) -> Finding:
        access = made.written
        pieces, size = access.piece[1], _size(access)
        spelling = context.spelling
        by_bytes = _layout(access) is Layout.BYTES
        name = _name(access)
        what = f"`{name}`" if name else f"a struct of {size} bytes"
        what = f"{wording.plural(size, 'byte')} by {spelling.copy_memory}" if by_bytes else what
        loads = copies.parts(context, access) if copies.is_partial(access) else ()
        moves = f"moves {what}" if not loads else f"moves the used fields of {what} ({copies.names(loads)})"
        if len({load.bytes for load in loads}) > 1:
            each = f"{pieces} pieces, the first of which"
        else:
            each = f"{pieces} pieces of {wording.plural(access.bytes, 'byte')}, each of which"
        message = f"{wording.subject(access)} {moves} in {each} takes {wording.cost(cost)}"
        aligned = "" if access.bytes == 1 else f", aligned to {access.bytes}"
        apart = f"neighbouring lanes are {size} bytes apart and move {access.bytes} at a time"
        reason = f"{what if name else 'the struct'} is {size} bytes{aligned}: {apart}"
        if by_bytes:
            known = "of no alignment" if access.bytes == 1 else f"of an alignment of {access.bytes} bytes"
            untyped = f"`{spelling.untyped_pointer}`" if spelling.untyped_pointer else "pointer to bytes"
            reason = (
                f"{spelling.copy_memory} takes a {untyped}, and {spelling.compiler} knows {known}, whatever the "
                f"pointer's type was: {apart}"
            )
        most = caching.FARTHEST if access.op is Operation.LOAD else caching.MOST_STORES * access.bytes
        is_cheap = size <= most and size not in (*_VECTOR_SIZES, caching.CROWDED)
        is_cheap |= access.bytes == _VECTOR_SIZES[-1]  # no piece can be larger
        severity = Severity.INFO if _layout(access) is Layout.LIBRARY or is_cheap else None
        notes = wording.because(access, reason, wording.other_pieces(access))
        return self.finding(
            access,
            message,
            help=_help(context, access),
            notes=notes,
            severity=severity,
            instruction=made,
            cause=cause(
                CauseKind.PIECES,
                _declared_at(access),
                pieces=pieces,
                bytes=access.bytes,
                record_bytes=size,
                record=name,
            ),
        )


def _size(access: Access) -> int:
    """Return bytes of the whole struct."""
    if access.field is not None and copies.is_partial(access):
        return access.field.record_bytes
    return access.bytes * access.piece[1]


def _name(access: Access) -> str:
    """Return the struct's name as it is declared; it may have none."""
    return "" if access.aggregate is None or access.aggregate.is_nameless else access.aggregate.name


def _declared_at(access: Access) -> str:
    """Return where the struct is declared; empty where that is not known."""
    return "" if access.aggregate is None or access.aggregate.is_nameless else access.aggregate.declared


def _is_of_language(access: Access) -> bool:
    """Whether the struct is the language's own (`std::complex`), which a program cannot align."""
    return access.aggregate is not None and not access.aggregate.declared


def _layout(access: Access) -> Layout:
    return Layout.DECLARED if access.aggregate is None else access.aggregate.layout


def _help(context: Context, access: Access) -> str:
    size, spelling = _size(access), context.spelling
    whole = traffic(replace(access, bytes=size, piece=(1, 1)), context.arch) if size in _VECTOR_SIZES else None
    if _layout(access) is Layout.BYTES:
        return _help_for_bytes(size, spelling)
    if not spelling.aligns_wider:
        return _help_without_vectors(access, spelling)
    if whole is not None:
        used = ", all of them used" if not whole.excess else ""
        makes = f"declare the alignment{_declared(access, size, spelling)}"
        if _is_of_language(access):
            makes = f"move it through a pointer to a vector type of {size} bytes"
        return (
            f"{makes}: each lane then moves its {size} bytes in one access, which takes "
            f"{wording.plural(whole.count, 'sector')}{used}"
        )
    arrays = "use one array per field (SoA)"
    if access.aggregate is not None and access.aggregate.wider_vector:
        return f"use `{access.aggregate.wider_vector}`, which is one access at a third more memory, or {arrays}"
    if _layout(access) is Layout.LIBRARY:
        library: str = wording.OF_LIBRARY
        return library
    part = next((part for part in (16, 8) if access.bytes < part < size and size % part == 0), None)
    if part is not None:
        return (
            f"declare the alignment{_declared(access, part, spelling)}, which makes {size // part} accesses of it "
            f"instead of {access.piece[1]}, or {arrays}"
        )
    wider = next((wide for wide in _VECTOR_SIZES if size < wide <= size * 4 // 3), None)
    if wider is not None:
        return f"pad it to {wider} bytes{_declared(access, wider, spelling)}, which makes it one access, or {arrays}"
    return f"{arrays}, or move the data through shared memory as plain words"


def _help_without_vectors(access: Access, spelling: Spelling) -> str:
    """Return what to do where records are never aligned wider than their fields, and so never move as one vector."""
    arrays = "use one array per field (SoA), or move the data through shared memory as plain words"
    if access.bytes > 1 or not spelling.aligned_record:
        return arrays
    declared = spelling.aligned_record.format(bytes=1, name="T")
    return f"align the fields, `{declared}`, so that each moves whole and not byte by byte; better, {arrays}"


def _help_for_bytes(size: int, spelling: Spelling) -> str:
    """Return what to do about a copy of bytes whose alignment nothing tells."""
    widest = next(wide for wide in (16, 8, 4, 2, 1) if size % wide == 0)
    typed = f"copy through a pointer to a type of {'that' if spelling.assume_aligned else 'their'} size and alignment"
    if not spelling.assume_aligned:
        return typed
    promise = spelling.assume_aligned.format(pointer="pointer", bytes=widest)
    return f"pass `{promise}` if the address is a multiple of {widest} bytes, or {typed}"


def _declared(access: Access, bytes: int, spelling: Spelling) -> str:
    """Return the declaration of the struct with an alignment, after a comma; empty where the language has none."""
    name = _name(access).partition("<")[0].rsplit("::", 1)[-1]
    declared = spelling.aligned_record.format(bytes=bytes, name=name if name.isidentifier() else "T")
    return f", `{declared}`" if declared else ""
