"""Prints a profile as one JSON object, schema `coalint-profile/1`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from coalint.core.facts.access import Space
from coalint.core.version import version
from coalint.engine.profile.barriers import ProfiledBarrier
from coalint.engine.profile.instruction import ProfiledInstruction
from coalint.engine.profile.records import InstructionFormulas, KernelProfile, Profile, WrittenFormula
from coalint.reporters.lint.json import coverage_object
from coalint.reporters.profile.text import barrier_formula

SCHEMA = "coalint-profile/1"


def profile_text(profile: Profile) -> str:
    """Return the object as indented JSON with a final line feed."""
    return json.dumps(profile_object(profile), indent=2) + "\n"


def profile_object(profile: Profile) -> dict[str, Any]:
    """Return the object."""
    return {
        "schema": SCHEMA,
        "coalint": version(),
        "kernels": [_kernel(kernel) for kernel in profile.kernels],
        "coverage": coverage_object(profile.coverage),
    }


def _kernel(kernel: KernelProfile) -> dict[str, Any]:
    analysis = kernel.analysis
    return {
        "name": analysis.kernel,
        "file": analysis.span.file,
        "line": analysis.span.line,
        "template_arguments": list(analysis.specialization.template_arguments),
        "block": list(analysis.specialization.block),
        "grid": None if analysis.specialization.grid is None else list(analysis.specialization.grid),
        "basis": analysis.specialization.basis,
        "launches": analysis.specialization.times,
        "supposed_block": dict(kernel.supposed_block),
        "totals": {space.value: _totals(kernel, space) for space in (Space.GLOBAL, Space.SHARED)},
        "least_dram_bytes": kernel.least_dram_bytes,
        "instructions": [_instruction(kernel, item) for item in kernel.instructions],
        "barriers": [_barrier(item) for item in kernel.barriers],
    }


def _totals(kernel: KernelProfile, space: Space) -> dict[str, Any]:
    totals = kernel.totals(space)
    return {
        "requests": totals.requests,
        "cost": totals.cost,
        "ideal": totals.ideal,
        "excess": totals.excess,
        "efficiency": totals.efficiency,
        "open": totals.open,
        "bytes_moved": totals.bytes_moved if space is Space.GLOBAL else None,
        "bytes_needed": totals.bytes_needed if space is Space.GLOBAL else None,
        "cost_formula": None if kernel.formulas is None else _formula(kernel.formulas.cost.get(space)),
        "excess_formula": None if kernel.formulas is None else _formula(kernel.formulas.excess.get(space)),
    }


def _by_name(formulas: InstructionFormulas, written: Callable[[WrittenFormula], str]) -> dict[str, str]:
    """Return the formulas of an instruction in one notation."""
    named = {"executed": formulas.executed, "cost": formulas.cost, "excess": formulas.excess, "share": formulas.share}
    return {name: written(formula) for name, formula in named.items() if formula is not None}


def _formula(formula: WrittenFormula | None) -> str | None:
    return None if formula is None else formula.text


def _barrier(item: ProfiledBarrier) -> dict[str, Any]:
    return {
        "file": item.span.file,
        "line": item.span.line,
        "column": item.span.column,
        "function": item.function,
        "scope": item.scope,
        "executed": item.executions.warps,
        "executed_formula": barrier_formula(item) or item.executions.formula or None,
        "active_lanes": item.executions.threads,
        "holds_for": None if item.in_block is None else item.in_block.condition,
        "exact": item.is_exact,
        "assumed": list(item.assumed),
        "open": list(item.executions.missing),
    }


def _instruction(kernel: KernelProfile, item: ProfiledInstruction) -> dict[str, Any]:
    access, traffic = item.made.access, item.made.traffic
    formulas = kernel.formulas_of(item)
    return {
        "file": access.span.file,
        "line": access.span.line,
        "column": access.span.column,
        "expression": access.expression,
        "op": access.op.value,
        "space": access.space.value,
        "bytes": access.bytes,
        "unit": "wavefronts" if access.space is Space.SHARED else "sectors",
        "executed": item.executions.warps,
        "executed_formula": (item.in_block and formulas and _formula(formulas.executed))
        or item.executions.formula
        or None,
        "active_lanes": item.executions.threads,
        "holds_for": None if item.in_block is None else item.in_block.condition,
        "cost_per_request": None if traffic is None else traffic.count,
        "ideal_per_request": None if traffic is None else traffic.ideal,
        "cost": item.cost,
        "cost_formula": (formulas and _formula(formulas.cost)) or ("" if item.in_block else item.formula) or None,
        "excess_formula": formulas and _formula(formulas.excess),
        "share_formula": formulas and _formula(formulas.share),
        "share_limit": formulas and formulas.share_limit,
        "traffic_share_formula": formulas and _formula(formulas.traffic_share),
        "traffic_share_limit": formulas and formulas.traffic_limit,
        "latex": formulas and _by_name(formulas, lambda written: written.latex),
        "mathml": formulas and _by_name(formulas, lambda written: written.mathml),
        "ideal": item.ideal,
        "excess": item.excess,
        "share": kernel.share(item),
        "traffic_share": kernel.traffic_share(item),
        "bytes_moved": item.bytes_moved,
        "bytes_needed": item.bytes_needed,
        "exact": item.is_exact,
        "assumed": list(dict.fromkeys((*access.result.assumed, *item.assumed))),
        "open": list(item.executions.missing),
    }
