"""Everything known of one kernel at one specialization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from coalint.core.findings import Note
from coalint.core.ir.spelling import Spelling
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.core.facts.access import Access
    from coalint.core.facts.launch import Specialization
    from coalint.core.facts.synchronization import Barrier, Fence, Race


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything known of one kernel at one specialization; `races` only where they were asked for.

    `spelling` is how the kernel's language spells things in messages.
    """

    kernel: str
    specialization: Specialization
    span: Span
    accesses: tuple[Access, ...]
    barriers: tuple[Barrier, ...]
    spelling: Spelling
    gaps: tuple[Note, ...] = ()
    races: tuple[Race, ...] = ()
    fences: tuple[Fence, ...] = ()
