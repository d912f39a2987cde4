"""Compares the predictions for a kernel's accesses with the counters of its instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from coalint.core.facts.access import Access, Space
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.agreement import agrees, is_close, requests_of
from coalint.engine.verification.comparison.launches import is_instance, matching_analyses
from coalint.engine.verification.comparison.places import AccessKey, has_source_lines, instructions_by_key, places_of
from coalint.engine.verification.comparison.predictions import Prediction, launch_totals, mean_costs, prediction_of
from coalint.engine.verification.comparison.reasons import difference_reason
from coalint.engine.verification.comparison.records import ComparedLaunch, Comparison, Outcome, Place
from coalint.engine.verification.counters import Instruction, Launch
from coalint.engine.verification.export.signatures import file_name


def compare(launches: Sequence[Launch], inspected: Sequence[Inspected]) -> tuple[ComparedLaunch, ...]:
    """Return the comparison of every launch with the analysis that fits it best.

    Where no instruction of any launch has a source line, all accesses of one kind are compared at once.
    """
    by_place = has_source_lines(launches)
    return tuple(_best_comparison(launch, inspected, by_place) for launch in launches)


def _best_comparison(launch: Launch, inspected: Sequence[Inspected], by_place: bool) -> ComparedLaunch:
    compared = [
        ComparedLaunch(launch, item.analysis, _compare_launch(launch, item, by_place))
        for item in matching_analyses(launch, inspected)
    ]
    if not compared:
        reason = "no kernel of this name was analysed"
        alone = (_without_prediction(next(iter(places_of(i)), None), [i], reason) for i in launch.instructions)
        return ComparedLaunch(launch, None, tuple(alone))
    return min(compared, key=_misses)


_ALONE = (Outcome.UNPREDICTED, Outcome.UNCOUNTED)


def _misses(launch: ComparedLaunch) -> tuple[int, int, int]:
    """Return how many accesses only one side has, and how many costs and numbers of executions are not as predicted.

    Which accesses there are tells launches with other arguments apart.
    """
    return (
        sum(c.outcome in _ALONE for c in launch.comparisons),
        sum(c.outcome is Outcome.DIFFERENT for c in launch.comparisons),
        sum(c.is_executed_as_predicted is False for c in launch.comparisons),
    )


def _compare_launch(launch: Launch, item: Inspected, by_place: bool) -> tuple[Comparison, ...]:
    predicted: dict[AccessKey, list[Prediction]] = {}
    keys_of = [_key(made.written, by_place) for made in item.instructions]
    accesses = item.analysis.accesses if _is_of(launch, item) else ()
    for key, made in zip(keys_of, item.instructions, strict=True):
        reached = made.traffic is not None or made.access.result.lanes is None
        if made.access.space in (Space.GLOBAL, Space.SHARED) and reached:
            predicted.setdefault(key, []).append(prediction_of(made, accesses))
    counted = instructions_by_key(launch, predicted, file_name(item.analysis.span.file))
    predicted = {
        key: fitting
        for key, predictions in predicted.items()
        if (fitting := [p for p in predictions if key in counted or not _stands_elsewhere(p, keys_of, counted)])
    }
    keys = sorted({*predicted, *counted}, key=lambda key: (key[0] or ("", 0), key[1].value, key[2].value))
    at = _compare_at_place if by_place else _compare_without_places
    return tuple(c for key in keys for c in at(key, predicted.get(key, []), counted.get(key, [])))


def _is_of(launch: Launch, item: Inspected) -> bool:
    """Whether the analysis is of this launch: the same instance, block and grid, as far as the export tells them."""
    specialization = item.analysis.specialization
    return (
        is_instance(launch, item)
        and launch.block in (None, specialization.block)
        and launch.grid in (None, specialization.grid)
    )


def _key(access: Access, by_place: bool) -> AccessKey:
    place = (file_name(access.span.file), access.span.line) if by_place else None
    return place, access.space, access.op


def _stands_elsewhere(
    prediction: Prediction, keys_of: Sequence[AccessKey], counted: Mapping[AccessKey, object]
) -> bool:
    """Whether an instruction made of several accesses was counted at the place of another of them."""
    return any(keys_of[number] in counted for number in prediction.members)


def _compare_at_place(key: AccessKey, predicted: list[Prediction], counted: list[Instruction]) -> Iterator[Comparison]:
    """Yield one comparison per width where both sides have the same widths, else one for all widths."""
    widths = sorted({p.access.bytes for p in predicted})
    if len(widths) > 1 and widths == sorted({i.bytes for i in counted}):
        for width in widths:
            narrowed = [p for p in predicted if p.access.bytes == width]
            yield _comparison(key, narrowed, [i for i in counted if i.bytes == width])
    elif predicted:
        yield _comparison(key, predicted, counted)
    else:
        yield _without_prediction(key[0], counted, "coalint sees no such access here")


def _compare_without_places(
    key: AccessKey, predicted: list[Prediction], counted: list[Instruction]
) -> Iterator[Comparison]:
    """Yield comparisons without places: each instruction goes to the accesses with the nearest predicted cost."""
    groups: dict[tuple[int, float, float], list[Prediction]] = {}
    for p in predicted:
        if p.cost is not None:
            groups.setdefault((p.access.bytes, p.cost.count, p.lanes / p.requests), []).append(p)
    unknown = [p for p in predicted if p.cost is None]
    taken: dict[tuple[int, float, float], list[Instruction]] = {}
    left: list[Instruction] = []
    for i in counted:
        costs = {g: i.cost / (requests_of([i], g[2]) or 1) for g in groups}
        misses = {
            g: (g[0] != i.bytes, round(abs(g[1] - costs[g]), 6), i.guarded or abs(g[2] - i.threads / i.executed))
            for g in groups
        }
        nearest = min(groups, key=lambda g: misses[g], default=None)
        if nearest is None or (unknown and not is_close(nearest[1], costs[nearest])):
            left.append(i)
        else:
            taken.setdefault(nearest, []).append(i)
    for group in sorted(groups):
        yield _comparison(key, groups[group], taken.get(group, []))
    if unknown:
        yield _comparison(key, unknown, left)
    elif left:
        yield _without_prediction(None, left, "coalint sees no such access")


def _without_prediction(place: Place | None, counted: Sequence[Instruction], reason: str) -> Comparison:
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


def _comparison(key: AccessKey, predicted: list[Prediction], counted: list[Instruction]) -> Comparison:
    accesses = tuple(p.access for p in predicted)
    predicted = [p for p in predicted if p.executed != 0] or predicted  # the others' values are in registers
    expected, ideal, lanes = mean_costs(predicted, sum(i.executed for i in counted))
    requests = requests_of(counted, lanes)
    cost = sum(i.cost for i in counted)
    counted_cost = cost / requests if requests else None
    executed, total = launch_totals(predicted)
    if expected is None:
        outcome, reason = (
            Outcome.UNKNOWN,
            next((a.result.unknown for a in accesses if a.result.unknown), None) or "not predicted",
        )
    elif counted_cost is None:
        outcome, reason = Outcome.UNCOUNTED, "no such instruction was executed with an active lane"
    elif agrees(predicted, counted, expected, lanes):
        outcome, reason = Outcome.EQUAL, ""
    else:
        outcome, reason = Outcome.DIFFERENT, difference_reason(predicted, counted, lanes)
    return Comparison(
        place=key[0],
        space=key[1],
        operation=key[2],
        bytes=counted[0].bytes if counted else accesses[0].bytes,
        outcome=outcome,
        predicted=expected,
        predicted_ideal=ideal,
        counted=counted_cost,
        requests=requests,
        cost=cost,
        instructions=tuple(counted),
        accesses=accesses,
        reason=reason,
        predicted_executed=executed,
        predicted_total=total,
    )
