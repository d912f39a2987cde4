"""A folder with a kernel and its header, linted with a cache, and how many files a run checks."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import forked
import pytest

from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache.inputs import MARGIN
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest
from coalint.machine.architecture import architecture

KERNEL = """\
#include "stride.cuh"
__global__ void k(float *x) { x[STRIDE * threadIdx.x] = 0; }
void run(float *x) { k<<<1, 256>>>(x); }
"""
RULES = load_rules()
JOB = Job((), architecture("sm_80"), RULES.rules, inputs=True)
LINE = "\n"


def settle() -> None:
    """Let what was just written be older than the run that follows: what changes during a run is not kept."""
    time.sleep(2 * MARGIN / 1e9)


def results_of(settings: Settings | None = None, files: tuple[str, ...] = ("k.cu",)) -> tuple[list[str], int]:
    """The messages of a run, and how many files it had to check."""
    checked: list[str] = []

    def counting(function: Callable[[Source], FileResult], items: list[Source], *_: object, **__: object) -> object:
        checked.extend(item.path for item in items)
        return (function(item) for item in items)  # which closes, as what it stands for does

    patch = pytest.MonkeyPatch()
    patch.setattr("coalint.engine.execution.run.map_items", counting)
    try:
        report = lint(RunRequest(files=files, settings=settings or Settings(flags=("-Iinclude",))), RULES)
    finally:
        patch.undo()
    return [diagnostic.finding.message for diagnostic in report.diagnostics], len(checked)


def changed_source(folder: Path) -> None:
    (folder / "k.cu").write_text(KERNEL.replace("STRIDE *", "2 *"))


def changed_header(folder: Path) -> None:
    (folder / "include" / "stride.cuh").write_text("#define STRIDE 2\n")


def header_beside_the_file(folder: Path) -> None:
    (folder / "stride.cuh").write_text("#define STRIDE 2\n")


def entries(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "results").glob("*/*.json"))


def coalint(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    if not code:
        return forked.coalint(*arguments)
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a kernel, its header, and an include folder; a cache of its own."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("COALINT_CACHE_DIR", str(tmp_path / "cache"))
    (work / "include").mkdir()
    (work / "k.cu").write_text(KERNEL)
    (work / "include" / "stride.cuh").write_text("#define STRIDE 8\n")
    settle()
    return work
