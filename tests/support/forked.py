"""coalint's command in a process of its own that begins as a copy of this one: nothing is loaded twice.

It is the command as users run it, with streams, limits and signals of its own; only how Python starts is left out.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from multiprocessing import current_process
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired

from project import STRIDED

from coalint.cli.main import main


def coalint(
    *arguments: str,
    folder: Path | None = None,
    stdin: str = os.devnull,
    megabytes: int | None = None,
    seconds: float = 300,
    environment: Mapping[str, str] | None = None,
    largest_file: int | None = None,
    stdout: str | None = None,
    command: Callable[[list[str]], int] = main,
) -> CompletedProcess[str]:
    """Run coalint in a folder, with the bytes of the file `stdin` to read, and no more memory than `megabytes`.

    No file that it writes may have more than `largest_file` bytes. Its output goes to `stdout`, else it is returned.
    `command` is what is run instead of coalint.
    """
    _load_everything()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            streams = (
                os.open(stdin, os.O_RDONLY),
                out.fileno() if stdout is None else os.open(stdout, os.O_WRONLY),
                err.fileno(),
            )
            _run(arguments, folder, streams, megabytes, environment, largest_file, command)
        code = _ended(child, seconds)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
        if code is None:
            raise TimeoutExpired(["coalint", *arguments], seconds, *texts)
        return CompletedProcess(["coalint", *arguments], code, *texts)


def started(*arguments: str, folder: Path) -> tuple[int, int, int]:
    """Start coalint in a folder; its process, and pipes to its input and from its output."""
    _load_everything()
    (its_input, to), (of, its_output) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(to)
        os.close(of)
        _run(arguments, folder, (its_input, its_output, os.open(os.devnull, os.O_WRONLY)))
    os.close(its_input)
    os.close(its_output)
    return child, to, of


def on_terminal(terminal: int, *arguments: str, folder: Path) -> int:
    """Start coalint in a folder, its output a terminal; its process."""
    _load_everything()
    child = os.fork()
    if child == 0:
        _run(arguments, folder, (os.open(os.devnull, os.O_RDONLY), terminal, os.open(os.devnull, os.O_WRONLY)))
    return child


@cache
def _load_everything() -> None:
    """Lint one file in this process, so that what that needs is loaded."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        file = Path(folder) / "k.cu"
        file.write_text(STRIDED)
        assert main(["lint", "-j1", "--isolated", str(file)]) == 1


def _run(
    arguments: tuple[str, ...],
    folder: Path | None,
    streams: tuple[int, int, int],
    megabytes: int | None = None,
    environment: Mapping[str, str] | None = None,
    largest_file: int | None = None,
    command: Callable[[list[str]], int] = main,
) -> None:
    """Become the command; never return."""
    code = 70
    try:
        os.setsid()
        current_process().daemon = False
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin = open(0, errors="replace", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if folder is not None:
            os.chdir(folder)
        if environment is not None:
            os.environ.clear()
            os.environ.update(environment)
        if megabytes is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        try:
            code = command(list(arguments))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        sys.stdout.flush()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _ended(child: int, seconds: float) -> int | None:
    """Return the exit code of the process, negative for a signal; None, and its session is killed, when it is late."""
    _wait(child, seconds)
    done, status = os.waitpid(child, os.WNOHANG)
    if done:
        return os.waitstatus_to_exitcode(status)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _wait(child: int, seconds: float) -> None:
    """Wait until the process has ended, or as long as this."""
    if sys.platform == "linux":
        ending = os.pidfd_open(child)
        select.select([ending], [], [], seconds)
        os.close(ending)
    else:
        last = time.monotonic() + seconds
        while time.monotonic() < last and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(0.02)
