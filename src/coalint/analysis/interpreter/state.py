"""The state of an evaluation, as the handlers of expressions, statements, calls and loops see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from coalint.analysis.domain.registers import Registers
from coalint.analysis.domain.site import Site

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.domain.derivations import Definition
    from coalint.analysis.domain.frames import Exit, Frame, Lvalue
    from coalint.analysis.domain.guards import GuardKind
    from coalint.analysis.domain.values import Address, Base, PointerSelect, Value
    from coalint.analysis.interpreter.effects.dropped_values import DroppedValues
    from coalint.analysis.interpreter.effects.narrowed_reads import NarrowedReads
    from coalint.analysis.interpreter.host.effects import Effects
    from coalint.analysis.interpreter.loops.changes.assignments import Assignments
    from coalint.analysis.interpreter.loops.host_known import KnownChanges
    from coalint.analysis.interpreter.loops.pointers.reached import Reached
    from coalint.analysis.interpreter.loops.solving.known import Solved
    from coalint.analysis.interpreter.memory.settled import Settled
    from coalint.analysis.recorder.recorder import Recorder
    from coalint.core import ir
    from coalint.core.source.spans import Span
    from coalint.machine.nvcc.struct_loads import StructPart


class State(Site, Protocol):
    """One evaluation of a kernel or a host function.

    `registers` maps (register, axis) to values. `exits` are the returns, breaks and continues that were passed, and
    `alive` is false where every thread has taken one. `trace` holds the definitions that the expression at hand has
    read. `epoch` counts what may have changed memory. `steps` counts evaluated expressions, `depth` calls around.
    `globals` are the objects of global variables by key, `global_storages` the storages of those that lie in
    variables of the thread. `escaped` are storages that pointers may lead to which are not followed;
    `may_store_unknown` says whether something may be written through such pointers. `discovering` counts the loops
    around of which it is found out what they change. `captured` are the variables that lambdas see, by the lambdas'
    keys; `launching` says of functions, by key, whether they launch a kernel, `effects` what those of the host change.
    `quiet` are loops, by their ids, whose bodies were found to leave memory as it is.
    `is_changed_outside` says that a function of another file has run, which may have changed what is global there too.
    `settled` are the uses of shared variables that nothing changes any more.
    `solved` says what dry runs have made of the variables of loops, `known_changes` what those of the host change.
    `narrowed` says of which integers only some bytes are loaded, `dropped` which values are not if nothing uses them.
    """

    module: ir.Module
    recorder: Recorder
    registers: Registers
    assignments: Assignments
    narrowed: NarrowedReads
    reached: Reached
    exits: list[Exit]
    trace: list[Definition]
    alive: bool
    epoch: int
    steps: int
    depth: int
    globals: dict[str, Base]
    global_storages: set[int]
    launching: dict[str, bool]
    effects: Effects
    dropped: DroppedValues
    captured: dict[str, tuple[ir.Variable, ...]]
    escaped: set[int]
    may_store_unknown: bool
    follows_host_loops: bool
    discovering: int
    is_changed_outside: bool
    quiet: set[int]
    solved: Solved
    settled: Settled
    known_changes: KnownChanges

    # --- statements

    def begin(self) -> int:
        """Start a statement; return the length of `trace`, from which on it holds what the statement reads."""

    def execute(self, statement: ir.Statement) -> None:
        """Run one statement, unless every thread has left already."""

    def under(
        self, value: Poly, span: Span, kind: GuardKind, trace: Sequence[Definition] = (), negate: bool = False
    ) -> None:
        """Add a condition to the guards."""

    # --- values

    def value(self, e: ir.Expression) -> Value:
        """Return the value of an expression."""

    def scalar(self, e: ir.Expression) -> Poly:
        """Return the value of an expression that should be a number."""

    def as_scalar(self, value: Value, e: ir.Expression) -> Poly:
        """Return the value as a number; an opaque one where it is an address or a struct."""

    def condition(self, e: ir.Expression) -> Poly:
        """Return the truth value of an expression."""

    def combine(
        self, operator: str, left: Value, right: Value, left_type: ir.Type, right_type: ir.Type, e: ir.Expression
    ) -> Value:
        """Return `left operator right`, for numbers, floating point and addresses."""

    def called(self, e: ir.Call, used: tuple[StructPart, ...] = ()) -> Value | Lvalue:
        """Return the result of a call: a value, or the place that a returned reference is bound to."""

    def kept(self, e: ir.Expression, variable: ir.Variable, frame: Frame) -> Value:
        """Return what a variable of a call is set to; of a struct in memory only the used parts are read."""

    def partly(self, e: ir.Expression, used: tuple[StructPart, ...]) -> Value:
        """Return the value of an expression of which only these parts are used; all where there are none."""

    # --- places

    def place(self, e: ir.Expression) -> Lvalue:
        """Return where an lvalue stands."""

    def local(self, storage: int, name: str, type_: ir.Type, span: Span | None = None) -> Address:
        """Return the address of a local variable."""

    def as_address(self, value: Value, e: ir.Expression) -> Address | PointerSelect:
        """Return the value as a pointer."""

    def moved(self, address: Address | PointerSelect, by: Poly, element: int = 0) -> Address | PointerSelect:
        """Return an address `by` bytes further."""

    def sides(self, address: Address | PointerSelect, span: Span | None) -> Iterator[tuple[Poly, Address]]:
        """Yield where a dereferenced pointer leads, each with its condition, which is a guard meanwhile."""

    def load(self, place: Lvalue, e: ir.Expression | None) -> Value:
        """Return what stands at a place; `e` is the access as written, None where it is not recorded."""

    def write(self, place: Lvalue, value: Value, e: ir.Expression, definition: Definition | None = None) -> None:
        """Store a value at a place; `e` is the lvalue as written."""

    # --- text and derivations

    def text(self, span: Span) -> str:
        """Return the source text of a span, on one line."""

    def text_of(self, e: ir.Expression) -> str:
        """Return an expression as it is written, or as it reads where a macro makes more than it, on one line."""

    def condition_text(self, value: Poly, span: Span) -> str:
        """Return a condition as it is written, or as its value says where a macro tears it apart."""

    def definition(self, e: ir.Assign | ir.Increment | ir.Declare, mark: int) -> Definition | None:
        """Return the step of a derivation that an assignment makes; None where threadIdx has no part in it."""
