"""Finds the access that costs the most beyond its ideal."""

from __future__ import annotations

from coalint.core.facts.access import Access
from coalint.engine.inspection.requests import Request, spot_at
from coalint.engine.inspection.selection import accesses_in_file
from coalint.engine.inspection.showing import title_of
from coalint.engine.inspection.targets import meets
from coalint.engine.report import Inspection

_SLACK = 1e-9


def costliest(inspection: Inspection) -> Request | None:
    """Return the request that draws the access with the largest excess; None where no access has any."""
    worst: tuple[float, Access] | None = None
    for item in inspection.kernels:
        for made in item.instructions:
            if made.traffic is not None and made.traffic.excess > (worst[0] if worst else _SLACK):
                worst = made.traffic.excess, made.written
    if worst is None:
        return None
    access = worst[1]
    spot = spot_at(access.span)
    specializations = [
        item.analysis.specialization
        for item in inspection.kernels
        if any(
            meets(spot.counted(other.written.span), spot.line, spot.column) for other in accesses_in_file(item, spot)
        )
    ]
    first = specializations[0] == access.specialization
    return Request(spot=spot, kernel="" if first else title_of(access.specialization))
