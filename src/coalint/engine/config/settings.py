"""The settings of a run, and the table of those that a configuration file can set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from coalint.core.findings import Severity
from coalint.core.records import record
from coalint.engine.check.limits import Limits
from coalint.engine.config import kinds
from coalint.engine.config.keys import Key, config_key
from coalint.engine.config.kinds import PerFile
from coalint.engine.config.outputs import FORMATS
from coalint.engine.config.selection import Patterns, Selection
from coalint.frontend.registry import front_ends

DEFAULT_ARCH = "sm_80"
SORTS = ("severity", "cost", "path")
"""The orders of findings, see `engine.findings.order`; the first is the default."""


@record(frozen=True)
class Settings:
    """How files are found, parsed, judged and filtered. All paths are absolute.

    The fields that a configuration file can set are described by their Key.

    Attributes:
        below: The selections of weaker layers.
        exclude_folder: What `exclude` is relative to; empty for the working directory.
        extra_args_folder: What paths in `extra_args` are relative to; empty for the working directory.
        set_in: The folders of the configuration files that set keys which name paths, by key; not for files and values
            that the command line gave, whose paths are the user's own.
        compile_commands_place: What set `compile_commands`, as an error begins.
        flags: Arguments of clang or nvcc from the command line, relative to the working directory.
        assume_too: Assumptions of the command line; they come after `assume` and win.
        command_line_exclude: Patterns of --exclude, relative to the working directory.
        cache: Whether results are stored for later runs and reused.
        cache_dir: The cache folder of the command line; empty for the default, see `cache_folder`.
        toolkit: Where headers come from that coalint's own lack: a folder, or `auto` or `none`; empty for what the
            environment says, see `header_folders`.
        dask: The address of a Dask scheduler to run on; empty for this machine.
    """

    select: tuple[str, ...] | None = config_key(
        None,
        "select",
        kinds.SELECTORS,
        "The rules to report, by code, code prefix, name, or `ALL`. If it is not set: every rule that is not in "
        "preview.",
        'select = ["COA1", "unpadded-tile-column"]',
        "--select",
    )
    extend_select: tuple[str, ...] = config_key(
        (),
        "extend-select",
        kinds.SELECTORS,
        "Rules to report in addition to those of `select`, or to the default.",
        'extend-select = ["barrier-after-exit"]',
        "--extend-select",
    )
    ignore: tuple[str, ...] = config_key(
        (),
        "ignore",
        kinds.SELECTORS,
        "Rules not to report. If two selectors name one rule, the more specific one wins.",
        'ignore = ["misaligned-global-access"]',
        "--ignore",
    )
    per_file_ignores: tuple[PerFile, ...] = config_key(
        (),
        "per-file-ignores",
        kinds.PER_FILE,
        "Rules not to report in some files: patterns in gitignore syntax, relative to the configuration file, each "
        "with its rules. A pattern that begins with `!` stands for all other files.",
        'per-file-ignores = { "tests/" = ["ALL"], "legacy_*.cu" = ["COA1"] }',
    )
    severity: tuple[tuple[str, Severity], ...] = config_key(
        (),
        "severity",
        kinds.SEVERITIES,
        "The severity of rules, instead of their own. A finding whose severity a rule has lowered because it is "
        "uncertain stays lowered. If two entries name one rule, the more specific one wins.",
        'severity = { divergent-barrier = "error", COA2 = "info" }',
    )
    preview: bool = config_key(
        False,
        "preview",
        kinds.BOOLEAN,
        "Whether rules in preview are treated like others. If not, each must be selected by its own code or name.",
        "preview = true",
        "--preview",
    )
    arch: str | None = config_key(
        None,
        "arch",
        kinds.STRING,
        f"The GPU to count for. If it is not set: {DEFAULT_ARCH}, or the newest one that a file's compile command "
        "names.",
        'arch = "sm_90"',
        "--arch",
    )
    assume: tuple[str, ...] = config_key(
        (),
        "assume",
        kinds.STRINGS,
        "Facts about launches, as C expressions. Those of `--assume` come after them and win.",
        f'assume = ["{front_ends()[0].spelling.fact}", "n % 32 == 0"]',
        "--assume",
    )
    include_dirs: tuple[str, ...] = config_key(
        (),
        "include-dirs",
        kinds.PATHS,
        "Folders to search for included files, relative to the configuration file.",
        'include-dirs = ["include", "third_party/cutlass/include"]',
        "-I",
    )
    defines: tuple[str, ...] = config_key(
        (),
        "defines",
        kinds.STRINGS,
        "Macros to define, as `NAME` or `NAME=VALUE`.",
        'defines = ["TILE=32", "USE_HALF"]',
        "-D",
    )
    std: str | None = config_key(
        None, "std", kinds.STRING, "The C++ standard. C++11 and C++14 are parsed as C++17.", 'std = "c++20"', "-std"
    )
    extra_args: tuple[str, ...] = config_key(
        (),
        "extra-args",
        kinds.STRINGS,
        f"More flags for the parser, as for clang or {front_ends()[0].spelling.compiler}. Paths in them are relative "
        "to the configuration file.",
        'extra-args = ["-isystem", "vendor", "-U", "NDEBUG"]',
        "-- FLAG...",
    )
    compile_commands: str | None = config_key(
        None,
        "compile-commands",
        kinds.PATH,
        "The build folder that contains compile_commands.json, or that file. If it is not set, coalint looks beside "
        "and above each source, and in the build folders there.",
        'compile-commands = "out/release"',
        "-p",
    )
    exclude: tuple[str, ...] = config_key(
        (),
        "exclude",
        kinds.STRINGS,
        "Files to leave out, in gitignore syntax, relative to the configuration file. This also applies to files that "
        "are named one by one. Folders never searched: hidden ones, `build`, `cmake-build-*`, `CMakeFiles`, "
        '`node_modules`, `__pycache__`, virtual environments, and what git ignores. `"!build/"` includes one again.',
        'exclude = ["third_party/", "*_generated.cu"]',
        "--exclude",
    )
    fail_on: Severity = config_key(
        Severity.WARNING,
        "fail-on",
        kinds.SEVERITY,
        "The lowest severity of a finding that makes the exit code 1.",
        'fail-on = "error"',
        "--fail-on",
        per_run=True,
    )
    output_format: str | None = config_key(
        None,
        "output-format",
        kinds.choice(*FORMATS),
        f'The format of the report of `lint`. If it is not set: "{FORMATS[0]}".',
        'output-format = "concise"',
        "--output-format",
        per_run=True,
    )
    min_severity: Severity = config_key(
        Severity.INFO,
        "min-severity",
        kinds.SEVERITY,
        "The lowest severity that is reported, in every format. Findings below it do not affect the exit code.",
        'min-severity = "warning"',
        "--min-severity",
        per_run=True,
    )
    sort: str = config_key(
        SORTS[0],
        "sort",
        kinds.choice(*SORTS),
        "The order of the findings: by severity and then by cost, by cost alone, or by place.",
        'sort = "path"',
        "--sort",
        per_run=True,
    )
    max_findings: int = config_key(
        0,
        "max-findings",
        kinds.COUNT,
        "How many findings to print; the rest are only counted. 0 means all.",
        "max-findings = 20",
        "--max-findings",
        per_run=True,
    )
    show_info: bool = config_key(
        False,
        "show-info",
        kinds.BOOLEAN,
        "Whether the text report shows findings of severity info one by one. If not, it counts them by rule.",
        "show-info = true",
        "--show-info",
        per_run=True,
    )
    verbose: bool = config_key(
        False,
        "verbose",
        kinds.BOOLEAN,
        "Whether the text report gives every note, place and launch of a finding, and how its index is computed.",
        "verbose = true",
        "--verbose",
        per_run=True,
    )
    baseline: str | None = config_key(
        None,
        "baseline",
        kinds.PATH,
        "A file of known findings, which are not reported; relative to the configuration file.",
        'baseline = "coalint-baseline.json"',
        "--baseline",
        per_run=True,
    )
    jobs: int = config_key(
        0, "jobs", kinds.COUNT, "How many processes to use; 0 means one per core.", "jobs = 4", "--jobs", per_run=True
    )
    timeout_per_file: float = config_key(
        60.0,
        "timeout-per-file",
        kinds.SECONDS,
        "Seconds after which coalint gives up a file; 0 means never.",
        "timeout-per-file = 120",
        "--timeout-per-file",
        per_run=True,
    )
    memory_per_file: int = config_key(
        2048,
        "memory-per-file",
        kinds.COUNT,
        "Megabytes of memory at which coalint gives up a file; 0 means no limit.",
        "memory-per-file = 4096",
        "--memory-per-file",
        per_run=True,
    )
    below: tuple[Selection, ...] = ()
    exclude_folder: str = ""
    extra_args_folder: str = ""
    set_in: tuple[tuple[str, str], ...] = ()
    compile_commands_place: str = "-p"
    flags: tuple[str, ...] = ()
    assume_too: tuple[str, ...] = ()
    command_line_exclude: tuple[str, ...] = ()
    cache: bool = True
    cache_dir: str = ""
    toolkit: str = ""
    dask: str = ""

    @property
    def limits(self) -> Limits:
        """The limits for the check of one file."""
        return Limits(self.timeout_per_file, self.memory_per_file << 20)

    @property
    def selections(self) -> tuple[Selection, ...]:
        """The selections of all layers, the weakest first."""
        return (*self.below, Selection(self.select, self.extend_select, self.ignore))

    @property
    def excludes(self) -> tuple[Patterns, ...]:
        """The patterns of files to exclude, the weakest first."""
        both = (Patterns(self.exclude_folder, self.exclude), Patterns("", self.command_line_exclude))
        return tuple(patterns for patterns in both if patterns.lines)

    @property
    def configured_flags(self) -> tuple[str, ...]:
        """The keys of a configuration file that say how sources are read, as arguments of clang."""
        return (
            *(f"-I{folder}" for folder in self.include_dirs),
            *(f"-D{macro}" for macro in self.defines),
            *((f"-std={self.std}",) if self.std else ()),
            *self.extra_args,
        )


SettingsOf = Callable[[str], Settings]
"""Returns the settings of a file."""


@cache
def keys() -> Mapping[str, tuple[str, Key, Any]]:
    """Return every key of a configuration file by name: the field of Settings, the Key, the default."""
    described = ((f.name, f.metadata["key"], f.default) for f in fields(Settings) if "key" in f.metadata)
    return {key.name: (name, key, default) for name, key, default in described}
