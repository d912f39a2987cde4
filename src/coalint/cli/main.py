"""Arguments in, exit code out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.cli.arguments.options import Options, parse
from coalint.cli.arguments.sources import UsageError, discovered, print_bytes, stdin_of, user_errors
from coalint.cli.server.device_code import holds_device_code
from coalint.cli.terminal import forgive_encodings, print_failures, print_remarks, silence_stdout, written
from coalint.core.source.overlay import overlaid
from coalint.engine.config.outputs import (
    FORMATS,
    WITH_MODELS,
    Output,
    OutputError,
    check,
    format_in_environment,
    outputs,
    write,
)
from coalint.engine.config.settings import DEFAULT_ARCH, Settings
from coalint.reporters.shared.visible import visible

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from coalint.engine.config.files import Layer
    from coalint.engine.config.layers import Configuration
    from coalint.engine.registry import Registry
    from coalint.engine.report import Report

INTERRUPTED = 130
WRONG = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run coalint; returns the exit code: 0, 1 for findings, 2 for errors, 130 when interrupted."""
    forgive_encodings()
    options = parse(sys.argv[1:] if arguments is None else list(arguments))
    try:
        return _COMMANDS[options.command](options)
    except (UsageError, OutputError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        print("coalint: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        silence_stdout()
        return 0
    except Exception as error:
        from coalint.engine.check.failures import internal_error

        print_failures([internal_error(None, error, f"in `coalint {options.command}`")])
        return WRONG


def _lint(options: Options) -> int:
    if not options.watch:
        return _lint_once(options)
    from coalint.cli.watching import watched

    return watched(options.paths, lambda: _lint_once(options))


def _lint_once(options: Options) -> int:
    from coalint.cli.commands.revise import revise
    from coalint.cli.commands.show import lead
    from coalint.cli.progress import progress_bar

    changing = options.changing
    if changing.unsafe and not (changing.fix or changing.diff):
        raise UsageError("--unsafe-fixes says which fixes are meant: add --fix to apply them, or --diff to see them")
    registry = _registry()
    configuration = _configuration(options, registry)
    settings = configuration.run.settings
    _check_cache(settings)
    output_format = options.output_format or format_in_environment() or settings.output_format or FORMATS[0]
    reports = outputs(output_format, options.output)
    check(reports, options.statistics)
    stdin = stdin_of(options)
    rewrites = stdin is not None and not changing.diff and (changing.fix or changing.add_ignores)
    files, failures = discovered(options.paths, configuration, options.stdin)
    if options.device_code_only:
        with overlaid(stdin.overlay if stdin else ()):
            files = tuple(filter(holds_device_code, files))
    with _executor(settings, registry) as executor, progress_bar() as progress, user_errors():
        models = any(output.format in WITH_MODELS for output in reports)
        revised = revise(files, configuration, registry, changing, progress, executor, stdin, models)
        if rewrites and options.stdin is not None:
            print_bytes(revised.workspace.contents(options.stdin))
        elif changing.diff:
            written(lambda: sys.stdout.writelines(revised.workspace.diff()))
        else:
            revised.workspace.write()
    whole = replace(revised.report, failures=(*failures, *revised.report.failures))
    for output in reports:
        if changing.diff and output.file is None:
            continue
        if files or output.file is not None or output.format not in ("full", "concise"):
            with redirect_stdout(sys.stderr) if rewrites else nullcontext():  # stdout has the text
                _report(whole, output, options, registry)
                if output == Output("full", None) and not options.statistics:
                    lead(whole, options)
    print_remarks((*configuration.remarks, *whole.remarks, *revised.remarks))
    print_failures(whole.failures)
    for line in revised.summary:
        print(visible(f"coalint: {line}"), file=sys.stderr)
    if changing.diff and not whole.failures:
        return int(bool(revised.workspace.changed))
    return whole.exit_code(settings.fail_on)


def _report(report: Report, output: Output, options: Options, registry: Registry) -> None:
    from coalint.reporters.lint.statistics import statistics_text
    from coalint.reporters.rendering import render_report, report_text

    if output.file is not None:
        text = (
            statistics_text(report, output.format)
            if options.statistics
            else report_text(report, output.format, options.color, registry)
        )
        write(text, output.file)
    elif options.statistics:
        written(lambda: print(statistics_text(report, output.format), end=""))
    else:
        written(lambda: render_report(report, output.format, options.color, registry))


def _baseline(options: Options) -> int:
    from coalint.cli.commands.revise import revise_baseline
    from coalint.cli.progress import progress_bar

    registry = _registry()
    configuration = _configuration(options, registry)
    settings = configuration.run.settings
    files, failures = discovered(options.paths, configuration)
    if failures:
        print_failures(failures)
        return WRONG
    with _executor(settings, registry) as executor, progress_bar() as progress, user_errors():
        report, said = revise_baseline(options.action, files, configuration, registry, progress, executor)
    print_remarks((*configuration.remarks, *report.remarks))
    print_failures(report.failures)
    if report.failures:
        return WRONG
    print(said)
    return 0


def _config(options: Options) -> int:
    from coalint.reporters.config.report import print_config

    if options.output_format == "schema":
        from coalint.engine.config.schema import schema_text

        written(lambda: print(schema_text(), end=""))
        return 0
    missing = next((path for path in options.paths if not os.path.exists(path)), None)
    if missing is not None:
        raise UsageError(f"{missing}: no such file or folder")
    configuration = _configuration(options, _registry())
    with user_errors():
        text = print_config(options.paths or (".",), configuration, options.output_format or "text")
    written(lambda: print(text, end=""))
    print_remarks(configuration.remarks)
    return 0


def _inspect(options: Options) -> int:
    from coalint.cli.commands.show import drawn_beneath
    from coalint.cli.progress import progress_bar
    from coalint.engine.inspection.targets import at_places, split_places
    from coalint.engine.linter import inspect
    from coalint.reporters.rendering import render_inspection

    configuration = _configuration(options)
    settings = configuration.run.settings
    places = split_places(options.paths)
    stdin = stdin_of(options)
    files, failures = discovered([place.path for place in places], configuration, options.stdin)
    with _executor(settings) as executor, progress_bar() as progress, user_errors():
        overlay = stdin.overlay if stdin else ()
        inspection = inspect(files, settings, progress, executor, configuration.of, overlay)
    narrowed, remarks = at_places(inspection, places)
    if files or options.output_format == "json":
        written(lambda: render_inspection(narrowed, options.output_format or "text", options.color))
    if files and options.output_format != "json":
        drawn_beneath(options, configuration, places, files, inspection)
    failures = (*failures, *inspection.failures)
    print_remarks((*configuration.remarks, *inspection.remarks))
    print_failures(failures)
    for remark in remarks:
        print(visible(f"coalint: {remark}"), file=sys.stderr)
    return WRONG if failures else 0


def _show(options: Options) -> int:
    from coalint.cli.commands.show import drawn

    return drawn(options, _configuration(options))


def _rule(options: Options) -> int:
    from coalint.engine.registry import RegistryError
    from coalint.reporters.rules.text import print_rule, print_rules

    registry = _registry()
    if not options.paths:
        print_rules(registry, options.color)
        return 0
    try:
        rules = [registry.named(name) for name in options.paths]
    except RegistryError as error:
        raise UsageError(str(error)) from error
    for rule in rules:
        print_rule(rule, options.color)
    return 0


def _verify(options: Options) -> int:
    from coalint.engine.linter import inspect
    from coalint.engine.verification.counters import ExportError
    from coalint.engine.verification.verify import verify
    from coalint.reporters.rendering import render_verification

    configuration = _configuration(options)
    settings = configuration.run.settings
    if len(options.paths) > 1:
        raise UsageError("`verify` takes one source; for several, run it once for each with the same export")
    files, failures = discovered(options.paths, configuration)
    if len(files) > 1:
        raise UsageError(f"{options.paths[0]} holds {len(files)} sources: name one of them")
    with _executor(settings) as executor, user_errors():
        inspection = inspect(files, settings, executor=executor, settings_of=configuration.of)
    failures = (*failures, *inspection.failures)
    print_remarks((*configuration.remarks, *inspection.remarks))
    print_failures(failures)
    if failures or not files:
        return WRONG
    try:
        verification = verify(inspection, files[0], options.export)
    except ExportError as error:
        raise UsageError(f"{options.export}: {error.message}\n  {error.remedy}") from error
    except OSError as error:
        raise UsageError(f"{options.export}: {error.strerror or error}") from error
    written(lambda: render_verification(verification, options.output_format or "text", options.color))
    return verification.exit_code


def _explain_compile(options: Options) -> int:
    from coalint.engine.units.explanation import explain
    from coalint.reporters.rendering import render_explanations

    configuration = _configuration(options)
    files, failures = discovered(options.paths, configuration)
    with user_errors():
        explained = explain(files, configuration.run.settings, configuration.of)
    if files or options.output_format == "json":
        written(lambda: render_explanations(explained, options.output_format or "text", options.color))
    failures = (*failures, *(item.failure for item in explained.files if item.failure is not None))
    print_remarks((*configuration.remarks, *explained.remarks))
    print_failures(failures)
    return WRONG if failures else 0


def _server(options: Options) -> int:
    try:
        from coalint.cli.server.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(f"{error.name} is not installed; `pip install 'coalint[lsp]'` brings what it needs") from error
    return serve()


def _clean(options: Options) -> int:
    from coalint.engine.execution.cache.folder import clean

    try:
        folder, size = clean(options.settings.cache_dir)
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be removed: {error.strerror}") from error
    print(f"removed {folder} ({size / 1e6:.1f} MB)" if size else f"there is no cache at {folder}")
    return 0


def _completion(options: Options) -> int:
    from coalint.cli.arguments.completion import completion_script
    from coalint.cli.arguments.grammar import command_line

    rules = [word for rule in _registry() for word in (rule.code, rule.name)]
    written(lambda: print(completion_script(command_line(), options.paths[0], rules)))
    return 0


_COMMANDS: dict[str, Callable[[Options], int]] = {
    "lint": _lint,
    "inspect": _inspect,
    "show": _show,
    "rule": _rule,
    "verify": _verify,
    "explain-compile": _explain_compile,
    "baseline": _baseline,
    "config": _config,
    "server": _server,
    "clean": _clean,
    "completion": _completion,
}


def _registry() -> Registry:
    from coalint.engine.registry import RegistryError, load_rules

    try:
        return load_rules()
    except RegistryError as error:
        raise UsageError(str(error)) from error


@contextmanager
def _executor(settings: Settings, registry: Registry | None = None) -> Iterator[Executor | None]:
    """What --dask asks for; None for this machine's own processes."""
    if not settings.dask:
        yield None
        return
    from coalint.engine.execution.dask_cluster import ClusterError, dask_executor
    from coalint.engine.registry import packages_of

    packages = packages_of(registry.rules) if registry is not None else ()
    try:
        with dask_executor(settings.dask, settings.timeout_per_file, packages) as executor:
            yield executor
    except ClusterError as error:
        raise UsageError(str(error)) from error


def _configuration(options: Options, registry: Registry | None = None) -> Configuration:
    """The settings that hold, those of the command line and of the working directory checked before any file is read.

    Rules that a file names are looked up only by the commands that run them.
    """
    from coalint.engine.config.files import Layer
    from coalint.engine.config.layers import configuration
    from coalint.engine.config.validation import refuse

    def check(layer: Layer) -> None:
        refuse(layer, registry)

    with user_errors():
        refuse(Layer("", "", _given(options)), registry)
        found = configuration(options.settings, options.named, options.config, options.isolated, check)
        _ = found.run
        return found


def _given(options: Options) -> dict[str, object]:
    """What the command line says, by the names of the options."""
    settings = options.settings
    return {
        "--select": settings.select or (),
        "--extend-select": settings.extend_select,
        "--ignore": settings.ignore,
        "--arch": settings.arch or DEFAULT_ARCH,
        "--assume": settings.assume_too,
    }


def _check_cache(settings: Settings) -> None:
    """Say when a cache folder that the user named cannot be used."""
    from coalint.engine.execution.cache.folder import VARIABLE, cache_folder, folder_name

    named = settings.cache_dir
    if settings.cache and (named or os.environ.get(VARIABLE)) and cache_folder(named) is None:
        message = f"nothing is cached: {folder_name(named)} cannot be written to, or holds other files"
        print(visible(f"coalint: {message}"), file=sys.stderr)


def _fail(message: str) -> int:
    print(visible(f"coalint: error: {message}"), file=sys.stderr)
    return WRONG
