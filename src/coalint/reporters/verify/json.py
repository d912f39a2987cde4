"""Prints a verification as one JSON object, schema `coalint-verify/1`."""

from __future__ import annotations

import json
from typing import Any

from coalint.core.facts.access import Space
from coalint.engine.verification.comparison.records import ComparedLaunch, Comparison, Outcome
from coalint.engine.verification.verify import Verification

SCHEMA = "coalint-verify/1"


def verification_text(verification: Verification) -> str:
    """Return the object as indented JSON with a final line feed."""
    outcomes = verification.outcomes()
    value = {
        "schema": SCHEMA,
        "source": verification.source,
        "export": verification.export,
        "launches": [_launch(launch) for launch in verification.launches],
        "not_in_source": list(verification.elsewhere),
        "totals": {
            unit: dict(zip(("predicted", "counted"), verification.totals(space), strict=True))
            for unit, space in (("sectors", Space.GLOBAL), ("wavefronts", Space.SHARED))
        },
        "outcomes": {outcome.value: outcomes[outcome] for outcome in Outcome},
    }
    return json.dumps(value, indent=2) + "\n"


def _launch(launch: ComparedLaunch) -> dict[str, Any]:
    analysis = launch.analysis
    specialization = analysis.specialization if analysis else None
    return {
        "kernel": launch.launch.kernel,
        "line": analysis.span.line if analysis else None,
        "block": list(specialization.block) if specialization else None,
        "block_source": specialization.source.value if specialization else None,
        "is_instance": launch.is_instance,
        "comparisons": [_comparison(comparison) for comparison in launch.comparisons],
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "file": comparison.place[0] if comparison.place else None,
        "line": comparison.line,
        "space": comparison.space.value,
        "op": comparison.operation.value,
        "bytes": comparison.bytes,
        "expressions": list(dict.fromkeys(access.expression for access in comparison.accesses)),
        "instructions": list(dict.fromkeys(instruction.opcode for instruction in comparison.instructions)),
        "requests": comparison.requests,
        "predicted": comparison.predicted,
        "predicted_ideal": comparison.predicted_ideal,
        "counted": comparison.counted,
        "counted_total": comparison.cost,
        "predicted_total": comparison.predicted_total,
        "executed": comparison.executed,
        "predicted_executed": comparison.predicted_executed,
        "outcome": comparison.outcome.value,
        "reason": comparison.reason or None,
    }
