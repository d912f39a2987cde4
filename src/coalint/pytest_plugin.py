"""A plugin for pytest: `pytest --coalint kernels/` has a test for each CUDA file, which fails for warnings and errors.

All files of the run are linted together, so that a kernel is judged by the launches of the others. Configuration files
say what is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from coalint.engine.report import Report

SUFFIXES = (".cu", ".cuh")
_LINTED = pytest.StashKey["Report"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --coalint."""
    parser.getgroup("coalint").addoption("--coalint", action="store_true", help="lint .cu and .cuh files with coalint")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> KernelFile | None:
    """Collect the CUDA files, where the option asks for it."""
    if file_path.suffix not in SUFFIXES or not parent.config.getoption("--coalint"):
        return None
    collected: KernelFile = KernelFile.from_parent(parent, path=file_path)
    return collected


class KernelFile(pytest.File):
    """A CUDA file."""

    def collect(self) -> Iterator[Lint]:
        """Yield the one test of the file."""
        yield Lint.from_parent(self, name="coalint")


class Lint(pytest.Item):
    """That a file has no warning and no error."""

    def runtest(self) -> None:
        """Fail with the findings of the file, and with what could not be read."""
        import coalint

        whole = _linted(self.session)
        own = tuple(
            diagnostic
            for diagnostic in whole.diagnostics
            if Path(diagnostic.finding.span.file).resolve() == self.path.resolve()
        )
        failures = tuple(failure for failure in whole.failures if failure.file in (None, str(self.path)))
        report = replace(whole, diagnostics=own, failures=failures)
        if report.exit_code(coalint.Severity.WARNING):
            raise FindingsError("\n".join([coalint.render(report, "concise"), *map(str, failures)]).rstrip())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the findings without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, FindingsError) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file and what the test is called."""
        return self.path, None, f"{self.path.name}: coalint"


class FindingsError(Exception):
    """A file has findings; the text lists them."""


def _linted(session: pytest.Session) -> Report:
    """Return the report on all CUDA files of the run, made when the first is asked for."""
    if _LINTED not in session.stash:
        import coalint

        files = dict.fromkeys(str(item.path) for item in session.items if isinstance(item, Lint))
        session.stash[_LINTED] = coalint.lint(list(files))
    return session.stash[_LINTED]
