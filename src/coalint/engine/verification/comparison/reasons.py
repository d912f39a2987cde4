"""Says why a prediction most likely differs from the counter."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.facts.access import Access, Operation, Space
from coalint.engine.verification.comparison.agreement import is_close, lanes_per_request
from coalint.engine.verification.comparison.predictions import Prediction
from coalint.engine.verification.counters import Instruction


def difference_reason(predicted: list[Prediction], counted: list[Instruction], lanes: float) -> str:
    """Return the most likely reason for a difference; the most certain reasons are tried first."""
    accesses = [p.access for p in predicted]
    source, machine = sorted({a.bytes for a in accesses}), sorted({i.bytes for i in counted})
    if source != machine:
        verb = "merged accesses" if max(machine) > max(source) else "split accesses"
        return f"the compiler {verb}: {_widths(machine)} bytes a lane, {_widths(source)} in the source"
    if any("BYPASS" in i.opcode for i in counted) and any(map(_fills_zeros, accesses)):
        return "cp.async that fills in zeros: where warps run at once, lanes that read nothing were seen to be counted"
    counted_lanes = lanes_per_request(counted)
    if counted_lanes and lanes and not is_close(lanes, counted_lanes):
        return f"{counted_lanes:.4g} lanes took part in a request, {lanes:.4g} predicted: other launch or guard"
    if any(i.opcode.startswith("LDGSTS") and "BYPASS" in i.opcode and i.guarded for i in counted):
        return "cp.async under a predicate: Nsight Compute was seen to lose lanes of it, so the counter is too low"
    inexact = next((a for a in accesses if not a.result.exact), None)
    if inexact is not None:
        unknown = (*inexact.result.symbolic, *inexact.result.assumed)
        return f"the prediction rests on {', '.join(unknown)}" if unknown else "the prediction is not exact"
    if any(a.op is Operation.ATOMIC and a.space is Space.SHARED for a in accesses):
        return "a shared atomic is predicted as a load of the same addresses, which is a lower bound"
    assumed = list(dict.fromkeys(text for access in accesses for text in access.result.assumed))
    if assumed:
        return f"the prediction rests on {', '.join(assumed)}"
    if len({p.cost.count for p in predicted if p.cost is not None}) > 1:
        return "accesses of different cost are here: the compiler may have moved some of them elsewhere"
    if any(i.guarded for i in counted):
        return "the instruction is predicated: which of its lanes were active together is not counted"
    return "not explained: if this is the source that was profiled, please report the kernel"


def _fills_zeros(access: Access) -> bool:
    """Whether lanes that do not read take part in a copy."""
    lanes, target = access.result.lanes, access.served.partner
    return lanes is not None and target is not None and bool((target.active & ~lanes.active).any())


def _widths(widths: Sequence[int]) -> str:
    return " and ".join(map(str, widths))
