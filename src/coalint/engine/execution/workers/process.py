"""The worker process: how it is started, what it does, and how it is kept from harming others."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from coalint.core.records import record
from coalint.engine.check.limits import LIBCLANG, Limits, with_deep_stack

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext

_SERVER = "coalint.engine.execution.workers.fork_server"
"""The module that loads what checks need."""


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep processes spawned in the body, by `python -c`, from importing modules of the working directory."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


@contextmanager
def without_main() -> Iterator[None]:
    """Keep processes spawned in the body from running the program's own script again, which may have no guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@record
class Surroundings:
    """What a forked worker inherits, and one that another process starts is told.

    Attributes:
        environment: The variables of the environment.
        folder: The working folder; None where it is gone.
    """

    environment: Mapping[str, str]
    folder: str | None

    def adopt(self) -> None:
        """Make them those of this process."""
        os.environ.clear()
        os.environ.update(self.environment)
        if self.folder is not None:
            with suppress(OSError):  # it is gone since: a copy would go on in it
                os.chdir(self.folder)


def surroundings() -> Surroundings:
    """Return those of this process."""
    try:
        folder = os.getcwd()
    except OSError:
        folder = None
    return Surroundings(dict(os.environ), folder)


def worker_main(
    function: Callable[[Any], Any],
    pipe: Connection,
    inherited: Sequence[Connection],
    limits: Limits,
    told: Surroundings | None = None,
) -> None:
    """Run a worker: receive items and send results until the pipe closes.

    Args:
        function: What is done to each item.
        pipe: Where items come from and results go to.
        inherited: Pipes of others, which a fork copies and which are closed.
        limits: The limits for one item.
        told: The surroundings of the process that asked for this worker, if it is no copy of that.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if told is not None:
        told.adopt()
    for other in inherited:
        other.close()
    _detach()
    os.environ.update(LIBCLANG)
    limits.impose()
    with_deep_stack(partial(_serve, function, pipe))
    os._exit(0)  # the parent's buffers and exit handlers must not run here


def _serve(function: Callable[[Any], Any], pipe: Connection) -> None:
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, function(item)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            return


def _detach() -> None:
    """Redirect all standard streams to the null device: no crash message and no output of a rule is shown."""
    faulthandler.disable()
    sys.stdout = sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, errors="replace")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def start_method() -> str:
    """Return the start method: fork is safe only where there are no other threads, since it copies their locks."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def worker_method() -> str:
    """Return the start method of workers: where this process must not be forked, another is that loads coalint once.

    A spawned worker imports coalint anew, which takes most of a second: in a notebook, which has threads, in each run.
    """
    return "forkserver" if sys.platform == "linux" and start_method() == "spawn" else start_method()


def worker_context(method: str | None) -> BaseContext:
    """Return what starts workers by this method, or by that of `worker_method`."""
    import multiprocessing

    context = multiprocessing.get_context(method or worker_method())
    if context.get_start_method() == "forkserver":
        from multiprocessing import forkserver

        server = forkserver._forkserver
        if getattr(server, "_preload_modules", None) in (None, [], ["__main__"]):  # the program itself asks for none
            context.set_forkserver_preload([_SERVER])
    return context


def cores() -> int:
    """Return how many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
