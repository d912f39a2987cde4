"""Whether two instructions go to one place, as the compiler sees it."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.values import Base, Region
from coalint.analysis.recorder.elimination.occurrences import Occurrence, is_same
from coalint.analysis.recorder.elimination.written_distances import WrittenDistances
from coalint.core.facts.access import Operation


class Places:
    """Compares the places of a kernel's instructions.

    `restricted` are the parameters of which the source promises that no other pointer leads to what they store,
    `distances` tells which distances of addresses the launch alone gives.
    """

    def __init__(self, algebra: Algebra, restricted: frozenset[str], distances: WrittenDistances) -> None:
        self._algebra, self._restricted, self._distances = algebra, restricted, distances

    def are_same(self, a: Occurrence, b: Occurrence) -> bool:
        """Whether an instruction goes to the very place of another, and nvcc may take over to that what it does."""
        return is_same(a, b) and self.are_told_alike(a, b)

    def are_told_alike(self, a: Occurrence, b: Occurrence) -> bool:
        """Whether what the launch adds to two addresses is written alike: nvcc does not know that `n` is 1."""
        return not self._distances.rests_on_launch(a.expression, b.expression)

    def are_apart(self, a: Occurrence, b: Occurrence) -> bool:
        """Whether two instructions of one thread touch no byte in common."""
        if a.base != b.base:
            regions = {a.base.region, b.base.region}
            if Region.UNKNOWN in regions:
                return False
            promised = any(map(self._is_restricted, (a.base, b.base)))
            named = a.base.is_named and b.base.is_named
            return len(regions) == 2 or regions <= {Region.SHARED, Region.LOCAL} or promised or named
        distance = self._algebra.number(b.offset - a.offset)
        if distance is None or (distance < a.width and -distance < b.width):
            return False
        return self.are_told_alike(a, b)

    def stay_apart(self, a: Occurrence, b: Occurrence) -> bool:
        """Whether two instructions touch no byte in common in any iteration of a loop.

        What is stored through a `__restrict__` parameter nvcc keeps apart from what other parameters lead to, but not
        from what a pointer in a struct leads to: nvcc 13.2 leaves such loads in loops, and the store with them.
        """
        if not self.are_apart(a, b):
            return False
        is_named = a.base.is_named and b.base.is_named
        if a.base == b.base or is_named or {a.base.region, b.base.region} != {Region.GLOBAL}:
            return True
        return any(
            self._is_restricted(one.base) and (one.operation is Operation.LOAD or other.base.memory.name.isidentifier())
            for one, other in ((a, b), (b, a))
        )

    def _is_restricted(self, base: Base) -> bool:
        return base.memory.name in self._restricted
