"""Finds the analyses that a launch can belong to."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.facts.profiled_launch import ProfiledLaunch, same_arguments
from coalint.engine.report import Inspected
from coalint.engine.verification.counters import Launch
from coalint.engine.verification.export.signatures import split_signature


def matching_analyses(launch: Launch, inspected: Sequence[Inspected]) -> list[Inspected]:
    """Return the analyses that a launch can belong to.

    They have its kernel's name, and its template arguments, block and grid as far as any analysis does.
    """
    name, arguments = split_signature(launch.kernel)
    candidates = [item for item in inspected if _last_name(item.analysis.kernel) == name]
    for narrower in (
        [i for i in candidates if same_arguments(i.analysis.specialization.template_arguments, arguments)],
        [i for i in candidates if i.analysis.specialization.block == launch.block],
        [i for i in candidates if i.analysis.specialization.grid == launch.grid],
    ):
        remaining = [item for item in candidates if item in narrower]
        candidates = remaining or candidates
    return candidates


def profiled_launches(launches: Sequence[Launch]) -> tuple[ProfiledLaunch, ...]:
    """Return what an analysis must be of to be compared with launches, each once."""
    profiled = {
        ProfiledLaunch(*split_signature(launch.kernel), block=launch.block, grid=launch.grid): None
        for launch in launches
    }
    return tuple(profiled)


def is_instance(launch: Launch, item: Inspected) -> bool:
    """Whether an analysis has the template arguments of a launch, as far as both name them alike."""
    arguments = split_signature(launch.kernel)[1]
    return same_arguments(item.analysis.specialization.template_arguments, arguments)


def _last_name(kernel: str) -> str:
    return kernel.rsplit("::", 1)[-1]
