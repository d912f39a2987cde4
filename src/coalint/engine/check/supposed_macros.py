"""Marks what rests on macros that were supposed so that a file could be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.suppositions import Supposed, Supposition


def supposing_macros(analysis: Analysis, macros: Sequence[str], computed: Collection[str]) -> Analysis:
    """Return the analysis with the macros that it rests on, of which sources compute something with `computed`."""
    if not macros:
        return analysis
    values = [macro.partition("=") for macro in macros]
    kinds = [Supposed.MACRO if value or name in computed else Supposed.SWITCH for name, _, value in values]
    texts = tuple(
        Supposition(f"`{name}` is {value or 'defined'}", kind)
        for (name, _, value), kind in zip(values, kinds, strict=True)
    )
    constants = tuple(f"{name} = {value}" for name, _, value in values if value)
    given = replace(analysis.specialization, constants=constants)
    accesses = tuple(
        replace(
            access,
            specialization=given,
            result=replace(
                access.result,
                assumed=(*access.result.assumed, *texts),
                exact=access.result.exact and not constants,
            ),
        )
        for access in analysis.accesses
    )
    barriers = tuple(replace(barrier, specialization=given) for barrier in analysis.barriers)
    races = () if constants else analysis.races  # others may part the threads by themselves
    return replace(analysis, specialization=given, accesses=accesses, barriers=barriers, races=races)
