"""What nvcc may join where a condition parts the threads that come to it, and what that costs beside each alone.

`if (t % 3) out[2 * t] = in[t]; else out[3 * t] = in[2 * t];` is one load and one store of all lanes, as an H200 counts
it (tests/support/both_sides.cu), and what `if (c) p[i] = 1; v = p[i];` loads is loaded for the threads alone that have
not stored it. Where no lane comes to one side, or no warp comes to both and each costs the same, the numbers are the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coalint.core.facts.access import Access, Join
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.suppositions import Supposition
from coalint.core.lazy import np
from coalint.machine.architecture import Architecture
from coalint.machine.traffic import traffic


class Sides:
    """Tells of a kernel's accesses what their costs rest on by those that nvcc may join with them."""

    def __init__(self, accesses: Sequence[Access], arch: Architecture) -> None:
        self._accesses, self._arch = accesses, arch
        self._joined: dict[int, list[Access]] = {}
        for access in accesses:
            for side in access.sides:
                self._joined.setdefault(side.number, []).append(access)

    def supposed(self, number: int) -> Supposition | None:
        """Return what an access rests on that may be joined with another, at another cost."""
        access = self._accesses[number]
        for side in access.sides:
            for other in self._joined[side.number]:
                if other is access or side.join is Join.HOLDS or self._costs_the_same(access, other, side.join):
                    continue
                if side.join is Join.HELD:
                    held = f"for threads that hold it from line {other.span.line} on"
                    return Supposition(f"the compiler loads `{access.expression}` again {held}")
                place = f"`{other.expression}` at line {other.span.line}, under another condition"
                return Supposition(f"the compiler does not merge `{access.expression}` with {place}")
        return None

    def _costs_the_same(self, access: Access, other: Access, join: Join) -> bool:
        """Whether a request of what the two are joined to costs as much as one of the access alone."""
        lanes, beside = access.result.lanes, other.result.lanes
        if lanes is None or beside is None:
            return False
        if not beside.active.any() or not lanes.active.any():
            return True
        if lanes.active.shape != beside.active.shape:
            return False
        own = traffic(access, self._arch)
        if join is Join.HELD:
            left = lanes.active & ~beside.active
            return not left.any() or self._is_cost(own, access, replace(lanes, active=left))
        if not (lanes.active.any(axis=-1) & beside.active.any(axis=-1)).any():
            return traffic(other, self._arch) == own
        offsets = np.where(lanes.active, lanes.offsets, beside.offsets)
        both = replace(lanes, offsets=offsets, active=lanes.active | beside.active)
        return join is Join.ONE_PLACE and self._is_cost(own, access, both)

    def _is_cost(self, own: object, access: Access, lanes: Lanes) -> bool:
        return traffic(access.with_lanes(lanes, access.served.partner), self._arch) == own
