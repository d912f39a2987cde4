"""Files that change, vanish, grow or turn into others while they are read, and includes through links and back."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import forked
import pytest
from project import STRIDED

from coalint.core.source.reading import FileKind, RefusedError, read_bytes

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux's files and processes")
SECRET = "hunter2_9922"


def between(monkeypatch: pytest.MonkeyPatch, name: str, path: Path, act: Callable[[], None]) -> None:
    """Have something happen before each call of a function of `os`: of `open`, before it opens `path`."""
    real = getattr(os, name)
    seen = []

    def after_act(*arguments: object, **options: object) -> object:
        if name != "open" or os.fspath(arguments[0]) == str(path):  # type: ignore[call-overload]
            seen.append(arguments)
            act()
        return real(*arguments, **options)

    monkeypatch.setattr(os, name, after_act)


def test_a_file_that_grows_while_it_is_read_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "grows"
    path.write_bytes(b"a" * 1000)

    def grow() -> None:
        with path.open("ab") as file:
            file.write(b"a" * 100_000)

    between(monkeypatch, "read", path, grow)
    with pytest.raises(RefusedError, match="more than the 256 KB that coalint reads of an ignore file"):
        read_bytes(path, FileKind.IGNORE_FILE)
    assert path.stat().st_size < 600_000, "it was not read on"


def test_a_file_that_vanishes_before_it_is_opened_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "vanishes"
    path.write_text("text")
    between(monkeypatch, "open", path, path.unlink)
    with pytest.raises(FileNotFoundError):
        read_bytes(path, FileKind.SOURCE)


def test_a_file_that_turns_into_a_pipe_before_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "turns"
    path.write_text("text")

    def turn() -> None:
        path.unlink()
        os.mkfifo(path)

    between(monkeypatch, "open", path, turn)
    with pytest.raises(RefusedError, match="named pipe"):
        read_bytes(path, FileKind.SOURCE)


def test_a_file_that_turns_into_a_link_that_leads_out_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.write_text(SECRET)
    path = root / "turns"
    path.write_text("text")

    def turn() -> None:
        path.unlink()
        path.symlink_to(outside)

    between(monkeypatch, "open", path, turn)
    with pytest.raises(RefusedError, match="a link to outside"):
        read_bytes(path, FileKind.SOURCE, within=(os.path.realpath(root),))


def test_a_folder_above_that_turns_into_a_link_that_leads_out_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "folder").mkdir(parents=True)
    outside.mkdir()
    (outside / "name").write_text(SECRET)
    path = root / "folder/name"
    path.write_text("text")

    def turn() -> None:
        (root / "folder").rename(root / "before")
        (root / "folder").symlink_to(outside)

    between(monkeypatch, "open", path, turn)
    with pytest.raises(RefusedError, match="a link to outside"):
        read_bytes(path, FileKind.SOURCE, within=(os.path.realpath(root),))


@pytest.fixture
def restless(tmp_path: Path) -> Iterator[Path]:
    """A repository in which a process exchanges files, links and pipes for each other as fast as it can."""
    root, outside = tmp_path / "repository", tmp_path / "outside.h"
    (root / ".git").mkdir(parents=True)
    outside.write_text(f'int {SECRET} = "{SECRET}\n#error {SECRET}\n')
    (root / "k.cu").write_text('#include "k.h"\n' + STRIDED)
    forms: tuple[Callable[[Path], object], ...] = (
        lambda path: path.write_text("#define STEP 8\n"),
        lambda path: path.write_text("// " + "x" * 3_000_000 + "\n"),
        lambda path: path.symlink_to(outside),
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: os.mkfifo(path),
        lambda path: path.mkdir(),
        lambda path: path.write_bytes(b""),
    )
    child = os.fork()
    if child == 0:
        try:
            for number in range(1 << 60):
                for name in ("k.h", ".gitignore", "other.cu", "compile_commands.json"):
                    made = root / f"made-{number}"
                    forms[number % len(forms)](made)
                    path = root / name
                    if path.is_dir() and not path.is_symlink():
                        path.rmdir()
                    if made.is_dir() and path.is_symlink() | path.exists():
                        path.unlink()
                    os.rename(made, path)
        finally:
            os._exit(0)
    yield root
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.slow
def test_a_run_over_files_that_are_exchanged_ends_and_tells_nothing(restless: Path, tmp_path: Path) -> None:
    cache = {**os.environ, "COALINT_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(3):
        done = forked.coalint("lint", ".", "-j2", folder=restless, environment=cache, megabytes=1536, seconds=100)
        assert done.returncode in (0, 1, 2), done.stderr
        assert SECRET not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        assert "internal error" not in done.stderr


@pytest.mark.slow
def test_a_result_of_files_that_changed_meanwhile_is_never_believed_later(tmp_path: Path) -> None:
    """A header gives way to an older one of the same size: nothing about it looks new but what it holds."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    text = '#include "step.h"\n' + STRIDED.replace("8 *", "STEP *")
    (root / "k.cu").write_text(text)
    steps = [root / "step.h", root / "older.h"]
    for step, number in zip(steps, (8, 2), strict=True):
        step.write_text(f"#define STEP {number}\n")
        os.utime(step, (1, 1))
    cache = {**os.environ, "COALINT_CACHE_DIR": str(tmp_path / "cache")}

    def strides() -> list[str]:
        done = forked.coalint("inspect", "k.cu", "--output-format=json", folder=root, environment=cache)
        return [a["stride"] for kernel in json.loads(done.stdout)["kernels"] for a in kernel["accesses"]]

    assert strides() == ["32", "4"]
    os.rename(steps[1], steps[0])
    assert strides() == ["8", "4"]


@pytest.mark.slow
@pytest.mark.parametrize("decoy", [False, True])
def test_an_include_through_a_link_and_back_reads_no_other_file(decoy: bool, tmp_path: Path) -> None:
    """`linked/../x.h` lies beside what `linked` leads to: where the view would give another file, it gives none."""
    root, elsewhere = tmp_path / "repository", tmp_path / "elsewhere"
    (root / ".git").mkdir(parents=True)
    (root / "a/b").mkdir(parents=True)
    (elsewhere / "deep").mkdir(parents=True)
    (elsewhere / "x.h").write_text(f"#define STEP 7\nint {SECRET} = {SECRET}2;\n#error {SECRET}\n")
    (root / "a/x.h").write_text("#define STEP 5\n")
    if decoy:
        (root / "x.h").write_text("#define STEP 3\n")
    (root / "inside").symlink_to("a/b")
    (root / "outside").symlink_to(elsewhere / "deep")
    (root / "plain").mkdir()
    (root / "plain/y.h").write_text("#define STEP 9\n")
    for name, header in (("inside", "x.h"), ("outside", "x.h"), ("plain", "plain/y.h")):
        text = STRIDED.replace("8 *", "STEP *")
        (root / f"{name}.cu").write_text(f'#include "{name}/../{header}"\n{text}')
    done = forked.coalint("inspect", ".", "--output-format=json", "--no-cache", folder=root)
    assert SECRET not in done.stdout + done.stderr
    kernels = json.loads(done.stdout)["kernels"]
    strides = {Path(kernel["file"]).stem: {a["stride"] for a in kernel["accesses"]} for kernel in kernels}
    assert strides == {"inside": {"?", "4"}, "outside": {"?", "4"}, "plain": {"36", "4"}}
    done = forked.coalint("lint", "inside.cu", "--output-format=concise", "--no-cache", folder=root)
    assert "inside/../x.h" in done.stdout, "it is told as missing"
