"""Chooses the specialization that is drawn, and its accesses at the place."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core import ir
from coalint.core.facts.access import Access, Space
from coalint.core.facts.launch import Specialization
from coalint.core.records import record
from coalint.engine.inspection.requests import Request, ShowError, Spot
from coalint.engine.inspection.showing import title_of
from coalint.engine.inspection.targets import meets
from coalint.engine.profile.build import profiled_kernel
from coalint.engine.profile.records import LaunchTotals
from coalint.engine.report import Inspected, Inspection
from coalint.machine.nvcc.instructions import MachineInstruction

_COUNTED_SPACES = (Space.GLOBAL, Space.SHARED, Space.GENERIC)


def access_identity(access: Access) -> object:
    """Return what identifies an access across analyses under different numbers."""
    return access.span, access.op, access.space, access.piece


@record(frozen=True, slots=True)
class ChosenAccesses:
    """The accesses of one specialization at a place.

    Attributes:
        specialization: The specialization.
        arch: The architecture, as `sm_90`.
        instructions: The instructions that the accesses become, each with its cost.
        spelling: How the kernel's language spells the block index.
        launch: What the launch makes of each of these, in their order; None for what is counted at another access, or
            not at all.
    """

    specialization: Specialization
    arch: str
    instructions: tuple[MachineInstruction, ...]
    spelling: ir.Spelling
    launch: tuple[LaunchTotals | None, ...] = ()

    @property
    def blocks(self) -> dict[str, int | None]:
        """The components of the block index by name, with the number of blocks along each axis (None: unknown)."""
        grid = self.specialization.grid or self.specialization.extents
        names = (self.spelling.component_of(ir.Register.BLOCK_INDEX, axis) for axis in ir.AXES)
        return dict(zip(names, grid, strict=True))


def choose_specialization(inspection: Inspection, request: Request) -> tuple[ChosenAccesses, tuple[str, ...]]:
    """Return the specialization that is drawn, and the titles of the others. Raises ShowError."""
    spot = request.spot
    candidates = [
        ChosenAccesses(
            specialization=item.analysis.specialization,
            arch=item.arch,
            instructions=instructions,
            spelling=item.analysis.spelling,
            launch=_launch_totals(item, instructions),
        )
        for item in inspection.kernels
        if (
            instructions := tuple(
                made
                for made in accesses_in_file(item, spot)
                if meets(spot.counted(made.written.span), spot.line, spot.column)
            )
        )
    ]
    if not candidates:
        raise ShowError(_no_access_message(inspection, spot))
    titles = [title_of(one.specialization, request.block) for one in candidates]
    wanted = [number for number, title in enumerate(titles) if request.kernel in title]
    if not wanted:
        listed = "".join(f"\n  {title}" for title in titles)
        raise ShowError(f"--kernel: no kernel at {spot} has `{request.kernel}` in its title; there are{listed}")
    first = candidates[wanted[0]]
    return first, tuple(dict.fromkeys(title for number, title in enumerate(titles) if number != wanted[0]))


def _launch_totals(item: Inspected, instructions: tuple[MachineInstruction, ...]) -> tuple[LaunchTotals | None, ...]:
    kernel = profiled_kernel(item)
    totals = {id(one.made): kernel.launch_totals(one) for one in kernel.instructions}
    return tuple(totals.get(id(made)) for made in instructions)


def accesses_in_file(item: Inspected, spot: Spot) -> Iterator[MachineInstruction]:
    """Yield the instructions that the accesses of a kernel in the file of a place become."""
    for made in item.instructions:
        if spot.is_in_file_of(made.written.span):
            yield made


def _no_access_message(inspection: Inspection, spot: Spot) -> str:
    """Return why there is nothing to draw at a place, and where there is something."""
    accesses = [made.written for item in inspection.kernels for made in accesses_in_file(item, spot)]
    begins = [spot.counted(access.span) for access in accesses]
    columns = sorted({span.column for span in begins if span.line == spot.line})
    if columns:
        where = f"column{'s' if len(columns) > 1 else ''} {', '.join(map(str, columns))}"
        return f"{spot}: there is no access at that place; those of the line begin at {where}"
    barrier = any(
        spot.counted(barrier.span).line == spot.line and spot.is_in_file_of(barrier.span)
        for item in inspection.kernels
        for barrier in item.analysis.barriers
    )
    head = f"{spot}: this is a barrier, which has no map" if barrier else f"{spot}: there is no access here"
    lines = sorted({spot.counted(access.span).line for access in accesses if access.space in _COUNTED_SPACES})
    if not lines:
        lost = [d.finding.message for d in inspection.diagnostics]
        return f"{head}, nor anywhere in an analysed kernel of this file" + "".join(f"\n  {text}" for text in lost[:3])
    near = sorted(sorted(lines, key=lambda line: (abs(line - spot.line), line))[:3])
    listed = f"lines {', '.join(map(str, near[:-1]))} and {near[-1]}" if len(near) > 1 else f"line {near[0]}"
    return f"{head}; the nearest that have one: {listed}"
