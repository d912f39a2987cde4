"""The analysis process as the server sees it: it may be interrupted, and may crash without ending the server."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from coalint.cli.server.analysis.requests import Request
from coalint.cli.server.analysis.worker import serve
from coalint.engine.execution.workers.process import safe_path, start_method

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


@contextmanager
def _interrupts_blocked(*, spawns: bool) -> Iterator[None]:
    """Start a process of the body with interrupts blocked, which would end it while it loads; it unblocks them."""
    if sys.platform == "win32":
        yield
        return
    if spawns:
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # which would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class AnalysisError(Exception):
    """A request has no answer; the text says why."""


class AnalysisProcess:
    """The process. Only `interrupt` may be called while another thread asks."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def start(self, *, loads: bool = False) -> None:
        """Start the process, unless it runs; the first request does so, too.

        Called before the server has threads, it costs a fork where that is safe. With `loads`, what every analysis
        needs is loaded at once, while the editor still says what it can do.
        """
        if self._pipe is not None:
            return
        method = start_method()
        context: Any = multiprocessing.get_context(method)
        client_end, process_end = context.Pipe()
        copied = (client_end,) if method == "fork" else ()
        self._process = context.Process(target=serve, args=(process_end, loads, *copied), name="coalint-analyst")
        with safe_path(), _interrupts_blocked(spawns=method == "spawn"):
            self._process.start()
        process_end.close()
        self._pipe = client_end

    def ask(self, request: Request) -> Any:
        """Return the answer. Raises AnalysisError where it was interrupted or crashed, or the settings are wrong."""
        pipe = self._started()
        try:
            pipe.send(request)
            succeeded, answer = pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise AnalysisError("the analysis process ended and is restarted") from None
        if not succeeded:
            raise AnalysisError(answer)
        return answer

    def interrupt(self) -> None:
        """End the request that is being answered; it raises AnalysisError."""
        if self._process is None or self._process.pid is None:
            return
        if sys.platform == "win32":
            self._process.terminate()
        elif self._process.is_alive():
            os.kill(self._process.pid, signal.SIGINT)

    def close(self) -> None:
        """End the process; the next request starts another."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.join(1)
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _started(self) -> Connection:
        self.start()
        assert self._pipe is not None
        return self._pipe
