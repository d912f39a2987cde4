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
        base = self._known_as(base)
        if base in self.offsets:
            known = self.offsets[base]
            if known is None or known == offset:
                return False
            offset = None
        self.offsets[base] = offset
        return True

    def _known_as(self, base: Base) -> Base:
        """Return the base that stands for this one: each run of a loop makes another one for what is not followed."""
        if not base.reason or base.storage >= 0 or base in self.offsets:
            return base
        alike = (other for other in self.offsets if _description(other) == _description(base))
        return next(alike, base)


def _description(base: Base) -> tuple[object, ...]:
    return base.region, base.memory, base.level, base.reason, base.storage, base.data_dependent, base.initial
