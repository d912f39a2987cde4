"""Results of earlier runs: used where nothing changed, and only there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import forked
import pytest

from coalint.cli.main import main
from coalint.core.serialization import as_data, from_data
from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache import space, stored_results
from coalint.engine.execution.cache.cache_folder import cache_folder
from coalint.engine.execution.cache.entries import write_sealed
from coalint.engine.execution.cache.include_names import digest_of
from coalint.engine.execution.cache.inputs import MARGIN
from coalint.engine.execution.cache.stored_results import Results
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Failure
from coalint.engine.request import RunRequest
from coalint.machine.architecture import architecture

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
KERNEL = """\
#include "stride.cuh"
__global__ void k(float *x) { x[STRIDE * threadIdx.x] = 0; }
void run(float *x) { k<<<1, 256>>>(x); }
"""
RULES = load_rules()
JOB = Job((), architecture("sm_80"), RULES.rules, inputs=True)


LINE = "\n"


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


def settle() -> None:
    """Let what was just written be older than the run that follows: what changes during a run is not kept."""
    time.sleep(2 * MARGIN / 1e9)


def results_of(settings: Settings | None = None, files: tuple[str, ...] = ("k.cu",)) -> tuple[list[str], int]:
    """The messages of a run, and how many files it had to check."""
    checked: list[str] = []

    def counting(function: Callable[[Source], FileResult], items: list[Source], *_: object, **__: object) -> object:
        checked.extend(item.path for item in items)
        return map(function, items)

    patch = pytest.MonkeyPatch()
    patch.setattr("coalint.engine.execution.run.map_items", counting)
    try:
        report = lint(RunRequest(files=files, settings=settings or Settings(flags=("-Iinclude",))), RULES)
    finally:
        patch.undo()
    return [diagnostic.finding.message for diagnostic in report.diagnostics], len(checked)


def test_an_unchanged_file_is_not_checked_again(folder: Path) -> None:
    cold, checked = results_of()
    assert (len(cold), checked) == (1, 1)
    assert "32 sectors" in cold[0]
    assert results_of() == (cold, 0)


def changed_source(folder: Path) -> None:
    (folder / "k.cu").write_text(KERNEL.replace("STRIDE *", "2 *"))


def changed_header(folder: Path) -> None:
    (folder / "include" / "stride.cuh").write_text("#define STRIDE 2\n")


def header_beside_the_file(folder: Path) -> None:
    (folder / "stride.cuh").write_text("#define STRIDE 2\n")


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
    ("text", "missing"),
    [
        ('#include "late.cuh"\n', "late.cuh"),
        ("#include <late.cuh>\n", "include/late.cuh"),
        ('#if __has_include("late.cuh")\n#include "late.cuh"\n#endif\n', "include/late.cuh"),
        ('#include \\\n "late.cuh"\n', "include/late.cuh"),
        ('  #  include  "sub/late.cuh"\n', "include/sub/late.cuh"),
    ],
)
def test_a_header_that_turns_up_is_seen(text: str, missing: str, folder: Path) -> None:
    (folder / "k.cu").write_text("#define N 2\n" + text + KERNEL.replace("STRIDE", "N"))
    settle()
    before, _ = results_of()
    assert results_of()[1] == 0
    path = folder / missing
    path.parent.mkdir(exist_ok=True)
    path.write_text("#undef N\n#define N 8\n")
    settle()
    after, checked = results_of()
    assert checked == 1
    assert any("32 sectors" in message for message in after)
    assert not any("32 sectors" in message for message in before)


COMPUTED = '#define HEADER "stride.cuh"\n#include HEADER\n' + KERNEL.partition("\n")[2]


def test_an_include_that_a_macro_names_is_kept_until_its_file_changes(folder: Path) -> None:
    (folder / "k.cu").write_text(COMPUTED)
    settle()
    before, _ = results_of()
    assert results_of() == (before, 0)
    (folder / "include" / "stride.cuh").write_text("#define STRIDE 2\n")
    settle()
    after, checked = results_of()
    assert checked == 1
    assert after != before


@pytest.mark.parametrize("missing", ["stride.cuh", "first/stride.cuh"])
def test_a_header_that_a_macro_names_is_seen_where_it_turns_up(missing: str, folder: Path) -> None:
    (folder / "k.cu").write_text(COMPUTED)
    settings = Settings(flags=("-Ifirst", "-Iinclude"))
    settle()
    before, _ = results_of(settings)
    assert results_of(settings) == (before, 0)
    path = folder / missing
    path.parent.mkdir(exist_ok=True)
    path.write_text("#define STRIDE 2\n")
    settle()
    after, checked = results_of(settings)
    assert checked == 1
    assert after != before


def test_a_header_that_a_macro_names_in_vain_is_seen_when_it_turns_up(folder: Path) -> None:
    (folder / "k.cu").write_text("#define HEADER <sub/late.cuh>\n#include HEADER\n" + KERNEL.replace("STRIDE", "2"))
    settle()
    before, _ = results_of()
    assert results_of() == (before, 0)
    (folder / "include" / "sub").mkdir()
    (folder / "include" / "sub" / "late.cuh").write_text("")
    settle()
    assert results_of()[1] == 1


def test_a_file_that_asks_for_a_header_that_a_macro_names_is_not_kept(folder: Path) -> None:
    (folder / "k.cu").write_text('#define HEADER "late.cuh"\n#if __has_include(HEADER)\n#endif\n' + KERNEL)
    settle()
    results_of()
    assert results_of()[1] == 1


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


def entries(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "results").glob("*/*.json"))


@pytest.mark.parametrize("damage", ["", "{", "null", "[]", "\0" * 500, '["k.cu", 7]'])
def test_a_damaged_entry_is_made_anew(damage: str, folder: Path) -> None:
    cold, _ = results_of()
    (entry,) = entries(folder)
    good = entry.read_text()
    entry.write_text(damage)
    assert results_of() == (cold, 1)
    assert entry.read_text() == good
    data = json.loads(good.partition("\n")[2])
    data[2] = damage  # well-formed, with the right digest, and of the wrong shape
    text = json.dumps(data)
    name = entry.parent.name + entry.stem
    entry.write_text(f"{digest_of((name + LINE + text).encode())}\n{text}")
    assert results_of() == (cold, 1)


def test_an_entry_makes_no_file_be_shown_that_the_check_did_not_read(folder: Path) -> None:
    results_of()
    (entry,) = entries(folder)
    (folder / "secret").write_text("the launch codes")
    data = json.loads(entry.read_text().partition("\n")[2])
    data[[field.name for field in fields(FileResult)].index("sources")]["secret"] = ""
    text = json.dumps(data)
    name = entry.parent.name + entry.stem
    entry.write_text(f"{digest_of((name + LINE + text).encode())}\n{text}")
    report = lint(RunRequest(files=["k.cu"], settings=Settings(flags=("-Iinclude",))), RULES)
    assert report.diagnostics
    assert "launch codes" not in "".join(report.sources.values())


def test_old_and_excess_entries_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"k{n}.cu" for n in range(4)]
    for name in names:
        (folder / name).write_text(KERNEL.replace("k(", f"{Path(name).stem}("))
    settle()
    results_of(files=(*names,))
    old, *others = entries(folder)
    os.utime(old, (time.time() - space.OLDEST - 60,) * 2)
    for days, path in enumerate(others, 1):
        os.utime(path, (time.time() - days * 3600,) * 2)
    os.utime(folder.parent / "cache" / "results" / "pruned", (0, 0))
    results_of(files=("k.cu",))
    assert len(entries(folder)) == 4
    assert old not in entries(folder)
    monkeypatch.setattr(space, "LARGEST", 2 * taken(others[0]))
    os.utime(folder.parent / "cache" / "results" / "pruned", (0, 0))
    results_of(Settings(flags=("-Iinclude", "-DM")))
    assert len(entries(folder)) == 2
    assert others[2] not in entries(folder)


def taken(path: Path) -> int:
    """What a file takes of a disk."""
    return (path.stat().st_size // 4096 + 1) * 4096


def test_the_cache_never_takes_more_than_its_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither within a run that stores too much, nor by runs at the same time, and what was used last is kept."""
    names = [f"k{n}.cu" for n in range(12)]
    for name in names:
        (folder / name).write_text(KERNEL.replace("k(", f"{Path(name).stem}("))
    settle()
    results_of(files=(*names[:1],))
    (first,) = entries(folder)
    bound = 4 * taken(first)
    monkeypatch.setattr(space, "LARGEST", bound)
    most = []
    rename = os.replace

    def counted(*paths: Any) -> None:
        rename(*paths)
        most.append(sum(taken(path) for path in folder.parent.glob("cache/results/*/*")))

    monkeypatch.setattr(os, "replace", counted)
    for files in (names[1:], names):
        results_of(files=(*files,))
        assert 0 < max(most) <= bound
        assert len(entries(folder)) >= 3


