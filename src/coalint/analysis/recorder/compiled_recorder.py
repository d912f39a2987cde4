"""Collects where the accesses of a kernel to shared memory begin, and nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.recorder.barriers import Barriers, Waits
from coalint.analysis.recorder.instruction_recorder import MAX_ACCESSES, TooLarge
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.warps.model import WarpModel
from coalint.core.facts.access import Space
from coalint.core.facts.compiled_address import Place, place
from coalint.core.facts.launch import Specialization
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


class CompiledRecorder(Recorder):
    """Collects the addresses of accesses to shared memory as a compiler sees them, which knows no launch.

    `offsets` has the byte offsets of each access, in the order of the evaluation, each with the name of its array.
    """

    def __init__(
        self,
        algebra: Algebra,
        sources: Mapping[str, list[str]],
        specialization: Specialization,
        model: WarpModel,
        threads: tuple[Poly, ...],
    ) -> None:
        super().__init__(algebra, sources, specialization, model, threads)
        self.as_compiled = True
        self.barriers = _PassedBarriers(self, self.unsynchronised, self.order, self.reach)
        self.offsets: dict[Place, dict[tuple[str, Poly], None]] = {}
        self._count = 0

    def record(self, site: Site, instruction: Instruction) -> None:
        """Keep the offset of an access to shared memory. Raises TooLarge."""
        if instruction.space is not Space.SHARED:
            return
        calls = tuple(note.span for note in self.calls() if note.span is not None)
        span, piece = self.place_of(instruction.expression.span), instruction.piece
        its = place(span, instruction.operation, Space.SHARED, instruction.width, piece, calls)
        offsets, at = self.offsets.setdefault(its, {}), (instruction.base.memory.name, instruction.offset)
        if at not in offsets:
            offsets[at] = None
            self._count += 1
        if self._count > MAX_ACCESSES:
            raise TooLarge


class _PassedBarriers(Barriers):
    """Barriers that are passed and not judged."""

    def record(self, site: Site, function: str, span: Span, waits: Waits) -> None:
        """Take note that what is stored before is seen after a barrier of the block."""
        if waits.scope == "block":
            self.unsynchronised.clear()

    def fence(self, site: Site) -> None:
        """Pass over a fence of memory."""
