"""What the front end could not read, as findings of coalint's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core import ir
from coalint.core.findings import Finding, Severity
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

if TYPE_CHECKING:
    from coalint.engine.check.records import CheckedKernel

_HELP_GAP = (
    "what is reported of the kernel holds for the rest; where a block shape is assumed, state it or check the launch"
)
_HELP_INCLUDE = "add its folder with -I; only kernels that need it are affected"
_HELP_SYNTAX = (
    "fix the error, or pass the options of the build (-p, -I, -D, -std); `coalint explain-compile` shows more"
)
_HELP_PART = (
    "check it together with a file that includes it, or pass the options of the build (-p, -I, -D); `coalint "
    "explain-compile` shows more"
)
_HELP_NOT_ANALYSED = "launch the kernel in this file, or define what enables it (-D, --assume)"


def problem_findings(problems: Iterable[ir.Problem], *, is_part: bool = False) -> Iterator[Finding]:
    """Yield one finding per problem: a warning where the front end calls it severe, else info.

    It is not severe that an include was not found, nor what follows from that: a checkout without its dependencies
    says nothing about the user's code. Nor is it severe what a file lacks that is written to be included, or that is
    another project's (`is_part`).
    """
    for problem in problems:
        rule = NotAnalysed if problem.kind is ir.ProblemKind.NOT_ANALYSED else TranslationUnitError
        if rule is NotAnalysed:
            help = problem.help or _HELP_NOT_ANALYSED
        else:
            other = _HELP_PART if is_part else _HELP_SYNTAX
            help = problem.help or (_HELP_INCLUDE if problem.is_missing_include else other)
        lacks = is_part and rule is TranslationUnitError
        severity = Severity.WARNING if problem.severe and not lacks else Severity.INFO
        finding = rule.report(problem.message, problem.span, problem.kernel, severity, help)
        yield finding if problem.cause is None else replace(finding, cause=problem.cause)


def gap_findings(checked: Iterable[CheckedKernel]) -> Iterator[Finding]:
    """Yield one finding (COA903) for each place of a kernel that was not analysed, and reason."""
    gaps = {(kernel.kernel, kernel.span, gap.span, gap.message): None for kernel in checked for gap in kernel.gaps}
    for name, span, at, reason in gaps:
        message = f"not all of the kernel {name} was analysed: {reason}"
        yield NotAnalysed.report(message, at or span, name, NotAnalysed.severity, _HELP_GAP)
