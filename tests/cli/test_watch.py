"""`lint --watch`: lints again when something changes, until it is interrupted."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from project import STRIDED, Project

PATIENCE = 60
WAITING = "waiting for changes"
CLEARED = "\x1b[2J"


class Watching:
    """A run, what it says on stderr line by line, and what it wrote to stdout so far."""

    def __init__(self, folder: Path, *arguments: str, stdout: int | None = None) -> None:
        self.out = folder.parent / "out"
        command = [sys.executable, "-m", "coalint", "lint", "--watch", "--output-format=concise", *arguments]
        with open(self.out, "wb") as file:
            self.process = subprocess.Popen(
                command, stdout=file if stdout is None else stdout, stderr=subprocess.PIPE, text=True, cwd=folder
            )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.put(line)

    def waits(self) -> str:
        """What it said until it waits."""
        said = ""
        while WAITING not in said:
            said += self.lines.get(timeout=PATIENCE)
        return said

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def watching(folder: Path, *arguments: str, stdout: int | None = None) -> Iterator[Watching]:
    run = Watching(folder, *arguments, stdout=stdout)
    try:
        yield run
    finally:
        run.process.kill()
        run.process.wait()


@pytest.mark.slow
def test_each_change_brings_a_report_and_ctrl_c_ends_it(project: Project) -> None:
    project.put("src/k.cu", '#include "step.h"\n' + STRIDED.replace("8 * i", "STEP * i"))
    project.put("src/step.h", "#define STEP 8\n")
    with watching(project.root, ".") as run:
        run.waits()
        assert "takes 32 sectors" in run.out.read_text()
        project.put("src/notes.txt", "of no interest")
        project.put("src/step.h", "#define STEP 4\n")
        run.waits()
        assert run.out.read_text().count("takes 32 sectors") == 1
        assert "takes 16 sectors" in run.out.read_text()
        project.put("coalint.toml", "ignre = []\n")
        assert "did you mean" in run.waits()
        project.put("coalint.toml", 'ignore = ["COA101"]\n')
        run.waits()
        assert run.out.read_text().count("sectors per request") == 2
        assert CLEARED not in run.out.read_text()
        assert run.interrupt() == 130
        assert "interrupted" in run.lines.get(timeout=PATIENCE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_is_cleared_before_each_report_but_the_first(project: Project) -> None:
    project.put("k.cu", STRIDED)
    ours, theirs = os.openpty()
    with watching(project.root, "k.cu", stdout=theirs) as run:
        run.waits()
        assert CLEARED not in os.read(ours, 1 << 16).decode()
        project.put("k.cu", STRIDED.replace("8", "4"))
        run.waits()
        again = ""
        while "takes 16 sectors" not in again:  # a terminal hands on what it has, in pieces
            again += os.read(ours, 1 << 16).decode(errors="replace")
        assert CLEARED in again
        assert "takes 16 sectors" in again.partition(CLEARED)[2]
        assert run.interrupt() == 130


def test_what_is_not_there_cannot_be_watched(project: Project) -> None:
    done = project.coalint("lint", "--watch", "nowhere.cu")
    assert done.code == 2
    assert "nowhere.cu: no such file or folder" in done.err
    assert project.coalint("lint", "--watch", "-").code == 2


def test_without_watchfiles_it_says_what_to_install(project: Project) -> None:
    project.put("watchfiles.py", "raise ModuleNotFoundError('no', name='watchfiles')")
    project.put("k.cu", STRIDED)
    done = subprocess.run(
        [sys.executable, "-m", "coalint", "lint", "--watch", "k.cu"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(project.root)},
    )
    assert done.returncode == 2
    assert "pip install 'coalint[watch]'" in done.stderr
    assert done.stdout == ""
