"""Where an access lies in its kernel, for what is told over all of them."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.core.records import record


@record(frozen=True, slots=True)
class Placed:
    """Where an access lies: its byte offset, the guards around it, and the counters of the loops that repeat it.

    A loop without a counter is not in `counters`, nor is one of a single iteration.
    """

    offset: Poly
    guards: tuple[Poly, ...]
    counters: tuple[Atom, ...]
