"""The lanes of one instruction, where its address can be counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.values import Region
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.warps.countable import banks_known, is_countable
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.results import WarpResult
from coalint.core import ir
from coalint.core.facts.access import Space

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


def lanes_of(model: WarpModel, site: Site, instruction: Instruction) -> tuple[WarpResult, ...]:
    """Return the lanes of an instruction at a site, or why they are not known; several for alternatives."""
    base, width, space, type_ = instruction.base, instruction.width, instruction.space, instruction.place.type
    if width == 0:
        reason = type_.reason if isinstance(type_, ir.Other) else ""
        return (WarpResult(None, unknown=reason or "the type of the element is not known"),)
    if base.region is Region.UNKNOWN or base.level is not Level.UNIFORM:
        reason = base.reason or "a pointer that could not be followed"
        loaded = base.data_dependent or base.level >= Level.LOADED
        known = base.region in (Region.GLOBAL, Region.SHARED) and width > 0
        lone = model.lone_lane(site.conditions(), width) if known else None
        return (WarpResult(None, unknown=reason, data_dependent=loaded) if lone is None else lone,)
    if not is_countable(base, space, width):
        return (WarpResult(None),)
    results = model.lanes(instruction.offset, site.conditions(), sectors=space is Space.GLOBAL, width=width)
    if space is Space.SHARED:
        return tuple(map(banks_known, results))
    return tuple(results)
