"""Analyses an editor's texts in a process of its own, which may be interrupted, and may crash."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from coalint.core.source.spans import Edit
from coalint.engine.check.records import Overlay
from coalint.engine.execution.workers.pool import safe_path
from coalint.engine.report import Inspection, Report

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from coalint.engine.config.layers import Configuration
    from coalint.engine.registry import Registry


class AnalystError(Exception):
    """A request has no answer; the text says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """Asks for the report on a file (None where it is left out); `overlay` has the texts of all open files."""

    path: str
    overlay: Overlay


@dataclass(frozen=True, slots=True)
class Look:
    """Asks for every access of a file."""

    path: str
    overlay: Overlay


@dataclass(frozen=True, slots=True)
class Ways:
    """Asks for what can be done about findings of a file, by their fingerprints: an Offer for each."""

    path: str
    overlay: Overlay
    fingerprints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """Whether the fix of a finding brings what it should, as another analysis shows, and the comment that hides it."""

    is_fixed: bool
    comment: tuple[Edit, ...]


Request = Check | Look | Ways


class Analyst:
    """The process. Not for several threads at once, but for `interrupt`."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, request: Request) -> Any:
        """The answer. Raises AnalystError where there is none: interrupted, crashed, or wrong settings."""
        pipe = self._started()
        try:
            pipe.send(request)
            done, answer = pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise AnalystError("the process that analyses ended; it is started anew") from None
        if not done:
            raise AnalystError(answer)
        return answer

    def interrupt(self) -> None:
        """Have the answer to what is being asked now come soon, be it none."""
        if self._process is None or self._process.pid is None:
            return
        if sys.platform == "win32":
            self._process.terminate()
        elif self._process.is_alive():
            os.kill(self._process.pid, signal.SIGINT)

    def close(self) -> None:
        """End the process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.join(1)
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _started(self) -> Connection:
        if self._pipe is None:
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), name="coalint-analyst")
            with safe_path():
                self._process.start()
            theirs.close()
            self._pipe = ours
        return self._pipe


def _serve(pipe: Connection) -> None:
    """The process's whole life. It has one thread, so that workers can be forked from it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # they are the editor's
        os.dup2(nothing, stream)
    busy = False

    def interrupted(*_: object) -> None:
        if busy:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    session: _Session | None = None
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            session = session or _Session()
            busy = True
            answer: tuple[bool, object] = True, session.answer(request)
            busy = False
        except KeyboardInterrupt:
            answer = False, "interrupted"
        except Exception as error:
            answer = False, _said(error)
        busy = False
        try:
            pipe.send(answer)
        except OSError:
            return


def _said(error: Exception) -> str:
    from coalint.engine.check.failures import internal_error
    from coalint.engine.config.files import ConfigError
    from coalint.engine.findings.filters.baseline import BaselineError
    from coalint.engine.registry import RegistryError
    from coalint.engine.units.plan import PlanError

    if isinstance(error, BaselineError | ConfigError | PlanError | RegistryError):
        return str(error)
    return str(internal_error(None, error, "in `coalint server`"))


class _Session:
    def __init__(self) -> None:
        # An interrupted import may be one that cannot be done again.
        from coalint.engine.registry import load_rules

        self.registry: Registry = load_rules()

    def answer(self, request: Request) -> object:
        if isinstance(request, Check):
            return self._check(request)
        if isinstance(request, Look):
            return self._run(request).look(request.overlay)
        return self._ways(request)

    def _run(self, request: Request) -> _Run:
        from coalint.engine.config.files import Layer
        from coalint.engine.config.layers import Configuration
        from coalint.engine.config.validation import refuse

        def check(layer: Layer) -> None:
            refuse(layer, self.registry)

        return _Run(request.path, Configuration(check=check), self.registry)

    def _check(self, request: Check) -> Report | None:
        from coalint.engine.units.discovery import is_excluded

        run = self._run(request)
        if is_excluded(request.path, run.configuration.of(request.path).excludes):
            return None
        return run.lint(request.overlay)

    def _ways(self, request: Ways) -> tuple[Offer, ...]:
        from coalint.engine.findings.fixes.adding_ignores import comments_for
        from coalint.engine.findings.fixes.fixing import fix
        from coalint.engine.findings.fixes.workspace import Workspace

        run = self._run(request)
        report = run.lint(request.overlay)
        by_print = {d.finding.fingerprint: d.finding for d in report.diagnostics}
        held = [(path, text.encode("utf-8", errors="replace")) for path, text in request.overlay]
        offers: list[Offer] = []
        for fingerprint in request.fingerprints:
            finding = by_print.get(fingerprint)
            if finding is None:
                offers.append(Offer(False, ()))
                continue

            def lint(overlay: Overlay, only: str = fingerprint) -> Report:
                return _fixing(run.lint(overlay), only)

            fixed = finding.fix is not None and (
                fix(lint, run.look, unsafe=True, workspace=Workspace.around(held)).count == 1
            )
            text = report.sources.get(finding.span.file, "")
            offers.append(Offer(fixed, tuple(comments_for(finding, text, self.registry))))
        return tuple(offers)


@dataclass(frozen=True, slots=True)
class _Run:
    path: str
    configuration: Configuration
    registry: Registry

    def lint(self, overlay: Overlay) -> Report:
        from coalint.engine.findings.filters.baseline import read_baseline
        from coalint.engine.linter import LeavingOut, lint

        settings = self.configuration.of(self.path)
        leaving_out = LeavingOut(baseline=read_baseline(settings.baseline) if settings.baseline is not None else None)
        settings_of = self.configuration.of
        return lint(self._files, settings, self.registry, None, None, settings_of, leaving_out, overlay)

    def look(self, overlay: Overlay) -> Inspection:
        from coalint.engine.linter import inspect

        settings = self.configuration.of(self.path)
        return inspect(self._files, settings, settings_of=self.configuration.of, overlay=overlay)

    @property
    def _files(self) -> Sequence[str]:
        return (self.path,)


def _fixing(report: Report, only: str) -> Report:
    """The report without the fixes of all other findings."""
    kept = (
        d if d.finding.fingerprint == only else replace(d, finding=replace(d.finding, fix=None))
        for d in report.diagnostics
    )
    return replace(report, diagnostics=tuple(kept))
