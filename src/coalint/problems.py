"""What the front end could not read, as findings of coalint's own rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coalint.diagnostics import Finding, Severity
from coalint.own import NotAnalysed, TranslationUnitError

if TYPE_CHECKING:
    from coalint import ir

_NOT_FOUND = "file not found"
_HELP_INCLUDE = "name the folder that holds it with -I, or leave it: only kernels that need it are affected"
_HELP_SYNTAX = "mend the error, or pass what the build defines (-I, -D, -std, or clang flags after --)"
_HELP_NOT_ANALYSED = "launch the kernel in this file, or pass what makes it active (-D, --assume)"


def problem_findings(module: ir.Module) -> Iterator[Finding]:
    """One finding per problem of a module.

    Errors are warnings, since a kernel may be lost; but in a file whose includes are not all found they are info:
    what a checkout without its dependencies cannot declare says nothing about the user's code.
    """
    includes_missing = any(_NOT_FOUND in problem.message for problem in module.problems)
    for problem in module.problems:
        if problem.kind == NotAnalysed.name:
            yield NotAnalysed.report(
                problem.message, problem.span, problem.kernel, NotAnalysed.severity, _HELP_NOT_ANALYSED
            )
            continue
        yield TranslationUnitError.report(
            problem.message,
            problem.span,
            problem.kernel,
            Severity.INFO if includes_missing else TranslationUnitError.severity,
            _HELP_INCLUDE if _NOT_FOUND in problem.message else _HELP_SYNTAX,
        )
