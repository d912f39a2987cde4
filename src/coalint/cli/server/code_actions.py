"""Offers fixes, and comments that hide findings, as code actions."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from coalint.cli.server.analysis.requests import Remedy
from coalint.cli.server.places import ReportPlaces
from coalint.core.findings import Finding


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
