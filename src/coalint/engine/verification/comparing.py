"""Holds what was predicted of a kernel's accesses against what a GPU counted of its instructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.lanes import Service
from coalint.engine.report import Inspected
from coalint.engine.verification.counters import Instruction, Launch, file_name, split_signature
from coalint.machine.architecture import DEFAULT_ARCHITECTURE
from coalint.machine.traffic import Traffic, spin_rounds

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes

TOLERANCE = 0.01
"""The part of the counter by which a prediction may miss it and still count as equal."""


Place = tuple[str, int]
"""A file by its last name (exports come from other machines), and a line."""


class Outcome(Enum):
    """How prediction and counter stand to each other at one place."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    UNPREDICTED = "unpredicted"
    UNCOUNTED = "uncounted"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line's accesses of one kind in one launch.

    `predicted`, `predicted_ideal` and `counted` are sectors or wavefronts per request: per executed warp instruction
    with an active lane; None where there is none. `requests` and `cost` are the counted totals. `bytes` is what a lane
    moves in one instruction, as counted, or as predicted where nothing was counted. `place` is a file's last name and a
    line, None where an instruction stands at no line of the analysed files. `reason` says why the two differ, as far as
    it shows.
    """

    place: Place | None
    space: Space
    operation: Operation
    bytes: int
    outcome: Outcome
    predicted: float | None
    predicted_ideal: float | None
    counted: float | None
    requests: float
    cost: int
    instructions: tuple[Instruction, ...]
    accesses: tuple[Access, ...]
    reason: str = ""

    @property
    def line(self) -> int | None:
        """The line, whatever the file."""
        return self.place[1] if self.place else None


@dataclass(frozen=True, slots=True)
class ComparedLaunch:
    """One launch beside the analysis that fits it best: None where no kernel of that name was analysed."""

    launch: Launch
    analysis: Analysis | None
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class _Predicted:
    """An access with its cost, and requests and active lanes of one execution by the block."""

    access: Access
    cost: Traffic | None
    requests: float
    lanes: float


def compare(launches: Sequence[Launch], inspected: Sequence[Inspected]) -> tuple[ComparedLaunch, ...]:
    """Compare every launch with the predictions of the analysis that fits it best.

    Where no instruction of any launch has a source line, accesses of one kind are compared all at once.
    """
    by_place = has_places(launches)
    return tuple(_best(launch, inspected, by_place) for launch in launches)


def has_places(launches: Iterable[Launch]) -> bool:
    """Whether any instruction stands at a line of source."""
    return any(i.places for launch in launches for i in launch.instructions)


def _best(launch: Launch, inspected: Sequence[Inspected], by_place: bool) -> ComparedLaunch:
    compared = [
        ComparedLaunch(launch, item.analysis, _compared(launch, item, by_place)) for item in fitting(launch, inspected)
    ]
    if not compared:
        reason = "no kernel of this name was analysed"
        alone = (_unpredicted(next(iter(_places(i)), None), [i], reason) for i in launch.instructions)
        return ComparedLaunch(launch, None, tuple(alone))
    return min(compared, key=lambda item: sum(c.outcome is Outcome.DIFFERENT for c in item.comparisons))


def fitting(launch: Launch, inspected: Sequence[Inspected]) -> list[Inspected]:
    """The analyses that a launch can be of: the same name, and template arguments and shapes where they decide."""
    name, arguments = split_signature(launch.kernel)
    found = [item for item in inspected if _last_name(item.analysis.kernel) == name]
    for narrower in (
        [i for i in found if _squeezed(i.analysis.specialization.template_arguments) == _squeezed(arguments)],
        [i for i in found if i.analysis.specialization.block == launch.block],
        [i for i in found if i.analysis.specialization.grid == launch.grid],
    ):
        kept = [item for item in found if item in narrower]
        found = kept or found
    return found


def _last_name(kernel: str) -> str:
    return kernel.rsplit("::", 1)[-1]


def _squeezed(arguments: Iterable[str]) -> list[str]:
    return ["".join(argument.split()) for argument in arguments]


_Kind = tuple[Space, Operation]
_Key = tuple[Place | None, Space, Operation]


def _compared(launch: Launch, item: Inspected, by_place: bool) -> tuple[Comparison, ...]:
    predicted: dict[_Key, list[_Predicted]] = {}
    for access, cost in zip(item.analysis.accesses, item.traffics, strict=True):
        reached = cost is not None or access.lanes is None
        if access.space in (Space.GLOBAL, Space.SHARED) and reached:
            place = (file_name(access.span.file), access.span.line) if by_place else None
            key = (place, access.space, access.op)
            predicted.setdefault(key, []).append(_predicted(access, cost))
    counted = _placed(launch, predicted, file_name(item.analysis.span.file))
    keys = sorted({*predicted, *counted}, key=lambda key: (key[0] or ("", 0), key[1].value, key[2].value))
    at = _at if by_place else _anywhere
    return tuple(c for key in keys for c in at(key, predicted.get(key, []), counted.get(key, [])))


def _placed(launch: Launch, predicted: dict[_Key, list[_Predicted]], home: str) -> dict[_Key, list[Instruction]]:
    """The instructions of a launch by place and kind; `home` is the file of the kernel."""
    counted: dict[_Key, list[Instruction]] = {}
    foreign: dict[_Kind, list[Instruction]] = {}
    for instruction in launch.instructions:
        kind = (instruction.space, instruction.operation)
        place = _place(instruction, predicted, home)
        if place is None:
            foreign.setdefault(kind, []).append(instruction)
        else:
            counted.setdefault((place, *kind), []).append(instruction)
    for kind, instructions in foreign.items():
        places = _unclaimed(kind, len(instructions), predicted, counted)
        for unclaimed, instruction in zip(places, instructions, strict=True):
            counted.setdefault((unclaimed, *kind), []).append(instruction)
    return counted


def _place(instruction: Instruction, predicted: dict[_Key, list[_Predicted]], home: str) -> Place | None:
    """The place that an instruction was written at, of those that it was inlined through.

    Of the places that a prediction of its kind stands at, one in another file than the kernel's, else the first: a
    helper is defined above its callers.
    """
    places = sorted(_places(instruction), key=lambda place: (place[0] == home, place))
    likely = [place for place in places if (place, instruction.space, instruction.operation) in predicted]
    files = {home, *(place[0] for place, _, _ in predicted if place is not None)}
    return next(iter(likely or [place for place in places if place[0] in files]), None)


def _places(instruction: Instruction) -> set[Place]:
    return {(file_name(file), line) for file, line in instruction.places}


def _unclaimed(
    kind: _Kind, count: int, predicted: dict[_Key, list[_Predicted]], counted: dict[_Key, list[Instruction]]
) -> list[Place | None]:
    """The places of `count` instructions that stand in headers alone, as those of `atomicAdd` may, in address order.

    They can only be what is predicted where no instruction stands, unclear where their numbers differ; or, as loads of
    a matrix in an unrolled loop, more of what is predicted at one place alone.
    """
    every = [place for place, *rest in predicted if tuple(rest) == kind]
    if len(every) == 1:
        return every * count
    free = [place for place, *rest in predicted if tuple(rest) == kind and (place, *kind) not in counted]
    places: list[Place | None] = [
        place for place in sorted(free, key=lambda p: p or ("", 0)) for _ in predicted[(place, *kind)]
    ]
    return places if len(places) == count else [free[0]] * count if len(free) == 1 else [None] * count


def _predicted(access: Access, cost: Traffic | None) -> _Predicted:
    """What the counters will say of an access: of a loop, each round is an instruction of its own."""
    if access.service is not Service.SPINNING or access.lanes is None or cost is None:
        return _Predicted(access, cost, *_executions(access.lanes))
    rounds, lanes = spin_rounds(access.lanes, access.bytes, DEFAULT_ARCHITECTURE)
    executions = float(access.lanes.weights.sum())
    return _Predicted(access, Traffic(2.0, 2.0), rounds / executions, lanes / executions)


def _executions(lanes: Lanes | None) -> tuple[float, float]:
    """Requests and active lanes of one execution by the block, in the mean over the rows of the lanes.

    How many rows there are says what the lanes depend on, not how often an access is executed: those of one place are
    taken to be executed alike.
    """
    if lanes is None:
        return 0.0, 0.0
    executions = lanes.weights.sum()
    requests = lanes.active.any(axis=2).sum(axis=1) @ lanes.weights
    active = lanes.active.sum(axis=(1, 2)) @ lanes.weights
    return float(requests / executions), float(active / executions)


def _at(key: _Key, predicted: list[_Predicted], counted: list[Instruction]) -> Iterator[Comparison]:
    """Compare width by width where both sides move the same widths, else all widths at once."""
    widths = sorted({p.access.bytes for p in predicted})
    if len(widths) > 1 and widths == sorted({i.bytes for i in counted}):
        for width in widths:
            narrowed = [p for p in predicted if p.access.bytes == width]
            yield _comparison(key, narrowed, [i for i in counted if i.bytes == width])
    elif predicted:
        yield _comparison(key, predicted, counted)
    else:
        yield _unpredicted(key[0], counted, "coalint sees no such access here")


def _anywhere(key: _Key, predicted: list[_Predicted], counted: list[Instruction]) -> Iterator[Comparison]:
    """Without places: give each instruction to the accesses whose predicted cost is nearest to what it cost."""
    groups: dict[tuple[int, float, float], list[_Predicted]] = {}
    for p in predicted:
        if p.cost is not None:
            groups.setdefault((p.access.bytes, p.cost.count, p.lanes / p.requests), []).append(p)
    unknown = [p for p in predicted if p.cost is None]
    taken: dict[tuple[int, float, float], list[Instruction]] = {}
    left: list[Instruction] = []
    for i in counted:
        costs = {g: i.cost / (_requests([i], g[2]) or 1) for g in groups}
        misses = {
            g: (g[0] != i.bytes, round(abs(g[1] - costs[g]), 6), i.guarded or abs(g[2] - i.threads / i.executed))
            for g in groups
        }
        nearest = min(groups, key=lambda g: misses[g], default=None)
        if nearest is None or (unknown and not close(nearest[1], costs[nearest])):
            left.append(i)
        else:
            taken.setdefault(nearest, []).append(i)
    for group in sorted(groups):
        yield _comparison(key, groups[group], taken.get(group, []))
    if unknown:
        yield _comparison(key, unknown, left)
    elif left:
        yield _unpredicted(None, left, "coalint sees no such access")


def _unpredicted(place: Place | None, counted: Sequence[Instruction], reason: str) -> Comparison:
    first, cost, executed = counted[0], sum(i.cost for i in counted), sum(i.executed for i in counted)
    return Comparison(
        place=place,
        space=first.space,
        operation=first.operation,
        bytes=first.bytes,
        outcome=Outcome.UNPREDICTED,
        predicted=None,
        predicted_ideal=None,
        counted=cost / executed,
        requests=executed,
        cost=cost,
        instructions=tuple(counted),
        accesses=(),
        reason=reason,
    )


def _comparison(key: _Key, predicted: list[_Predicted], counted: list[Instruction]) -> Comparison:
    accesses = tuple(p.access for p in predicted)
    expected, ideal, lanes = _means(predicted)
    requests = _requests(counted, lanes)
    cost = sum(i.cost for i in counted)
    seen = cost / requests if requests else None
    if expected is None:
        outcome, reason = Outcome.UNKNOWN, next((a.unknown for a in accesses if a.unknown), None) or "not predicted"
    elif seen is None:
        outcome, reason = Outcome.UNCOUNTED, "no such instruction ran with an active lane"
    elif _equal(predicted, counted, lanes):
        outcome, reason = Outcome.EQUAL, ""
    else:
        outcome, reason = Outcome.DIFFERENT, _reason(predicted, counted, lanes)
    return Comparison(
        place=key[0],
        space=key[1],
        operation=key[2],
        bytes=counted[0].bytes if counted else accesses[0].bytes,
        outcome=outcome,
        predicted=expected,
        predicted_ideal=ideal,
        counted=seen,
        requests=requests,
        cost=cost,
        instructions=tuple(counted),
        accesses=accesses,
        reason=reason,
    )


def _means(predicted: list[_Predicted]) -> tuple[float | None, float | None, float]:
    """Cost and ideal per request over all accesses, and active lanes per request (0 where nothing is known)."""
    known = [(p, p.cost) for p in predicted if p.cost is not None]
    requests = sum(p.requests for p, _ in known)
    if len(known) < len(predicted) or not requests:
        return None, None, 0.0
    count = sum(cost.count * p.requests for p, cost in known) / requests
    ideal = sum(cost.ideal * p.requests for p, cost in known) / requests
    return count, ideal, sum(p.lanes for p, _ in known) / requests


def _requests(counted: Sequence[Instruction], lanes: float) -> float:
    """How often instructions ran with an active lane.

    A predicate lets warps execute them without any: then the lanes that took part tell, at the predicted lanes each.
    """
    ran = [i for i in counted if i.threads]
    executed, threads = sum(i.executed for i in ran), sum(i.threads for i in ran)
    return min(executed, threads / lanes) if lanes and any(i.guarded for i in ran) else executed


def _equal(predicted: list[_Predicted], counted: list[Instruction], lanes: float) -> bool:
    """Whether widths, active lanes and totals agree, and each pair where each access became one instruction.

    Loops are unrolled and accesses of one line share instructions: so it is the sums that are compared, of all accesses
    of a line and kind with all its instructions. Pairs are made cheapest with cheapest.
    """
    expected = _means(predicted)[0]
    seen = sum(i.cost for i in counted) / _requests(counted, lanes)
    if expected is None or not close(expected, seen) or not _same_widths(predicted, counted):
        return False
    if not close(lanes, _lanes(counted) or lanes):
        return False
    if len(predicted) != len(counted) or len({round(p.lanes / p.requests, 6) for p in predicted}) > 1:
        return True
    wanted = sorted(p.cost.count for p in predicted if p.cost is not None)
    costs = sorted(i.cost / (_requests([i], lanes) or 1) for i in counted)
    return all(close(want, cost) for want, cost in zip(wanted, costs, strict=True))


def _same_widths(predicted: list[_Predicted], counted: list[Instruction]) -> bool:
    return {p.access.bytes for p in predicted} == {i.bytes for i in counted}


def _lanes(counted: Sequence[Instruction]) -> float | None:
    """Active lanes per request, None where a predicate hides how often there were any."""
    ran = [i for i in counted if i.threads]
    if not ran or any(i.guarded for i in ran):
        return None
    return sum(i.threads for i in ran) / sum(i.executed for i in ran)


def close(expected: float, seen: float) -> bool:
    """Equal within the tolerance."""
    return abs(expected - seen) <= TOLERANCE * seen


def _reason(predicted: list[_Predicted], counted: list[Instruction], lanes: float) -> str:
    """What most likely makes the difference, surest first."""
    accesses = [p.access for p in predicted]
    source, machine = sorted({a.bytes for a in accesses}), sorted({i.bytes for i in counted})
    if source != machine:
        verb = "merged accesses" if max(machine) > max(source) else "split accesses"
        return f"the compiler {verb}: {_widths(machine)} bytes a lane, {_widths(source)} in the source"
    seen = _lanes(counted)
    if seen and lanes and not close(lanes, seen):
        return f"{seen:.4g} lanes took part in a request, {lanes:.4g} predicted: other launch or guard"
    if any(i.opcode.startswith("LDGSTS") and "BYPASS" in i.opcode and i.guarded for i in counted):
        return "cp.async under a predicate: Nsight Compute was seen to lose lanes of it, so the counter is too low"
    inexact = next((a for a in accesses if not a.exact), None)
    if inexact is not None:
        unknown = (*inexact.symbolic, *inexact.assumed)
        return f"the prediction rests on {', '.join(unknown)}" if unknown else "the prediction is not exact"
    if any(a.op is Operation.ATOMIC and a.space is Space.SHARED for a in accesses):
        return "a shared atomic is predicted as a load of the same addresses, which is a lower bound"
    assumed = list(dict.fromkeys(text for access in accesses for text in access.assumed))
    if assumed:
        return f"the prediction rests on {', '.join(assumed)}"
    if len({p.cost.count for p in predicted if p.cost is not None}) > 1:
        return "accesses of different cost stand here: the compiler may have moved some of them elsewhere"
    if any(i.guarded for i in counted):
        return "the instruction is predicated: which of its lanes took part together is not counted"
    return "not explained: if this is the source that was profiled, please report the kernel"


def _widths(widths: Sequence[int]) -> str:
    return " and ".join(map(str, widths))
