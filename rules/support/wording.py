"""How findings say things: costs, strides and accesses in the same words in every rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coalint.core.facts.access import UNKNOWN_TRIPS, Access, LoopStride, Memory, Operation
from coalint.core.facts.costs import Cost
from coalint.core.findings import Note
from coalint.core.ir.registers import AXES, Register
from coalint.core.ir.spelling import Spelling
from coalint.machine.nvcc.instructions import MachineInstruction

_STATED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:\[\d+\]|\(\d+\))?")
"""What an assumption can be about: `n`, `v.pitch`, `sizes[1]`, `alphas.stride(3)`."""
_NAMED = re.compile(r"\w")
"""What a condition that the source shows has: one of a statement that a macro writes may have no text."""
_NEARLY_ALL = 31.5
"""Lanes per warp in the mean from which on a number says no more than a word."""
_SAME = 0.005
"""Wavefronts of difference that two digits after the point do not show."""


def number(value: float) -> str:
    """Return `32`, `4.5`, `3.25`: as few digits as say it, two after the point at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def plural(value: float, noun: str) -> str:
    """Return `1 sector`, `4.5 sectors`."""
    return f"{number(value)} {noun}" + ("" if number(value) == "1" else "s")


def listed(words: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def many_ways(count: int) -> str:
    """Return `a 2-way`, `an 8-way`: as a conflict of so many words in one bank is called."""
    return f"{'an' if count in (8, 11, 18) else 'a'} {count}-way"


def conflict(ways: int, cost: Cost) -> str:
    """Return `a 2-way bank conflict`; `up to a 32-way bank conflict` where not every request has the worst."""
    return f"{'' if is_worst(ways, cost) else 'up to '}{many_ways(ways)} bank conflict"


def is_worst(ways: int, cost: Cost) -> bool:
    """Whether the mean over the requests is that of the worst one: `ways` turns for each wavefront of the ideal."""
    return abs(cost.count - ways * cost.ideal) < _SAME


def cost(cost: Cost, ways: int | None = None) -> str:
    """Return `32 sectors per request (ideal: 4)`; beside the `ways` of the worst request, a mean is called one."""
    mean = "" if ways is None or is_worst(ways, cost) else " on average"
    return f"{plural(cost.count, cost.unit.singular)} per request{mean} (ideal: {number(cost.ideal)})"


def subject(access: Access) -> str:
    """Return `the load of `in[i]``: what a message is about."""
    verb = {Operation.LOAD: "load of", Operation.STORE: "store to", Operation.ATOMIC: "atomic"}[access.op]
    return f"the {verb} `{one_line(access.expression)}`"


def called(function: str, spelling: Spelling) -> str:
    """Return a barrier as it is called: `` `__syncthreads()` ``; an instruction as it is: `` `asm bar.sync` ``."""
    return f"`{function}`" if " " in function else f"`{spelling.called(function)}`"


def reduction(operation: str, spelling: Spelling) -> str:
    """Return the function that reduces values over a warp, at the head of a list.

    Nothing where the language has none.
    """
    return f"`{spelling.warp_reduction.format(operation=operation)}`, " if spelling.warp_reduction else ""


def one_line(expression: str) -> str:
    """Return source text with its line breaks and runs of blanks folded, cut where it gets long."""
    text = " ".join(expression.split())
    return text if len(text) <= 60 else text[:57] + "..."


def name_of(access: Access) -> str:
    """Return the array's name in backquotes, `the array` where there is none."""
    return f"`{access.memory.name}`" if access.memory is not None and access.memory.name else "the array"


def stride_in(access: Access, axis: int) -> str:
    """Return the stride along x (0), y (1) or z (2): `8 bytes`, `` `4*width` bytes ``, `an irregular distance`."""
    stride = access.strides[axis]
    if stride is not None:
        return plural(abs(stride), "byte")
    text = _stride_text(access, axis)
    return "an irregular distance" if text == "?" else f"`{text}` bytes"


def _stride_text(access: Access, axis: int) -> str:
    text = access.address.stride_texts[axis]
    return text if text != "?" or axis != 0 else access.stride


def lane_axis(access: Access) -> int:
    """Return the axis along which neighbouring lanes of a warp differ: x (0), or the first longer than 1."""
    return next((axis for axis, threads in enumerate(access.specialization.block) if threads > 1), 0)


def moving_axis(access: Access) -> int:
    """Return the axis along which a warp's lanes first move the address: lanes that differ in x alone may share it."""
    lanes = 1
    for axis, threads in enumerate(access.specialization.block):
        if threads > 1 and lanes < 32 and access.strides[axis] != 0:
            return axis
        lanes *= threads
    return lane_axis(access)


def thread_index(axis: int, spelling: Spelling) -> str:
    """Return `threadIdx.y`, as the kernel's language spells it."""
    return spelling.component_of(Register.THREAD_INDEX, AXES[axis])


def block_extent(axis: int, spelling: Spelling) -> str:
    """Return `blockDim.y`, as the kernel's language spells it."""
    return spelling.component_of(Register.BLOCK_EXTENT, AXES[axis])


def neighbours(access: Access, spelling: Spelling) -> str:
    """Return how far neighbouring lanes are apart, in words; the axis is named where it is not the first."""
    axis = moving_axis(access)
    index = thread_index(axis, spelling)
    which = "neighbouring lanes" if axis == lane_axis(access) else f"lanes with neighbouring {index}"
    return f"{which} are {stride_in(access, axis)} apart"


def has_stride(access: Access) -> bool:
    """Whether the address moves with the lanes in even steps, known or symbolic."""
    axis = moving_axis(access)
    return access.strides[axis] is not None or _stride_text(access, axis) != "?"


def general(access: Access) -> str:
    """Return what a symbolic stride's numbers hold for: ``for a general `width` `` or nothing."""
    if access.result.exact or not access.result.symbolic:
        return ""
    names = ", ".join(f"`{name}`" for name in access.result.symbolic if any(c.isalnum() for c in name))
    return f" for a general {names}" if names else " for a general stride"


def unless_fitting(access: Access, spelling: Spelling, help: str) -> str:
    """Return the help, after how to state the numbers with which the access is good, where there are such."""
    if not access.open.fitting or not all(_STATED.fullmatch(name) for name, _ in access.open.fitting):
        return help
    fact = " && ".join(f"{name} == {number}" for name, number in access.open.fitting)
    return f"if it is, say so with `{spelling.assumption(fact)}` or `--assume '{fact}'`; otherwise {help}"


def once_before_loop(access: Access, help: str) -> str:
    """Return the help, after that a load of which all iterations load the same bytes may be made before the loop."""
    loop = access.loops[-1] if access.loops else None
    if access.op is not Operation.LOAD or loop is None or loop.bytes != 0:
        return help
    return f"all iterations of the loop at line {loop.span.line} load the same bytes: load them before it; or {help}"


def because(access: Access, *reasons: str) -> tuple[Note, ...]:
    """Return the notes of a finding: why it costs what it costs, then how the thread index reached the address."""
    guard = guarded(access)
    return (*(Note(reason) for reason in reasons), *((Note(guard),) if guard else ()), *access.provenance)


def merged(made: MachineInstruction, spelling: Spelling) -> tuple[Note, ...]:
    """Return what the numbers of a finding are for, where it is not the access alone."""
    if not made.is_merged:
        return ()
    return (
        Note(
            f"{spelling.compiler} merges this access of {plural(made.written.bytes, 'byte')} with its neighbours into "
            f"one of {made.access.bytes}: the numbers are for the merged instruction"
        ),
    )


def warp_threads(access: Access) -> int:
    """Return how many lanes of a warp the block has threads for: 32, or all threads of a smaller block."""
    x, y, z = access.specialization.block
    return min(32, x * y * z)


OF_LIBRARY: str = "its layout is the library's: load it into a local variable once, and store it once at the end"

FEW_LANES = 8
"""Lanes of a warp that an access of the ends of rows alone has at most: what it wastes is little of a launch."""


def is_for_ends(access: Access) -> bool:
    """Whether guards let few lanes pass whatever the sizes in them are, as the tail of a row after a vector loop."""
    few = access.result.few_lanes
    return few is not None and few <= FEW_LANES


def short_rows(access: Access) -> tuple[Note, ...]:
    """Return that the quantity which lanes are multiples of is small by what it counts, where it is."""
    beside = (
        "the stores beside this one write the rest of the same sectors, which the L2 cache joins"
        if access.op is Operation.STORE
        else "the loads beside this one use the rest of the same sectors, which the L1 cache still holds"
    )
    return tuple(
        Note(f"`{name}` is small by its name or use: with {number}, {beside}") for name, number in access.open.dense
    )


def other_pieces(access: Access) -> str:
    """Return what becomes of the sectors that the other pieces of a value lie in, too: the L1 cache holds no stores."""
    if access.op is Operation.STORE:
        return (
            "the other pieces write the rest of the same sectors, which the L2 cache joins: each is a request to it of "
            "its own"
        )
    return "the other pieces use the rest of the same sectors, which the L1 cache usually still holds"


def general_case(access: Access) -> tuple[Note, ...]:
    """Return that another branch of the kernel is for elements side by side, where this one is for all others."""
    for name in access.result.symbolic:
        one = rf"(?:{re.escape(name)}\s*{{0}}\s*1|1\s*{{0}}\s*{re.escape(name)})"
        if any(re.fullmatch(rf"!\({one.format('==')}\)|{one.format('!=')}", text) for text in access.guard):
            return (Note(f"where `{name}` is 1, the kernel takes another branch: this one is for all other cases"),)
    return ()


def is_rare(access: Access) -> bool:
    """Whether few lanes of a warp, or few rows of the grid, make an access, whatever the sizes are."""
    return is_for_ends(access) or is_at_border(access)


def is_at_border(access: Access) -> bool:
    """Whether guards let few rows of the whole grid pass, which do not walk far by themselves."""
    return access.result.border_rows is not None and all(_is_short(loop, access) for loop in access.loops)


def _is_short(loop: LoopStride, access: Access) -> bool:
    """Whether a loop has few iterations, or walks no more than a few elements up to those of the next lane."""
    if loop.trips is not None:
        return loop.trips <= UNKNOWN_TRIPS
    apart = access.strides[lane_axis(access)]
    return bool(loop.bytes and apart) and abs(apart or 0) <= UNKNOWN_TRIPS * abs(loop.bytes or 0)


def border(access: Access) -> tuple[Note, ...]:
    """Return that an access is made at the border of the grid alone."""
    rows = access.result.border_rows
    if rows is None or not is_at_border(access):
        return ()
    return (Note(f"only {plural(rows, 'row')} of threads of the whole grid {'comes' if rows == 1 else 'come'} here"),)


def guarded(access: Access) -> str | None:
    """Return which lanes the numbers are for, where a guard leaves some out."""
    if access.result.lanes is None or not access.guard:
        return None
    executed = access.result.lanes.active[access.result.lanes.active.any(axis=2)]
    if not executed.size or executed.all():
        return None
    mean, whole = float(executed.sum(axis=1).mean()), warp_threads(access)
    is_nearly_all = mean >= _NEARLY_ALL * whole / 32
    lanes = "nearly all lanes are active" if is_nearly_all else f"{number(mean)} of {whole} lanes are active on average"
    conditions = " and ".join(f"`{one_line(text)}`" for text in access.guard if _NAMED.search(text))
    return f"{lanes}, under {conditions}" if conditions else lanes


def declared(memory: Memory, extents: Sequence[int | None], spelling: Spelling) -> str:
    """Return a shared array's declaration with these extents: `float tile[32][33]`.

    Its type is left out where not known.
    """
    return spelling.declared(memory.type_name, memory.name, extents)
