"""Verifies that longer rows of a shared array had their effect: the same elements, without bank conflicts."""

from __future__ import annotations

import os
from collections.abc import Mapping

from coalint.core.facts.access import Access
from coalint.core.findings import FixCheck
from coalint.core.lazy import np
from coalint.engine.report import Inspected, Inspection
from coalint.machine.traffic import Traffic

_Accesses = list[tuple[Access, Traffic | None]]


def is_kept(check: FixCheck, before: Inspection, after: Inspection) -> bool:
    """Whether each access of the array still reaches the same row and column, and has no bank conflict."""
    old, new = _by_kernel(check, before), _by_kernel(check, after)
    if not old or old.keys() != new.keys():
        return False
    return all(
        len(old[key]) == len(new[key])
        and all(_is_same(check, a, b) for (a, _), (b, _) in zip(old[key], new[key], strict=True))
        and all(cost is not None and cost.excess < 0.5 for _, cost in new[key])
        for key in old
    )


def _by_kernel(check: FixCheck, inspection: Inspection) -> Mapping[tuple[object, ...], _Accesses]:
    by_kernel: dict[tuple[object, ...], _Accesses] = {}
    for item in inspection.kernels:
        accesses = list(_accesses(check, item))
        if accesses:
            spec = item.analysis.specialization
            key = (item.analysis.kernel, spec.template_arguments, spec.block, spec.grid, spec.arguments)
            by_kernel.setdefault(key, []).extend(accesses)
    return by_kernel


def _accesses(check: FixCheck, item: Inspected) -> _Accesses:
    place = os.path.realpath(check.declared.file), check.declared.line, check.declared.column
    accesses: _Accesses = []
    for made in item.instructions:
        memory = made.written.memory
        span = memory.span if memory is not None and memory.name == check.array else None
        if span is not None and (os.path.realpath(span.file), span.line, span.column) == place:
            accesses.append((made.written, made.traffic))
    return accesses


def _is_same(check: FixCheck, before: Access, after: Access) -> bool:
    if before.result.lanes is None or after.result.lanes is None or before.result.lanes.groups is not None:
        return False
    old, new = before.result.lanes, after.result.lanes
    if old.offsets.shape != new.offsets.shape or not np.array_equal(old.active, new.active):
        return False
    moved = old.offsets + old.offsets // check.pitch_before * (check.pitch_after - check.pitch_before)
    return bool(np.array_equal(moved[old.active], new.offsets[new.active]))
