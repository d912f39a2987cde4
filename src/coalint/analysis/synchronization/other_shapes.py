"""Verdicts on barriers, and races, that rest on a block shape or template arguments which nothing gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from math import prod

from coalint.analysis.launches.refuted_shapes import is_refuted
from coalint.core import ir
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.facts.synchronization import Barrier, Race, Verdict
from coalint.core.source.spans import Span

Shape = tuple[int, int, int]

_NAME = re.compile(r"[A-Za-z_]\w*")

# Shapes that kernels are launched with, of one, two and three dimensions: full warps, none of them a single one.
USUAL: tuple[tuple[Shape, ...], ...] = (
    ((64, 1, 1), (1024, 1, 1)),
    ((16, 16, 1), (32, 32, 1), (64, 4, 1)),
    ((32, 4, 2), (4, 8, 8), (16, 4, 4)),
)
# Others that races must hold for: `8 * ty + tx` numbers the threads of blocks of that width alone.
OTHER_WIDTHS: tuple[tuple[Shape, ...], ...] = (
    (),
    ((8, 8, 1), (4, 16, 1), (128, 2, 1)),
    ((4, 4, 4), (8, 8, 8)),
)


def confirmed(analysis: Analysis, again: Callable[[Specialization], Analysis | None]) -> Analysis:
    """Return the analysis with a divergence unknown that may come from what was assumed, and without races that may.

    Where a shape is only assumed with which no warp parts, none is said to.

    `again` analyses another launch.
    """
    specialization = analysis.specialization
    doubtful = [barrier for barrier in analysis.barriers if barrier.verdict is Verdict.DIVERGENT]
    doubts: dict[tuple[str, Span], str] = {}
    if specialization.guessed:
        registers = _registers(analysis.spelling)
        reason = f"template arguments that nothing gives may decide ({'; '.join(specialization.template_basis)})"
        doubts |= {_key(barrier): reason for barrier in doubtful if _rests_on_constants(barrier, registers)}
    is_wrong = is_refuted(specialization, analysis.accesses)
    races = () if specialization.guessed or is_wrong else analysis.races  # other arguments may part the threads
    aligned: set[tuple[str, Span]] = set()
    if (specialization.source is LaunchSource.ASSUMED or specialization.spread) and (doubtful or races):
        dimensions = sum(extent > 1 for extent in specialization.block) - 1
        if any(specialization.known):
            dimensions = max(dimensions, specialization.axes - 1)
        for shape in () if specialization.spread else specialization.other_shapes(OTHER_WIDTHS[dimensions]):
            races = _also(races, again(replace(specialization, block=shape))) if races else races
        for shape in _usual(specialization, dimensions):
            if not races and all(_key(barrier) in doubts for barrier in doubtful):
                break
            other = again(replace(specialization, block=shape))
            if other is None:
                continue
            races = _also(races, other)
            parted = {_key(barrier) for barrier in other.barriers if barrier.verdict is Verdict.DIVERGENT}
            aligned |= {_key(barrier) for barrier in other.barriers if barrier.whole_warps}
            for barrier in doubtful:
                if _key(barrier) not in parted:
                    fine = "its mask names all that call it" if barrier.unnamed else "all reach it"
                    reason = f"the block's shape is not known and decides: with {_text(shape)} threads {fine}"
                    doubts.setdefault(_key(barrier), reason)
    if races != analysis.races:
        analysis = replace(analysis, races=races)
    if aligned:
        sides = (replace(one, whole_warps=one.whole_warps or _key(one) in aligned) for one in analysis.barriers)
        analysis = replace(analysis, barriers=tuple(sides))
    return replace(analysis, barriers=tuple(_doubted(analysis.barriers, doubts))) if doubts else analysis


def _usual(specialization: Specialization, dimensions: int) -> list[Shape]:
    """Return usual shapes that the block may have, as far as they are not known."""
    if specialization.spread:
        return _of_as_many(specialization.block)
    return specialization.other_shapes(USUAL[dimensions])


def _of_as_many(block: Shape) -> list[Shape]:
    """Return other shapes of as many threads, of which only the number is declared: most with rows of whole warps."""
    threads = prod(block)
    shapes = [(16, threads // 16, 1), (32, threads // 32, 1), (threads // 2, 2, 1), (32, 2, threads // 64)]
    return [shape for shape in shapes if prod(shape) == threads and shape != block]


def _also(races: tuple[Race, ...], other: Analysis | None) -> tuple[Race, ...]:
    """Return the races that another analysis, if there is one, finds too."""
    same = {_places(race) for race in (races if other is None else other.races)}
    return tuple(race for race in races if _places(race) in same)


def _places(race: Race) -> tuple[object, ...]:
    return race.first.span, race.second.span, race.loop


def _rests_on_constants(barrier: Barrier, registers: Collection[str]) -> bool:
    """Whether no parameter decides, but names beside those of the threads and blocks."""
    condition = "" if barrier.fork is None else barrier.fork[1]
    return not barrier.deciding_parameters and bool(set(_NAME.findall(condition)) - set(registers))


def _registers(spelling: ir.Spelling) -> set[str]:
    """Return the names of the special registers and of their components."""
    return {*map(spelling.register, ir.Register), *(axis.value for axis in ir.AXES)}


def _doubted(barriers: Iterable[Barrier], doubts: dict[tuple[str, Span], str]) -> Iterable[Barrier]:
    for barrier in barriers:
        doubt = doubts.get(_key(barrier))
        if doubt is None or barrier.verdict is not Verdict.DIVERGENT:
            yield barrier
            continue
        because = f"{doubt}; with {_text(barrier.specialization.block)} {barrier.because}"
        judged = replace(
            barrier, verdict=Verdict.UNKNOWN, because=because, deciding_parameters=(), settled="", fork=None
        )
        yield replace(judged, unnamed=False)


def _key(barrier: Barrier) -> tuple[str, Span]:
    return barrier.function, barrier.span


def _text(shape: Shape) -> str:
    return "x".join(str(extent) for extent in shape[: max(1, sum(extent > 1 for extent in shape))])