def test_a_bound_that_others_have_reached_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "LARGEST", 40_000)
    for number in range(50):
        name = f"{number:04}"
        with ThreadPoolExecutor(4) as threads:
            paths = [tmp_path / f"{thread}" / f"{name}.json" for thread in range(4)]
            list(threads.map(lambda path: write_sealed(path, "name", "x" * 5000), paths))
        assert sum(map(taken, tmp_path.glob("*/*"))) <= 40_000 + 4 * 8192
    write_sealed(tmp_path / "0/large.json", "large", "x" * 50_000)
    assert not (tmp_path / "0/large.json").exists()


def coalint(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    if not code:
        return forked.coalint(*arguments)
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300)


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


def test_runs_at_the_same_time_share_a_cache(folder: Path) -> None:
    for number in range(12):
        (folder / f"k{number}.cu").write_text(KERNEL.replace("k(", f"k{number}("))
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


def test_a_cache_that_cannot_be_written_to_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "cache").write_text("a file")
    done = coalint("lint", "-Iinclude", "--output-format=concise", "k.cu")
    assert "32 sectors" in done.stdout
    assert done.stderr == (
        f"coalint: nothing is cached: {folder.parent / 'cache'} "
        "cannot be written to, holds other files, or belongs to another user\n"
    )
    monkeypatch.delenv("COALINT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache" / "below a file"))
    assert coalint("lint", "-Iinclude", "--output-format=concise", "k.cu").stderr == ""


