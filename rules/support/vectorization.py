"""Accesses of one thread that nvcc joins into one vector instruction, since they are neighbours and aligned.

Seen in the machine code of nvcc 13.2 for sm_90: `s[2*t]` and `s[2*t + 1]` of a shared array, static or dynamic, become
one `LDS.64` (stores likewise, other accesses in between notwithstanding), a loop over `s[4*t + k]` one `LDS.128`.
Where `s` begins at `dynamic + n` or `dynamic + blockDim.x`, or the stride is a parameter, they stay 32 bits wide: that
the launch makes the offset a multiple of 16 is nothing that nvcc knows; `dynamic + 2048` it knows. Of four neighbours
of which three are loaded it loads all: in shared memory whichever is not wanted, of a struct in global memory if that
is not the first. Fields of a struct in global memory are joined
where the struct's declared alignment allows it: `in[i].x * in[i].y` of a `float2` is one `LDG.64`. Nothing is joined
through a plain `float *`, nor from a start that is not aligned.
What looks like a stride or a conflict in each single access may be ideal in the joined one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.findings import Note
from coalint.core.ir.spelling import Spelling
from coalint.core.lazy import np
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.traffic import Traffic, traffic
from coalint.rule import Context, likeness
from coalint.rules.support import wording

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes
    from coalint.core.source.spans import Span

MOST_NEIGHBOURS = 256  # accesses of one array that are searched for neighbours
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def as_compiled(context: Context, access: Access, cost: Traffic) -> tuple[Access, Traffic]:
    """The instruction that the access becomes part of, with its cost; the access itself where nothing is joined."""
    width = WIDEST
    while width > access.bytes:
        joined = _joined(context, access, width)
        if joined is not None and access.space is Space.SHARED and _rests_on_launch(context, access):
            break
        if joined is not None:
            joined_cost = traffic(joined, context.arch)
            if joined_cost is not None:
                return joined, joined_cost
        width //= 2
    return access, cost


def join_notes(access: Access, compiled: Access, spelling: Spelling) -> tuple[Note, ...]:
    """What the numbers of a finding are for, where it is not the access alone."""
    if compiled is access:
        return ()
    return (
        Note(
            f"{spelling.compiler} joins this access of {wording.plural(access.bytes, 'byte')} with its neighbours into "
            f"one of {compiled.bytes}: the numbers are for that one instruction"
        ),
    )


def _joined(context: Context, access: Access, width: int) -> Access | None:
    lanes = access.lanes
    if lanes is None or access.op is Operation.ATOMIC or access.service is not Service.PLAIN:
        return None
    if width > _alignment(access):
        return None
    touched = lanes.offsets[lanes.active]
    if not touched.size:
        return None
    positions = np.unique(touched % width)
    position = _position(access, int(positions[0]), width) if len(positions) == 1 else None
    if position is not None:
        needed = set(range(0, width, access.bytes)) - {position}
        present = {position + step for step in _neighbours(context, access)}
        missing = needed - present
        if not missing or (len(missing) == 1 and _reads_over(access, width, missing.pop())):
            return replace(access, bytes=width, lanes=replace(lanes, offsets=lanes.offsets - position))
    step = _unrolled(access, width)
    if step:
        lowest = lanes if step > 0 else replace(lanes, offsets=lanes.offsets + step * (width // access.bytes - 1))
        starts = _iterations_that_start(lowest, width)
        if starts is not None:
            return replace(access, bytes=width, lanes=starts)
    return None


def _position(access: Access, position: int, width: int) -> int | None:
    """How many bytes past the vector's beginning all lanes are; None where that hangs on what is not known.

    Where the base is no known multiple of the vector, as with a pitch that only the launch tells, the type says it: a
    struct lies at a multiple of its alignment.
    """
    record, lanes = access.field, access.lanes
    assert lanes is not None
    if lanes.alignment % width == 0:
        return position
    if access.space is not Space.GLOBAL or record is None or record.bytes != access.bytes:
        return None
    return record.offset % width


def _reads_over(access: Access, width: int, position: int) -> bool:
    """Whether nvcc loads four where three are wanted: not where the first of them is not, in global memory."""
    if access.op is not Operation.LOAD or width != 4 * access.bytes:
        return False
    return access.space is Space.SHARED or (access.field is not None and position > 0)


def _alignment(access: Access) -> int:
    """The alignment in bytes that nvcc may know of where the access's vector begins; 1 for none."""
    if access.space is Space.SHARED:
        return WIDEST
    return declared_alignment(access) if access.space is Space.GLOBAL else 1


