"""Findings of a kernel whose block shape is assumed: they warn where they are the same in other shapes too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.findings import Confidence, Finding, Note, Severity
from coalint.engine.check.limits import OvertimeError
from coalint.machine.traffic import settled
from coalint.rule import Block, Context

if TYPE_CHECKING:
    from coalint.core.facts.analysis import Analysis
    from coalint.machine.architecture import Architecture
    from coalint.rule import Rule

OTHERS: dict[int, tuple[Block, ...]] = {1: ((128, 1, 1), (512, 1, 1)), 2: ((16, 16, 1), (64, 4, 1)), 3: ((16, 8, 2),)}
"""What kernels of one, two and three axes are launched with, beside the shape that is assumed of them."""


def confirmed(
    findings: Sequence[Finding],
    rules: Iterable[type[Rule]],
    specialization: Specialization,
    arch: Architecture,
    again: Callable[[Block], Analysis | None] | None,
) -> tuple[Finding, ...]:
    """Return the findings of a kernel with those at most info that rest on a guess.

    What rests on an assumed block shape alone and says the same, numbers included, of the kernel in `OTHERS` is surer
    and keeps its severity. What costs something else there says so.
    """
    if specialization.source is not LaunchSource.ASSUMED or specialization.is_guessed or again is None:
        return tuple(map(_hint, findings))
    doubted = {finding.code for finding in findings if _is_low(finding)}
    if not doubted:
        return tuple(findings)
    elsewhere = [
        _said(again, block, [rule for rule in rules if rule.code in doubted], arch)
        for block in OTHERS[_axes(specialization.block)]
    ]
    return tuple(_settled(finding, elsewhere) for finding in findings)


def _axes(block: Block) -> int:
    return 3 if block[2] > 1 else 2 if block[1] > 1 else 1


def _said(
    again: Callable[[Block], Analysis | None], block: Block, rules: Sequence[type[Rule]], arch: Architecture
) -> tuple[Block, dict[tuple[object, ...], set[str]]]:
    """The messages of these rules by code and place, for the kernel with another block."""
    said: dict[tuple[object, ...], set[str]] = {}
    try:
        analysis = again(block)
        if analysis is not None:
            accesses = tuple(settled(access, arch) for access in analysis.accesses if not access.traps)
            context = Context(replace(analysis, accesses=accesses), arch, again)
            for rule in rules:
                for finding in rule().check(context):
                    said.setdefault((finding.code, finding.span), set()).add(finding.message)
    except OvertimeError:
        return block, {}
    return block, said


def _settled(finding: Finding, elsewhere: Sequence[tuple[Block, dict[tuple[object, ...], set[str]]]]) -> Finding:
    if finding.confidence is not Confidence.LOW:
        return finding
    place = finding.code, finding.span
    if all(finding.message in said.get(place, ()) for _, said in elsewhere):
        return replace(finding, confidence=Confidence.MEDIUM)
    notes = []
    for block, said in elsewhere:
        shape = "x".join(map(str, block[: _axes(block)]))
        messages = sorted(said.get(place, ()))
        if messages and finding.message not in messages:
            notes.append(Note(f"in blocks of {shape} threads: {messages[0]}"))
        elif not messages:
            notes.append(Note(f"in blocks of {shape} threads there is no such finding"))
    return _hint(replace(finding, notes=(*finding.notes, *notes)))


def _is_low(finding: Finding) -> bool:
    return finding.confidence is Confidence.LOW and finding.severity > Severity.INFO


def _hint(finding: Finding) -> Finding:
    """The finding as info where it is not sure: no guess is a warning."""
    return replace(finding, severity=Severity.INFO) if _is_low(finding) else finding