@pytest.mark.parametrize("written", [0, 20])
def test_a_folder_that_another_run_is_making_is_used(written: int, folder: Path) -> None:
    cache = folder.parent / "cache"
    assert cache_folder() == cache
    tag = (cache / "CACHEDIR.TAG").read_text()
    (cache / "CACHEDIR.TAG").write_text(tag[:written])
    assert cache_folder() == cache
    assert (cache / "CACHEDIR.TAG").read_text() == tag
    (cache / "CACHEDIR.TAG").write_text("somebody else's")
    assert cache_folder() is None


def test_a_folder_with_other_files_is_never_used_nor_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.rglob("*"))
    assert cache_folder(str(folder)) is None
    assert main(["lint", "-Iinclude", "k.cu", "--cache-dir", str(folder)]) == 1
    assert main(["clean", "--cache-dir", str(folder)]) == 0
    assert capsys.readouterr().out.endswith(f"no cache at {folder}\n")
    assert sorted(folder.rglob("*")) == before


def test_clean_removes_the_cache(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "-Iinclude", "k.cu"])
    cache = folder.parent / "cache"
    tag = (cache / "CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert (cache / ".gitignore").read_text() == "*\n"
    assert len(entries(folder)) == 1
    capsys.readouterr()
    assert main(["clean"]) == 0
    assert capsys.readouterr().out.startswith(f"removed {cache} (")
    assert not cache.exists()
    assert main(["clean"]) == 0
    assert capsys.readouterr().out == f"no cache at {cache}\n"


def test_the_cache_is_the_users_unless_told_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the repository: whoever writes that could write the cache too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COALINT_CACHE_DIR", str(tmp_path / "variable"))
    assert cache_folder(str(tmp_path / "option")) == tmp_path / "option"
    assert cache_folder() == tmp_path / "variable"
    monkeypatch.delenv("COALINT_CACHE_DIR")
    if sys.platform == "linux":
        assert cache_folder() == tmp_path / "home" / "coalint"
