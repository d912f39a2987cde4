"""Turns the arguments of a command line into Options."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from coalint.cli.arguments.grammar import COMMANDS, command_line
from coalint.cli.arguments.options import STDIN, Options, SourceChanges, View
from coalint.cli.exit_codes import ExitCode
from coalint.engine.config.settings import Settings, keys


def parse(arguments: Sequence[str]) -> Options:
    """Return the options of a command line; exits with code 2 and a message on a wrong one, as argparse does."""
    before, clang_flags = list(arguments), []
    if "--" in before:
        cut = before.index("--")
        before, clang_flags = before[:cut], before[cut + 1 :]
    parser = command_line(before[0] if before and before[0] in COMMANDS else None)
    parsed = parser.parse_args(before)
    if parsed.command is None:
        parser.print_help()
        parser.exit(ExitCode.ERROR)
    if parsed.command == "lint" and not parsed.paths:
        parsed.paths = ["."]
    match parsed.command:
        case "rule":
            return Options(command="rule", paths=tuple(parsed.names), color=parsed.color)
        case "server":
            return Options(command="server")
        case "completion":
            return Options(command="completion", paths=(parsed.shell,))
        case "clean":
            return Options(command="clean", settings=Settings(cache_dir=parsed.cache_dir))
    values = _setting_values(parsed)
    return Options(
        command=parsed.command,
        paths=tuple(parsed.paths),
        output_format=getattr(parsed, "output_format", None) or "",
        color=getattr(parsed, "color", "auto"),
        settings=Settings(
            **values,
            assume_too=tuple(parsed.assume),
            flags=(*parsed.flags, *clang_flags),
            command_line_exclude=tuple(parsed.exclude),
            cache=not parsed.no_cache,
            cache_dir=parsed.cache_dir,
            toolkit=parsed.toolkit,
            dask=getattr(parsed, "dask", ""),
        ),
        named=frozenset(name for name, (attribute, _, _) in keys().items() if attribute in values),
        config=tuple(parsed.config),
        isolated=parsed.isolated,
        export=getattr(parsed, "ncu", ""),
        raw=getattr(parsed, "ncu_raw", ""),
        output=tuple(getattr(parsed, "output", ())),
        statistics=getattr(parsed, "statistics", False),
        stream=getattr(parsed, "stream", False),
        quiet=getattr(parsed, "quiet", False),
        exit_zero=getattr(parsed, "exit_zero", False),
        device_code_only=getattr(parsed, "device_code_only", False),
        changes=SourceChanges(
            fix=getattr(parsed, "fix", False),
            unsafe=getattr(parsed, "unsafe_fixes", False),
            diff=getattr(parsed, "diff", False),
            add_ignores=getattr(parsed, "add_ignores", False),
            apply_comments=not getattr(parsed, "no_ignores", False),
            diff_base=getattr(parsed, "diff_base", None),
        ),
        action=getattr(parsed, "action", ""),
        stdin=_stdin_name(parsed),
        watch=getattr(parsed, "watch", False),
        view=_view(parsed),
    )


def _setting_values(parsed: Namespace) -> dict[str, Any]:
    """Return the fields of Settings that options set and a configuration file could set too."""
    values: dict[str, Any] = {
        "select": _words(getattr(parsed, "select", None)),
        "extend_select": _words(getattr(parsed, "extend_select", None)),
        "ignore": _words(getattr(parsed, "ignore", None)),
        "preview": getattr(parsed, "preview", None),
        "arch": parsed.arch,
        "compile_commands": parsed.compile_commands,
        "fail_on": getattr(parsed, "fail_on", None),
        "min_severity": getattr(parsed, "min_severity", None),
        "sort": getattr(parsed, "sort", None),
        "max_findings": getattr(parsed, "max_findings", None),
        "show_info": getattr(parsed, "show_info", None),
        "verbose": getattr(parsed, "verbose", None),
        "baseline": getattr(parsed, "baseline", None),
        "jobs": parsed.jobs,
        "timeout_per_file": parsed.timeout_per_file,
        "memory_per_file": parsed.memory_per_file,
    }
    return {name: value for name, value in values.items() if value is not None}


def _view(parsed: Namespace) -> View:
    if parsed.command == "profile":
        return View(values=tuple(parsed.let))
    if parsed.command != "show":
        return View()
    return View(
        warp=parsed.warp,
        iteration=tuple(parsed.iteration),
        values=tuple(parsed.let),
        block=parsed.block,
        kernel=parsed.kernel,
        lanes=parsed.lanes,
    )


def _stdin_name(parsed: Namespace) -> str | None:
    """Return the name under which stdin is read; None where it is not.

    Exits with code 2 where `-` is not the only path, or is combined with what needs files.
    """
    name: str | None = getattr(parsed, "stdin_filename", None)
    if "-" not in parsed.paths:
        if name is not None:
            command_line().error("--stdin-filename names what is read from stdin: give `-` as the only path")
        return None
    if not hasattr(parsed, "stdin_filename"):
        command_line().error(f"`-` for stdin is for lint and inspect, not for {parsed.command}")
    if len(parsed.paths) > 1:
        command_line().error("`-` stands for stdin and is the only path then")
    if getattr(parsed, "watch", False):
        command_line().error("--watch waits for files to change: name files or folders instead of `-`")
    if getattr(parsed, "diff_base", None):
        command_line().error("--diff-base asks git what changed in a file: name the file instead of `-`")
    return STDIN if name is None else name


def _words(values: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the comma-separated words of all values; None where the option does not occur."""
    if values is None:
        return None
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())
