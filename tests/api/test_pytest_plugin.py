"""`pytest --coalint` fails for files with findings, and is not there unless it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import forked
import pytest

OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
BAD = "__global__ void k(float *a) { a[32 * threadIdx.x] = 0; }\n"
GOOD = "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "bad.cu").write_text(BAD)
    (tmp_path / "kernels" / "good.cu").write_text(GOOD)
    (tmp_path / "kernels" / "unknown.cuh").write_text("template <int N> __device__ void f(float *a) { a[N] = 0; }\n")
    (tmp_path / "test_other.py").write_text("def test_that_passes(): pass\n")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.coalint(*OPTIONS, *arguments, folder=folder, command=lambda given: int(pytest.main(given)))


@pytest.mark.slow
def test_a_file_with_a_finding_fails_and_shows_it(kernels: Path) -> None:
    done = run(kernels, "--coalint", "kernels", "test_other.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 3 passed" in done.stdout
    assert "kernels/bad.cu:1:31: warning[uncoalesced-global-access]" in done.stdout
    assert "Traceback" not in done.stdout
    assert "FAILED kernels/bad.cu::coalint" in done.stdout


@pytest.mark.slow
def test_a_configuration_says_what_is_reported(kernels: Path) -> None:
    (kernels / "coalint.toml").write_text('ignore = ["COA101"]\n')
    assert "3 passed" in run(kernels, "--coalint", "kernels").stdout


@pytest.mark.slow
def test_without_the_option_there_are_no_such_tests_and_coalint_is_not_loaded(kernels: Path) -> None:
    (kernels / "test_other.py").write_text(
        "import sys\ndef test_not_loaded(): assert not [m for m in sys.modules if m.startswith('coalint.') and"
        " m != 'coalint.pytest_plugin']\n"
    )
    command = [sys.executable, "-m", "pytest", *OPTIONS]
    done = subprocess.run(command, cwd=kernels, capture_output=True, text=True, timeout=120)
    assert "1 passed" in done.stdout
