"""What a compiler sees of an address, which knows neither the launch's numbers nor its block."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.records import record
from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
class CompiledAddress:
    """What the program alone tells of where an access begins, but for its constant part and the counters of loops.

    Attributes:
        known: The power of two in bytes that the compiler surely knows to divide it, at most WIDEST_KNOWN.
        possible: The power of two in bytes that it may know to divide it.
        always: As `possible`, but in all iterations of the loops around: `33 * j` is odd in some.
        first: As `possible`, in the first iteration of loops of a known number: `j * n` is a multiple of all there.
        forms: Numbers for what is added to the constant part: accesses that share them are a constant apart.
        starts: The arrays that it may begin in, each with the constant part.
    """

    known: int
    possible: int
    always: int
    first: int
    forms: frozenset[int]
    starts: frozenset[tuple[str, int]]

    def or_else(self, other: CompiledAddress) -> CompiledAddress:
        """Return what is known of one of two addresses, of which it is not known which.

        Of a pointer that leads to one array or another, what divides the distance from their starts is known.
        """
        parts = [a - b for name, a in self.starts for its, b in other.starts if name != its]
        apart = min((part & -part for part in parts if part), default=WIDEST_KNOWN)
        return CompiledAddress(
            known=min(self.known, other.known, apart),
            possible=min(max(self.possible, other.possible), apart),
            always=min(self.always, other.always),
            first=min(max(self.first, other.first), apart),
            forms=self.forms | other.forms,
            starts=self.starts | other.starts,
        )


WIDEST_KNOWN = 16
"""The bytes of the widest vector: what else divides an address does not matter."""
Place = tuple[object, ...]
"""What tells an access from others of the same kernel, however it is launched."""
CompiledAddresses = Mapping[Place, CompiledAddress]


def place(
    span: Span, operation: Operation, space: Space, width: int, piece: tuple[int, int], calls: tuple[Span, ...]
) -> Place:
    """Return what tells an access of `width` bytes from others of the same kernel; `calls` lead to it."""
    return span, operation, space, width, piece, calls


def place_of(access: Access) -> Place:
    """Return what tells an access from others of the same kernel."""
    return place(access.span, access.op, access.space, access.bytes, access.piece, access.calls)
