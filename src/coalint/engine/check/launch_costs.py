"""Weighs the findings of a kernel: how often a launch makes their accesses, and what part of its waste is theirs.

What makes less than a hundredth of what the kernel moves in vain is no warning: tails, what is done once, single lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from coalint.core.facts.access import Space
from coalint.core.facts.causes import CauseKind
from coalint.core.facts.executions import Counting, Executions, SampleSizes
from coalint.core.facts.launch_costs import Basis, LaunchCost
from coalint.core.findings import Finding, Severity
from coalint.machine.nvcc.instructions import MachineInstruction

LEAST_SHARE = 0.01
"""Of what a kernel moves in vain: what makes less is no warning."""
SAMPLES = (SampleSizes(threads=100_003, loops=32), SampleSizes(threads=4_099, loops=32), SampleSizes(499, 32))
"""Sizes that stand in for open ones, the first that can be counted: large, and odd so that there are tails."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The instructions of one memory of a kernel with their executions, by the numbers of their first accesses."""

    executions: Mapping[int, Executions]
    sizes: SampleSizes | None


def weighed(
    findings: Sequence[Finding], instructions: Sequence[MachineInstruction], counting: Counting | None
) -> list[Finding]:
    """Return the findings with what their accesses cost over the launch.

    Only what is wasteful or found fault with is counted. `instructions` are those of all accesses of the kernel.
    """
    if counting is None or not any(finding.subjects for finding in findings):
        return list(findings)
    about = [{made.members[0]: made for made in _instructions_of(finding, instructions)} for finding in findings]
    wanted = {number: made for found in about for number, made in found.items()}
    spaces = {made.access.space for made in wanted.values()}
    wanted |= {made.members[0]: made for made in instructions if made.access.space in spaces and _excess(made)}
    counts = _counted(wanted, counting) if wanted else _Weighed({}, None)
    return [
        _with_cost(finding, tuple(found), wanted, counts, counting) if found else finding
        for finding, found in zip(findings, about, strict=True)
    ]


def _instructions_of(finding: Finding, instructions: Sequence[MachineInstruction]) -> Iterator[MachineInstruction]:
    """Yield the instructions of the accesses that a finding is about, in the memory of the first."""
    places = {(subject.span, subject.operation) for subject in finding.subjects}
    space = finding.subjects[0].space if finding.subjects else None
    if space in (Space.GLOBAL, Space.SHARED):
        yield from (
            made
            for made in instructions
            if made.access.space is space and (made.written.span, made.written.op) in places
        )


def _excess(made: MachineInstruction) -> float:
    return 0.0 if made.traffic is None else made.traffic.excess


def _counted(wanted: Mapping[int, MachineInstruction], counting: Counting) -> _Weighed:
    """Count the instructions; with numbers for open sizes where there are such."""
    exact = {number: made.executions(counting.of) for number, made in wanted.items()}
    if all(one.warps is not None for one in exact.values()):
        return _Weighed(exact, None)
    found = exact
    for sizes in SAMPLES:
        found = _sampled(wanted, counting, sizes)
        if not any(one.is_too_large for one in found.values()):
            return _Weighed(found, sizes)
    return _Weighed(found, SAMPLES[-1])


def _sampled(wanted: Mapping[int, MachineInstruction], counting: Counting, sizes: SampleSizes) -> dict[int, Executions]:
    def counted(number: int) -> Executions | None:
        return counting.sampled(number, sizes)

    return {number: made.executions(counted) for number, made in wanted.items()}


def _with_cost(
    finding: Finding,
    numbers: Sequence[int],
    wanted: Mapping[int, MachineInstruction],
    counts: _Weighed,
    counting: Counting,
) -> Finding:
    """Return a finding with the cost of its instructions, as info where these matter to nobody."""
    space = wanted[numbers[0]].access.space
    rest = [number for number, made in wanted.items() if made.access.space is space and number not in numbers]
    executed = _total(numbers, counts, lambda number: 1.0)
    excess = _total(numbers, counts, lambda number: _excess(wanted[number]))
    others = [
        None if wanted[number].access.open.fitting else _total([number], counts, lambda number: _excess(wanted[number]))
        for number in rest
    ]  # what may as well be good makes nothing else look small
    known = None if excess is None else excess + sum(other for other in others if other is not None)
    at_most = excess / known if excess is not None and known else None
    sizes = dict[str, int]()
    if counts.sizes is not None:
        for number in (*numbers, *rest):
            sizes |= dict(counting.named(number, counts.sizes))
    cost = LaunchCost(
        executed=None if executed is None else round(executed),
        excess=excess,
        share=None if None in others else at_most,
        share_at_most=at_most,
        basis=_basis(numbers, rest, wanted, counts),
        sizes=tuple(sizes.items()),
        warps=counting.warps,
    )
    return replace(finding, launch_cost=cost, severity=_severity(finding, cost))


def _total(numbers: Iterable[int], counts: _Weighed, each: Callable[[int], float]) -> float | None:
    """Return the sum over instructions of their executions times what each request counts; None where one is open."""
    total = 0.0
    for number in numbers:
        warps = counts.executions[number].warps
        if warps is None:
            return None
        total += warps * each(number)
    return total


def _basis(
    numbers: Iterable[int], rest: Iterable[int], wanted: Mapping[int, MachineInstruction], counts: _Weighed
) -> Basis:
    if any(counts.executions[number].warps is None for number in numbers):
        return Basis.OPEN
    if counts.sizes is not None:
        return Basis.SAMPLE
    every = [*numbers, *rest]
    exact = all(wanted[number].access.result.exact and not counts.executions[number].assumed for number in every)
    return Basis.EXACT if exact else Basis.SUPPOSED


def _severity(finding: Finding, cost: LaunchCost) -> Severity:
    """Return what a finding is where it matters little; lanes that meet at one address cost more than their sectors."""
    waits = finding.cause is not None and finding.cause.kind is CauseKind.MEETING_LANES
    wasteful = finding.cost is not None and finding.cost.excess > 0
    small = cost.share_at_most is not None and cost.share_at_most < LEAST_SHARE
    return (
        Severity.INFO if finding.severity is Severity.WARNING and wasteful and small and not waits else finding.severity
    )
