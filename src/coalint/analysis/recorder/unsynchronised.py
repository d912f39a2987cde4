"""What part of the block has written since the last block barrier: other threads may read it before or after."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import Address, Base, Region, Value
from coalint.analysis.warps.threads import LANES
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site
    from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel

Written = tuple[tuple[Base, Poly, Span], ...]


class Unsynchronised:
    """The places, the same for the whole block, that some threads have written or all with values of their own."""

    def __init__(self, kernel: EvaluatedKernel) -> None:
        self.kernel = kernel
        self.written: Written = ()
        self.whole = 0  # stores that the whole block has made alike

    def wrote(self, site: Site, address: Address, value: Value, span: Span) -> None:
        """Remember a store if threads that read the place now may find different values."""
        specialization = self.kernel.specialization
        if specialization is None or prod(specialization.block) <= LANES:
            return
        base, offset = address.base, address.offset
        shared = base.region in (Region.SHARED, Region.GLOBAL) and base.level is Level.UNIFORM
        if not shared or self.kernel.algebra.level(offset) is not Level.UNIFORM:
            return
        if self._in_part(site) or (site.store.level(value) is not Level.UNIFORM and not site.store.doubt((value,))):
            self.written = (*self.written, (base, offset, span))
        else:
            self.whole += 1

    def _in_part(self, site: Site) -> bool:
        """Whether some of the threads that are left are elsewhere."""
        return any(
            self.kernel.uniformity.differs(part)
            for guard in site.guards
            if guard.kind is not GuardKind.RETURN
            for part in conjuncts(site.algebra, guard.condition.value)
        )

    def since(self, address: Address) -> Span | None:
        """Return the store to this very place that no barrier has followed."""
        return next((span for base, at, span in self.written if base is address.base and at == address.offset), None)

    def clear(self) -> None:
        """Forget all stores: the block has met at a barrier, or something that is not followed may hold one."""
        self.written = ()

    def join(self, other: Written) -> None:
        """Unite what was written on either of two ways to here."""
        self.written = tuple(dict.fromkeys((*self.written, *other)))
