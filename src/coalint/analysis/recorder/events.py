"""What a kernel does to shared memory and where its threads meet, in the order in which the evaluation comes to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.guards import Guard
from coalint.analysis.domain.values import Address, AggregateValue, Base, Region, Value
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site
    from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
    from coalint.core.source.spans import Span


@record(frozen=True, slots=True, eq=False)
class SharedAccess:
    """One access to shared memory, under its guards and inside its loops (outermost first).

    `bytes` from `offset` on are touched; `value` is what a store leaves there, where that is a number, and `alike` says
    that it is the same for the whole block. Where the value is computed, `basis` is a number that differs between
    threads where it does. `copied` is the offset in the same array from which the value was loaded just before: a
    thread that stores it back where it comes from changes nothing. `own` says that each lane touches what it names
    itself; false for what a warp moves together. `parts` are byte offset, size and value of each component of a vector
    that is put together. `by_loads` says that an atomic's operands or guards rest on what was loaded. `index` counts in
    order. `calls` are the user's calls that lead there, outermost first.
    """

    base: Base
    offset: Poly
    bytes: int
    operation: Operation
    guards: tuple[Guard, ...]
    loops: tuple[LoopRegion, ...]
    span: Span
    text: str
    value: Poly | None
    alike: bool
    own: bool
    by_loads: bool
    index: int
    basis: Poly | None = None
    parts: tuple[tuple[int, int, Poly], ...] = ()
    calls: tuple[Span, ...] = ()
    copied: Poly | None = None


@record(frozen=True, slots=True)
class SyncPoint:
    """Threads wait for one another: all of the block, or lanes of a warp.

    `certain` is False for what may or may not order threads in ways that are not followed. `orders_memory` is False
    for shuffles and votes: what a lane has read before is behind it, what it has written need not be seen.
    """

    block: bool
    certain: bool = True
    orders_memory: bool = True


@record(slots=True, eq=False)
class LoopRegion:
    """A loop: what happens in each of its iterations.

    `counter` is its atom's index and `trips` how often it goes round, where known; `depth` how many guards are around
    it. `breaks` says that threads may leave it in the middle, `waits` that it may go round until another thread has
    done something. `tests_locals`: it has a condition, which names nothing but local variables and registers.
    """

    span: Span
    counter: int
    trips: int | None
    depth: int
    breaks: bool
    items: list[Item] = field(default_factory=list)
    waits: bool = False
    tests_locals: bool = False

    def meets(self) -> bool:
        """Whether the block meets in it, or may."""
        return any(item.block if isinstance(item, SyncPoint) else item.meets() for item in _joins(self.items))


Item = SharedAccess | SyncPoint | LoopRegion


def _joins(items: Sequence[Item]) -> Iterator[SyncPoint | LoopRegion]:
    return (item for item in items if not isinstance(item, SharedAccess))


def rests_on_loads(algebra: Algebra, *values: Poly) -> bool:
    """Whether values rest on what memory holds, or on what is not followed."""
    return any(atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE) for atom in algebra.closure(*values))


_READS_NOTHING = (ir.Literal, ir.Builtin, ir.Unary, ir.Binary, ir.Conditional, ir.Cast)


def _tests_locals(condition: ir.Expression | None) -> bool:
    """Whether a condition names nothing but local variables and registers, so that testing it reads no memory."""
    return condition is not None and all(
        node.variable.storage in (ir.Storage.LOCAL, ir.Storage.PARAMETER)
        if isinstance(node, ir.Name)
        else isinstance(node, _READS_NOTHING)
        for node in ir.nodes(condition)
    )


def _is_counted(algebra: Algebra, counter: int, conditions: Sequence[Poly]) -> bool:
    """Whether conditions compare the number of the iteration with what has been known since before the loop."""
    atoms = algebra.closure(*conditions)
    unknown = (atom for atom in atoms if atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE))
    return any(atom.index == counter for atom in atoms) and all(atom.index < counter for atom in unknown)


def _parts(value: AggregateValue, size: int) -> tuple[tuple[int, int, Poly], ...]:
    """Return offset, size and value of the components of a vector of `size` bytes; none where one is not known."""
    found: list[tuple[int, int, Poly]] = []
    at = 0
    for offset, cell in sorted(value.cells.items(), key=lambda item: item[0]):
        if offset != at or not isinstance(cell.value, Polynomial):
            return ()
        found.append((offset, cell.size, cell.value))
        at += cell.size
    return tuple(found) if at == size else ()


class Order:
    """Collects what happens to shared memory; nothing where it is not asked for (`wanted`).

    `waits` counts how often threads have waited for one another, `meetings` also what may have been so, and changes to
    memory that are not followed, `tables` how often functions have read their tables. `is_asserting` is set while what
    a program asserts is evaluated: a build for release does not load it.
    """

    def __init__(self, kernel: EvaluatedKernel) -> None:
        self.kernel = kernel
        self.wanted = False
        self.is_asserting = False
        self.items: list[Item] = []
        self.count = 0
        self.meetings = 0
        self.tables = 0
        self.waits = 0
        self.declared: dict[str, dict[str, ir.Expression]] = {}  # initializers of what functions set once
        self._around: list[LoopRegion] = []
        self._basis: Poly | None = None
        self.copied: Poly | None = None  # of the store at hand

    def touched(
        self,
        site: Site,
        place: Lvalue,
        operation: Operation,
        e: ir.Expression,
        value: Value | None = None,
        *,
        own: bool = True,
        by_loads: bool = False,
    ) -> None:
        """Record a load, a store or an atomic that goes to shared memory."""
        if site.dry or not self.wanted or not isinstance(place.address, Address):
            return
        if self.is_asserting and operation is Operation.LOAD:
            return
        base = place.address.base
        if base.region is not Region.SHARED or base.level is not Level.UNIFORM or not place.type.size:
            return
        if isinstance(place.type, ir.Array):
            return  # handed to a function, which need not touch all of it
        span = self.kernel.place_of(e.span)
        number = value if isinstance(value, Polynomial) else None
        if isinstance(value, AggregateValue) and not value.cells:
            number = value.rest  # a vector that is copied as it was loaded
        self.count += 1
        self._add(
            SharedAccess(
                base,
                place.address.offset,
                place.type.size,
                operation,
                site.guards,
                tuple(self._around),
                span,
                self.kernel.text(span),
                number,
                value is not None and site.store.level(value) is Level.UNIFORM,
                own,
                by_loads or any(rests_on_loads(site.algebra, guard.condition.value) for guard in site.guards),
                self.count,
                self._basis if operation is Operation.STORE else None,
                _parts(value, place.type.size) if isinstance(value, AggregateValue) else (),
                tuple(note.span for note in self.kernel.calls() if note.span is not None),
                self.copied if operation is Operation.STORE else None,
            )
        )

    @contextmanager
    def storing(self, basis: Poly | None) -> Iterator[None]:
        """Note what decides the value of the store in the body."""
        self._basis = basis
        try:
            yield
        finally:
            self._basis = None

    def met(self, site: Site, *, block: bool, certain: bool = True, orders_memory: bool = True) -> None:
        """Note that threads have met, and see what the others did to memory before where that `orders_memory`."""
        self.meetings += 1
        self.waits += 1
        if site.dry or not self.wanted:
            return
        self._add(SyncPoint(block, certain, orders_memory))

    def doubted(self, site: Site) -> None:
        """Note that something that is not followed may have ordered threads."""
        self.meetings += 1
        if not site.dry and self.wanted:
            self._add(SyncPoint(block=True, certain=False))

    def began(self, loop: ir.Loop, counter: int, trips: int | None, depth: int, breaks: bool) -> None:
        """Begin a loop's body."""
        around = LoopRegion(loop.span, counter, trips, depth, breaks, tests_locals=_tests_locals(loop.condition))
        self._around.append(around)

    def ended(self, site: Site, conditions: Sequence[Poly]) -> None:
        """End a loop's body, which threads leave by these conditions: what memory holds may be another's doing."""
        loop = self._around.pop()
        if site.dry or not self.wanted:
            return
        is_counted = loop.tests_locals and not loop.breaks and _is_counted(site.algebra, loop.counter, conditions)
        loop.waits = not is_counted and rests_on_loads(site.algebra, *conditions) and not loop.meets()
        if loop.items or loop.waits:
            self._add(loop)

    def _add(self, item: Item) -> None:
        (self._around[-1].items if self._around else self.items).append(item)
