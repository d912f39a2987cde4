"""Requests to one analysis process, answered one after another; one whose asker is gone is interrupted."""

from __future__ import annotations

import asyncio
from typing import Any

from coalint.cli.server.analysis.process import AnalysisProcess
from coalint.cli.server.analysis.requests import Request


class AnalysisQueue:
    """A process and who waits for it."""

    def __init__(self) -> None:
        self._process = AnalysisProcess()
        self._lock = asyncio.Lock()

    def start(self, *, loads: bool) -> None:
        """Start the process before the first request; `loads` says that it loads what analyses need at once."""
        self._process.start(loads=loads)

    async def ask(self, request: Request) -> Any:
        """Return the answer to a request; where the caller is cancelled, so is the analysis. Raises AnalysisError."""
        async with self._lock:
            answer = asyncio.get_running_loop().run_in_executor(None, self._process.ask, request)
            cancelled = False
            while not answer.done():
                try:
                    await asyncio.wait([answer])
                except asyncio.CancelledError:
                    cancelled = True
                    self._process.interrupt()
            if cancelled:
                answer.exception()  # which nobody waits for
                raise asyncio.CancelledError
            return answer.result()

    def interrupt(self) -> None:
        """End the request that is being answered; it raises AnalysisError."""
        self._process.interrupt()

    def close(self) -> None:
        """End the process."""
        self._process.close()
