"""Prints an inspection as one JSON object, schema `coalint-inspect/1`."""

from __future__ import annotations

import json
from typing import Any

from coalint.core.facts.access import Space
from coalint.core.facts.suppositions import by_kind, pairs
from coalint.core.facts.synchronization import Barrier
from coalint.core.version import version
from coalint.engine.report import Inspected, Inspection
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.reporters.lint.json import cell_object, coverage_object, launch_object

SCHEMA = "coalint-inspect/1"


def inspection_text(inspection: Inspection) -> str:
    """Return the object as indented JSON with a final line feed."""
    value = {
        "schema": SCHEMA,
        "coalint": version(),
        "kernels": [_kernel(item) for item in inspection.kernels],
        "coverage": coverage_object(inspection.coverage),
    }
    return json.dumps(value, indent=2) + "\n"


def _kernel(item: Inspected) -> dict[str, Any]:
    analysis = item.analysis
    return {
        "name": analysis.kernel,
        "file": analysis.span.file,
        "line": analysis.span.line,
        **cell_object(analysis.span),
        "arch": item.arch,
        "template_arguments": list(analysis.specialization.template_arguments),
        "launch": launch_object(analysis.specialization, analysis.span.file),
        "accesses": [_access(made) for made in item.instructions],
        "barriers": [_barrier(barrier) for barrier in analysis.barriers],
    }


def _access(made: MachineInstruction) -> dict[str, Any]:
    access, traffic = made.access, made.traffic
    sectors = traffic if access.space is Space.GLOBAL else None
    wavefronts = traffic if access.space is Space.SHARED else None
    return {
        "file": access.span.file,
        "line": access.span.line,
        "column": access.span.column,
        **cell_object(access.span),
        # The schema knows four spaces; where a pointer is lost, `unknown` says so and the likeliest one stands.
        "space": (Space.GLOBAL if access.space is Space.GENERIC else access.space).value,
        "op": access.op.value,
        "bytes": made.written.bytes,
        "instruction": {"bytes": access.bytes, "merged": made.is_merged},
        "expression": access.expression,
        "stride": access.stride,
        "sectors": sectors and sectors.count,
        "sectors_ideal": sectors and sectors.ideal,
        "wavefronts": wavefronts and wavefronts.count,
        "wavefronts_ideal": wavefronts and wavefronts.ideal,
        "exact": access.result.exact,
        "assumed": list(access.result.assumed),
        "assumptions": by_kind((*access.specialization.guesses, *pairs(access.result.assumed))),
        "aligned_if": access.result.aligned_if or None,
        "good_if": [{"kind": good.kind.value, "condition": good.condition} for good in access.open.good_if],
        "unknown": access.result.unknown,
        "data_dependent": access.result.data_dependent,
    }


def _barrier(barrier: Barrier) -> dict[str, Any]:
    return {
        "file": barrier.span.file,
        "line": barrier.span.line,
        "column": barrier.span.column,
        **cell_object(barrier.span),
        "function": barrier.function,
        "scope": barrier.scope,
        "verdict": barrier.verdict.value,
        "because": barrier.because,
    }
