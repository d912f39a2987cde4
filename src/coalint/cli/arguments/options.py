"""The record of one parsed command line."""

from __future__ import annotations

import shlex
from dataclasses import field

from coalint.core.records import record
from coalint.engine.config.settings import Settings

STDIN = "stdin.cu"
"""The name of stdin where --stdin-filename gives none."""


@record(frozen=True, slots=True, kw_only=True)
class SourceChanges:
    """What `lint` changes in the source, and what it leaves out beside what the settings say.

    Attributes:
        fix: Whether to apply safe fixes.
        unsafe: Whether to apply also fixes whose effect is to be checked.
        diff: Whether to print the changes instead of writing them.
        add_ignores: Whether to write an `ignore` comment for each finding that is left.
        apply_comments: Whether comments in the source hide findings.
        diff_base: A git revision; only findings in code changed since then are reported. None for all findings.
    """

    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    add_ignores: bool = False
    apply_comments: bool = True
    diff_base: str | None = None


@record(frozen=True, slots=True, kw_only=True)
class View:
    """What `show` draws.

    Attributes:
        warp: The warp of the block, from 0; None for the first that executes the access.
        iteration: Iterations, from 0, by the loop's variable.
        values: Numbers for parameters and other quantities, by name.
        block: Threads of a block in x, y and z, in place of the launch's.
        kernel: A part of the title of the wanted specialization.
        lanes: Lanes to list one by one.
    """

    warp: int | None = None
    iteration: tuple[tuple[str, int], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    block: tuple[int, int, int] | None = None
    kernel: str = ""
    lanes: tuple[int, ...] = ()


@record(frozen=True, slots=True, kw_only=True)
class Options:
    """One parsed command line.

    Attributes:
        command: One of `grammar.COMMANDS`.
        paths: Files and folders; rule names for `rule`, a shell for `completion`. They end in `:LINE` for `show` and
            may do so for `inspect`.
        output_format: The format of --output-format; empty where none was named.
        color: `auto`, `always` or `never`.
        settings: The settings of the command line alone.
        named: The configuration keys that the command line sets.
        config: The arguments of --config.
        isolated: Whether to read no configuration file.
        export: The CSV file that `verify` reads.
        raw: The CSV file with the blocks and grids of its launches; empty where there is none.
        output: The arguments of -o.
        statistics: Whether to report counts in place of findings.
        stream: Whether to print findings as they come.
        quiet: Whether to print findings and errors alone.
        exit_zero: Whether findings leave the exit code at 0.
        device_code_only: Whether to pass over files without device code.
        changes: What `lint` changes and leaves out.
        action: What `baseline` does: `create` or `prune`.
        stdin: The name under which stdin is read; None where it is not.
        watch: Whether to run again after each change.
        view: What `show` draws.
    """

    command: str
    paths: tuple[str, ...] = ()
    output_format: str = ""
    color: str = "auto"
    settings: Settings = field(default_factory=Settings)
    named: frozenset[str] = frozenset()
    config: tuple[str, ...] = ()
    isolated: bool = False
    export: str = ""
    raw: str = ""
    output: tuple[str, ...] = ()
    statistics: bool = False
    stream: bool = False
    quiet: bool = False
    exit_zero: bool = False
    device_code_only: bool = False
    changes: SourceChanges = SourceChanges()
    action: str = ""
    stdin: str | None = None
    watch: bool = False
    view: View = View()

    @property
    def source_options(self) -> str:
        """The options that say how sources are read, quoted for a shell, for a further command to read them alike."""
        settings = self.settings
        words = [word for value in self.config for word in ("--config", value)]
        words += ["--isolated"] if self.isolated else []
        words += ["-p", settings.compile_commands] if settings.compile_commands else []
        words += [word for fact in settings.assume_too for word in ("--assume", fact)]
        words += ["--arch", settings.arch] if settings.arch else []
        words += ["--", *settings.flags] if settings.flags else []
        return shlex.join(words)
