"""Which files a run looks at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coalint.engine.units.discovery import discover


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "src/b.cu",
        "src/a.cu",
        "src/deep/c.cuh",
        "src/host.cpp",
        "src/deep/notes.txt",
        "build/generated.cu",
        ".hidden/h.cu",
        "env/lib/site.cu",
        "out/gen/kept.cu",
        "out/gen/dropped.cu",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "env/pyvenv.cfg").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    discovery = discover(paths, exclude)
    assert not discovery.failures
    return list(discovery.files)


def test_a_folder_gives_cuda_files_in_order_and_leaves_out_builds_hidden_folders_and_environments(tree: Path) -> None:
    assert found(".") == ["out/gen/dropped.cu", "out/gen/kept.cu", "src/a.cu", "src/b.cu", "src/deep/c.cuh"]


def test_paths_are_named_as_the_user_named_them(tree: Path) -> None:
    assert found("src/deep") == ["src/deep/c.cuh"]
    assert found(str(tree / "src/deep")) == [str(tree / "src/deep/c.cuh")]


def test_a_file_is_taken_whatever_its_suffix_and_a_named_folder_though_it_would_be_skipped(tree: Path) -> None:
    assert found("src/host.cpp") == ["src/host.cpp"]
    assert found("build") == ["build/generated.cu"]


def test_overlapping_paths_and_symbolic_links_give_a_file_once(tree: Path) -> None:
    os.symlink(tree / "src/a.cu", tree / "src/z_link.cu")
    os.symlink(tree / "src", tree / "src/deep/loop")
    assert found("src/b.cu", "src", "./src/a.cu") == ["src/b.cu", "src/a.cu", "src/deep/c.cuh"]


def test_gitignore_files_up_the_tree_and_inside_count_and_the_deepest_decides(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("b.cu\nout/gen/*.cu\n")
    (tree / "out/gen/.gitignore").write_text("!kept.cu\n")
    assert found("src") == ["src/a.cu", "src/deep/c.cuh"]
    assert found("out") == ["out/gen/kept.cu"]
    assert found("src/b.cu") == ["src/b.cu"], "a file that is named is meant"


def test_naming_an_ignored_folder_means_it(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("out/\n")
    assert found("out/gen") == ["out/gen/dropped.cu", "out/gen/kept.cu"]


def test_exclude_leaves_out_files_of_folders_and_named_ones(tree: Path) -> None:
    assert found("src", "src/b.cu", exclude=("b.cu", "/src/deep/")) == ["src/a.cu"]


def test_names_and_patterns_that_are_too_many_are_not_all_compared(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coalint.engine.units.ignores.MOST_COMPARISONS", 60)
    (tree / "src/.gitignore").write_text("x\n" * 19 + "c.cuh\n")
    discovery = discover(["src"])
    assert discovery.files == ("src/a.cu", "src/b.cu", "src/deep/c.cuh"), "three names were compared, the fourth not"
    assert "too many patterns of what to leave out" in " ".join(discovery.remarks)
    monkeypatch.undo()
    monkeypatch.chdir(tree)
    assert discover(["src"]).files == ("src/a.cu", "src/b.cu")


def test_a_gitignore_cannot_bring_back_what_exclude_leaves_out(tree: Path) -> None:
    (tree / "src/.gitignore").write_text("!a.cu\n")
    assert found("src", exclude=("a.cu", "*.cuh")) == ["src/b.cu"]


def test_a_missing_path_names_the_nearest_one_and_costs_only_itself(tree: Path) -> None:
    discovery = discover(["src/bb.cu", "src/a.cu"])
    assert discovery.files == ("src/a.cu",)
    assert str(discovery.failures[0]) == "error: src/bb.cu: no such file or folder\n  did you mean src/b.cu?"


def test_a_link_that_leads_nowhere_is_named_as_such_and_suggested_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "k.cu").symlink_to("gone.cu")
    (tmp_path / "loop.cu").symlink_to("loop.cu")
    discovery = discover([str(tmp_path / name) for name in ("k.cu", "loop.cu", "kk.cu")])
    assert [failure.message for failure in discovery.failures] == [
        "this is a link to gone.cu, which does not exist",
        "this is a link to loop.cu, which does not exist",
        "no such file or folder",
    ]
    assert not any("did you mean" in str(failure) for failure in discovery.failures)


def test_a_folder_without_cuda_files_says_so_and_counts_the_ignored_ones(tree: Path) -> None:
    (tree / "src/.gitignore").write_text("*.cu\n*.cuh\n")
    (failure,) = discover(["src"]).failures
    assert "Numba files (.cu, .cuh) other than 3 that .gitignore or --exclude leave out" in failure.message
    (tree / "empty").mkdir()
    (failure,) = discover(["empty"]).failures
    assert failure.message == "this folder holds no CUDA or Numba files (.cu, .cuh)"


def test_what_is_no_regular_file_is_refused(tree: Path) -> None:
    os.mkfifo(tree / "pipe.cu")
    (failure,) = discover(["pipe.cu"]).failures
    assert failure.message == "this is not a regular file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_costs_only_itself_unless_root_who_reads_everything_runs_it(tree: Path) -> None:
    (tree / "src/deep").chmod(0)
    discovery = discover(["src"])
    (tree / "src/deep").chmod(0o755)
    assert discovery.files == ("src/a.cu", "src/b.cu")
    assert discovery.failures[0].message == "cannot be read: Permission denied"
