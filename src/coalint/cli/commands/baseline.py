"""`coalint baseline`: writes the list of known findings, or strikes out those that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration, load_registry
from coalint.cli.setup.errors import as_usage_errors
from coalint.cli.setup.executor import executor_of
from coalint.cli.setup.inputs import discover_files
from coalint.cli.terminal import print_failures, print_remarks

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options
    from coalint.engine.findings.filters.baseline.known_findings import Baseline
    from coalint.engine.registry import Registry
    from coalint.engine.report import Report
    from coalint.engine.request import RunRequest


def run(options: Options) -> int:
    """Create or prune the list; return the exit code. Raises UsageError."""
    from coalint.cli.progress import progress_bar
    from coalint.engine.request import RunRequest

    registry = load_registry()
    configuration = load_configuration(options, registry)
    settings = configuration.run.settings
    discovery = discover_files(options.paths, configuration)
    if discovery.failures:
        print_failures(discovery.failures)
        return ExitCode.ERROR
    with executor_of(settings, registry) as executor, progress_bar() as progress, as_usage_errors():
        request = RunRequest(
            files=discovery.files,
            named=options.paths,
            settings=settings,
            settings_of=configuration.for_file,
            progress=progress,
            executor=executor,
        )
        report, summary = _rewrite(options.action, request, registry)
    print_remarks((*configuration.remarks, *discovery.remarks, *report.remarks))
    print_failures(report.failures)
    if report.failures:
        return ExitCode.ERROR
    print(summary)
    return ExitCode.OK


def _rewrite(action: str, request: RunRequest, registry: Registry) -> tuple[Report, str]:
    """Write the list, unless the run had failures; return the report and a summary. Raises BaselineError."""
    from coalint.engine.findings.filters.baseline.known_findings import NAME, Baseline, read_baseline
    from coalint.engine.findings.filters.exclusions import Exclusions
    from coalint.engine.findings.fingerprints import lines_of
    from coalint.engine.linter import lint

    path = request.settings.baseline or NAME
    before = read_baseline(path) if action == "prune" else Baseline(path)
    report = lint(request, registry, Exclusions(baseline=before, keep_known=True))
    if report.failures:
        return report, ""
    if action == "create":
        after = before.listing(report.diagnostics, lines_of(report.sources))
        after.write()
        return report, f"wrote {_count(after)} to {path}"
    after = before.without(report.stale)
    if report.stale:
        after.write()
    struck_out = sum(entry.count for entry in report.stale)
    return report, f"removed {struck_out}; {path} lists {_count(after)}"


def _count(baseline: Baseline) -> str:
    """Return `3 findings in 2 files`."""
    count = sum(entry.count for entry in baseline.entries)
    files = len({entry.file for entry in baseline.entries})
    return f"{count} finding{'s' if count != 1 else ''} in {files} file{'s' if files != 1 else ''}"
