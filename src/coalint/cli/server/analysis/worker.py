"""The main function of the analysis process."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

from coalint.cli.server.analysis.session import Session

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


def serve(pipe: Connection, loads: bool = False, other_end: Connection | None = None) -> None:
    """Answer requests until the pipe closes: each answer is (True, value) or (False, why there is none).

    The process has one thread, so that workers can be forked from it. A forked process holds the server's end of the
    pipe as well: unless it is closed here, the pipe never is.
    """
    if other_end is not None:
        other_end.close()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # stdin and stdout belong to the editor
        os.dup2(nothing, stream)
    busy = False

    def interrupted(*_: object) -> None:
        if busy:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    session: Session | None = None
    if loads:
        _load_analysis()
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            session = session or Session()
            busy = True
            if sys.platform != "win32":  # an interrupt while the process was loading means the first request
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            answer: tuple[bool, object] = True, session.answer(request)
            busy = False
        except KeyboardInterrupt:
            answer = False, "interrupted"
        except Exception as error:
            answer = False, _error_text(error)
        busy = False
        try:
            pipe.send(answer)
        except OSError:
            return


def _load_analysis() -> None:
    """Load what every analysis needs before the first request comes."""
    import coalint.engine.check.file
    import coalint.engine.linter  # noqa: F401


def _error_text(error: Exception) -> str:
    from coalint.engine.check.failures import internal_error
    from coalint.engine.config.layer import ConfigError
    from coalint.engine.findings.filters.baseline.known_findings import BaselineError
    from coalint.engine.registry import RegistryError
    from coalint.engine.units.user_flags import PlanError

    if isinstance(error, BaselineError | ConfigError | PlanError | RegistryError):
        return str(error)
    return str(internal_error(None, error, "in `coalint server`"))
