"""Makes the maps of a place: which sectors or banks the lanes of one warp touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from coalint.analysis.warps.assumed_numbers import ROUNDS, is_expression
from coalint.core.facts.access import Access, Space
from coalint.core.facts.assumptions import Given
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.launch import Specialization
from coalint.engine.inspection.grouping import group_alike
from coalint.engine.inspection.numbers import check_names, missing_numbers
from coalint.engine.inspection.requests import Request, ShowError
from coalint.engine.inspection.selection import access_identity, choose_specialization
from coalint.engine.inspection.showing import Showing, Shown, title_of
from coalint.engine.profile.records import LaunchTotals
from coalint.engine.report import Inspection
from coalint.machine.access_map import NotPlaced, access_map, rows_of
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.nvcc.struct_loads import WIDEST


def show(request: Request, inspect: Callable[[Given], Inspection]) -> Showing:
    """Return the maps of a place. Raises ShowError.

    `inspect` analyses its file under given numbers. Where a stride between lanes has no number, one is assumed.
    """
    defaults: dict[str, int] = {}
    opened: dict[object, tuple[str, ...]] = {}
    launch: tuple[LaunchTotals | None, ...] = ()
    for _ in range(ROUNDS):
        inspection = inspect(request.given(defaults))
        chosen, others = choose_specialization(inspection, request)
        if not defaults:
            check_names(request, chosen)
            opened = {access_identity(made.written): made.written.open.names for made in chosen.instructions}
            # A launch makes every iteration, and numbers that are assumed for a picture count nothing.
            launch = () if request.iteration else chosen.launch
        missing = {
            name: value
            for made in chosen.instructions
            for name, value in missing_numbers(made.written, request, defaults)
        }
        if not missing:
            break
        defaults |= missing
    if len(launch) != len(chosen.instructions):
        launch = (None,) * len(chosen.instructions)
    shown = []
    for made, whole in zip(chosen.instructions, launch, strict=True):
        first = opened.get(access_identity(made.written), ())
        used = {
            name: value
            for name, value in defaults.items()
            if name in first or (is_expression(name) and not any(name in names for names in opened.values()))
        }
        shown.append(replace(_shown(made, chosen.arch, request, used), launch=whole))
    title = title_of(chosen.specialization, request.block)
    return Showing(request=request, arch=chosen.arch, title=title, shown=tuple(group_alike(shown)), others=others)


# --- numbers for what is not known


# --- maps


def _shown(made: MachineInstruction, arch: str, request: Request, defaults: Mapping[str, int]) -> Shown:
    access, cost, used = made.access, made.traffic, tuple(defaults.items())
    if access.result.lanes is None or access.space not in (Space.GLOBAL, Space.SHARED):
        reason = (
            access.result.unknown or f"{access.space.value} memory is not counted: it has no sectors or banks to draw"
        )
        return Shown(access=access, map=None, traffic=cost, reason=reason, defaults=used)
    wanted = {**defaults, **dict(request.values), **dict(request.iteration)}
    row, warp = _row_and_warp(access, request.warp, wanted)
    try:
        drawn = access_map(access, architecture(arch), warp, row)
        return Shown(access=access, map=drawn, traffic=cost, defaults=used, written_bytes=made.written.bytes)
    except NotPlaced as error:
        return Shown(access=access, map=None, traffic=cost, reason=str(error), defaults=used)


def _row_and_warp(access: Access, warp: int | None, wanted: Mapping[str, int]) -> tuple[int, int]:
    """Return the first row and warp, of those that the request allows, in which a lane is active. Raises ShowError."""
    assert access.result.lanes is not None
    lanes = access.result.lanes
    warps = lanes.active.shape[1]
    if warp is not None and not 0 <= warp < warps:
        warps_in_words = f"warps 0 to {warps - 1}" if warps > 1 else "warp 0 alone"
        raise ShowError(f"--warp {warp}: a block of {_shape(access.specialization)} threads has {warps_in_words}")
    rows = _rows(lanes, wanted)
    for row in rows:
        for candidate in range(warps) if warp is None else (warp,):
            if lanes.active[row, candidate].any():
                return row, candidate
    return rows[0], warp or 0


def _rows(lanes: Lanes, wanted: Mapping[str, int]) -> list[int]:
    """Return the rows at the wanted iterations: of an instruction made of several, that with which it begins."""
    for back in range(WIDEST):
        rows = rows_of(lanes, {name: value - back for name, value in wanted.items()} if back else wanted)
        if rows:
            return rows
    return [0]


def _shape(specialization: Specialization) -> str:
    x, y, z = specialization.block
    return "x".join(map(str, (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)))
