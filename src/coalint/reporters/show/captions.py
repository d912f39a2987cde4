"""The texts around a map, for the terminal and for SVG: what it shows, its totals, what it assumes."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.suppositions import Supposed, kind_of
from coalint.engine.inspection.requests import quoted
from coalint.engine.inspection.showing import Showing, Shown
from coalint.machine.access_map import AccessMap
from coalint.machine.traffic import takes_turns
from coalint.reporters.shared.console import wrap
from coalint.reporters.shared.launch_costs import percent
from coalint.rules.support.wording import many_ways, name_of, number, one_line, plural

_IS = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"  # which `wrap` turns into spaces
_VERBS = {Operation.LOAD: "load", Operation.STORE: "store", Operation.ATOMIC: "atomic"}


def heading(shown: Shown) -> str:
    """Return `load of 4 bytes per lane from global memory`."""
    access = shown.access
    kinds = dict.fromkeys(_VERBS[other.op] for other in (access, *shown.alike))
    way = {Operation.LOAD: "from", Operation.STORE: "to"}.get(access.op, "in") if len(kinds) == 1 else "in"
    text = f"{' and '.join(kinds)} of {plural(access.bytes, 'byte')} per lane {way} {access.space.value} memory"
    if access.piece[1] > 1:
        text += f", instruction {access.piece[0]} of {access.piece[1]}"
    return text


def position(part: AccessMap) -> str:
    """Return `warp 0 of 8, threads (0,0,0) to (31,0,0); iteration 3 of the loop over i`."""
    assert part.access.result.lanes is not None
    warps = part.access.result.lanes.active.shape[1]
    threads = [lane.thread for lane in part.lanes if lane.thread is not None]
    text = f"warp {part.warp} of {warps}, threads {_thread(threads[0])} to {_thread(threads[-1])}"
    if 0 < len(part.active) < len(part.lanes):
        text += f", of which {len(part.active)} active" if len(part.active) > 1 else ", of which one active"
    numbers_given = {name: value for name, value in part.access.specialization.given if name in part.access.open.names}
    loops = {loop.variable: loop.values for loop in part.access.loops}
    numbers = {**numbers_given, **dict(part.counters)}.items()
    return "; ".join((text, *(_number(name, value, loops.get(name)) for name, value in numbers)))


def _number(name: str, value: int, values: tuple[int, ...] | None) -> str:
    """Return a quantity with its number; for an iteration, with the value of the loop's variable in it."""
    if values is None:
        return f"{name}{_IS}{value}"
    known = f" ({name}{_IS}{values[value]})" if value < len(values) else ""
    return f"iteration {value} of the loop over {name}{known}"


def _thread(thread: tuple[int, int, int]) -> str:
    return f"({','.join(map(str, thread))})"


def totals(part: AccessMap) -> str:
    """Return `8 sectors in 2 lines (ideal: 4); 128 of 256 bytes used (50 %)`."""
    if part.traffic is None:
        return "nothing is moved"
    ideal = f" (ideal: {number(part.traffic.ideal)})" if part.traffic.count >= part.traffic.ideal else ""
    if part.access.space is Space.SHARED:
        return f"{plural(part.traffic.count, 'wavefront')}{ideal}; {_conflict(part)}"
    share = f"{number(round(100 * part.bytes_used / part.bytes_moved, 1))} %" if part.bytes_moved else "none"
    return (
        f"{plural(part.traffic.count, 'sector')} in {plural(len(part.lines), 'line')}{ideal}; "
        f"{part.bytes_used} of {part.bytes_moved} bytes used ({share})"
    )


def _conflict(part: AccessMap) -> str:
    worst = max(part.ways.values(), default=0)
    if takes_turns(part.access):
        return f"up to {worst} lanes take turns at one bank" if worst > 1 else "no lane has to wait"
    if part.access.served.partner is not None:
        return "a copy, whose cost depends on both ends"
    return f"{many_ways(worst)} bank conflict" if worst > 1 else "no bank conflict"


def mean(shown: Shown) -> str:
    """Return the mean cost that `inspect` prints where this warp costs something else; otherwise nothing."""
    part, cost = shown.map, shown.traffic
    if part is None or cost is None or part.traffic == cost:
        return ""
    unit = "wavefronts" if part.access.space is Space.SHARED else "sectors"
    return f"mean over all warps and iterations: {number(cost.count)} {unit} (ideal: {number(cost.ideal)})"


