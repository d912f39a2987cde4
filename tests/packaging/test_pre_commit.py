"""The hooks as pre-commit itself installs and runs them, from a git checkout on a scratch repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import checkout, link_dependencies
from project import program

from coalint.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
BAD = "__global__ void k(float *a) { a[32 * threadIdx.x] = 0; }\n"
KERNEL = """import numpy as np
from numba import cuda
@cuda.jit
def k(a):
    i, j = cuda.grid(2)
    a[i, j] = 0
k[(8, 32), (32, 8)](np.zeros((256, 256), np.float32))
"""
IN_HEADER = "template <int N> __device__ void twice(float *a) { a[N * threadIdx.x] *= 2; }\n"


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = [program("git", package="git"), *own, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def repository(folder: Path) -> str:
    """Make a repository of the folder; its only commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.mark.slow
def test_the_hooks_check_cuda_files_and_headers_with_device_code(tmp_path: Path) -> None:
    source = checkout(tmp_path / "coalint")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source)
    revision = repository(source)
    scratch = tmp_path / "scratch"
    (scratch / "my kernels").mkdir(parents=True)
    (scratch / "my kernels" / "bad.cu").write_text(BAD)
    (scratch / "shared.cuh").write_text(BAD.replace("void k(", "void in_cuh("))
    (scratch / "kernel.hpp").write_text(BAD.replace("void k(", "void in_header("))
    (scratch / "host.h").write_text("int twice(int);\nbroken c++ that nobody reads\n")
    (scratch / "host.cpp").write_text("#include <missing>\nint broken(\n")
    (scratch / "bad.py").write_text(KERNEL)
    cell = {"cell_type": "code", "source": KERNEL.splitlines(keepends=True), "metadata": {}, "outputs": []}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (scratch / "bad.ipynb").write_text(json.dumps(book, indent=1))
    (scratch / "host.py").write_text("print('no kernel'\n")
    repository(scratch)

    lent = tmp_path / "lent"  # what coalint depends on, for pip to find instead of fetching it once more
    lent.mkdir()
    link_dependencies(lent)

    hooks = [{"id": name} for name in ("coalint", "coalint-headers", "coalint-python")]
    config = tmp_path / "config.yaml"  # all hooks of a configuration share one environment
    config.write_text(json.dumps({"repos": [{"repo": str(source), "rev": revision, "hooks": hooks}]}))

    def run(hook: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", hook, f"--config={config}", "--color=never", *arguments]
        own = {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PYTHONPATH": str(lent), "COLUMNS": "80"}
        environment = {**os.environ, **own}
        return subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=600)

    cuda = run("coalint", "--all-files")
    assert re.search(r"^coalint\.+Failed$", cuda.stdout, re.MULTILINE), cuda.stdout + cuda.stderr
    assert "- exit code: 1" in cuda.stdout
    assert "--> my kernels/bad.cu:1:31" in cuda.stdout
    assert "--> shared.cuh:1:" in cuda.stdout
    assert "kernel.hpp" not in cuda.stdout

    headers = run("coalint-headers", "--all-files")
    assert "--> kernel.hpp:1:" in headers.stdout
    assert "1 warning in 1 file: 1 kernel" in headers.stdout
    assert "host" not in headers.stdout
    assert "shared.cuh" not in headers.stdout, "the other hook has reported it"

    python = run("coalint-python", "--all-files")
    assert re.search(r"^coalint \(Python\)\.+Failed$", python.stdout, re.MULTILINE), python.stdout + python.stderr
    assert "--> bad.py:6:5" in python.stdout
    assert "--> bad.ipynb:cell 1:6:5" in python.stdout
    assert "host.py" not in python.stdout

    quiet = run("coalint-headers", "--verbose", "--files", "host.h")
    assert re.search(r"^coalint \(headers\)\.+Passed$", quiet.stdout, re.MULTILINE)
    assert quiet.stdout.rstrip().splitlines()[-1].startswith("- duration:"), "and it printed nothing"


@pytest.mark.parametrize(("text", "code"), [("int f();\n", 0), ("broken (", 0), (BAD, 1), (IN_HEADER, 0)])
def test_headers_without_device_code_are_passed_over(
    text: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.h").write_text(text)
    assert main(["lint", "--device-code-only", str(tmp_path / "a.h")]) == code
    out, err = capsys.readouterr()
    assert (out == "") == ("threadIdx" not in text)
    assert err == ""
    assert main(["lint", "--device-code-only", str(tmp_path / "b.h")]) == 2
