"""Prints a report as one JSON object, schema `coalint-report/1`."""

from __future__ import annotations

import json
from typing import Any

from coalint.core.facts.causes import Cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.launch import Specialization
from coalint.core.facts.launch_costs import LaunchCost
from coalint.core.facts.suppositions import by_kind
from coalint.core.findings import Fix, Note, Subject
from coalint.core.source.spans import Span
from coalint.core.version import version
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Coverage, Diagnostic, Report

SCHEMA = "coalint-report/1"


def report_text(report: Report) -> str:
    """Return the object as indented JSON with a final line feed."""
    value = {
        "schema": SCHEMA,
        "coalint": version(),
        "arch": report.arch,
        "diagnostics": [group_object(group) for group in groups(report.diagnostics)],
        "hidden": {
            "comments": report.hidden.comments,
            "baseline": report.hidden.baseline,
            "unchanged": report.hidden.unchanged,
            "severity": report.hidden.severity,
            "more": report.hidden.more,
        },
        "coverage": coverage_object(report.coverage),
    }
    return json.dumps(value, indent=2) + "\n"


def coverage_object(coverage: Coverage) -> dict[str, Any]:
    """Return the `coverage` field, which inspections share."""
    return {
        "kernels": coverage.kernels,
        "analysed": coverage.analysed,
        "partial": coverage.partial,
        "accesses": coverage.accesses,
        "exact": coverage.exact,
        "symbolic": coverage.symbolic,
        "unknown": coverage.unknown,
        "data_dependent": coverage.data_dependent,
        "reasons": dict(coverage.reasons),
        "installed_headers": {folder: list(names) for folder, names in coverage.installed.items()},
    }


def place_object(span: Span) -> dict[str, Any]:
    """Return the fields of a span; lines and columns count from 1, the end is exclusive."""
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        **cell_object(span),
    }


def cell_object(span: Span) -> dict[str, Any]:
    """Return the place in a notebook's cell as the field `cell`; nothing where the file is no notebook."""
    cell = span.cell
    if cell is None:
        return {}
    place = {"number": cell.number, "line": cell.line, "column": cell.column}
    return {"cell": {**place, "end_line": cell.end_line, "end_column": cell.end_column}}


def group_object(group: Group) -> dict[str, Any]:
    """Return the fields of a finding, which `jsonl` shares: those of its worst place, and all places."""
    return {**diagnostic_object(group.shown), "places": [_place_of_group(member) for member in group.members]}


def _place_of_group(member: Diagnostic) -> dict[str, Any]:
    finding = member.finding
    return {
        **place_object(finding.span),
        "kernel": finding.kernel,
        "severity": finding.severity.label,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "cost": None if finding.cost is None else cost_object(finding.cost),
        "launch_cost": None if finding.launch_cost is None else launch_cost_object(finding.launch_cost),
        **made_for(member),
    }


def diagnostic_object(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the fields of one place of a finding."""
    finding = diagnostic.finding
    notes = [*finding.notes, *basis_notes(diagnostic)]
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.label,
        "confidence": finding.confidence.value,
        "message": finding.message,
        **place_object(finding.span),
        "kernel": finding.kernel,
        "notes": [_note(note) for note in notes],
        "help": finding.help,
        "fix": None if finding.fix is None else _fix(finding.fix),
        "fingerprint": finding.fingerprint,
        "cost": None if finding.cost is None else cost_object(finding.cost),
        "cause": None if finding.cause is None else cause_object(finding.cause),
        "accesses": [subject_object(subject) for subject in finding.subjects],
        "assumed": list(finding.assumed),
        "weight": finding.weight,
        "launch_cost": None if finding.launch_cost is None else launch_cost_object(finding.launch_cost),
        "assumptions": by_kind(finding.rests_on),
        "unreached": finding.unreached,
        "arch": diagnostic.arch or None,
        **made_for(diagnostic),
    }


def made_for(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the launch and the template arguments that the numbers are for: `null` and `[]` where there are none."""
    specialization, kernel = diagnostic.specialization, diagnostic.kernel_span
    if specialization is None:
        return {"launch": None, "template_arguments": []}
    file = "" if kernel is None else kernel.file
    return {
        "launch": launch_object(specialization, file),
        "template_arguments": list(specialization.template_arguments),
    }


def launch_object(specialization: Specialization, file: str) -> dict[str, Any]:
    """Return the fields of a launch, which inspections share; `file` is that of the kernel."""
    grid = specialization.grid or specialization.extents
    return {
        "block": list(specialization.block),
        "grid": None if grid == (None, None, None) else list(grid),
        "source": specialization.source.value,
        "file": None if specialization.line is None else specialization.file or file,
        "line": specialization.line,
        "arguments": dict(specialization.passed),
    }


def cost_object(cost: Cost) -> dict[str, Any]:
    """Return the fields of what a request costs."""
    return {
        "count": cost.count,
        "ideal": cost.ideal,
        "unit": cost.unit.value,
        "bytes": cost.bytes,
        "exact": cost.exact,
    }


def launch_cost_object(cost: LaunchCost) -> dict[str, Any]:
    """Return the fields of what accesses cost over a launch."""
    return {
        "executed": cost.executed,
        "excess": cost.excess,
        "share": cost.share,
        "share_at_most": cost.share_at_most,
        "basis": cost.basis.value,
        "sizes": dict(cost.sizes),
        "executed_formula": cost.executed_formula or None,
        "excess_formula": cost.excess_formula or None,
        "share_formula": cost.share_formula or None,
        "share_limit": cost.share_limit,
        "formula_assumed": list(cost.formula_assumed),
    }


def cause_object(cause: Cause) -> dict[str, Any]:
    """Return the fields of a cause: its kind, and its numbers and names by name."""
    return {"kind": cause.kind.value, **dict(cause.numbers), **dict(cause.names)}


def subject_object(subject: Subject) -> dict[str, Any]:
    """Return the fields of an access that a finding is about."""
    return {
        "op": subject.operation.value,
        "space": subject.space.value,
        "expression": subject.expression,
        "array": subject.array or None,
        "bytes": subject.bytes,
        "strides": list(subject.strides),
        **place_object(subject.span),
    }


def basis_notes(diagnostic: Diagnostic) -> list[Note]:
    """Return as notes the launch that the numbers are for, and the other launches that the finding holds for."""
    notes = [Note(f"basis: {diagnostic.basis}")] if diagnostic.basis else []
    if diagnostic.also:
        notes.append(Note(f"also for {'; '.join(diagnostic.also)}"))
    return notes


def _note(note: Note) -> dict[str, Any]:
    return {"message": note.message, **(place_object(note.span) if note.span else {})}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "description": fix.description,
        "safe": fix.safe,
        "edits": [{**place_object(edit.span), "replacement": edit.replacement} for edit in fix.edits],
    }
