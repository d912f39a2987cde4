"""What the front end could not read, as findings of coalint's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from coalint.diagnostics import Finding, Severity
from coalint.own import NotAnalysed, TranslationUnitError

if TYPE_CHECKING:
    from coalint import ir

_NOT_FOUND = "file not found"
_DEVICE_LAUNCH = "launches from device code"
_NO_FIT = "nothing here gives the template arguments"
_HELP_INCLUDE = "name the folder that holds it with -I, or leave it: only kernels that need it are affected"
_HELP_SYNTAX = "mend the error, or pass what the build defines (-p, -I, -D, -std); `coalint explain-compile` shows more"
_HELP_DEVICE_LAUNCH = (
    "give the launched kernel its block's shape in a comment above it: `// coalint: assume(blockDim.x == 256)`"
)
_HELP_ARGUMENTS = (
    "check it together with the files that launch it, or instantiate it: `template __global__ void kernel<...>(...);`"
)
_HELP_NOT_ANALYSED = "launch the kernel in this file, or pass what makes it active (-D, --assume)"
_HELPS = {_DEVICE_LAUNCH: _HELP_DEVICE_LAUNCH, _NO_FIT: _HELP_ARGUMENTS}


def problem_findings(problems: Iterable[ir.Problem]) -> Iterator[Finding]:
    """One finding per problem: a warning where the front end calls it severe, else info.

    It is not severe that an include was not found, nor what follows from that: a checkout without its dependencies
    says nothing about the user's code.
    """
    for problem in problems:
        rule = NotAnalysed if problem.kind == NotAnalysed.name else TranslationUnitError
        if rule is NotAnalysed:
            fitting = (help for start, help in _HELPS.items() if problem.message.startswith(start))
            help = next(fitting, _HELP_NOT_ANALYSED)
        else:
            help = _HELP_INCLUDE if _NOT_FOUND in problem.message else _HELP_SYNTAX
        severity = Severity.WARNING if problem.severe else Severity.INFO
        yield rule.report(problem.message, problem.span, problem.kernel, severity, help)
