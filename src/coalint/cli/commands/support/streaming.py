"""`--stream`: findings are printed when their file is checked; what is left, and the summary, at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import field
from typing import TYPE_CHECKING

from coalint.cli.setup.errors import UsageError
from coalint.cli.terminal import print_to_stdout
from coalint.core.records import record
from coalint.engine.findings.order import Order
from coalint.engine.findings.presentation import at_least, ordered
from coalint.engine.findings.stream import identity, without
from coalint.reporters.lint.text.detail import Detail
from coalint.reporters.rendering import STREAMED, render_findings, render_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coalint.cli.arguments.options import Options
    from coalint.engine.config.outputs import Output
    from coalint.engine.config.settings import Settings
    from coalint.engine.report import Report


def check_streaming(options: Options, settings: Settings, reports: Sequence[Output]) -> None:
    """Raise UsageError where findings cannot be printed as they come."""
    changes = options.changes
    if changes.fix or changes.diff or changes.add_ignores:
        raise UsageError("--stream prints findings as they come: leave it out with --fix, --diff and --add-ignore")
    if options.statistics or settings.max_findings:
        raise UsageError("--stream prints all findings as they come: leave out --statistics and --max-findings")
    printed = [output.format for output in reports if output.file is None]
    if not printed or printed[0] not in STREAMED:
        raise UsageError(f"--stream prints findings to stdout in one of these formats: {', '.join(STREAMED)}")


@record
class Streamed:
    """What was printed of a run while it went on.

    Attributes:
        options: The command line.
        settings: The settings of the run.
        output_format: One of `STREAMED`.
        hidden: Hides the progress bar while something is printed.
    """

    options: Options
    settings: Settings
    output_format: str
    hidden: Callable[[], AbstractContextManager[None]]
    _told: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def _detail(self) -> Detail:
        return Detail(verbose=self.settings.verbose, info=self.settings.show_info, quiet=self.options.quiet)

    def tell(self, report: Report) -> None:
        """Print the findings of a file, but for those that were printed."""
        new = without(report, self._told)
        self._told |= {identity(diagnostic) for diagnostic in new.diagnostics}
        self._print(new)

    def end(self, report: Report) -> None:
        """Print what was not printed before of the whole report, then what it comes to."""
        self._print(without(report, self._told))
        if self.output_format == "full" and not self.options.quiet:
            print_to_stdout(lambda: render_summary(report, self.options.color, self._detail))

    def _print(self, report: Report) -> None:
        shown = ordered(at_least(report, self.settings.min_severity), Order(self.settings.sort))
        if not shown.diagnostics:
            return

        def write() -> None:
            render_findings(shown, self.output_format, self.options.color, self._detail)
            sys.stdout.flush()

        with self.hidden():
            print_to_stdout(write)
