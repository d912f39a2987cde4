"""The folder of the cache: its bound, its damaged and old entries, other runs and other files in it."""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cached_runs import (
    KERNEL,
    LINE,
    coalint,
    entries,
    results_of,
    settle,
)

from coalint.cli.main import main
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache import space
from coalint.engine.execution.cache.cache_folder import cache_folder
from coalint.engine.execution.cache.entries import write_sealed
from coalint.engine.execution.cache.include_names import digest_of


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


@pytest.mark.slow
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


@pytest.mark.slow
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