def declared_alignment(access: Access) -> int:
    """The alignment in bytes of the record whose field is accessed; 1 where it is not known or there is none."""
    return 1 if access.field is None else min(access.field.record_align, WIDEST)


def _rests_on_launch(context: Context, access: Access) -> bool:
    """Whether the address may hold what only the launch tells, so that nvcc does not know how it is aligned."""
    memory, launch = access.memory, access.specialization
    written = [name.group() for name in _IDENTIFIER.finditer(access.expression)]
    names = {*written, *(name for note in access.provenance for name in _IDENTIFIER.findall(note.message))}
    known = {*launch.arguments, *launch.multiples, *((member[0], member[3]) for member in launch.members)}
    if any(name in names for name, _ in known):
        return True
    # A pointer into the middle of a dynamic array: where it points follows from sizes that the launch chose.
    is_carved = memory is not None and memory.dynamic and memory.name not in written
    uniform = set(_IDENTIFIER.findall(access.common)) - {loop.variable for loop in access.loops}
    if not is_carved or (not uniform and access.offset_bytes is not None and 0 <= access.offset_bytes < WIDEST):
        return False
    return bool(uniform or known) or not _starts_there_anyway(context, access)


def _starts_there_anyway(context: Context, access: Access) -> bool:
    """Whether the access begins at the same byte of its array with another block, so that its offset is a constant."""
    at = _at(access)
    if at not in context.constant:
        x, y, z = access.specialization.block
        other = context.reshaped((x // 2 or 2, y, z))
        begins = set() if other is None else {(*_at(a), a.offset_bytes) for a in other.analysis.accesses}
        here: dict[tuple[Span, str], bool] = {}
        for a in context.analysis.accesses:
            here[_at(a)] = here.get(_at(a), True) and (*_at(a), a.offset_bytes) in begins
        context.constant.update(here | context.constant)
    return context.constant[at]


def _at(access: Access) -> tuple[Span, str]:
    return access.span, access.expression


def _neighbours(context: Context, access: Access) -> Iterator[int]:
    """How many bytes further the thread accesses the same array in the same way elsewhere in the kernel."""
    lanes = access.lanes
    assert lanes is not None
    candidates = context.alike[likeness(access)]
    for other in candidates if len(candidates) <= MOST_NEIGHBOURS else ():
        if other is access or other.lanes is None:
            continue
        if other.lanes.offsets.shape != lanes.offsets.shape or not np.array_equal(other.lanes.active, lanes.active):
            continue
        steps = np.unique((other.lanes.offsets - lanes.offsets)[lanes.active])
        if len(steps) == 1 and abs(int(steps[0])) < WIDEST:
            yield int(steps[0])


def _unrolled(access: Access, width: int) -> int:
    """The step in bytes of a loop around the access that, once unrolled, walks whole aligned vectors; 0 for none.

    All other loops move by such vectors.
    """
    for loop in access.loops:
        walks = loop.bytes is not None and abs(loop.bytes) == access.bytes
        if walks and loop.bytes is not None and loop.trips is not None and loop.trips * access.bytes >= width:
            others = [other.bytes for other in access.loops if other is not loop]
            return loop.bytes if all(step is not None and step % width == 0 for step in others) else 0
    return 0


def _iterations_that_start(lanes: Lanes, width: int) -> Lanes | None:
    """The rows in which every lane begins a vector: a loop is enumerated in rows, or in none if it is uniform."""
    starts = ((lanes.offsets % width == 0) | ~lanes.active).all(axis=(1, 2))
    if not starts.any():
        return None
    groups = lanes.groups[starts] if lanes.groups is not None and lanes.groups.ndim == 3 else lanes.groups
    return replace(
        lanes, offsets=lanes.offsets[starts], active=lanes.active[starts], weights=lanes.weights[starts], groups=groups
    )
