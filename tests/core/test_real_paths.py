"""Real paths of files, found folder by folder, are those of the operating system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coalint.core.source.real_paths import RealPaths


def test_links_of_folders_and_of_files_are_followed(tmp_path: Path) -> None:
    folder = tmp_path / "here" / "deep"
    folder.mkdir(parents=True)
    (folder / "a.h").write_text("")
    (tmp_path / "folder").symlink_to(folder)
    (folder / "b.h").symlink_to(folder / "a.h")
    (folder / "gone.h").symlink_to(tmp_path / "nowhere.h")
    real = RealPaths()
    names = ["folder/a.h", "folder/b.h", "folder/gone.h", "folder/../deep/a.h", "here/deep/b.h", "folder", "folder/"]
    names += ["here/./deep/a.h", "here/..", "missing/x.h", "here/deep/..", ""]
    for name in names:
        path = os.path.join(tmp_path, name)
        assert real.of(path) == os.path.realpath(path), name


def test_a_relative_name_is_one_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert RealPaths().of("a.h") == os.path.realpath("a.h")
