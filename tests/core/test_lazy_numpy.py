"""numpy is loaded late, and in a run of the command line without the threads of its linear algebra."""

import os
import subprocess
import sys

import pytest

_TASKS = "/proc/self/task"
_PROGRAM = f"""
import os
from coalint.core import lazy
lazy.without_threads()
before = os.environ.get("OPENBLAS_NUM_THREADS")
lazy.np.ndarray
tasks = len(os.listdir({_TASKS!r})) if os.path.isdir({_TASKS!r}) else 1
print(tasks, before, os.environ.get("OPENBLAS_NUM_THREADS"))
"""


def _run(**variables: str) -> list[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", _PROGRAM]
    done = subprocess.run(command, env={**inherited, **variables}, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_numpy_starts_no_thread_and_later_programs_are_not_told() -> None:
    assert _run() == ["1", "None", "None"]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_number_of_threads_that_a_user_sets_stays(threads: str) -> None:
    assert _run(OPENBLAS_NUM_THREADS=threads)[1:] == [threads, threads]
