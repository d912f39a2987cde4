"""Decides whether predictions and counters agree."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.engine.verification.comparison.predictions import Prediction
from coalint.engine.verification.counters import Instruction

TOLERANCE = 0.01


"""The relative error up to which a prediction counts as equal to the counter."""


def requests_of(counted: Sequence[Instruction], lanes: float) -> float:
    """Return how often instructions ran with an active lane.

    Where a predicate lets warps execute them without one, the number follows from the lanes that took part and `lanes`,
    the predicted lanes per request.
    """
    ran = [i for i in counted if i.threads]
    executed, threads = sum(i.executed for i in ran), sum(i.threads for i in ran)
    return min(executed, threads / lanes) if lanes and any(i.guarded for i in ran) else executed


def agrees(predicted: list[Prediction], counted: list[Instruction], expected: float, lanes: float) -> bool:
    """Whether widths, active lanes and totals agree, and each pair where each access became one instruction.

    Compilers unroll loops, and accesses of one line share instructions. Therefore sums over all accesses of a line and
    kind are compared with sums over all of its instructions. Pairs are formed in the order of cost. `expected` are the
    predicted cost and `lanes` the lanes per request.
    """
    counted_cost = sum(i.cost for i in counted) / requests_of(counted, lanes)
    if not is_close(expected, counted_cost) or not _same_widths(predicted, counted):
        return False
    if not is_close(lanes, lanes_per_request(counted) or lanes):
        return False
    if len(predicted) != len(counted) or len({round(p.lanes / p.requests, 6) for p in predicted}) > 1:
        return True
    wanted = sorted(p.cost.count for p in predicted if p.cost is not None)
    costs = sorted(i.cost / (requests_of([i], lanes) or 1) for i in counted)
    return all(is_close(want, cost) for want, cost in zip(wanted, costs, strict=True))


def _same_widths(predicted: list[Prediction], counted: list[Instruction]) -> bool:
    return {p.access.bytes for p in predicted} == {i.bytes for i in counted}


def lanes_per_request(counted: Sequence[Instruction]) -> float | None:
    """Return active lanes per request; None where a predicate hides how many requests had any."""
    ran = [i for i in counted if i.threads]
    if not ran or any(i.guarded for i in ran):
        return None
    return sum(i.threads for i in ran) / sum(i.executed for i in ran)


def is_close(expected: float, counted: float) -> bool:
    """Whether two numbers are equal within the tolerance."""
    return abs(expected - counted) <= TOLERANCE * counted
