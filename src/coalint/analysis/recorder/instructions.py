"""One memory instruction, as it is asked to be recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, Base
from coalint.analysis.recorder.service import PLAIN, Manner
from coalint.analysis.warps.countable import SPACES
from coalint.core import ir
from coalint.core.facts.access import Operation, Space
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.warps.results import WarpResult


@record(frozen=True, slots=True)
class Instruction:
    """A load, a store or an atomic.

    Attributes:
        place: Where it goes, by an address that is no selection.
        operation: What it does.
        expression: What is written for it.
        width: Bytes of a lane; 0 where the type is not known.
        piece: Which one it is of how many that move the value together, from 1.
        manner: How it is served.
        other: The byte offset of the other end of an asynchronous copy; None elsewhere.
        results: Its lanes where they are known before; empty where they are to be evaluated.
        lacks: The quantities without whose numbers these are not known.
    """

    place: Lvalue
    operation: Operation
    expression: ir.Expression
    width: int
    piece: tuple[int, int] = (1, 1)
    manner: Manner = PLAIN
    other: Poly | None = None
    results: tuple[WarpResult, ...] = ()
    lacks: tuple[str, ...] = ()

    @property
    def address(self) -> Address:
        """Where it goes."""
        assert isinstance(self.place.address, Address)
        return self.place.address

    @property
    def base(self) -> Base:
        """The object that it goes to."""
        return self.address.base

    @property
    def offset(self) -> Poly:
        """Bytes from the object's start."""
        return self.address.offset

    @property
    def space(self) -> Space:
        """The memory that it goes to; pointers that memory holds are taken for global."""
        return Space.GLOBAL if self.base.data_dependent else SPACES[self.base.region]

    @property
    def aggregate(self) -> ir.Record | None:
        """The struct of which it moves a part."""
        moved = self.place.type
        return moved if isinstance(moved, ir.Record) and (self.piece[1] > 1 or self.place.used) else None
