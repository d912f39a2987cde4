"""What a run is told: the settings that the command line fills in."""

from __future__ import annotations

from dataclasses import dataclass

from coalint.diagnostics import Severity

DEFAULT_ARCH = "sm_80"


@dataclass(frozen=True)
class Settings:
    """How files are found, parsed, judged and filtered.

    `select` and `ignore` hold codes, prefixes of codes or names; `assume` C expressions; `flags` arguments for clang;
    `exclude` patterns in gitignore's syntax, relative to the working directory; `jobs` processes (0: one per core).
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    arch: str = DEFAULT_ARCH
    flags: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    jobs: int = 0
