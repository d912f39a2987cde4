"""What a run is told: the settings that the command line fills in."""

from __future__ import annotations

from dataclasses import dataclass

from coalint.diagnostics import Severity
from coalint.limits import Limits

DEFAULT_ARCH = "sm_80"


@dataclass(frozen=True)
class Settings:
    """How files are found, parsed, judged and filtered.

    `select` and `ignore` hold codes, prefixes of codes or names; `assume` C expressions; `arch` is the GPU to count
    for, None for DEFAULT_ARCH or, where a file's command does not name that, the newest that it names; `flags` are
    arguments of clang or nvcc; `compile_commands` a compilation database or its folder, None for those that are found;
    `exclude` patterns in gitignore's syntax, relative to the working directory; `jobs` processes (0: one per core).
    `timeout_per_file` (seconds) and `memory_per_file` (MB) bound what the check of one file may take (0: no bound);
    `cache` says whether results are kept for later runs, `cache_dir` where (empty: see `cache.cache_folder`);
    `dask` is the address of the scheduler of the cluster to run on, empty for this machine.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    arch: str | None = None
    flags: tuple[str, ...] = ()
    compile_commands: str | None = None
    exclude: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    jobs: int = 0
    timeout_per_file: float = 60.0
    memory_per_file: int = 2048
    cache: bool = True
    cache_dir: str = ""
    dask: str = ""

    @property
    def limits(self) -> Limits:
        """The bounds on one file, memory in bytes."""
        return Limits(self.timeout_per_file, self.memory_per_file << 20)
