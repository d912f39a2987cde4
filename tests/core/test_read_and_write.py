"""The gate: regular files, of bounded size, within the roots; and writing, whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from coalint.core.source import writing
from coalint.core.source.boundary import Boundary, boundary, confined, hidden_names, is_shown, roots
from coalint.core.source.reading import FileKind, RefusedError, is_fit, lies_in, read_bytes, read_text
from coalint.core.source.writing import replace_file

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def bound(path: Path) -> None:
    before = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(path.name)
    os.chdir(before)


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("plant", "reason"),
    [
        (pipe, "this is a named pipe, not a regular file"),
        (bound, "this is a socket, not a regular file"),
        (Path.mkdir, "this is a folder"),
        (link("/dev/zero"), "this is a device, not a regular file"),
        (link("/dev/tty"), "this is a device, not a regular file"),
        (link("/usr"), "this is a folder"),
        (link("there"), "Too many levels of symbolic links"),
        (link("gone"), "No such file or directory"),
    ],
)
def test_only_regular_files_are_read(plant: Callable[[Path], None], reason: str, tmp_path: Path) -> None:
    plant(tmp_path / "there")
    with pytest.raises(OSError, match=reason) as caught:
        read_bytes(tmp_path / "there", FileKind.SOURCE)
    assert caught.value.strerror == reason


@pytest.mark.parametrize("kind", [kind for kind in FileKind if kind.largest <= 64 << 20])
def test_each_kind_has_its_bound_and_a_sparse_file_costs_nothing(kind: FileKind, tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(kind.largest)
    assert len(read_bytes(path, kind)) == kind.largest
    assert is_fit(str(path), kind) is True
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert is_fit(str(path), kind) is False
    with pytest.raises(RefusedError) as caught:
        read_bytes(path, kind)
    assert caught.value.errno == errno.EFBIG
    assert str(caught.value.strerror).startswith("it has 1048576 MB, more than the ")
    assert str(caught.value.strerror).endswith(f" that coalint reads of {kind.noun}")


def test_what_grows_while_it_is_read_is_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x")
    monkeypatch.setattr(os, "read", lambda handle, size: b"x" * size)  # as of /proc files, whose size is 0
    with pytest.raises(RefusedError, match="more than the 1 MB that coalint reads of a configuration file"):
        read_bytes(path, FileKind.CONFIGURATION)


def test_a_link_may_not_leave_the_roots_but_may_lead_about_in_them(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "in-between"
    for folder in (inside / "deep", outside):
        folder.mkdir(parents=True)
        (folder / "text").write_text("words")
    (inside / "near").symlink_to("deep/text")
    (inside / "far").symlink_to(outside / "text")
    (inside / "folder").symlink_to(outside)
    within = (str(inside.resolve()),)
    assert read_bytes(inside / "near", FileKind.HEADER, within) == b"words"
    for name in ("far", "folder/text", "../in-between/text"):
        assert read_bytes(inside / name, FileKind.HEADER) == b"words", "what a user names is theirs"
        with pytest.raises(RefusedError, match="this is a link to outside of the repository"):
            read_bytes(inside / name, FileKind.HEADER, within)
    assert not lies_in(str(outside), within), "a folder's name is no prefix of another's"
    assert lies_in("/etc", ("/",))


def test_line_ends_are_those_of_text_and_bytes_that_are_none_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"a\r\nb\rc\xff\n")
    assert read_text(tmp_path / "text", FileKind.SOURCE) == "a\nb\nc\N{REPLACEMENT CHARACTER}\n"


def test_a_boundary_holds_for_its_body_only(tmp_path: Path) -> None:
    own, other = str(tmp_path.resolve()), "/usr/include"
    bounds = Boundary((own,), (other,))
    assert (boundary(), roots(), hidden_names()) == (None, None, set())
    with confined(bounds, ["x.h"]):
        hidden_names().add("y.h")
        assert (boundary(), roots(), hidden_names()) == (bounds, (own, other), {"x.h", "y.h"})
        assert is_shown(own)
        assert not is_shown(other)
    assert hidden_names() == set()
    assert is_shown(other)


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, alias = tmp_path / "k.cu", tmp_path / "alias.cu"
    path.write_text("old")
    path.chmod(0o640)
    alias.symlink_to(path)
    replace_file(alias, b"new")
    assert (path.read_text(), alias.is_symlink(), stat.S_IMODE(path.stat().st_mode)) == ("new", True, 0o640)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"newer")
    assert path.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [alias, path], "nothing half-written stays"


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="of Linux's files without a name")
def test_what_a_killed_write_left_goes_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between a name for the new file and the replacing, a process leaves one file, however often."""
    report = tmp_path / "report.json"
    report.write_text("old")
    for _ in range(3):
        child = os.fork()
        if child == 0:
            monkeypatch.setattr(os, "replace", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
            monkeypatch.setattr(writing, "LEFT", 0)
            replace_file(report, b"half")
            os._exit(0)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
        assert report.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 2
    replace_file(report, b"young leftovers may be another's")
    assert len(list(tmp_path.iterdir())) == 2
    monkeypatch.setattr(writing, "LEFT", 0)
    replace_file(report, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert report.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="of Linux's files without a name")
def test_a_new_file_has_its_name_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", lambda *_: pytest.fail("there is no other name that a kill could leave"))
    replace_file(tmp_path / "report.json", b"new")
    assert (tmp_path / "report.json").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) & 0o600 == 0o600
