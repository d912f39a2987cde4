"""What is asked about a repository is kept for later runs, and asked anew where one of its files has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from coalint.engine.execution.cache.stored_reach import StoredReach
from coalint.engine.findings import repository_reach
from coalint.engine.findings.repository_reach import RepositoryReach

KERNEL = "__global__ void old_kernel(float *p) { p[0] = 1; }\n"
MAIN = "void old(float *p) { old_kernel<<<1, 1>>>(p); }\nint main(void) { float *p = 0;%s return 0; }\n"


def put(root: Path, call: str = "") -> str:
    """Write a program whose `old` launches a kernel, with a call of it or without; return its file."""
    file = root / "k.cu"
    file.write_text(KERNEL + MAIN % call)
    return str(file)


def reach(root: Path, store: Path) -> RepositoryReach:
    """The answers about a folder, kept in a store."""
    return RepositoryReach(str(root), StoredReach(store, ()))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a program, real as it is asked for."""
    folder = (tmp_path / "program").resolve()
    folder.mkdir()
    return folder


def test_a_later_run_over_the_same_files_reads_none(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(root)
    first = reach(root, tmp_path / "store")
    assert (first.why("old_kernel", file), first.sources) == ("old", ("k.cu",))
    first.save()

    def read(*_: object) -> None:
        raise AssertionError("the repository is read")

    monkeypatch.setattr(repository_reach, "names_of", read)
    later = reach(root, tmp_path / "store")
    assert (later.why("old_kernel", file), later.sources) == ("old", ("k.cu",))


def test_a_kernel_that_no_earlier_run_asked_about_is_looked_for(root: Path, tmp_path: Path) -> None:
    file = put(root)
    first = reach(root, tmp_path / "store")
    assert first.sources == ("k.cu",)
    first.save()
    later = reach(root, tmp_path / "store")
    assert later.why("old_kernel", file) == "old"
    later.save()
    assert reach(root, tmp_path / "store").why("old_kernel", file) == "old"


def test_a_changed_file_changes_the_answer(root: Path, tmp_path: Path) -> None:
    file = put(root)
    first = reach(root, tmp_path / "store")
    assert first.why("old_kernel", file) == "old"
    first.save()
    put(root, call=" old(p);")
    assert reach(root, tmp_path / "store").why("old_kernel", file) is None


def test_without_a_store_each_run_reads_the_files(root: Path) -> None:
    one = RepositoryReach(str(root), None)
    assert one.why("old_kernel", put(root)) == "old"
    one.save()
