"""What part of a kernel's memory work its findings could save; what is little of it is no warning.

Work is sectors and wavefronts alike: a sector of the L2 cache and a wavefront of shared memory take a multiprocessor
about a cycle each. Lanes whose addresses were loaded count as the best that they may be: a part is what it is at most.
What is computed beside accesses counts in the same cycles.

A kernel that moves more sectors than it has wavefronts waits for global memory: while sectors are on their way, the
wavefronts of other warps are served. Accesses that take at most twice the wavefronts that they need matter little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, prod

from coalint.core.facts.access import Space
from coalint.core.findings import Finding, Note
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.check.arithmetic import Arithmetic
from coalint.engine.check.searches import SEARCHED
from coalint.engine.check.staging_loops import staging_loops, weight
from coalint.machine.nvcc.instructions import MachineInstruction

LEAST_PART = 0.03
"""Of the work of a kernel: what could save less is no warning."""
_SECTOR = 32  # bytes
_MOST_SECTORS = 32.0  # of a request whose lanes are not known
_CYCLES_OF_SECTOR = 2.0
"""Of one multiprocessor, from memory: an H100's 3.35 TB/s are 15 bytes a cycle for each of its 132, at 1.7 GHz."""
_CYCLES_OF_CACHED_SECTOR = 1.0  # of which the next iterations of a loop use the rest
_COVER = 2.0
"""How many times as long as its sectors take a kernel computes that other warps cover these on smaller GPUs, too."""
_LITTLE_MEMORY_WORK = Note(f"less than {LEAST_PART:.0%} of the kernel's sectors and wavefronts could be saved here")
_BESIDE_SEARCH = Note(
    f"the kernel searches elements whose number is open: of {SEARCHED}, less than {LEAST_PART:.0%} of its sectors and "
    "wavefronts could be saved here"
)
_MUCH_ARITHMETIC = Note(
    f"the kernel computes so much beside it that less than {LEAST_PART:.0%} of its time could be saved here"
)
_COVERED = Note("the kernel computes so much beside it that its sectors are moved while other warps compute")
_MORE_SECTORS = Note("the kernel moves more sectors of global memory than it has wavefronts: these it waits for")


@record(frozen=True, slots=True)
class Work:
    """How often each instruction of global and shared memory is made, by the number of its first access.

    Attributes:
        instructions: The instructions.
        executed: Their executions over the launch; those that are open are left out.
        arithmetic: What the kernel computes beside its accesses; None where that is not known.
    """

    instructions: Mapping[int, MachineInstruction]
    executed: Mapping[int, int]
    arithmetic: Arithmetic | None = None

    def part(self, numbers: set[int], *, with_searches: bool = True) -> float:
        """Return what part of the work some instructions make in vain, at most; infinite where nothing tells.

        What is never made at the numbers that stand for open sizes may be all that is made at others.

        Where executions are open, or a loop stages tiles of an open size or searches, the loops around the accesses
        tell, too: what is made once is little beside what a loop in a loop makes.
        """
        known = inf
        if numbers <= self.executed.keys() and any(self.executed[number] for number in numbers):
            known = _part({number: float(times) for number, times in self.executed.items()}, self.instructions, numbers)
        staging = staging_loops(self.instructions.values())
        searching = frozenset[Span]()
        if with_searches and self.arithmetic is not None:
            searching = self.arithmetic.searches
        once = {number: self._left_after(made) for number, made in self.instructions.items()}
        if len(self.executed) == len(self.instructions) and not (staging or searching or any(once.values())):
            return known
        weights = {
            number: weight(made.written, staging, searching, once[number]) * made.unrolled[0] / made.unrolled[1]
            for number, made in self.instructions.items()
        }
        return min(known, _part(weights, self.instructions, numbers))

    def _left_after(self, made: MachineInstruction) -> frozenset[Span]:
        """Return the loops that a thread leaves once it has made an access."""
        if self.arithmetic is None:
            return frozenset()
        places = (made.written.span, *made.written.calls)
        return frozenset[Span]().union(*(self.arithmetic.ways_out.get(place, ()) for place in places))

    def settled(self, finding: Finding, made: Mapping[int, MachineInstruction]) -> Finding:
        """Return a finding with how often a thread makes its accesses, where it leaves loops around them after each."""
        left = [self._left_after(one) for one in made.values()]
        if not left or not all(left):
            return finding
        rounds = (
            prod(around.rounds for around in one.written.loops if around.span not in away)
            for one, away in zip(made.values(), left, strict=True)
        )
        return replace(finding, weight=min(finding.weight, float(max(rounds))))

    def waits_for_sectors(self, numbers: set[int]) -> bool:
        """Whether the kernel moves more sectors than it has wavefronts, and some instructions are slight conflicts.

        Not where executions are open: a loop around either may be the longer one.
        """
        is_counted = len(self.executed) == len(self.instructions)
        if not is_counted or not all(_is_slight_conflict(self.instructions[number]) for number in numbers):
            return False
        made = {Space.SHARED: 0.0, Space.GLOBAL: 0.0}
        for number, times in self.executed.items():
            made[self.instructions[number].access.space] += times * _count(self.instructions[number])
        return made[Space.SHARED] <= made[Space.GLOBAL]

    def part_of_time(self, numbers: set[int]) -> float:
        """Return what part some instructions make in vain of what is computed beside them; infinite if that is none."""
        if self.arithmetic is None:
            return inf
        made = [self.instructions[number] for number in numbers]
        supposed = sum(_part_of_time(one, self.arithmetic.beside(one.written.span)) for one in made)
        return min(supposed, sum(_part_of_time(one, self._surely_beside(one)) for one in made))

    def is_covered(self, numbers: set[int]) -> bool:
        """Whether the kernel surely computes longer than all its sectors of global memory take, some instructions' too.

        Memory and arithmetic work at once: the sectors of one warp are moved while others compute. What a request
        takes beside what is computed whenever it is made, summed over all requests, is at most what all take together
        beside what the kernel computes.
        """
        if any(self.instructions[number].access.space is not Space.GLOBAL for number in numbers):
            return False
        moved = [made for made in self.instructions.values() if made.access.space is Space.GLOBAL]
        return sum(self._part_of_cover(made) for made in moved) * _COVER < 1

    def _part_of_cover(self, made: MachineInstruction) -> float:
        """Return how long the sectors of a request take, in parts of what is surely computed beside it."""
        written = made.written
        beside = self._surely_beside(made)
        loop = written.loops[-1] if written.loops else None
        is_walked = loop is not None and loop.bytes in (written.bytes, -written.bytes)
        sector = _CYCLES_OF_CACHED_SECTOR if is_walked else _CYCLES_OF_SECTOR
        sectors = _MOST_SECTORS if made.traffic is None else made.traffic.count
        return sectors * sector / beside if beside else inf

    def _surely_beside(self, made: MachineInstruction) -> float:
        if self.arithmetic is None or _is_in_pieces(made):
            return 0.0
        return self.arithmetic.surely_beside(made.written.span)