def whole_launch(shown: Shown) -> str:
    """Return `the launch executes it 4,096 times: 131,072 sectors, 114,688 in excess (50% of the kernel's)`.

    It is empty where the source leaves open how often an access is executed.
    """
    totals = shown.launch
    if totals is None:
        return ""
    text = f"the launch executes {'each' if shown.alike else 'it'} {_times(totals.executed)}"
    if totals.cost is not None and totals.excess is not None:
        unit = "wavefronts" if shown.access.space is Space.SHARED else "sectors"
        text += f": {round(totals.cost):,} {unit}, {round(totals.excess):,} in excess"
        if totals.share:
            text += f" ({percent(totals.share)} of the kernel's)"
    return f"{text}, {', '.join(totals.assumed)}" if totals.assumed else text


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def notes(shown: Shown, showing: Showing) -> Iterator[str]:
    """Yield what the map assumes, as sentences without full stops."""
    access = shown.access
    part = shown.map
    if shown.reason:
        yield f"Not drawn: {shown.reason}"
        names = [name for name in access.open.names if name not in dict(showing.given)]
        if names and not access.result.data_dependent:
            yield f"Numbers that might settle it: {', '.join(f'--let {name}=N' for name in names)}"
    for name, value in shown.defaults:
        yield f"{name} = {value} was used, since nothing gives its value: choose one with --let {quoted(name)}=N"
    if part is not None and _misaligned(part):
        off = f"Lanes begin at no multiple of {access.bytes} bytes"
        yield f"{off}: if the array begins at one, this fails at run time"
    if part is not None and access.result.permuted:
        yield "The set of addresses is right, but not which lane has which: that depends on a value that is not known"
    if part is not None and access.guard and len(part.active) < len(part.lanes):
        yield f"Lanes are active where {' and '.join(f'`{one_line(text)}`' for text in access.guard)}"
    assumed = [text for text in access.result.assumed if part is None or kind_of(text) is not Supposed.SAMPLE]
    if assumed:
        yield f"Assuming {', '.join(assumed)}"
    yield from (good.sentence for good in access.open.good_if)
    if shown.is_merged:
        yield f"nvcc merges the {shown.written_bytes} bytes accessed here with their neighbours"
    if shown.further:
        first, last = shown.further[0].piece[0], shown.further[-1].piece[0]
        which = f"Instruction {first} moves" if first == last else f"Instructions {first} to {last} move"
        yield f"{which} the same pattern, each {plural(access.bytes, 'byte')} further on"
    instructions = 1 + len(shown.alike)
    if instructions > len({other.op for other in (access, *shown.alike)}):
        yield f"{instructions} instructions of this place touch the same"


def _misaligned(part: AccessMap) -> bool:
    """Whether lanes are misaligned for the width of their access, relative to an aligned base."""
    access = part.access
    known = access.result.lanes is not None and access.result.lanes.alignment % access.bytes == 0
    return known and any(lane.offset % access.bytes for lane in part.lanes if lane.offset is not None)


def paragraph(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of a paragraph; words longer than a line, such as formulas, are broken."""
    for line in wrap(text, width, indent, indent):
        rest = line
        while len(rest) > width:
            yield rest[:width]
            rest = indent + rest[width:]
        yield rest


def origin(part: AccessMap, showing: Showing, start: int = 0) -> str:
    """Return what offsets are relative to: ``bytes count from `in` + `4*blockIdx.x` ``.

    `start` is the offset in bytes that labels are relative to.
    """
    access = part.access
    shared = access.space is Space.SHARED
    assert access.result.lanes is not None
    far = f" + {start}" if start else ""
    line = "" if shared or access.result.lanes.alignment % 128 == 0 else ", taken as the start of a line"
    return f"{'banks' if shared else 'bytes'} count from {_start(part, showing)}{far}{line}"


def _start(part: AccessMap, showing: Showing) -> str:
    access = part.access
    memory = name_of(access)
    numbered = {*dict(showing.given), *dict(part.counters), *(name for name, _ in access.specialization.arguments)}
    names = set(access.address.common_names)
    is_open = access.address.common_is_chosen or access.address.common_is_cut
    if names <= numbered and not is_open:
        return f"the start of {memory}"
    if names & numbered or is_open:
        return f"a place in {memory} that all lanes share"
    return f"{memory} + `{one_line(access.address.common)}`"


def expression(access: Access) -> str:
    """Return the source text of an access in one line."""
    text: str = one_line(access.expression)
    return text
