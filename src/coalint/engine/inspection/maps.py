"""`coalint show`: the accesses of one line as maps, for the launch, warp, iteration and numbers that were asked for."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from coalint.analysis.warps.assumed_numbers import ROUNDS, is_expression, supposed
from coalint.core import ir
from coalint.core.facts.access import Access, Space
from coalint.core.facts.assumptions import Given
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.engine.inspection.targets import meets
from coalint.engine.report import Inspected, Inspection
from coalint.machine.access_map import AccessMap, NotPlaced, access_map, rows_of
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
_SLACK = 1e-9
_COUNTED = (Space.GLOBAL, Space.SHARED, Space.GENERIC)


class ShowError(Exception):
    """What was asked for cannot be shown; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file, and a column of it where one was named; they count from 1."""

    path: str
    line: int
    column: int | None = None

    def __str__(self) -> str:
        """`k.cu:29:15`."""
        return f"{self.path}:{self.line}" + ("" if self.column is None else f":{self.column}")


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be shown of a place.

    `warp` is one of the block (None: the first that executes the access), `iteration` numbers of iterations by the
    loop's variable, `values` numbers for other quantities. `block` counts threads in place of the launch's. `kernel`
    is a part of the title of the specializations that are wanted.
    """

    spot: Spot
    warp: int | None = None
    iteration: tuple[tuple[str, int], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    block: tuple[int, int, int] | None = None
    kernel: str = ""

    @property
    def command(self) -> str:
        """The command line that draws it, but for how sources are read and where it is written to."""
        words = [f"coalint show {quoted(str(self.spot))}"]
        words += [f"--warp {self.warp}"] if self.warp is not None else []
        words += [f"--iteration {quoted(name)}={value}" for name, value in self.iteration]
        words += [f"--let {quoted(name)}={value}" for name, value in self.values]
        words += [f"--block {','.join(map(str, self.block))}"] if self.block is not None else []
        words += [f"--kernel {quoted(self.kernel)}"] if self.kernel else []
        return " ".join(words)

    def given(self, defaults: Mapping[str, int]) -> Given:
        """What the analysis is to suppose."""
        return Given(tuple({**defaults, **dict(self.values), **dict(self.iteration)}.items()), self.block)


@dataclass(frozen=True, slots=True)
class Shown:
    """One access of the line: its map, or why it has none.

    `traffic` is its mean over all warps, blocks and iterations, as `inspect` says it. `defaults` are numbers that were
    taken because none was given. `alike` are further accesses of the place that touch the same, `further` are
    instructions that copy the rest of a struct in the same pattern, each as many bytes further on as it moves.
    """

    access: Access
    map: AccessMap | None
    traffic: Traffic | None
    reason: str = ""
    defaults: tuple[tuple[str, int], ...] = ()
    alike: tuple[Access, ...] = ()
    further: tuple[Access, ...] = ()


@dataclass(frozen=True, slots=True)
class Showing:
    """All that stands at a place, in one specialization of one kernel; `others` are the titles of the rest."""

    request: Request
    arch: str
    title: str
    shown: tuple[Shown, ...]
    others: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[tuple[str, int], ...]:
        """The numbers that were asked for."""
        return self.request.given({}).values

    @property
    def command(self) -> str:
        """The command line that draws it, but for where it is written to."""
        return self.request.command

    @property
    def onward(self) -> str:
        """The same with the numbers that were taken for any of the accesses, because none was given."""
        taken = dict(pair for shown in self.shown for pair in shown.defaults)
        return replace(self.request, values=(*self.request.values, *taken.items())).command


def quoted(text: str) -> str:
    """A word as a shell takes it."""
    return shlex.quote(text)


def spot_of(argument: str) -> Spot:
    """The place in `k.cu:29` or `k.cu:29:15`. Raises ShowError."""
    match = _PLACE.fullmatch(argument)
    if match is None or os.path.exists(argument):
        raise ShowError(
            f"{argument}: which line? write {argument}:LINE; `coalint inspect {argument}` lists the accesses"
        )
    column = match["column"]
    return Spot(match["path"], int(match["line"]), int(column) if column else None)


def title_of(specialization: Specialization, block: tuple[int, int, int] | None = None) -> str:
    """`transpose<float>, 32x8 threads (launch at line 90), n = 512`; `block` is what an option put in its place."""
    arguments = ", ".join(specialization.template_arguments)
    name = f"{specialization.kernel}<{arguments}>" if arguments else specialization.kernel
    basis = specialization.basis
    if block is not None and specialization.source is LaunchSource.OPTION:
        basis = basis.replace("from --assume", "from --block")
    numbers = "".join(f", {name} = {value}" for name, value in specialization.arguments)
    return f"{name}, {basis}{numbers}"


def show(request: Request, inspect: Callable[[Given], Inspection]) -> Showing:
    """The maps of a place; `inspect` analyses its file under what is given. Raises ShowError.

    A factor between lanes for which there is no number gets a default one.
    """
    defaults: dict[str, int] = {}
    opened: dict[object, tuple[str, ...]] = {}
    for _ in range(ROUNDS):
        inspection = inspect(request.given(defaults))
        chosen, others = _chosen(inspection, request)
        if not defaults:
            _check_names(request, chosen)
            opened = {_identity(access): access.open for access, _ in chosen.pairs}
        missing = {name: value for access, _ in chosen.pairs for name, value in _missing(access, request, defaults)}
        if not missing:
            break
        defaults |= missing
    shown = []
    for access, cost in chosen.pairs:
        first = opened.get(_identity(access), ())
        used = {
            name: value
            for name, value in defaults.items()
            if name in first or (is_expression(name) and not any(name in names for names in opened.values()))
        }
        shown.append(_shown(access, cost, chosen.arch, request, used))
    title = title_of(chosen.specialization, request.block)
    return Showing(request, chosen.arch, title, tuple(_merged(shown)), others)


def _identity(access: Access) -> object:
    """What stays of an access when more numbers are known."""
    return access.span, access.op, access.space, access.piece


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The accesses of one specialization at the place."""

    specialization: Specialization
    arch: str
    pairs: tuple[tuple[Access, Traffic | None], ...]
    spelling: ir.Spelling

    @property
    def blocks(self) -> dict[str, int | None]:
        """The components of the block index by name, with how many blocks there are along each axis."""
        grid = self.specialization.grid or (None, None, None)
        names = (self.spelling.component_of(ir.Register.BLOCK_INDEX, axis) for axis in ir.AXES)
        return dict(zip(names, grid, strict=True))


def _chosen(inspection: Inspection, request: Request) -> tuple[_Chosen, tuple[str, ...]]:
    """The specialization that is drawn, and the titles of the others."""
    spot = request.spot
    found = [
        _Chosen(item.analysis.specialization, item.arch, pairs, item.analysis.spelling)
        for item in inspection.kernels
        if (pairs := tuple(pair for pair in _pairs(item, spot) if meets(pair[0].span, spot.line, spot.column)))
    ]
    if not found:
        raise ShowError(_nothing(inspection, spot))
    titles = [title_of(one.specialization, request.block) for one in found]
    wanted = [number for number, title in enumerate(titles) if request.kernel in title]
    if not wanted:
        listed = "".join(f"\n  {title}" for title in titles)
        raise ShowError(f"--kernel: no kernel at {spot} has `{request.kernel}` in its title; there are{listed}")
    first = found[wanted[0]]
    return first, tuple(dict.fromkeys(title for number, title in enumerate(titles) if number != wanted[0]))


def _pairs(item: Inspected, spot: Spot) -> Iterator[tuple[Access, Traffic | None]]:
    """The accesses of a kernel that stand in the file."""
    real = os.path.realpath(spot.path)
    for access, cost in zip(item.analysis.accesses, item.traffics, strict=True):
        if os.path.realpath(access.span.file) == real:
            yield access, cost


def _nothing(inspection: Inspection, spot: Spot) -> str:
    """Why there is nothing to draw at a place, and where there is."""
    accesses = [access for item in inspection.kernels for access, _ in _pairs(item, spot)]
    columns = sorted({access.span.column for access in accesses if access.span.line == spot.line})
    if columns:
        where = f"column{'s' if len(columns) > 1 else ''} {', '.join(map(str, columns))}"
        return f"{spot}: no access stands there; those of the line begin at {where}"
    barrier = any(
        barrier.span.line == spot.line and os.path.realpath(barrier.span.file) == os.path.realpath(spot.path)
        for item in inspection.kernels
        for barrier in item.analysis.barriers
    )
    head = f"{spot}: a barrier stands here, which has no map" if barrier else f"{spot}: no access stands here"
    lines = sorted({access.span.line for access in accesses if access.space in _COUNTED})
    if not lines:
        lost = [d.finding.message for d in inspection.diagnostics]
        return f"{head}, nor elsewhere in an analysed kernel of this file" + "".join(f"\n  {text}" for text in lost[:3])
    near = sorted(sorted(lines, key=lambda line: (abs(line - spot.line), line))[:3])
    listed = f"lines {', '.join(map(str, near[:-1]))} and {near[-1]}" if len(near) > 1 else f"line {near[0]}"
    return f"{head}; the nearest that have one: {listed}"


# --- numbers for what is not known


def _missing(access: Access, request: Request, defaults: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What lanes rest on and has no number yet, with the number to take."""
    had = {*defaults, *dict(request.values), *dict(request.iteration)}
    for name in access.lacking:
        if name not in had:
            yield name, supposed(access.space)


def _check_names(request: Request, chosen: _Chosen) -> None:
    """Raises ShowError for a name that stands for nothing here, and for an iteration that a loop does not make."""
    accesses = [access for access, _ in chosen.pairs]
    loops = {loop.variable: loop.trips for access in accesses for loop in access.loops}
    known = {name for access in accesses for name in access.open}
    loops |= {name: blocks for name, blocks in chosen.blocks.items() if name in known}
    for name, value in request.iteration:
        if name not in loops:
            there = f"; there {'are' if len(loops) > 1 else 'is'} {_listed(loops)}" if loops else ""
            raise ShowError(f"--iteration {name}={value}: no loop over `{name}` is around {request.spot}{there}")
        _check_trips(f"--iteration {name}={value}", name, value, loops[name], chosen)
    parameters = dict(chosen.specialization.arguments)
    for name, value in request.values:
        if name in loops:
            _check_trips(f"--let {name}={value}", name, value, loops[name], chosen)
        elif name not in parameters and name not in known and not is_expression(name):
            near = get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean `{near[0]}`? " if near else ""
            there = f"without a number are {_listed(known)}" if known else "everything has its number"
            raise ShowError(f"--let {name}={value}: nothing at {request.spot} is called that; {hint}{there}")


def _check_trips(option: str, name: str, value: int, trips: int | None, chosen: _Chosen) -> None:
    what = "blocks" if name in chosen.blocks else "iterations"
    if value < 0 or (trips is not None and value >= trips):
        last = "on" if trips is None else f"to {trips - 1}"
        raise ShowError(f"{option}: the {what} of `{name}` count from 0 {last}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


# --- maps


def _shown(access: Access, cost: Traffic | None, arch: str, request: Request, defaults: Mapping[str, int]) -> Shown:
    used = tuple(defaults.items())
    if access.lanes is None or access.space not in (Space.GLOBAL, Space.SHARED):
        reason = access.unknown or f"{access.space.value} memory is not counted: it has no sectors or banks to draw"
        return Shown(access, None, cost, reason, used)
    wanted = {**defaults, **dict(request.values), **dict(request.iteration)}
    row, warp = _row_and_warp(access, request.warp, wanted)
    try:
        return Shown(access, access_map(access, architecture(arch), warp, row), cost, "", used)
    except NotPlaced as error:
        return Shown(access, None, cost, str(error), used)


def _row_and_warp(access: Access, warp: int | None, wanted: Mapping[str, int]) -> tuple[int, int]:
    """The first row and warp in which a lane takes part, of those that were asked for. Raises ShowError."""
    assert access.lanes is not None
    lanes = access.lanes
    warps = lanes.active.shape[1]
    if warp is not None and not 0 <= warp < warps:
        there = f"warps 0 to {warps - 1}" if warps > 1 else "warp 0 alone"
        raise ShowError(f"--warp {warp}: a block of {_shape(access.specialization)} threads has {there}")
    rows = rows_of(lanes, wanted) or [0]
    for row in rows:
        for candidate in range(warps) if warp is None else (warp,):
            if lanes.active[row, candidate].any():
                return row, candidate
    return rows[0], warp or 0


def _shape(specialization: Specialization) -> str:
    x, y, z = specialization.block
    return "x".join(map(str, (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)))


def _merged(items: Iterable[Shown]) -> Iterator[Shown]:
    """Accesses of one place that touch the same once: a load and a store of `x += 1`."""
    kept: dict[object, list[Shown]] = {}
    for item in items:
        drawn = item.map
        picture = (drawn.lanes, drawn.lines, drawn.wavefronts, drawn.row) if drawn is not None else item.reason
        kept.setdefault((*_object(item.access), item.access.assumed, picture), []).append(item)
    found: list[Shown] = []
    for first, *rest in kept.values():
        alike = tuple(other.access for other in rest)
        before = next((n for n, other in enumerate(found) if _goes_on(other, first)), None)
        if before is None:
            found.append(replace(first, alike=alike))
        else:
            found[before] = replace(found[before], further=(*found[before].further, first.access))
    yield from found


def _object(access: Access) -> tuple[object, ...]:
    """What two accesses share that touch the same memory at the same place of the source."""
    return access.span, access.space, access.bytes, access.memory, access.common


def _goes_on(first: Shown, other: Shown) -> bool:
    """Whether an instruction copies a later piece of the same structs, at the same cost."""
    here, there = first.access, other.access
    if first.map is None or other.map is None or first.map.traffic != other.map.traffic:
        return False
    if (here.op, *_object(here)) != (there.op, *_object(there)):
        return False
    shift = here.bytes * (there.piece[0] - here.piece[0])
    moved = [lane.offset if lane.offset is None else lane.offset + shift for lane in first.map.lanes]
    return shift > 0 and moved == [lane.offset for lane in other.map.lanes]


def costliest(inspection: Inspection) -> Request | None:
    """What to look at first: the access that moves the most beyond its ideal; None where none does."""
    worst: tuple[float, Access] | None = None
    for item in inspection.kernels:
        for access, cost in zip(item.analysis.accesses, item.traffics, strict=True):
            if cost is not None and cost.excess > (worst[0] if worst else _SLACK):
                worst = cost.excess, access
    if worst is None:
        return None
    access = worst[1]
    spot = Spot(access.span.file, access.span.line, access.span.column)
    found = [
        item.analysis.specialization
        for item in inspection.kernels
        if any(meets(other.span, spot.line, spot.column) for other, _ in _pairs(item, spot))
    ]
    first = found[0] == access.specialization
    return Request(spot, kernel="" if first else title_of(access.specialization))


def one_file(spot: Spot, files: Sequence[str]) -> str:
    """The file of a place among those that were found. Raises ShowError."""
    if len(files) != 1 or os.path.isdir(spot.path):
        raise ShowError(f"{spot}: {spot.path} is a folder; name one file of it")
    return files[0]