def is_worked(made: MachineInstruction) -> bool:
    """Whether an instruction is work of global or shared memory."""
    return made.access.space in (Space.GLOBAL, Space.SHARED)


def without_small(
    findings: Sequence[Finding], about: Sequence[Mapping[int, MachineInstruction]], work: Work
) -> list[Finding]:
    """Return the findings, as infos those that concern little of the work, all that one rule says of an array together.

    `about` are the instructions of each finding by the numbers of their first accesses.
    """
    together: dict[tuple[str, str], set[int]] = {}
    for finding, made in zip(findings, about, strict=True):
        if is_weighed(finding):
            together.setdefault(_key(finding), set()).update(made)
    small: dict[tuple[str, str], Note] = {}
    for key, numbers in together.items():
        if numbers and work.part(numbers) < LEAST_PART:
            is_little = work.part(numbers, with_searches=False) < LEAST_PART
            small[key] = _LITTLE_MEMORY_WORK if is_little else _BESIDE_SEARCH
        elif numbers and work.part_of_time(numbers) < LEAST_PART:
            small[key] = _MUCH_ARITHMETIC
        elif numbers and work.is_covered(numbers):
            small[key] = _COVERED
        elif numbers and work.waits_for_sectors(numbers):
            small[key] = _MORE_SECTORS
    return [
        finding.as_info(small[_key(finding)]) if is_weighed(finding) and _key(finding) in small else finding
        for finding in map(work.settled, findings, about)
    ]


def is_weighed(finding: Finding) -> bool:
    """Whether a finding is a warning of a cost that is compared with the rest of the kernel.

    Lanes that meet at one address cost more than their sectors.
    """
    return finding.is_of_excess and not finding.is_of_meeting_lanes and bool(finding.subjects)


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.subjects[0].array


def _part(times: Mapping[int, float], instructions: Mapping[int, MachineInstruction], numbers: set[int]) -> float:
    total = sum(executed * _count(instructions[number]) for number, executed in times.items())
    vain = sum(times[number] * _excess(instructions[number]) for number in numbers)
    return vain / total if total else inf


def _is_slight_conflict(made: MachineInstruction) -> bool:
    """Whether an instruction of shared memory takes at most twice the wavefronts that it needs."""
    if made.access.space is not Space.SHARED or made.traffic is None:
        return False
    return made.traffic.excess <= made.traffic.count / 2


def _part_of_time(made: MachineInstruction, beside: float) -> float:
    excess = _excess(made)
    if not excess or made.written.calls or _is_in_pieces(made):
        return inf if excess else 0.0
    return excess / (excess + beside) if beside else inf


def _is_in_pieces(made: MachineInstruction) -> bool:
    """Whether an access may stand for many that move parts of elements, as of a `memcpy` of single bytes."""
    written = made.written
    is_part = written.memory is not None and written.bytes < written.memory.element_bytes
    return is_part and written.field is None and written.piece[1] == 1


def _excess(made: MachineInstruction) -> float:
    return 0.0 if made.traffic is None else made.traffic.excess


def _count(made: MachineInstruction) -> float:
    """Return sectors or wavefronts of a request: of lanes that are not known, as few as they may take."""
    if made.traffic is not None:
        return made.traffic.count
    return 1.0 if made.access.space is Space.SHARED else max(1.0, made.access.bytes * 32 / _SECTOR)
