"""An interrupt is not lost, whenever it comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from project import STRIDED

pytestmark = pytest.mark.workers

RUN = """
import os, signal, sys
from multiprocessing.process import BaseProcess
from coalint.cli.main import main

killed, real = [], BaseProcess.kill

def kill(process):
    os.kill(os.getpid(), signal.SIGINT)
    killed.append(process)
    real(process)

BaseProcess.kill = kill
code = main(["lint", "a.cu", "b.cu", "-j2", "--no-cache", "--isolated"])
print(code, len(killed), [process.is_alive() for process in killed])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT, which Windows does not have")
def test_one_that_comes_while_the_workers_are_ended_ends_the_run(tmp_path: Path) -> None:
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(STRIDED)
    done = subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("130 2 [False, False]\n", "coalint: interrupted\n")
