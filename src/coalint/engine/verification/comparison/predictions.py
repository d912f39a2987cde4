"""What is predicted of an access, in the terms of the counters: requests, lanes, cost per request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access
from coalint.core.facts.lanes import Service
from coalint.core.records import record
from coalint.machine.architecture import DEFAULT_ARCHITECTURE
from coalint.machine.nvcc.instructions import NOT_COUNTED, MachineInstruction
from coalint.machine.traffic import Traffic, spin_rounds

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes


@record(frozen=True, slots=True)
class Prediction:
    """What is predicted of one access.

    Attributes:
        access: The access, as the instruction makes it that it becomes.
        cost: Sectors or wavefronts per request; None where unknown.
        requests: Requests of one execution by the block.
        lanes: Active lanes of one execution by the block.
        members: The numbers of the accesses that the instruction is made of.
        executed: Warp instructions of the launch; None where that is open or rests on a supposition.
    """

    access: Access
    cost: Traffic | None
    requests: float
    lanes: float
    members: tuple[int, ...] = ()
    executed: int | None = None


def prediction_of(made: MachineInstruction, accesses: Sequence[Access] = ()) -> Prediction:
    """Return the prediction for an instruction; in a compare-and-swap loop each round is a request of its own.

    `accesses` are all of the kernel, where they were counted.
    """
    access, cost = made.access, made.traffic
    if access.served.service is not Service.CAS_LOOP or access.result.lanes is None or cost is None:
        requests, lanes = _executions(_taking_part(access))
        executions = made.executions(lambda number: accesses[number].executions) if accesses else NOT_COUNTED
        return Prediction(
            access=access,
            cost=cost,
            requests=requests,
            lanes=lanes,
            members=made.members,
            executed=None if executions.assumed else executions.warps,
        )
    rounds, lanes = spin_rounds(access.result.lanes, access.bytes, DEFAULT_ARCHITECTURE)
    iterations = float(access.result.lanes.weights.sum())
    return Prediction(
        access=access,
        cost=Traffic(2.0, 2.0),
        requests=rounds / iterations,
        lanes=lanes / iterations,
        members=made.members,
    )


def _taking_part(access: Access) -> Lanes | None:
    """Return the lanes that carry out the instruction: of an asynchronous copy those of both ends."""
    lanes, partner = access.result.lanes, access.served.partner
    return lanes if lanes is None or partner is None else replace(lanes, active=lanes.active | partner.active)


def _executions(lanes: Lanes | None) -> tuple[float, float]:
    """Return requests and active lanes of one execution by the block, as a mean over the rows of the lanes.

    The number of rows says what the lanes depend on, not how often an access is executed: accesses of one place are
    assumed to be executed equally often.
    """
    if lanes is None:
        return 0.0, 0.0
    executions = lanes.weights.sum()
    requests = lanes.active.any(axis=2).sum(axis=1) @ lanes.weights
    active = lanes.active.sum(axis=(1, 2)) @ lanes.weights
    return float(requests / executions), float(active / executions)


def launch_totals(predicted: Sequence[Prediction]) -> tuple[int | None, float | None]:
    """Return warp instructions and sectors (or wavefronts) of the launch, each instruction once; None where open.

    Several accesses that became one instruction name the same members.
    """
    executed, total = 0, 0.0
    seen: set[tuple[int, ...]] = set()
    for prediction in predicted:
        if prediction.executed is None or prediction.cost is None:
            return None, None
        if prediction.members in seen and len(prediction.members) > 1:
            continue
        seen.add(prediction.members)
        executed += prediction.executed
        total += prediction.executed * prediction.cost.count
    return executed, total


def mean_costs(predicted: Sequence[Prediction], executed: int) -> tuple[float | None, float | None, float]:
    """Return cost and ideal per request over all accesses, and active lanes per request (0 where nothing is known).

    `executed` are the warp instructions that were counted. Accesses of one place are taken to be executed equally often
    unless the predicted executions come to just as many: then each counts as often as it is executed.
    """
    known = [(p, p.cost) for p in predicted if p.cost is not None]
    if executed and launch_totals(predicted)[0] == executed:
        weights = [(p.executed or 0) / _sharers(predicted, p) for p, _ in known]
    else:
        weights = [p.requests for p, _ in known]
    requests = sum(weights)
    if len(known) < len(predicted) or not requests:
        return None, None, 0.0
    count = sum(cost.count * weight for (_, cost), weight in zip(known, weights, strict=True)) / requests
    ideal = sum(cost.ideal * weight for (_, cost), weight in zip(known, weights, strict=True)) / requests
    lanes = sum(p.lanes * weight / p.requests for (p, _), weight in zip(known, weights, strict=True) if p.requests)
    return count, ideal, lanes / requests


def _sharers(predicted: Sequence[Prediction], prediction: Prediction) -> int:
    """Return how many accesses became the same instruction."""
    if len(prediction.members) < 2:
        return 1
    return sum(other.members == prediction.members for other in predicted)
