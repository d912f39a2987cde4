"""What is special about how an instruction is served, until its access is recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.access import Space
from coalint.core.facts.lanes import Service
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.warps.results import WarpResult
    from coalint.core.facts.access import Atomic
    from coalint.core.facts.lanes import Lanes

LANES = 32


@record(frozen=True, slots=True)
class Manner:
    """How an access is served, beside what an Access says of it.

    `folds`: the supposition that the compiler lets one lane stand for all that meet at one address, empty where it may
    not. `least`: why the cost may be more than is known, empty where it is not. `rows`: how many lanes give the address
    of a row of 16 bytes. `atomic`: the function, as if the compiler knew the address to be the same for all lanes.
    `by_loads`: whether an operand of it rests on what was loaded, as that of a compare-and-swap does.
    """

    service: Service = Service.PLAIN
    folds: str = ""
    least: str = ""
    rows: int = LANES
    partner: Lanes | None = None
    since: tuple[int, int] = (0, 0)
    atomic: Atomic | None = None
    by_loads: bool = False

    def in_space(self, space: Space) -> Manner:
        """Return the manner in which any lanes are served there."""
        if space is not Space.SHARED and self.partner is None:
            return replace(self, service=Service.PLAIN, folds="", least="")
        return self

    def of(self, result: WarpResult, space: Space) -> tuple[Manner, WarpResult]:
        """Return the manner in which these lanes are served, and what that leaves certain of them."""
        lanes = result.lanes
        assert lanes is not None
        manner = self.in_space(space)
        is_combined = self.atomic.is_combined if self.atomic is not None else None
        touched = lanes.offsets[lanes.active]
        if is_combined and manner.service in (Service.PLAIN, Service.SERIALIZED) and not manner.least:
            first = lanes.active & (lanes.active.cumsum(axis=2) == 1)
            result = replace(result, lanes=replace(lanes, active=first))
        elif manner.folds and is_combined is None and touched.size and touched.min() == touched.max():
            manner = replace(manner, service=Service.PLAIN, least=manner.folds)
        if manner.least:
            result = replace(result, exact=False, assumed=(*result.assumed, manner.least))
        if self.rows < LANES:
            chosen = lanes.active & (np.arange(lanes.active.shape[2]) < self.rows)
            result = replace(result, lanes=replace(lanes, active=chosen))
        return manner, result


PLAIN = Manner()
