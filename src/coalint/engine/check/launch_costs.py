"""Weighs the findings of a kernel: how often a launch makes their accesses, and what part of its waste is theirs.

What makes less than a hundredth of what the kernel moves in vain is no warning: tails, what is done once, single lanes.
Nor is what makes little of all that it moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from coalint.core.facts.access import Space
from coalint.core.facts.executions import Counting, Executions, SampleSizes
from coalint.core.facts.launch_costs import Basis, LaunchCost
from coalint.core.findings import Finding, Severity
from coalint.core.records import record
from coalint.engine.check.arithmetic import Arithmetic
from coalint.engine.check.memory_work import Work, is_weighed, is_worked, without_small
from coalint.engine.check.share_formulas import ShareFormulas
from coalint.engine.check.weight_formulas import with_formula
from coalint.machine.nvcc.instructions import NOT_COUNTED, MachineInstruction

if TYPE_CHECKING:
    from coalint.engine.open_blocks.forms import BlockCounts

LEAST_SHARE = 0.01
"""Of what a kernel moves in vain: what makes less is no warning."""
SAMPLES = (SampleSizes(threads=100_003, loops=32), SampleSizes(threads=4_099, loops=32), SampleSizes(499, 32))
"""Sizes that stand in for open ones, the first that can be counted: large, and odd so that there are tails."""
MOST_EXECUTIONS = 10**9
"""Warp instructions of one access that a launch may plausibly make: for more, smaller sizes stand in for open ones."""


@record(frozen=True, slots=True)
class _Weighed:
    """The instructions of one memory of a kernel with their executions, by the numbers of their first accesses."""

    executions: Mapping[int, Executions]
    sizes: SampleSizes | None


@record(frozen=True, slots=True)
class _Memory:
    """What all instructions of one memory of a kernel make together, summed once for all findings.

    `excess` is in sectors or wavefronts and leaves out the instructions that are `not_counted`. `named` are the sizes
    that the counts rest on, and `exact` says whether all counts and costs are.
    """

    excess: Fraction
    not_counted: frozenset[int]
    named: Mapping[str, int]
    exact: bool


def weighed(
    findings: Sequence[Finding],
    instructions: Sequence[MachineInstruction],
    counting: Counting | None,
    *,
    with_formulas: bool = False,
    by_block: BlockCounts | None = None,
    arithmetic: Arithmetic | None = None,
) -> list[Finding]:
    """Return the findings with what their accesses cost over the launch.

    Only what is wasteful or found fault with is counted. `instructions` are those of all accesses of the kernel.
    `with_formulas` adds formulas to what is a sample; `by_block` finds those in open extents of the block. What the
    kernel computes is `arithmetic`.
    """
    if counting is None or not any(finding.subjects for finding in findings):
        return list(findings)
    places = _by_place(instructions)
    keys = [_places_of(finding) for finding in findings]
    about = {key: _instructions_of(key, places) for key in dict.fromkeys(keys)}  # many findings may be of one helper
    wanted = {number: made for by_number in about.values() for number, made in by_number.items()}
    spaces = {made.access.space for made in wanted.values()}
    wanted |= {made.members[0]: made for made in instructions if made.access.space in spaces and _excess(made)}
    counts = _counted(wanted, counting) if wanted else _Weighed({}, None)
    memories = {space: _memory(space, wanted, counts, counting) for space in spaces}
    costs = {
        key: _cost(by_number, memories, counts, counting) if by_number else None for key, by_number in about.items()
    }
    if with_formulas:
        costs |= _with_formulas(costs, about, wanted, memories, counting, by_block)
    heavy = [
        finding if cost is None else replace(finding, launch_cost=cost, severity=_severity(finding, cost))
        for finding, cost in ((finding, costs[key]) for finding, key in zip(findings, keys, strict=True))
    ]
    if not any(is_weighed(finding) for finding in heavy):
        return heavy
    return without_small(heavy, [about[key] for key in keys], _work(instructions, counting, arithmetic))


def _with_formulas(
    costs: Mapping[tuple[tuple[Space, object, object], ...], LaunchCost | None],
    about: Mapping[tuple[tuple[Space, object, object], ...], Mapping[int, MachineInstruction]],
    wanted: Mapping[int, MachineInstruction],
    memories: Mapping[Space, _Memory],
    counting: Counting,
    by_block: BlockCounts | None,
) -> dict[tuple[tuple[Space, object, object], ...], LaunchCost | None]:
    """Return the costs with formulas of what rests on sizes, or on a block, that the source leaves open."""
    block_forms = None if by_block is None or not wanted else by_block.forms(wanted.keys(), for_all=False)
    shares = ShareFormulas(counting, block_forms)
    made: dict[tuple[tuple[Space, object, object], ...], LaunchCost | None] = {}
    for key, cost in costs.items():
        if cost is None or (cost.basis is not Basis.SAMPLE and block_forms is None):
            continue
        own = about[key]
        space = next(iter(own.values())).access.space
        kernels = {
            number: one
            for number, one in wanted.items()
            if one.access.space is space and number not in memories[space].not_counted
        }
        made[key] = shares.with_share(with_formula(cost, own.values(), counting, block_forms), own, kernels)
    return made


def _by_place(
    instructions: Iterable[MachineInstruction],
) -> dict[tuple[Space, object, object], list[MachineInstruction]]:
    """Return the instructions of each memory and place where one is written, in their order."""
    by_place: dict[tuple[Space, object, object], list[MachineInstruction]] = {}
    for made in instructions:
        by_place.setdefault((made.access.space, made.written.span, made.written.op), []).append(made)
    return by_place


def _places_of(finding: Finding) -> tuple[tuple[Space, object, object], ...]:
    """Return the places of the accesses that a finding is about, in the memory of the first."""
    space = finding.subjects[0].space if finding.subjects else None
    if space not in (Space.GLOBAL, Space.SHARED):
        return ()
    return tuple(dict.fromkeys((space, subject.span, subject.operation) for subject in finding.subjects))


def _instructions_of(
    keys: Iterable[tuple[Space, object, object]],
    places: Mapping[tuple[Space, object, object], list[MachineInstruction]],
) -> dict[int, MachineInstruction]:
    """Return the instructions at some places, by the numbers of their first accesses."""
    by_number = {made.members[0]: made for key in keys for made in places.get(key, ())}
    return dict(sorted(by_number.items()))


def _excess(made: MachineInstruction) -> float:
    return 0.0 if made.traffic is None else made.traffic.excess


def _counted(wanted: Mapping[int, MachineInstruction], counting: Counting) -> _Weighed:
    """Count the instructions; with numbers for open sizes where there are such."""
    exact = {number: made.executions(counting.of_access) for number, made in wanted.items()}
    if all(one.warps is not None for one in exact.values()):
        return _Weighed(exact, None)
    for sizes in SAMPLES:
        counts = _sampled(wanted, counting, sizes)
        if not any(one.is_too_large or (one.warps or 0) > MOST_EXECUTIONS for one in counts.values()):
            break
    if all(one.warps == 0 for one in counts.values()):  # as of `i < n - m`: sizes that are alike tell nothing of it
        return _Weighed(dict.fromkeys(counts, NOT_COUNTED), None)
    return _Weighed(counts, sizes)


def _work(instructions: Iterable[MachineInstruction], counting: Counting, arithmetic: Arithmetic | None = None) -> Work:
    """Return how often all instructions are made."""
    worked = {made.members[0]: made for made in instructions if is_worked(made)}
    counts = _counted(worked, counting).executions
    executed = {number: one.warps for number, one in counts.items() if one.warps is not None}
    return Work(worked, executed, arithmetic)


def _sampled(wanted: Mapping[int, MachineInstruction], counting: Counting, sizes: SampleSizes) -> dict[int, Executions]:
    def counted(number: int) -> Executions | None:
        return counting.sampled(number, sizes)

    return {number: made.executions(counted) for number, made in wanted.items()}


def _memory(space: Space, wanted: Mapping[int, MachineInstruction], counts: _Weighed, counting: Counting) -> _Memory:
    inside = {number: made for number, made in wanted.items() if made.access.space is space}
    excess = {number: _excess_of({number: made}, counts) for number, made in inside.items()}
    # What may as well be good makes nothing else look small.
    not_counted = frozenset(
        number
        for number, made in inside.items()
        if made.access.open.fitting or made.access.open.dense or excess[number] is None
    )
    named: dict[str, int] = {}
    if counts.sizes is not None:
        for number in inside:
            named |= dict(counting.named(number, counts.sizes))
    return _Memory(
        excess=sum((excess[number] or Fraction() for number in inside if number not in not_counted), Fraction()),
        not_counted=not_counted,
        named=named,
        exact=all(
            made.access.result.exact and not counts.executions[number].assumed for number, made in inside.items()
        ),
    )


def _cost(
    made: Mapping[int, MachineInstruction],
    memories: Mapping[Space, _Memory],
    counts: _Weighed,
    counting: Counting,
) -> LaunchCost:
    """Return what instructions cost over the launch; open where none is made at the numbers that stand for sizes."""
    memory = memories[next(iter(made.values())).access.space]
    executed = [counts.executions[number].warps for number in made]
    if counts.sizes is not None and not any(one != 0 for one in executed):  # as of `if (mode == 3)`
        return LaunchCost(None, None, None, None, Basis.OPEN, warps=counting.warps)
    known = [one for one in executed if one is not None]
    excess = _excess_of(made, counts)
    own = _excess_of({number: one for number, one in made.items() if number not in memory.not_counted}, counts)
    total = None if excess is None or own is None else excess + memory.excess - own
    at_most = float(excess / total) if excess is not None and total else None
    sizes = dict[str, int]()
    if counts.sizes is not None:
        for number in made:
            sizes |= dict(counting.named(number, counts.sizes))
        sizes |= memory.named
    return LaunchCost(
        executed=round(sum(known)) if len(known) == len(executed) else None,
        excess=None if excess is None else float(excess),
        share=None if memory.not_counted - made.keys() else at_most,
        share_at_most=at_most,
        basis=_basis(made, memory, counts),
        sizes=tuple(sizes.items()),
        warps=counting.warps,
    )


def _excess_of(instructions: Mapping[int, MachineInstruction], counts: _Weighed) -> Fraction | None:
    """Return what instructions move in vain over the launch, in sectors or wavefronts; None where a count is open."""
    total = Fraction()
    for number, made in instructions.items():
        warps = counts.executions[number].warps
        if warps is None:
            return None
        total += Fraction(warps) * Fraction(_excess(made))
    return total


def _basis(numbers: Iterable[int], memory: _Memory, counts: _Weighed) -> Basis:
    if any(counts.executions[number].warps is None for number in numbers):
        return Basis.OPEN
    if counts.sizes is not None:
        return Basis.SAMPLE
    return Basis.EXACT if memory.exact else Basis.SUPPOSED


def _severity(finding: Finding, cost: LaunchCost) -> Severity:
    """Return what a finding is where it matters little; lanes that meet at one address cost more than their sectors."""
    small = cost.share_at_most is not None and cost.share_at_most < LEAST_SHARE
    return Severity.INFO if finding.is_of_excess and small and not finding.is_of_meeting_lanes else finding.severity
