"""One parsed command line: what it asks for, and which settings it names."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coalint.cli.arguments.grammar import command_line
from coalint.engine.config.settings import Settings, keys

STDIN = "stdin.cu"
"""What stdin is called where --stdin-filename does not say."""


@dataclass(frozen=True)
class Changing:
    """What `lint` is asked to change or to leave out beside what the settings say.

    `fix` and `unsafe` choose fixes, `diff` shows them instead of writing; `diff_base` is a revision of git.
    """

    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    add_ignores: bool = False
    ignores: bool = True
    diff_base: str | None = None


@dataclass(frozen=True)
class View:
    """What `show` is asked to draw; `lanes` are listed one by one."""

    warp: int | None = None
    iteration: tuple[tuple[str, int], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    block: tuple[int, int, int] | None = None
    kernel: str = ""
    lanes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Options:
    """One parsed command line. `paths` are rule names for `rule`, and carry `:LINE` for `show`, perhaps for `inspect`.

    `output_format` is empty where none was named, `output` has the values of -o. `settings` are those of the command
    line alone, of which `named` are the keys that it sets; `config` holds the arguments of `--config`. `export` is the
    CSV that `verify` reads, `action` what `baseline` is to do. `statistics` asks for counts in place of findings,
    `device_code_only` for files that hold device code alone, `watch` for another run after each change. `stdin` is the
    name under which stdin is read, if it is.
    """

    command: str
    paths: tuple[str, ...]
    output_format: str
    color: str
    settings: Settings
    export: str = ""
    output: tuple[str, ...] = ()
    statistics: bool = False
    device_code_only: bool = False
    named: frozenset[str] = frozenset()
    config: tuple[str, ...] = ()
    isolated: bool = False
    changing: Changing = Changing()
    action: str = ""
    stdin: str | None = None
    watch: bool = False
    view: View = View()

    @property
    def reading(self) -> str:
        """The options that say how sources are read, in words of a shell, for a command to read them so."""
        settings = self.settings
        words = [word for value in self.config for word in ("--config", value)]
        words += ["--isolated"] if self.isolated else []
        words += ["-p", settings.compile_commands] if settings.compile_commands else []
        words += [word for fact in settings.assume_too for word in ("--assume", fact)]
        words += ["--arch", settings.arch] if settings.arch else []
        words += ["--", *settings.flags] if settings.flags else []
        return shlex.join(words)


def parse(arguments: Sequence[str]) -> Options:
    """Parse a command line; exits with code 2 and a message on a wrong one, as argparse does."""
    own, flags = list(arguments), []
    if "--" in own:
        cut = own.index("--")
        own, flags = own[:cut], own[cut + 1 :]
    options = command_line().parse_args(own)
    if options.command == "rule":
        return Options("rule", tuple(options.names), "full", options.color, Settings())
    if options.command == "server":
        return Options("server", (), "", "auto", Settings())
    if options.command == "completion":
        return Options("completion", (options.shell,), "", "auto", Settings())
    if options.command == "clean":
        return Options("clean", (), "", "auto", Settings(cache_dir=options.cache_dir))
    given: dict[str, Any] = {
        "select": _split(getattr(options, "select", None)),
        "extend_select": _split(getattr(options, "extend_select", None)),
        "ignore": _split(getattr(options, "ignore", None)),
        "preview": getattr(options, "preview", None),
        "arch": options.arch,
        "compile_commands": options.compile_commands,
        "fail_on": getattr(options, "fail_on", None),
        "baseline": getattr(options, "baseline", None),
        "jobs": options.jobs,
        "timeout_per_file": options.timeout_per_file,
        "memory_per_file": options.memory_per_file,
    }
    given = {name: value for name, value in given.items() if value is not None}
    return Options(
        options.command,
        tuple(options.paths),
        getattr(options, "output_format", None) or "",
        getattr(options, "color", "auto"),
        Settings(
            **given,
            assume_too=tuple(options.assume),
            flags=(*options.flags, *flags),
            command_line_exclude=tuple(options.exclude),
            cache=not options.no_cache,
            cache_dir=options.cache_dir,
            dask=getattr(options, "dask", ""),
        ),
        getattr(options, "ncu", ""),
        tuple(getattr(options, "output", ())),
        getattr(options, "statistics", False),
        getattr(options, "device_code_only", False),
        frozenset(name for name, (attribute, _, _) in keys().items() if attribute in given),
        tuple(options.config),
        options.isolated,
        Changing(
            fix=getattr(options, "fix", False),
            unsafe=getattr(options, "unsafe_fixes", False),
            diff=getattr(options, "diff", False),
            add_ignores=getattr(options, "add_ignores", False),
            ignores=not getattr(options, "no_ignores", False),
            diff_base=getattr(options, "diff_base", None),
        ),
        getattr(options, "action", ""),
        _stdin(options),
        getattr(options, "watch", False),
        _view(options),
    )


def _view(options: Namespace) -> View:
    if options.command != "show":
        return View()
    iteration, values = tuple(options.iteration), tuple(options.let)
    return View(options.warp, iteration, values, options.block, options.kernel, options.lanes)


def _stdin(options: Namespace) -> str | None:
    """The name of what is read from stdin; None where nothing is. Exits with code 2 where it is not the only path."""
    name: str | None = getattr(options, "stdin_filename", None)
    if "-" not in options.paths:
        if name is not None:
            command_line().error("--stdin-filename names what is read from stdin: give `-` as the only path")
        return None
    if not hasattr(options, "stdin_filename"):
        command_line().error(f"`-` for stdin is for lint and inspect, not for {options.command}")
    if len(options.paths) > 1:
        command_line().error("`-` stands for stdin and is the only path then")
    if getattr(options, "watch", False):
        command_line().error("--watch waits for files to change: name files or folders instead of `-`")
    if getattr(options, "diff_base", None):
        command_line().error("--diff-base asks git what changed in a file: name the file instead of `-`")
    return STDIN if name is None else name


def _split(values: Sequence[str] | None) -> tuple[str, ...] | None:
    if values is None:
        return None
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())
