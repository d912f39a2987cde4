"""One kernel of a module at one specialization: analysed and checked within its share of the file's time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coalint.core.facts.causes import CauseKind, cause
from coalint.core.findings import Finding
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.check.arithmetic import Arithmetic
from coalint.engine.check.call_sites import CallSites
from coalint.engine.check.clock import Clock
from coalint.engine.check.failures import MORE_TIME, lost_kernel
from coalint.engine.check.garbage import swept
from coalint.engine.check.kernel import analyse_kernel, check_kernel, exchanged_axes, wants_races
from coalint.engine.check.limits import OvertimeError, deadline
from coalint.engine.check.losses import TOO_DEEP, Loss, too_long, too_much
from coalint.engine.check.other_blocks import OtherBlocks
from coalint.engine.check.records import CheckedKernel, Job
from coalint.engine.check.supposed_macros import supposing_macros
from coalint.engine.execution.cache.stored_kernels import KernelResults
from coalint.engine.report import Failure
from coalint.frontend.registry import front_end_of

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.facts.launch import Specialization


@record(frozen=True, slots=True)
class KernelOutcome:
    """What the check of a kernel gave.

    `checked` is None where the kernel is lost, and `whole` False where a limit lost it. `accesses` says whether any
    thread accesses memory; it is None where that is not known.
    """

    checked: CheckedKernel | None
    problems: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    whole: bool
    accesses: bool | None


class KernelCheck:
    """Checks kernels of one module; what goes wrong costs a kernel and is in its outcome.

    `supposed` are the macros whose values are supposed. `earlier` stores what is new; None where nothing is stored.
    """

    def __init__(
        self,
        path: str,
        module: ir.Module,
        job: Job,
        clock: Clock,
        supposed: Sequence[str],
        earlier: KernelResults | None,
    ) -> None:
        self._path, self._module, self._job, self._clock, self._earlier = path, module, job, clock, earlier
        self._constant: dict[Span, dict[tuple[Span, str], bool]] = {}
        self._sites = CallSites(module)
        front_end, sources = front_end_of(path), module.sources.values()
        self._supposed = supposed
        self._computed = [name for name in supposed if front_end.computes_with(name, sources)]
        self._begin()

    def outcome(self, key: tuple[object, ...], kernel: ir.Kernel, specialization: Specialization) -> KernelOutcome:
        """Check a kernel; `key` is what decides the outcome of its specialization."""
        self._begin()
        checked = self._bounded(key, kernel, specialization)
        return KernelOutcome(checked, tuple(self._problems), tuple(self._failures), self._whole, self._accesses)

    def _begin(self) -> None:
        self._problems: list[Finding] = []
        self._failures: list[Failure] = []
        self._whole = True
        self._accesses: bool | None = None

    def _bounded(
        self, key: tuple[object, ...], kernel: ir.Kernel, specialization: Specialization
    ) -> CheckedKernel | None:
        """Return a kernel that was checked within its limits; None, and a problem says so, where it is lost."""
        limits, share = self._job.limits, self._clock.share
        if self._clock.is_over:
            self._lose(kernel, f"its file took longer than {limits.seconds:g} s", remedy=MORE_TIME, of_the_file=True)
            return None
        from coalint.engine.findings.fixes.padding_safety import drop_unsafe_fixes

        try:
            began = time.process_time()
            with swept(), deadline(share):
                checked = self._checked_kernel(kernel, specialization)
                if checked is None:
                    return None
                if self._earlier is not None and not self._failures:
                    self._earlier.keep(key, kernel, checked, time.process_time() - began)
                return drop_unsafe_fixes(checked, self._module)
        except OvertimeError:
            self._lose(kernel, too_long(max(1, round(share))), remedy=MORE_TIME)
        except MemoryError:
            self._lose(kernel, too_much(limits.memory_text))
        except RecursionError:
            self._problems.append(lost_kernel(kernel, TOO_DEEP))
        return None

    def _lose(self, kernel: ir.Kernel, reason: str | Loss, remedy: str = "", of_the_file: bool = False) -> None:
        """Note that a limit cost a kernel, so that the result is not that of other limits.

        Where the limit is `of_the_file`, all kernels that it costs have one cause.
        """
        self._whole = False
        lost = lost_kernel(kernel, reason, remedy=remedy)
        if of_the_file:
            lost = replace(lost, cause=cause(CauseKind.TIME, self._path), help=remedy.rstrip("; "))
        self._problems.append(lost)

    def _checked_kernel(self, kernel: ir.Kernel, specialization: Specialization) -> CheckedKernel | None:
        """Return the findings and facts of a kernel; None where it could not be analysed."""
        module, job = self._module, self._job
        blocks = OtherBlocks(module, kernel, specialization)
        again = partial(blocks.at, races=wants_races(job))
        analysis = analyse_kernel(
            self._path, module, kernel, specialization, self._problems, self._failures, job, again
        )
        if analysis is None:
            return None
        self._accesses = bool(analysis.accesses)
        analysis = supposing_macros(analysis, self._supposed, self._computed)
        exchange = partial(exchanged_axes, module, kernel, specialization)
        same = self._constant.setdefault(kernel.span, {})
        checked = check_kernel(
            self._path,
            analysis,
            job,
            self._failures,
            blocks,
            exchange,
            same,
            Arithmetic(module, kernel, dict(specialization.passed)),
        )
        moved = tuple(replace(item, moved=self._sites.moved(item.finding)) for item in checked.findings)
        return replace(checked, findings=moved)
