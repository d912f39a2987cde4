"""The maps of a place, as reporters take them."""

from __future__ import annotations

from dataclasses import replace

from coalint.core.facts.access import Access
from coalint.core.facts.launch import Specialization
from coalint.core.records import record
from coalint.engine.inspection.requests import Request
from coalint.engine.profile.records import LaunchTotals
from coalint.machine.access_map import AccessMap
from coalint.machine.traffic import Traffic


@record(frozen=True, slots=True)
class Shown:
    """One access of the place.

    Attributes:
        access: The access, as the instruction makes it that it becomes.
        map: What the lanes of the warp touch; None where it cannot be drawn.
        traffic: The mean cost over all warps, blocks and iterations, as `inspect` prints it; None where unknown.
        reason: Why there is no map.
        defaults: Numbers that were assumed because none is known, by name.
        alike: Other accesses of the place that touch the same memory.
        further: Instructions that copy the rest of a struct in the same pattern, each at the next bytes.
        written_bytes: What the access moves per lane as it is written, where it is drawn: less than `access.bytes`
            where nvcc merges it with its neighbours. 0 where there is no map.
        launch: What the whole launch makes of it; None where the source leaves that open.
    """

    access: Access
    map: AccessMap | None
    traffic: Traffic | None
    reason: str = ""
    defaults: tuple[tuple[str, int], ...] = ()
    alike: tuple[Access, ...] = ()
    further: tuple[Access, ...] = ()
    written_bytes: int = 0
    launch: LaunchTotals | None = None

    @property
    def is_merged(self) -> bool:
        """Whether the instruction that is drawn moves more than the access as it is written."""
        return 0 < self.written_bytes < self.access.bytes


@record(frozen=True, slots=True)
class Showing:
    """The accesses of a place in one specialization of one kernel.

    Attributes:
        request: What was asked for.
        arch: The architecture, as `sm_90`.
        title: The kernel and its launch in words.
        shown: The accesses.
        others: The titles of the other specializations.
    """

    request: Request
    arch: str
    title: str
    shown: tuple[Shown, ...]
    others: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[tuple[str, int], ...]:
        """The numbers that the request gives, by name."""
        return self.request.given({}).values

    @property
    def command(self) -> str:
        """The command line that draws the same."""
        return self.request.command

    @property
    def onward(self) -> str:
        """The command line with the numbers that were assumed, for the user to change."""
        taken = dict(pair for shown in self.shown for pair in shown.defaults)
        return replace(self.request, values=(*self.request.values, *taken.items())).command


def title_of(specialization: Specialization, block: tuple[int, int, int] | None = None) -> str:
    """Return `transpose<float>, 32x8 threads (launch at line 90), n = 512`.

    `block` is the block that --block puts in place of the launch's.
    """
    arguments = ", ".join(specialization.template_arguments)
    name = f"{specialization.kernel}<{arguments}>" if arguments else specialization.kernel
    basis = specialization.basis_by("--assume" if block is None else "--block")
    numbers = "".join(f", {name} = {value}" for name, value in specialization.passed)
    return f"{name}, {basis}{numbers}"
