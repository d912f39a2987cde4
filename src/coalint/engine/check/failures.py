"""Files and kernels that could not be checked, as findings and failures."""

from __future__ import annotations

import traceback
from pathlib import PurePath
from typing import TYPE_CHECKING

from coalint.core.findings import Finding, Severity
from coalint.core.source.spans import Span
from coalint.core.version import version
from coalint.engine.check.losses import Loss, LossKind
from coalint.engine.check.records import FileResult
from coalint.engine.execution.cache.versions import is_compiled
from coalint.engine.report import Failure, FailureKind
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

if TYPE_CHECKING:
    from coalint.core import ir


MORE_TIME = "give the file more with --timeout-per-file; "


_REMEDIES = {
    LossKind.TIME: "give it more with --timeout-per-file, or leave it out with --exclude",
    LossKind.MEMORY: "give it more with --memory-per-file, or leave it out with --exclude",
}
_REPORT = "please report it with the file; --exclude leaves it out"


def lost_file(path: str, loss: Loss) -> FileResult:
    """Return the result for a file whose check was ended."""
    message = f"the file was not analysed: {loss}"
    help = f"{remedy_for(loss)}; the other files were checked"
    span = Span(path, 1, 1, 1, 2)
    problem = TranslationUnitError.report(message, span, None, Severity.WARNING, help)
    return FileResult(path, problems=(problem,), whole=False)


def remedy_for(loss: Loss) -> str:
    """Return what the user can do about a file whose check was ended."""
    return _REMEDIES.get(loss.kind, _REPORT)


def lost_kernel(kernel: ir.Kernel, cause: Loss | str, span: Span | None = None, remedy: str = "") -> Finding:
    """Return the finding (COA903) for a kernel whose check was ended; `cause` says by what."""
    message = f"the kernel {kernel.name} was not analysed: {cause}"
    help = f"{remedy}the other kernels of the file are not affected"
    severity = NotAnalysed.severity
    finding: Finding = NotAnalysed.report(message, span or kernel.span, kernel.name, severity, help)
    return finding


def internal_error(path: str | None, error: BaseException, doing: str) -> Failure:
    """Return a failure that is coalint's own fault, with the place in coalint and how to report it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return Failure(
        kind=FailureKind.INTERNAL,
        message=f"{type(error).__name__}{place} {doing}: {str(error)[:300]}",
        remedy=f"this is a bug in coalint {version()}, not in your code: please report it with this line and "
        "the kernel; everything else was checked as usual"
        + (
            "; COALINT_PURE=1 in the environment runs the analysis without its compiled modules"
            if is_compiled()
            else ""
        ),
        file=path,
        cause=f"{type(error).__name__}{place}",
    )
