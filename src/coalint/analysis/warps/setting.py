"""What an access is evaluated with, whichever way the open conditions in its address are decided."""

from __future__ import annotations

from dataclasses import field

from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.guard_parts import GuardParts
from coalint.core.facts.lanes import Lanes
from coalint.core.records import record
from coalint.machine.global_memory.anywhere import same_wherever_it_begins


@record(frozen=True, slots=True)
class Setting:
    """What the alternatives of one access share.

    `fixed` are the atoms that have a number, `plan` the values of counters, `permutable` the atoms `x ^ u` of which
    only the set of values counts, `tested` the guards' parts. `anywhere` says of lanes whether they cost the same
    wherever they begin.
    """

    fixed: dict[int, int]
    plan: Plan
    permutable: frozenset[int]
    tested: GuardParts
    anywhere: dict[object, bool] = field(default_factory=dict)

    def same_wherever_it_begins(self, lanes: Lanes, width: int) -> bool:
        """Return what the function of this name says: alternatives often have the same lanes."""
        groups = None if lanes.groups is None else (lanes.groups.shape, lanes.groups.tobytes())
        key = lanes.alignment, width, lanes.offsets.shape, lanes.offsets.tobytes(), lanes.active.tobytes(), groups
        known = self.anywhere.get(key)
        if known is None:
            known = self.anywhere[key] = same_wherever_it_begins(lanes, width)
        return known
