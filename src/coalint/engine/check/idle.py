"""Kernels of which no launch leaves a thread that accesses memory: said, since a report would be silent about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.findings import Finding
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.rules.own.not_analysed import NotAnalysed

if TYPE_CHECKING:
    from coalint.core import ir

Again = Callable[["ir.Kernel", Specialization], Analysis | None]


@record(frozen=True, slots=True)
class Reached:
    """A kernel that was analysed at a specialization; `accesses` says whether any thread accesses memory."""

    kernel: ir.Kernel
    specialization: Specialization
    accesses: bool


_HELP = "if the program passes something else, state it, as with --assume 'n == 1024'"


def idle_kernels(analysed: Sequence[Reached], again: Again) -> Iterator[Finding]:
    """Yield a finding (COA903) for each kernel that accesses memory, and does not under any of its specializations.

    `again` analyses a kernel at another specialization: None where that fails.
    """
    by_place: dict[Span, list[Reached]] = {}
    for one in analysed:
        by_place.setdefault(one.kernel.span, []).append(one)
    for span, all_of_it in by_place.items():
        if any(one.accesses for one in all_of_it):
            continue
        kernel, at = all_of_it[0].kernel, all_of_it[0].specialization
        if not (at.arguments or at.grid or at.members):
            continue
        if at.source is LaunchSource.ASSUMED and at.grid is not None:
            of_more_blocks = again(kernel, replace(at, grid=None))
            if of_more_blocks is None or of_more_blocks.accesses:
                continue  # blocks of other sizes may reach what these do not
        free = again(kernel, replace(at, arguments=(), floats=(), grid=None, members=(), divisors=()))
        if free is None or not free.accesses:
            continue
        message = f"no thread of the kernel {kernel.name} reaches a memory access{_under(at)}"
        yield NotAnalysed.report(message, span, kernel.name, NotAnalysed.severity, _HELP)


def _under(at: Specialization) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in at.passed)
    where = f" ({at.launched})" if at.line is not None else ""
    return f" with {values}{where}" if values else f" as it is launched{where}"
