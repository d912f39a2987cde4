"""`coalint lint`: reports findings, and fixes or hides them where asked to."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration, load_registry, warn_of_unusable_cache
from coalint.cli.setup.device_code import holds_device_code
from coalint.cli.setup.errors import UsageError, as_usage_errors
from coalint.cli.setup.executor import executor_of
from coalint.cli.setup.inputs import discover_files, read_stdin
from coalint.cli.terminal import print_bytes, print_failures, print_remarks, print_to_stdout
from coalint.core.source.overlay import overlaid
from coalint.engine.config.outputs import (
    FORMATS,
    WITH_FORMULAS,
    WITH_MODELS,
    Output,
    check,
    format_in_environment,
    outputs,
    write,
)
from coalint.reporters.shared.escape_controls import escape_controls

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options
    from coalint.engine.config.settings import Settings
    from coalint.engine.registry import Registry
    from coalint.engine.report import Report


def run(options: Options) -> int:
    """Lint once, or after each change with --watch; return the exit code. Raises UsageError and OutputError."""
    if not options.watch:
        return _lint(options)
    from coalint.cli.commands.support.watch import run_on_changes

    return run_on_changes(options.paths, lambda: _lint(options))


def _lint(options: Options) -> int:
    from coalint.cli.commands.support.source_changes import change_sources
    from coalint.cli.commands.support.streaming import Streamed, check_streaming
    from coalint.cli.progress import progress_bar
    from coalint.engine.findings.order import Order
    from coalint.engine.findings.presentation import at_least, first, ordered
    from coalint.engine.request import RunRequest

    changes = options.changes
    if changes.unsafe and not (changes.fix or changes.diff):
        raise UsageError("--unsafe-fixes needs --fix to apply the fixes, or --diff to show them")
    registry = load_registry()
    configuration = load_configuration(options, registry)
    settings = configuration.run.settings
    warn_of_unusable_cache(settings)
    reports = _reports(options, settings)
    if options.stream:
        check_streaming(options, settings, reports)
    stdin = read_stdin(options)
    rewrites_stdin = stdin is not None and not changes.diff and (changes.fix or changes.add_ignores)
    discovery = discover_files(options.paths, configuration, options.stdin)
    files, failures = discovery.files, discovery.failures
    if options.device_code_only:
        with overlaid(stdin.overlay if stdin else ()):
            files = tuple(filter(holds_device_code, files))
    with executor_of(settings, registry) as executor, progress_bar(options.quiet) as progress, as_usage_errors():
        streamed = None
        if options.stream:
            printed = next(output.format for output in reports if output.file is None)
            streamed = Streamed(options, settings, printed, nullcontext if progress is None else progress.hidden)
        request = RunRequest(
            files=files,
            named=options.paths,
            settings=settings,
            settings_of=configuration.for_file,
            progress=progress,
            finished=None if streamed is None else streamed.tell,
            executor=executor,
            with_models=any(output.format in WITH_MODELS for output in reports),
            with_formulas=settings.verbose or any(output.format in WITH_FORMULAS for output in reports),
        )
        outcome = change_sources(request, registry, changes, stdin)
        if rewrites_stdin and options.stdin is not None:
            print_bytes(outcome.workspace.contents(options.stdin))
        elif changes.diff:
            print_to_stdout(lambda: sys.stdout.writelines(outcome.workspace.diff()))
        else:
            outcome.workspace.write()
    remarks = (*discovery.remarks, *outcome.report.remarks)
    report = replace(outcome.report, failures=(*failures, *outcome.report.failures), remarks=remarks)
    report = at_least(report, settings.min_severity)
    presented = first(ordered(report, Order(settings.sort)), settings.max_findings)
    for output in reports:
        if changes.diff and output.file is None:
            continue
        if streamed is not None and output.file is None:
            streamed.end(presented)
            continue
        if files or output.file is not None or output.format not in ("full", "concise"):
            with redirect_stdout(sys.stderr) if rewrites_stdin else nullcontext():  # stdout has the text
                _print_report(presented, output, options, settings, registry)
    if not options.quiet:
        print_remarks((*configuration.remarks, *report.remarks, *outcome.remarks))
    print_failures(report.failures)
    for line in outcome.summary:
        print(escape_controls(f"coalint: {line}"), file=sys.stderr)
    code = report.exit_code(settings.fail_on)
    if changes.diff and not report.failures:
        code = int(bool(outcome.workspace.changed))
    return ExitCode.OK if options.exit_zero and code == ExitCode.FINDINGS else code


def _reports(options: Options, settings: Settings) -> tuple[Output, ...]:
    """Return the reports to write: the format is that of an option, the environment, the configuration, or `full`."""
    output_format = options.output_format or format_in_environment() or settings.output_format or FORMATS[0]
    reports = outputs(output_format, options.output, is_named=bool(options.output_format))
    check(reports, options.statistics)
    return reports


def _print_report(report: Report, output: Output, options: Options, settings: Settings, registry: Registry) -> None:
    from coalint.cli.commands.support.drawings import name_costliest_finding
    from coalint.reporters.lint.statistics import statistics_text
    from coalint.reporters.lint.text.detail import Detail
    from coalint.reporters.rendering import render_report, report_text

    detail = Detail(verbose=settings.verbose, info=settings.show_info, quiet=options.quiet)
    if output.file is not None:
        text = (
            statistics_text(report, output.format)
            if options.statistics
            else report_text(report, output.format, options.color, registry, detail)
        )
        write(text, output.file)
    elif options.statistics:
        print_to_stdout(lambda: print(statistics_text(report, output.format), end=""))
    else:
        print_to_stdout(lambda: render_report(report, output.format, options.color, registry, detail))
        if output.format == "full" and not options.quiet:
            name_costliest_finding(report, options)
