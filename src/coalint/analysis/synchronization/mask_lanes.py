"""The lanes of every warp that fulfil conditions, that a mask names, and that wait for one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.synchronization.named_lanes import FULL, NamedLanes
from coalint.analysis.uniformity.divergence import Uniformity
from coalint.analysis.uniformity.signatures import Signatures
from coalint.analysis.warps.counters.plan import Plan
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MaskLanes:
    """The lanes of every warp, for each combination of the counters that a plan enumerates."""

    def __init__(self, masks: NamedLanes, uniformity: Uniformity, signatures: Signatures, plan: Plan) -> None:
        self.masks = masks
        self.uniformity = uniformity
        self.signatures = signatures
        self.plan = plan
        self.shape = (plan.combinations, *signatures.model.exists.shape[1:])

    def afresh(self) -> MaskLanes:
        """Return the same lanes with nothing remembered of atoms, of which some may be gone since."""
        signatures = Signatures(self.signatures.algebra, self.signatures.model, self.plan.arrays)
        return MaskLanes(self.masks, self.uniformity, signatures, self.plan)

    def existing(self) -> NDArray[np.bool_]:
        """Return the lanes that there are."""
        return np.broadcast_to(self.signatures.model.exists, self.shape)

    def holds(self, condition: Condition) -> NDArray[np.bool_] | None:
        """Return which lanes fulfil a condition; None where that is not known."""
        number = self.signatures.number(condition.value)
        if number is None:
            return None
        return self.plan.follow(np.broadcast_to(np.not_equal(number, 0), self.shape), condition.over)

    def named(self, mask: Poly) -> NDArray[np.bool_] | None:
        """Return which lanes a mask names, of those that hold it; None where that is not known."""
        constant = self.masks.constant(mask)  # of which more bits may be written than a mask has
        number = self.signatures.number(mask) if constant is None else constant
        if number is not None:
            lane = np.arange(self.shape[-1])
            return np.broadcast_to((number >> lane) & 1 == 1, self.shape)
        named = self.masks.named_by(mask)
        if named is None or named.some:
            return None
        lanes = self.existing() if named.mask is None else self.named(named.mask)
        if lanes is None:
            return None
        for guard in named.guards:
            for value in conjuncts(self.masks.algebra, guard.condition.value):
                if self.uniformity.same_in_warps(value):
                    continue
                holds = self.holds(Condition(value, "", guard.condition.over))
                if holds is None:
                    return None
                lanes = lanes & holds
        if named.predicate is not None and not self.uniformity.same_in_warps(named.predicate):
            holds = self.holds(Condition(named.predicate, ""))
            if holds is None:
                return None
            lanes = lanes & holds
        return lanes

    def waited_for(self, mask: Poly, named: NDArray[np.bool_], here: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the lanes that are in the mask of a lane that comes."""
        number = self.signatures.number(mask)
        if number is None:  # one mask for the warp
            return named & here.any(axis=-1, keepdims=True)
        bits = np.where(here, np.broadcast_to(number & FULL, self.shape), 0)
        together = np.bitwise_or.reduce(bits, axis=-1, keepdims=True)
        return np.asarray((together >> np.arange(self.shape[-1])) & 1 == 1)

    def shared(self, value: Poly, mask: Poly, wanted: NDArray[np.bool_]) -> bool:
        """Whether lanes of a warp that wait for one another, having the same mask, agree on a value."""
        parts = self.signatures.of(value)
        if parts is None:
            return bool((wanted.sum(axis=-1) <= 1).all())
        first = self._first(mask, wanted)
        for part in parts:
            mine = np.broadcast_to(part, self.shape)
            if (wanted & (mine != np.take_along_axis(mine, first, axis=-1))).any():
                return False
        return True

    def _first(self, mask: Poly, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return for each lane the first of those that its mask names and that are wanted."""
        number = self.signatures.number(mask)
        first = np.broadcast_to(np.argmax(wanted, axis=-1, keepdims=True), self.shape).astype(np.int64)
        for lane in reversed(range(self.shape[-1] if number is not None else 0)):
            assert number is not None
            first = np.where((number >> lane) & 1 & wanted[..., lane : lane + 1] == 1, lane, first)
        return first
