"""Where a pointer leads that leads to several variables in a loop."""

from __future__ import annotations

from dataclasses import field

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.values import Base
from coalint.core.records import record


@record
class PointsTo:
    """Where a pointer may lead: the bases, each with an offset in bytes; None for any."""

    level: Level = Level.UNIFORM
    offsets: dict[Base, Poly | None] = field(default_factory=dict)

    def add(self, base: Base, offset: Poly | None) -> bool:
        """Whether this was not known."""
        if base in self.offsets:
            known = self.offsets[base]
            if known is None or known == offset:
                return False
            offset = None
        self.offsets[base] = offset
        return True
