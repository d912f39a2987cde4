"""What is said of a barrier under guards: a verdict, and the reason in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coalint.analysis.domain.derivations import provenance
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.core.facts.synchronization import Verdict
from coalint.core.findings import Note
from coalint.core.records import record
from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
class Judgement:
    """A verdict and the reason in words.

    `notes` are the chain from threadIdx; `deciding_parameters` those on whose values a divergence rests (none: threads
    part in any case), `settled` a fact about them that would end it (`settled_by_warp_size`: that one of them is the
    number of lanes of a warp); `fork` is the place and the text of the branch that parts the threads. `back` counts the
    calls around a function from which some have gone back to the caller, where that is all that parts them; `ways` are
    the guards at which they part, where all are ways out of loops. `skipped`: some skip ahead in a loop by `continue`,
    and the others leave it by its condition. `by_data`: they part where they have read different values from memory.
    `at_end`: those that stay away come to the kernel's end. `whole_warps`: no warp parts.
    `unnamed`: of a warp primitive, some call it that their mask does not name.
    """

    verdict: Verdict
    because: str
    notes: tuple[Note, ...] = ()
    deciding_parameters: tuple[str, ...] = ()
    settled: str = ""
    settled_by_warp_size: bool = False
    fork: tuple[Span, str] | None = None
    back: int = 0
    ways: tuple[Guard, ...] = ()
    skipped: bool = False
    by_data: bool = False
    at_end: bool = False
    whole_warps: bool = False
    unnamed: bool = False


def gone_back(guards: Iterable[Guard]) -> int:
    """Return the call depth of the function from which threads have gone back, if all guards are of that kind."""
    depths = [guard.depth if guard.kind is GuardKind.LEAVE else 0 for guard in guards]
    return min(depths, default=0)


def ways_out(guards: Sequence[Guard]) -> tuple[Guard, ...]:
    """Return the guards if all are ways out of loops, by the condition or by `break`."""
    kinds = (GuardKind.LOOP, GuardKind.BREAK)
    return tuple(guards) if all(guard.kind in kinds for guard in guards) else ()


def notes(guard: Guard) -> tuple[Note, ...]:
    """Return the chain from threadIdx to a condition."""
    return (*provenance(guard.trace), Note("the condition is here", guard.span))
