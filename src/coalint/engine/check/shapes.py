"""Findings of a kernel whose block shape is assumed: they warn where they are the same in other shapes too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from coalint.core.facts.launch import Specialization
from coalint.core.findings import Confidence, Finding, Note, Severity
from coalint.core.records import record
from coalint.engine.check.limits import OvertimeError
from coalint.machine.traffic import settled
from coalint.rule import Block, Context

if TYPE_CHECKING:
    from coalint.core.facts.analysis import Analysis
    from coalint.rule import Rule

OTHERS: dict[int, tuple[Block, ...]] = {
    1: ((128, 1, 1), (512, 1, 1)),
    2: ((16, 16, 1), (64, 4, 1)),
    3: ((16, 8, 2), (4, 4, 8)),
}
"""What kernels of one, two and three axes are launched with, beside the shape that is assumed of them."""


def confirmed(
    findings: Sequence[Finding],
    rules: Iterable[type[Rule]],
    context: Context,
    again: Callable[[Block], Analysis | None] | None,
) -> tuple[Finding, ...]:
    """Return the findings of a kernel with those at most info that rest on a guess.

    What rests on an assumed block shape alone and says the same, numbers included, of the kernel in `OTHERS` is surer
    and keeps its severity. What costs something else there says so.
    """
    specialization = context.analysis.specialization
    if not specialization.guesses_shape or specialization.is_guessed or again is None:
        return tuple(map(_hint, findings))
    doubted = {finding.code for finding in findings if _is_low(finding)}
    if not doubted:
        return tuple(findings)
    settled = list(findings)
    for block in _others(specialization):
        if not any(_is_low(finding) for finding in settled):  # each is an info already
            break
        there = _Elsewhere(block, _findings(again, block, [rule for rule in rules if rule.code in doubted], context))
        settled = [_settled(finding, there) for finding in settled]
    return tuple(map(_surer, settled))


@record(frozen=True, slots=True)
class _Elsewhere:
    """The findings of the kernel with another block shape, of the rules that doubt one."""

    block: Block
    findings: tuple[Finding, ...] | None
    """None where the kernel could not be analysed with it: nothing is known of it then."""

    def about(self, finding: Finding) -> list[Finding]:
        """Return those of the same rule at the same place."""
        return [other for other in self.findings or () if (other.code, other.span) == (finding.code, finding.span)]


def _others(specialization: Specialization) -> Sequence[Block]:
    """Return other shapes than the one of a specialization: of as many threads, where these are declared.

    Where its launch gives some extents, the others have them too.
    """
    block = specialization.block
    others = OTHERS[specialization.axes]
    if not specialization.spread:
        return specialization.other_shapes(others)
    threads, in_plane = prod(block), _axes(block) < len(block)
    spread = [(x, threads // x, 1) if in_plane else (x, y, threads // (x * y)) for x, y, _ in others]
    return [other for other in spread if prod(other) == threads and other != block]


def _axes(block: Block) -> int:
    return 3 if block[2] > 1 else 2 if block[1] > 1 else 1


def _findings(
    again: Callable[[Block], Analysis | None], block: Block, rules: Sequence[type[Rule]], context: Context
) -> tuple[Finding, ...] | None:
    """Return the findings of these rules for the kernel with another block; None where that fails."""
    try:
        analysis = again(block)
        if analysis is None:
            return None
        accesses = tuple(settled(access, context.arch) for access in analysis.accesses if not access.traps)
        there = context.of(replace(analysis, accesses=accesses))
        return tuple(finding for rule in rules for finding in rule().check(there))
    except OvertimeError:
        return None


def _settled(finding: Finding, elsewhere: _Elsewhere) -> Finding:
    """Return a finding that rests on a guess, as an info with a note if another shape has none, or another."""
    others = elsewhere.about(finding)
    if not _is_low(finding) or any(_is_same(finding, other) for other in others):
        return finding
    if elsewhere.findings is None:
        return _hint(finding)
    text = "x".join(map(str, elsewhere.block[: _axes(elsewhere.block)]))
    there = min((other.message for other in others), default="")
    note = f"with blocks of {text} threads{f': {there}' if there else ' there is no such finding'}"
    return _hint(replace(finding, notes=(*finding.notes, Note(note))))


def _surer(finding: Finding) -> Finding:
    """Return a finding that other shapes have too as one that is no guess."""
    return replace(finding, confidence=Confidence.MEDIUM) if _is_low(finding) else finding


def _is_same(finding: Finding, other: Finding) -> bool:
    """Whether two findings at one place have the same cost and the same cause, numbers included."""
    return (finding.cost, finding.cause) == (other.cost, other.cause)


def _is_low(finding: Finding) -> bool:
    return finding.confidence is Confidence.LOW and finding.severity > Severity.INFO


def _hint(finding: Finding) -> Finding:
    """Return the finding as info where it is not sure: no guess is a warning."""
    return replace(finding, severity=Severity.INFO) if _is_low(finding) else finding
