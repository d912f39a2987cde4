"""A cache that others write to: users who forge entries, other versions at the same time, a disk that is read-only."""

from __future__ import annotations

import errno
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import forked
import pytest
from project import STRIDED

from coalint.core.serialization import as_data, from_data
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.execution.cache.entries import seal

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux's files and processes")
SOMEBODY = 54_321


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / ".git").mkdir()
    for name in ("k", "j"):
        (folder / f"{name}.cu").write_text(STRIDED.replace("k(", f"{name}(").replace("k<", f"{name}<"))
    return folder


def run(tree: Path, cache: Path, **environment: str) -> CompletedProcess[str]:
    variables = {**os.environ, "COALINT_CACHE_DIR": str(cache), **environment}
    return forked.coalint("lint", ".", "-j1", "--output-format=concise", folder=tree, environment=variables)


def give_away(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make files those of another user: by giving them away, which only root can, else by being another user."""
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, SOMEBODY, SOMEBODY)
    else:
        monkeypatch.setattr("os.geteuid", lambda: SOMEBODY)


def forge(cache: Path) -> list[Path]:
    """Entries that say that nothing was found, each with the seal that fits; return their paths."""
    entries = sorted((cache / "results").glob("*/*.json"))
    for path in entries:
        result = from_data(FileResult, json.loads(path.read_text().partition("\n")[2]))
        text = json.dumps(as_data(replace(result, checked=())), separators=(",", ":"))
        path.write_text(f"{seal(path.parent.name + path.stem, text)}\n{text}")
    return entries


@pytest.mark.slow
def test_entries_of_another_user_are_not_believed(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = run(tree, tmp_path / "cache")
    assert right.stdout.count("warning[") == 2
    forged = forge(tmp_path / "cache")
    assert run(tree, tmp_path / "cache").stdout == "", "the forgery is one that would be believed"
    give_away(forged, monkeypatch)
    assert run(tree, tmp_path / "cache").stdout == right.stdout


@pytest.mark.slow
def test_precompiled_headers_of_another_user_are_not_given_to_libclang(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run(tree, tmp_path / "cache")
    (header,) = (tmp_path / "cache/headers").glob("*.pch")
    (tmp_path / "cache/results").rename(tmp_path / "other")
    give_away([header], monkeypatch)
    os.utime(header, ns=(0, 0))
    assert run(tree, tmp_path / "cache").stdout == right.stdout
    assert header.stat().st_mtime_ns == 0 or header.stat().st_uid in (os.getuid(), 0), "it was used"


@pytest.mark.slow
def test_a_cache_folder_of_another_user_is_none(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = run(tree, tmp_path / "cache")
    forge(tmp_path / "cache")
    give_away([tmp_path / "cache"], monkeypatch)
    done = run(tree, tmp_path / "cache")
    assert done.stdout == right.stdout
    assert done.stderr.startswith(f"coalint: nothing is cached: {tmp_path}/cache ")
    assert "belongs to another user" in done.stderr


@pytest.mark.slow
def test_versions_that_run_at_the_same_time_keep_apart(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version `b` finds nothing; whatever it stores, version `a` has its own results, and the other way round."""

    def check(source: Source, job: Job) -> FileResult:
        result = check_file(source, job)
        return result if os.environ.get("TRIED", "a") == "a" else replace(result, checked=())

    def digest(packages: object = ()) -> str:
        return os.environ.get("TRIED", "")

    monkeypatch.setattr("coalint.engine.execution.run.check_file", check)
    for module in ("stored_results", "stored_answers"):
        monkeypatch.setattr(f"coalint.engine.execution.cache.{module}.code_digest", digest)
    with ThreadPoolExecutor(4) as threads:
        for _ in ("cold", "warm"):
            runs = [threads.submit(run, tree, tmp_path / "cache", TRIED=version) for version in "abab"]
            assert [done.result().stdout.count("warning[") for done in runs] == [2, 0, 2, 0]
            assert [done.result().stderr for done in runs] == [""] * 4
    stored = [path.suffix for path in (tmp_path / "cache/results").glob("*/*")]
    assert stored == [".json"] * 4


@pytest.mark.slow
def test_a_cache_that_is_read_only_costs_time_alone(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run(tree, tmp_path / "cache")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for name in ("os.utime", "os.replace", "os.unlink", "pathlib.Path.touch", "tempfile.mkstemp"):
        monkeypatch.setattr(name, refuse)
    (tree / "k.cu").write_text((tree / "k.cu").read_text() + "// another\n")  # one entry fits, one cannot be written
    done = run(tree, tmp_path / "cache")
    assert (done.stdout, done.stderr) == (right.stdout, "")
    nowhere = run(tree, Path("/proc/self/cache"))
    assert nowhere.stdout == right.stdout
    assert nowhere.stderr.startswith("coalint: nothing is cached: /proc/self/cache cannot be written to")
