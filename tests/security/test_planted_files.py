"""Files that a repository plants under the names that coalint looks for: they cost nothing but what they are."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from project import STRIDED

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux's files")
FOUND = "k.cu:3:14: warning[uncoalesced-global-access]"
LINKS = {
    "zero": "/dev/zero",
    "stdin": "/dev/stdin",
    "environ": "/proc/self/environ",
    "memory": "/proc/self/mem",
    "kernel": "/proc/kmsg",
    "passwd": "/etc/passwd",
    "system": "/usr",
    "upward": "..",
    "gone": "gone",
}
KINDS = (*LINKS, "itself", "pipe", "socket", "folder", "sparse", "zeros")
NAMES = (
    *(".gitignore", "pyproject.toml", "compile_commands.json", "k.h", "coalint-baseline.json", "notes.ipynb"),
    *("b.cu", "host.py", "build", "part.cuh", ".gitmodules", ".gitattributes"),
)


def plant(path: Path, kind: str) -> None:
    if kind in LINKS:
        path.symlink_to(LINKS[kind])
    elif kind == "itself":
        path.symlink_to(path.name)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        before = os.getcwd()
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(path.name)
        os.chdir(before)
    elif kind == "folder":
        path.mkdir()
    elif kind == "sparse":
        with path.open("wb") as file:
            file.truncate(10 << 30)
    else:
        path.write_bytes(b"\0" * 10_000)


def coalint(folder: Path, *arguments: str, seconds: float = 200) -> subprocess.CompletedProcess[str]:
    """Run coalint where no process may hold more than 1.5 GB, the parent neither, and stdin never ends."""
    return forked.coalint(*arguments, folder=folder, stdin="/dev/zero", megabytes=1536, seconds=seconds)


@pytest.mark.slow
def test_nothing_planted_stops_or_holds_up_a_run(tmp_path: Path) -> None:
    """Each kind stands under all names in one folder, and under those that change what the others mean in another."""
    found = f"k.cu:5:14{FOUND[9:]}"  # of kernels with names of their own, so that none is a copy of another
    for kind in KINDS:
        for names in (NAMES, (".git", "k.rsp")):
            folder = tmp_path / f"{kind}{len(names)}"
            folder.mkdir()
            own = STRIDED.replace("void k(", f"void {folder.name}(").replace("k<<<", f"{folder.name}<<<")
            (folder / "k.cu").write_text('#include "k.h"\n#include "part.cuh"\n' + own)
            if "k.rsp" in names:
                (folder / "compile_commands.json").write_text(
                    f'[{{"directory": "{folder}", "file": "k.cu", "command": "nvcc @k.rsp -c k.cu"}}]'
                )
            for name in names:
                plant(folder / name, kind)
    done = coalint(tmp_path, "lint", ".", "-j2", "--output-format=concise", "--memory-per-file=1024")
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    for folder in tmp_path.iterdir():
        assert f"{folder.name}/{found}" in done.stdout, (folder, done.stdout, done.stderr)
    assert "root:" not in done.stdout + done.stderr
    assert "not analysed" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coalint.toml", ".coalint.toml"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_configuration_is_refused_or_none(name: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    plant(tmp_path / name, kind)
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    if done.returncode == 2:
        assert done.stderr.startswith(f"coalint: error: {name}: ")
        assert "root:" not in done.stderr
    else:
        assert done.stdout.startswith(FOUND), done.stderr


@pytest.mark.slow
def test_files_of_100_megabytes_are_refused_or_none(tmp_path: Path) -> None:
    for name in (*NAMES, "k.rsp", "coalint.toml"):
        (tmp_path / "k.cu").write_text('#include "k.h"\n#include "part.cuh"\n' + STRIDED)
        database = f'[{{"directory": "{tmp_path}", "file": "k.cu", "command": "nvcc @k.rsp -c k.cu"}}]'
        (tmp_path / "compile_commands.json").write_text(database)
        (tmp_path / name).write_bytes(b"__global__ void j(float *x) { x[8] = [1, 2]; }\n" * (100 * 2**20 // 47))
        done = coalint(tmp_path, "lint", ".", "-j2", "--no-cache", "--output-format=concise", "--memory-per-file=1024")
        assert "Traceback" not in done.stderr, name
        assert "internal error" not in done.stderr, name
        if name == "coalint.toml":
            assert done.stderr.startswith("coalint: error: coalint.toml: cannot be read: it has 99 MB, more than the 1")
        else:
            assert "k.cu:5:14: warning[uncoalesced-global-access]" in done.stdout, (name, done.stderr)
        (tmp_path / name).unlink()


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_baseline_is_refused(kind: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    (tmp_path / "coalint.toml").write_text('baseline = "known.json"\n')
    plant(tmp_path / "known.json", kind)
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    assert done.returncode == 2
    assert done.stderr.startswith(
        ("coalint: error: coalint.toml:1: `baseline`", f"coalint: error: {tmp_path}/known.json")
    )
    assert "root:" not in done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_an_ignore_file_that_is_not_applied_is_named(kind: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    plant(tmp_path / ".gitignore", kind)
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    assert done.stdout.startswith(FOUND), done.stderr
    if kind in ("gone", "zeros"):  # no file, and one whose only line matches no name
        assert done.stderr == ""
    else:
        assert re.fullmatch(r"coalint: warning: \.gitignore: [^\n]+; nothing is left out for it\n", done.stderr), (
            done.stderr
        )


def test_a_line_of_an_ignore_file_that_is_no_pattern_is_named_and_the_others_count(tmp_path: Path) -> None:
    for name in ("k.cu", "j.cu"):
        (tmp_path / name).write_text(STRIDED)
    (tmp_path / ".gitignore").write_text(f"[z-a]\x1b\n!\nj.cu\n{'*a' * 3000}[z-a]\n")
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["k.cu"]
    assert "warning: .gitignore: line 1 (and 2 more): `[z-a]" in done.stderr
    assert "\x1b" not in done.stderr
    assert len(done.stderr) < 300


def test_of_many_ignore_files_that_are_not_applied_a_few_are_named(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"f{number:02}").mkdir()
        os.mkfifo(tmp_path / f"f{number:02}/.gitignore")
    (tmp_path / "k.cu").write_text(STRIDED)
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    assert done.stdout.startswith(FOUND)
    assert len(done.stderr.splitlines()) == 6
    assert done.stderr.endswith("warning: 35 more ignore files are not applied in full\n")


def test_a_baseline_is_never_written_out_of_the_repository(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "k.cu").write_text(STRIDED)
    (tmp_path / "precious").write_text("words")
    (repository / "known.json").symlink_to(tmp_path / "precious")
    for text in ('baseline = "known.json"', 'baseline = "../precious"', f'baseline = "{tmp_path}/precious"'):
        (repository / "coalint.toml").write_text(text + "\n")
        done = coalint(repository, "baseline", "create", ".")
        assert done.returncode == 2
        assert "coalint.toml:1: `baseline` is outside of the repository" in done.stderr
        assert (tmp_path / "precious").read_text() == "words"
    assert coalint(repository, "baseline", "create", ".", "--isolated", "--baseline", "../precious").returncode == 0
    assert (tmp_path / "precious").read_text().startswith("{")


ODD_NAMES = (
    *("a\x1b[31mb.cu", "a\x07.cu", "\N{RIGHT-TO-LEFT OVERRIDE}uc.cu", "-j99.cu", "--fix.cu", "@x.cu"),
    *("a b.cu", "a'b.cu", 'a"b.cu', "a\\b.cu", "a:1:2.cu", "*.cu", "$(touch x).cu", ";x.cu", "a%0Ab.cu", "é.cu"),
    *("::error::x.cu", "]]>.cu", "<script>.cu", "&amp;.cu", "`x`.cu", "[x](y).cu", "#.cu", "~.cu", "a" * 250 + ".cu"),
)


@pytest.mark.slow
def test_names_of_any_characters_are_names(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ODD_NAMES:
        (tree / name).write_text(STRIDED)
    formats = ("concise", "full", "json", "jsonl", "sarif", "github", "gitlab", "rdjson", "junit", "markdown", "html")
    outputs = [f"-o{name}={tmp_path / name}" for name in formats]
    done = coalint(tmp_path, "lint", "tree", *outputs)
    assert done.returncode == 1, done.stderr
    lines = (tmp_path / "concise").read_text().splitlines()
    assert len(lines) == len(ODD_NAMES)
    assert all(": warning[uncoalesced-global-access]" in line for line in lines)
    steering = "\x1b\x07\N{RIGHT-TO-LEFT OVERRIDE}"
    for written in ("concise", "full", "markdown", "html"):
        assert not any(c in (tmp_path / written).read_text() for c in steering), written
    commands = (tmp_path / "github").read_text().splitlines()
    assert all(line.startswith("::") for line in commands[: len(ODD_NAMES)])
    assert not any(c in line.split("::", 2)[2] for line in commands if line.startswith("::warning") for c in steering)


def test_a_name_of_several_lines_is_refused_and_forges_none(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    forged = "x\n::error file=k.cu,line=1::forged\nk.cu:1:1: error[divergent-barrier] forged"
    (tmp_path / (forged.replace("/", "") + ".cu")).write_text(STRIDED)
    (tmp_path / "a\nb").mkdir()
    (tmp_path / "a\nb/k.cu").write_text(STRIDED)
    for output_format in ("concise", "full", "github"):
        done = coalint(tmp_path, "lint", ".", f"--output-format={output_format}")
        assert done.returncode == 2
        assert "its name holds a line break\n  rename it, or leave it out with --exclude" in done.stderr
        lines = (done.stdout + done.stderr).splitlines()
        assert not any(line.lstrip().startswith(("::error file=k.cu", "k.cu:1:1")) for line in lines)


def test_a_name_that_is_not_utf_8_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    (tmp_path / os.fsdecode(b"\xff.cu")).write_text(STRIDED)
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    assert done.stdout.startswith(FOUND)
    assert "libclang cannot open it: a name is not UTF-8\n  rename the file or folder" in done.stderr


def test_links_of_the_walk_that_lead_out_are_named(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / "src").mkdir(parents=True)
    (tmp_path / "outside.cu").write_text(STRIDED)
    (repository / "k.cu").write_text(STRIDED)
    (repository / "src/near.cu").symlink_to("../k.cu")
    (repository / "src/far.cu").symlink_to(tmp_path / "outside.cu")
    done = coalint(repository, "lint", ".", "--output-format=concise")
    assert "src/far.cu: this is a link to outside of the repository\n  name it explicitly to lint it" in done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["k.cu"]
    assert "src/far.cu:3:14" in coalint(repository, "lint", "src/far.cu", "--output-format=concise").stdout


@pytest.mark.slow
@pytest.mark.parametrize("depth", [300, pytest.param(4000, marks=pytest.mark.slow)])
def test_a_deep_folder_is_given_up_and_the_rest_is_linted(depth: int, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        for number in range(depth):
            os.mkdir("d")
            os.chdir("d")
            if number % 16 == 0 and number < 300:
                Path(".gitignore").write_text("*.x\n")
        Path("deep.cu").write_text(STRIDED)
        done = coalint(tmp_path, "lint", ".", "--output-format=concise")
        Path("deep.cu").unlink()
        for _ in range(depth):  # pytest's own way would be recursive
            Path(".gitignore").unlink(missing_ok=True)
            os.chdir("..")
            os.rmdir("d")
    finally:
        os.chdir(before)
    assert done.stdout.startswith(FOUND)
    assert "has folders nested more than 256 deep, which are not searched" in done.stderr


@pytest.mark.slow
def test_a_wide_folder_is_walked(tmp_path: Path) -> None:
    for number in range(10_000):
        (tmp_path / f"f{number}.txt").touch()
    for number in range(500):
        (tmp_path / f"folder{number}").mkdir()
    (tmp_path / "k.cu").write_text('#include "missing.h"\n' + STRIDED)
    done = coalint(tmp_path, "lint", ".", "--output-format=concise")
    assert "k.cu:4:14: warning[uncoalesced-global-access]" in done.stdout
    assert done.stderr == ""
