"""Offers fixes, and comments that hide findings, as code actions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from lsprotocol import types as lsp

from coalint.cli.server.analysis.requests import Remedy
from coalint.cli.server.places import ReportPlaces
from coalint.core.findings import Finding
from coalint.engine.check.records import Overlay

FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.coalint"
"""The kind of the action that applies all safe fixes: editors can do it on saving."""


def code_actions(
    finding: Finding, diagnostic: lsp.Diagnostic, remedy: Remedy, places: ReportPlaces
) -> Iterator[lsp.CodeAction]:
    """Yield the fix of a finding, where it works, and the comment that hides it, where one can stand."""
    fix = finding.fix
    if remedy.fix_works and fix is not None:
        title = fix.description + ("" if fix.safe else " (check its effect)")
        yield _quick_fix(title, diagnostic, places.workspace_edit(fix.edits), preferred=fix.safe)
    if remedy.ignore_comment:
        title = f"Hide with `// coalint: ignore[{finding.name}]`"
        yield _quick_fix(title, diagnostic, places.workspace_edit(remedy.ignore_comment))


def _quick_fix(
    title: str, diagnostic: lsp.Diagnostic, edit: lsp.WorkspaceEdit, preferred: bool = False
) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        is_preferred=preferred or None,
        edit=edit,
    )


def fix_all(changed: Overlay, uris: Mapping[str, str], text_of: Callable[[str], str]) -> lsp.CodeAction | None:
    """Return the action that applies all safe fixes; None where no open file changes.

    `changed` has new texts by path, `uris` the open files by real path.
    """
    changes: dict[str, list[lsp.TextEdit]] = {}
    for path, text in changed:
        uri = uris.get(os.path.realpath(path))
        if uri is not None:
            whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text_of(uri).count("\n") + 1, 0))
            changes[uri] = [lsp.TextEdit(whole, text)]
    if not changes:
        return None
    edit = lsp.WorkspaceEdit(changes=changes)
    return lsp.CodeAction(title="Apply all safe fixes of coalint", kind=FIX_ALL, edit=edit)
