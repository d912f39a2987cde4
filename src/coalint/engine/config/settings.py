"""What a run is told: the settings, and the table of those among them that a configuration file may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, TypeVar

from coalint.core.findings import Severity
from coalint.engine.check.limits import Limits
from coalint.engine.config import kinds
from coalint.engine.config.kinds import Kind, PerFile
from coalint.engine.config.outputs import FORMATS

T = TypeVar("T")

DEFAULT_ARCH = "sm_80"


@dataclass(frozen=True)
class Key:
    """One key of a configuration file: its kind, what it means, an example in TOML, and the option that overrides it.

    `per_run` marks what cannot differ within a run: it counts only in the configuration of the working directory.
    """

    name: str
    kind: Kind
    text: str
    example: str
    option: str = ""
    per_run: bool = False


def _key(default: T, name: str, kind: Kind, text: str, example: str, option: str = "", per_run: bool = False) -> T:
    entry = Key(name, kind, text, example, option, per_run)
    found: T = field(default=default, metadata={"key": entry})
    return found


@dataclass(frozen=True)
class Selection:
    """What one layer (a file, the command line) says of which rules count; `select` is None where it says nothing."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True)
class Patterns:
    """Patterns in gitignore's syntax, relative to a folder."""

    folder: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """How files are found, parsed, judged and filtered.

    What a configuration file may hold is described by its Key. Besides, from the command line: `flags` (arguments of
    clang or nvcc) and `command_line_exclude`, relative to the working directory; `assume_too`, which comes after
    `assume`; `cache` says whether results are kept for later runs, `cache_dir` where (empty: see
    `cache.cache_folder`); `dask` is the address of the scheduler of the cluster to run on, empty for this machine.
    `below` are the selections that those of this one come on top of; `exclude_folder` and `extra_args_folder` are what
    these are relative to (empty: the working directory), and `compile_commands_place` is what set that, for errors.
    A path is absolute.
    """

    select: tuple[str, ...] | None = _key(
        None,
        "select",
        kinds.SELECTORS,
        "The rules that are reported, by code, prefix of codes, name, or `ALL`. Without it: every rule that is not in "
        "preview.",
        'select = ["COA1", "unpadded-tile-column"]',
        "--select",
    )
    extend_select: tuple[str, ...] = _key(
        (),
        "extend-select",
        kinds.SELECTORS,
        "Rules that are reported beside those of `select`, or beside the default.",
        'extend-select = ["barrier-after-exit"]',
        "--extend-select",
    )
    ignore: tuple[str, ...] = _key(
        (),
        "ignore",
        kinds.SELECTORS,
        "Rules that are not reported. Of two selectors for one rule, the more exact one decides.",
        'ignore = ["misaligned-global-access"]',
        "--ignore",
    )
    per_file_ignores: tuple[PerFile, ...] = _key(
        (),
        "per-file-ignores",
        kinds.PER_FILE,
        "Rules that are not reported in some files: patterns in gitignore's syntax, relative to the configuration "
        "file, each with its rules. A pattern that begins with `!` means all other files.",
        'per-file-ignores = { "tests/" = ["ALL"], "legacy_*.cu" = ["COA1"] }',
    )
    severity: tuple[tuple[str, Severity], ...] = _key(
        (),
        "severity",
        kinds.SEVERITIES,
        "The severity of rules, in place of their own. Findings that a rule lowers for want of certainty stay lowered. "
        "Of two entries for one rule, the more exact one decides.",
        'severity = { divergent-barrier = "error", COA2 = "info" }',
    )
    preview: bool = _key(
        False,
        "preview",
        kinds.BOOLEAN,
        "Whether rules in preview count like others; else each must be selected by its own code or name.",
        "preview = true",
        "--preview",
    )
    arch: str | None = _key(
        None,
        "arch",
        kinds.STRING,
        f"The GPU to count for. Without it: {DEFAULT_ARCH}, or the newest of a file's compile command that lacks it.",
        'arch = "sm_90"',
        "--arch",
    )
    assume: tuple[str, ...] = _key(
        (),
        "assume",
        kinds.STRINGS,
        "Facts about launches, as C expressions. Those of `--assume` come after them, and win.",
        'assume = ["blockDim.x == 256", "n % 32 == 0"]',
        "--assume",
    )
    include_dirs: tuple[str, ...] = _key(
        (),
        "include-dirs",
        kinds.PATHS,
        "Folders to look for includes in, relative to the configuration file.",
        'include-dirs = ["include", "third_party/cutlass/include"]',
        "-I",
    )
    defines: tuple[str, ...] = _key(
        (),
        "defines",
        kinds.STRINGS,
        "Macros, as `NAME` or `NAME=VALUE`.",
        'defines = ["TILE=32", "USE_HALF"]',
        "-D",
    )
    std: str | None = _key(
        None, "std", kinds.STRING, "The C++ standard; C++11 and 14 are read as C++17.", 'std = "c++20"', "-std"
    )
    extra_args: tuple[str, ...] = _key(
        (),
        "extra-args",
        kinds.STRINGS,
        "More flags, as clang or nvcc take them; paths in them are relative to the configuration file.",
        'extra-args = ["-isystem", "vendor", "-U", "NDEBUG"]',
        "-- FLAG...",
    )
    compile_commands: str | None = _key(
        None,
        "compile-commands",
        kinds.PATH,
        "The build folder that holds compile_commands.json, or that file. Without it: looked for beside and above "
        "each source, and in the build folders there.",
        'compile-commands = "out/release"',
        "-p",
    )
    exclude: tuple[str, ...] = _key(
        (),
        "exclude",
        kinds.STRINGS,
        "Files to leave out, in gitignore's syntax, relative to the configuration file; also of those that are named "
        "one by one. Always left out of folders are hidden ones, `build`, `cmake-build-*`, `CMakeFiles`, "
        '`node_modules`, `__pycache__`, virtual environments, and what git ignores; `"!build/"` takes one back in.',
        'exclude = ["third_party/", "*_generated.cu"]',
        "--exclude",
    )
    fail_on: Severity = _key(  # noqa: RUF009 (a field, as all others here)
        Severity.WARNING,
        "fail-on",
        kinds.SEVERITY,
        "From which severity on a finding makes the exit code 1.",
        'fail-on = "error"',
        "--fail-on",
        per_run=True,
    )
    output_format: str | None = _key(
        None,
        "output-format",
        kinds.choice(*FORMATS),
        f'The format of the report of `lint`. Without it: "{FORMATS[0]}".',
        'output-format = "concise"',
        "--output-format",
        per_run=True,
    )
    baseline: str | None = _key(
        None,
        "baseline",
        kinds.PATH,
        "A file of findings that are known and not reported, relative to the configuration file.",
        'baseline = "coalint-baseline.json"',
        "--baseline",
        per_run=True,
    )
    jobs: int = _key(0, "jobs", kinds.COUNT, "Processes; 0 means one per core.", "jobs = 4", "--jobs", per_run=True)
    timeout_per_file: float = _key(
        60.0,
        "timeout-per-file",
        kinds.SECONDS,
        "Seconds after which a file is given up; 0 means never.",
        "timeout-per-file = 120",
        "--timeout-per-file",
        per_run=True,
    )
    memory_per_file: int = _key(
        2048,
        "memory-per-file",
        kinds.COUNT,
        "Megabytes of memory at which a file is given up; 0 means no bound.",
        "memory-per-file = 4096",
        "--memory-per-file",
        per_run=True,
    )
    below: tuple[Selection, ...] = ()
    exclude_folder: str = ""
    extra_args_folder: str = ""
    compile_commands_place: str = "-p"
    flags: tuple[str, ...] = ()
    assume_too: tuple[str, ...] = ()
    command_line_exclude: tuple[str, ...] = ()
    cache: bool = True
    cache_dir: str = ""
    dask: str = ""

    @property
    def limits(self) -> Limits:
        """The bounds on one file, memory in bytes."""
        return Limits(self.timeout_per_file, self.memory_per_file << 20)

    @property
    def selections(self) -> tuple[Selection, ...]:
        """What the layers select, the weakest first."""
        return (*self.below, Selection(self.select, self.extend_select, self.ignore))

    @property
    def excludes(self) -> tuple[Patterns, ...]:
        """The patterns of files to leave out, the weakest first."""
        both = (Patterns(self.exclude_folder, self.exclude), Patterns("", self.command_line_exclude))
        return tuple(patterns for patterns in both if patterns.lines)

    @property
    def configured_flags(self) -> tuple[str, ...]:
        """What a configuration file says of how sources are read, as arguments of clang."""
        return (
            *(f"-I{folder}" for folder in self.include_dirs),
            *(f"-D{macro}" for macro in self.defines),
            *((f"-std={self.std}",) if self.std else ()),
            *self.extra_args,
        )


SettingsOf = Callable[[str], Settings]
"""Gives the settings for a file."""


@cache
def keys() -> Mapping[str, tuple[str, Key, Any]]:
    """Every key of a configuration file by its name: the field of Settings, the Key, the default."""
    found = ((f.name, f.metadata["key"], f.default) for f in fields(Settings) if "key" in f.metadata)
    return {key.name: (name, key, default) for name, key, default in found}
