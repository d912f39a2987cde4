"""Which accesses have lanes to count, in instructions of how many bytes."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.values import Base, Region
from coalint.analysis.warps.results import WarpResult
from coalint.core import ir
from coalint.core.facts.access import Space

SPACES = {
    Region.GLOBAL: Space.GLOBAL,
    Region.SHARED: Space.SHARED,
    Region.CONSTANT: Space.CONSTANT,
    Region.LOCAL: Space.LOCAL,
    Region.UNKNOWN: Space.GENERIC,
}


def instruction_bytes(type_: ir.Type) -> int:
    """Return bytes per lane of an instruction that moves a value of the type: its alignment, <= 16 (guide, 5.3.2)."""
    if isinstance(type_, ir.Record):
        width = min(type_.align, 16)
        return width if width and type_.size % width == 0 else 0
    return type_.size if type_.size in (1, 2, 4, 8, 16) else 0


def is_countable(base: Base, space: Space, width: int) -> bool:
    """Whether lanes can be told from one another there, as far as the offset is known."""
    known = base.region is not Region.UNKNOWN and base.level is Level.UNIFORM
    return known and width > 0 and space in (Space.GLOBAL, Space.SHARED)


def banks_known(result: WarpResult) -> WarpResult:
    """Return a pitch that is not known leaves the banks unknown (any conflict is possible)."""
    if result.symbolic:
        names = ", ".join(f"`{name}`" for name in result.symbolic)
        reason = f"bank depends on an unknown pitch ({names})"
        return WarpResult(None, symbolic=result.symbolic, unknown=reason)
    return result
