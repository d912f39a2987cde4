"""Results of earlier runs: used where nothing changed, and only there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from cached_runs import (
    JOB,
    KERNEL,
    changed_header,
    changed_source,
    coalint,
    entries,
    header_beside_the_file,
    results_of,
    settle,
)

from coalint.core.serialization import as_data, from_data
from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import FileResult, Source
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache import stored_results
from coalint.engine.execution.cache.stored_results import Results
from coalint.engine.report import Failure

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def test_an_unchanged_file_is_not_checked_again(folder: Path) -> None:
    cold, checked = results_of()
    assert (len(cold), checked) == (1, 1)
    assert "32 sectors" in cold[0]
    assert results_of() == (cold, 0)


@pytest.mark.parametrize("change", [changed_source, changed_header, header_beside_the_file])
def test_a_change_of_what_was_read_or_would_be_now_is_seen(change: Callable[[Path], None], folder: Path) -> None:
    cold, _ = results_of()
    change(folder)
    settle()
    changed, checked = results_of()
    assert checked == 1
    assert changed != cold
    assert results_of() == (changed, 0)


def test_going_back_brings_the_old_result_back(folder: Path) -> None:
    cold, _ = results_of()
    changed_source(folder)
    settle()
    results_of()
    (folder / "k.cu").write_text(KERNEL)
    settle()
    assert results_of() == (cold, 0)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(flags=("-Iinclude", "-DN=1")),
        Settings(flags=("-Iinclude",), assume=("blockDim.x == 64",)),
        Settings(flags=("-Iinclude",), arch="sm_90"),
        Settings(flags=("-Iinclude",), select=("COA101",)),
        Settings(flags=("-Iinclude",), cache=False),
    ],
)
def test_other_settings_have_other_results(settings: Settings, folder: Path) -> None:
    results_of()
    assert results_of(settings)[1] == 1


@pytest.mark.parametrize(
    "settings",
    [
        Settings(flags=("-Iinclude",), jobs=1),
        Settings(flags=("-Iinclude",), timeout_per_file=7),
        Settings(flags=("-Iinclude",), ignore=("COA105",)),
    ],
)
def test_what_changes_no_result_shares_them(settings: Settings, folder: Path) -> None:
    results_of()
    assert results_of(settings)[1] == 0


def test_another_program_or_environment_has_other_results(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results_of()
    monkeypatch.setenv("CPATH", "include")
    assert results_of()[1] == 1
    monkeypatch.setattr(stored_results, "code_digest", lambda packages: "another version")
    assert results_of()[1] == 1


def test_what_failed_is_not_kept(folder: Path) -> None:
    kept = Results(folder / "results", JOB, ())
    source = Source("k.cu", ("-Iinclude",))
    whole = check_file(source, JOB)
    assert whole.whole
    kept.keep(source, replace(whole, failures=(Failure.input("broken", "fix it", "k.cu"),)))
    assert kept.find(source) is None
    kept.keep(source, replace(whole, inputs=None))
    assert kept.find(source) is None
    kept.keep(source, whole)
    assert kept.find(source) == whole


def test_what_was_cut_short_is_kept_for_runs_with_the_same_limits(folder: Path) -> None:
    def kept(seconds: float) -> Results:
        return Results(folder / "results", replace(JOB, limits=Limits(seconds)), ())

    source = Source("k.cu", ("-Iinclude",))
    whole = check_file(source, JOB)
    cut = replace(whole, checked=(), whole=False)
    kept(1).keep(source, cut)
    assert kept(1).find(source) == cut
    assert kept(2).find(source) is None
    kept(2).keep(source, whole)
    assert kept(2).find(source) == whole
    assert kept(1).find(source) == whole


def test_a_file_that_changes_during_the_run_is_not_kept(folder: Path) -> None:
    (folder / "k.cu").write_text(KERNEL)  # now
    assert check_file(Source("k.cu", ("-Iinclude",)), JOB).inputs is None


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/*.cu"))[::9], ids=lambda path: path.stem)
def test_what_is_read_back_is_what_was_kept(path: Path, folder: Path) -> None:
    source = Source(str(path))
    whole = check_file(source, JOB)
    assert whole.checked
    kept = Results(folder / "results", JOB, ())
    kept.keep(source, whole)
    assert Results(folder / "results", JOB, ()).find(source) == whole


def test_records_are_read_back_as_they_were() -> None:
    assert {field.name for field in fields(FileResult)} >= {"path", "checked", "problems", "sources"}
    empty = FileResult("k.cu")
    assert from_data(FileResult, as_data(empty)) == empty


@pytest.mark.slow
def test_a_warm_run_loads_neither_libclang_nor_sympy_nor_numpy(folder: Path) -> None:
    code = "import sys, coalint.cli.main; coalint.cli.main.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    cold = coalint("lint", "-Iinclude", "k.cu", code=code)
    warm = coalint("lint", "-Iinclude", "k.cu", code=code)
    assert warm.stdout == cold.stdout != ""
    loaded = set(warm.stderr.split())
    assert "coalint.engine.execution.cache.stored_results" in loaded
    assert not loaded & {"sympy", "clang", "clang.cindex", "distributed", "rich.progress"}, sorted(loaded)
    # `numpy` is there, but not loaded.
    assert not loaded & {"numpy.linalg", "coalint.engine.inspection.maps"}, sorted(loaded)


@pytest.mark.slow
def test_runs_at_the_same_time_share_a_cache(folder: Path) -> None:
    for number in range(12):
        (folder / f"k{number}.cu").write_text(KERNEL.replace("k(", f"k{number}(").replace("k<<<", f"k{number}<<<"))
    settle()
    command = [sys.executable, "-m", "coalint", "lint", "-j2", "-Iinclude", "."]
    own = {**os.environ}  # readline puts COLUMNS beside it, into the environment of processes
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own) for _ in range(3)
    ]
    first, *others = [run.communicate() for run in runs]
    assert first[0].count("warning") >= 13
    assert first[1] == ""
    assert all(other == first for other in others)
    again = subprocess.run(command, capture_output=True, text=True, env=own)
    assert again.stdout == first[0]
    assert len(entries(folder)) == 13  # the header is read through a file that includes it
