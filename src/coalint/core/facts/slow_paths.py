"""Operations that compilers make functions of, with branches for what is rare: exact quotients, roots, sines."""

from __future__ import annotations

from coalint.core.records import record
from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
class SlowPath:
    """Such an operation, in the order of the accesses.

    Attributes:
        accesses_before: How many accesses were evaluated before it.
        text: What is written.
        loops: Where the loops around it stand.
        has_loop: Whether it has a loop of its own, as what brings a large angle near zero.
    """

    accesses_before: int
    text: str
    loops: tuple[Span, ...] = ()
    has_loop: bool = False
