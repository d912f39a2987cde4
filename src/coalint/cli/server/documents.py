"""The files that are open in the editor."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import field
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.workspace import Workspace

from coalint.cli.setup.device_code import names_device_code
from coalint.core.findings import Finding
from coalint.core.records import record
from coalint.engine.report import Inspection, Report


def is_open(workspace: Workspace, uri: str) -> bool:
    """Whether the editor has opened a file, and not closed it since, in the session that `initialize` began."""
    return unquote(uri) in workspace.text_documents


def text_in_editor(workspace: Workspace, uri: str) -> str:
    """Return the text of a file in the editor; none where it is not open: pygls would read any path, without bounds."""
    return workspace.get_text_document(uri).source if is_open(workspace, uri) else ""


@record
class Document:
    """An open file, with what is known of its text.

    Attributes:
        path: The file.
        task: The analysis that is under way or waits for a pause; None where there was none yet.
        version: The version of the text that `report` and `findings` are about.
        report: The report on that version; None where there is none yet, or the file is excluded.
        findings: The findings in the file itself, each with its diagnostic as the editor has it.
        inspected: The text that was inspected last, and its accesses.
        glimpsed: The text of which one line was inspected last, that line (from 1), and the accesses of its kernels.
        hinted: Whether the editor has asked for inlay hints.
        refresh: The inspection of a changed text that nothing waits for; None where there was none yet.
    """

    path: str
    task: asyncio.Task[None] | None = None
    version: int | None = None
    report: Report | None = None
    findings: list[tuple[Finding, lsp.Diagnostic]] = field(default_factory=list)
    inspected: tuple[str, Inspection] | None = None
    glimpsed: tuple[str, int, Inspection] | None = None
    hinted: bool = False
    refresh: asyncio.Task[None] | None = None

    def cancel(self) -> None:
        """End what is under way for a text that has changed."""
        for task in (self.task, self.refresh):
            if task is not None:
                task.cancel()

    @property
    def results(self) -> Iterator[tuple[str, int | None, Inspection]]:
        """What was found to be accessed, the latest first: the text, the only line that it is about, the accesses."""
        if self.glimpsed is not None:
            yield self.glimpsed
        if self.inspected is not None:
            yield self.inspected[0], None, self.inspected[1]

    def forget(self) -> None:
        """Forget what the file was found to access: another file that it rests on has changed."""
        self.inspected = self.glimpsed = None

    def is_analysed(self, text: str) -> bool:
        """Whether the file is one to analyse: a CUDA file, or other source whose text names device code."""
        return self.path.endswith((".cu", ".cuh")) or names_device_code(self.path, text)
