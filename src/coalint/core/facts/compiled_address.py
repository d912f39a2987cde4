"""What a compiler sees of an address, which knows neither the launch's numbers nor its block."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core.facts.access import Access
from coalint.core.records import record


@record(frozen=True, slots=True)
class CompiledAddress:
    """What the program alone tells of where an access begins, but for its constant part and the counters of loops.

    Attributes:
        known: The power of two in bytes that the compiler surely knows to divide it, at most WIDEST_KNOWN.
        possible: The power of two in bytes that it may know to divide it.
        forms: Numbers for what is added to the constant part: accesses that share them are a constant apart.
    """

    known: int
    possible: int
    forms: frozenset[int]

    def or_else(self, other: CompiledAddress) -> CompiledAddress:
        """Return what is known of one of two addresses, of which it is not known which."""
        known, possible = min(self.known, other.known), max(self.possible, other.possible)
        return CompiledAddress(known, possible, self.forms | other.forms)


WIDEST_KNOWN = 16
"""The bytes of the widest vector: what else divides an address does not matter."""
Place = tuple[object, ...]
"""What tells an access from others of the same kernel, however it is launched."""
CompiledAddresses = Mapping[Place, CompiledAddress]


def place_of(access: Access) -> Place:
    """Return what tells an access from others of the same kernel."""
    return access.span, access.op, access.space, access.bytes, access.piece, access.calls
