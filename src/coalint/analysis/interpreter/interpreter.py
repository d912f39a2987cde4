"""The interpreter: one evaluation, with the handlers of expressions, lvalues and statements behind one protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.values import (
    Address,
    AggregateValue,
    Closure,
    FunctionValue,
    PointerSelect,
    Value,
)
from coalint.analysis.interpreter.calls import functions
from coalint.analysis.interpreter.calls.lambdas import closure
from coalint.analysis.interpreter.effects.escape import mark_escaped
from coalint.analysis.interpreter.evaluation import Evaluation
from coalint.analysis.interpreter.expressions import operators, truth
from coalint.analysis.interpreter.expressions.assignments import assign, increment
from coalint.analysis.interpreter.expressions.conversions import cast
from coalint.analysis.interpreter.expressions.operators import binary, unary
from coalint.analysis.interpreter.expressions.primary import (
    address_of,
    aggregate,
    non_integer,
    read_register,
    sequence,
    unresolved,
    warp_size,
)
from coalint.analysis.interpreter.expressions.truth import select
from coalint.analysis.interpreter.host import launch_records
from coalint.analysis.interpreter.memory import addresses, derivations, loads, lvalues, stores
from coalint.analysis.interpreter.statements import execution
from coalint.analysis.recorder.instruction_recorder import TooLarge
from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.machine.nvcc.struct_loads import Part

_READ_IN_PART = (ir.Subscript, ir.Dereference, ir.Member, ir.Call)  # what leads to a struct in memory


class Interpreter(Evaluation):
    """The meaning of every expression."""

    def value(self, e: ir.Expression) -> Value:
        """The value of an expression."""
        self.steps += 1
        if self.steps > self.most_steps:
            raise TooLarge
        match e:
            case ir.Literal():
                return self.algebra.constant(e.value) if e.value is not None else non_integer(self, e.type)
            case ir.Name() if e.variable.constant is not None:
                return self.algebra.constant(e.variable.constant)
            case ir.Name() | ir.Subscript() | ir.Dereference() | ir.Member():
                place = self.place(e)
                found = self.load(place, e)
                holds = e.holds if isinstance(e, ir.Member) else None
                return warp_size(self, found) if holds is ir.Register.WARP_SIZE else found
            case ir.Builtin() if (e.register, e.axis) in self.registers:
                return read_register(self, e)
            case ir.Builtin():
                return self.load(self.place(e), e)
            case ir.Cast():
                return cast(self, e)
            case ir.Binary():
                return binary(self, e)
            case ir.Unary():
                return unary(self, e)
            case ir.Assign():
                return self.load(assign(self, e), None)
            case ir.Increment():
                return increment(self, e)
            case ir.Conditional():
                return select(self, e)
            case ir.AddressOf():
                return address_of(self, e)
            case ir.Call():
                result = self.called(e)
                return self.load(result, e) if isinstance(result, Lvalue) else result
            case ir.Aggregate():
                return aggregate(self, e)
            case ir.FunctionName():
                return FunctionValue(e.function)
            case ir.Lambda():
                return closure(self, e)
            case ir.Sequence():
                return sequence(self, e)
            case ir.Launch():
                return self._launch(e)
            case _:
                return unresolved(self, e)

    def kept(self, e: ir.Expression, variable: ir.Variable, frame: Frame) -> Value:
        """What a variable of a call is set to: of a struct in memory only what is used of the variable is read.

        What is handed on as it is counts as used where the struct that it becomes is.
        """
        if not isinstance(variable.type, ir.Record) or not isinstance(e, _READ_IN_PART):
            return self.value(e)
        return self.partly(e, self.uses.of(frame.function, variable, frame.used))

    def partly(self, e: ir.Expression, used: tuple[Part, ...]) -> Value:
        """The value of an expression of which only these parts are used; all where there are none."""
        if not used or not isinstance(e, _READ_IN_PART):
            return self.value(e)
        self.steps += 1
        found = self.called(e, used) if isinstance(e, ir.Call) else self.place(e)
        return self.load(replace(found, used=used), e) if isinstance(found, Lvalue) else found

    def scalar(self, e: ir.Expression) -> Poly:
        """The value of an expression that should be a number."""
        return self.as_scalar(self.value(e), e)

    def as_scalar(self, value: Value, e: ir.Expression) -> Poly:
        """The value as a number; an opaque one where it is an address or a struct."""
        if isinstance(value, Address | PointerSelect | AggregateValue | Closure | FunctionValue):
            mark_escaped(self, value)
            return self.algebra.opaque(self.text(e.span), self.store.level(value), "")
        return value

    def condition(self, e: ir.Expression) -> Poly:
        """The truth value of an expression."""
        return truth.condition(self, e)

    def combine(
        self, operator: str, left: Value, right: Value, left_type: ir.Type, right_type: ir.Type, e: ir.Expression
    ) -> Value:
        """left operator right, for numbers, floating point and addresses."""
        return operators.combine(self, operator, left, right, left_type, right_type, e)

    def execute(self, statement: ir.Statement) -> None:
        """Run one statement, unless every thread has left already."""
        execution.execute(self, statement)

    def _launch(self, e: ir.Launch) -> Poly:
        found = launch_records.records(self, e)
        if not self.dry:
            self.recorder.launches.extend(found)
        return self.algebra.zero

    def called(self, e: ir.Call, used: tuple[Part, ...] = ()) -> Value | Lvalue:
        """The result of a call: a value, or the place that a returned reference is bound to."""
        return functions.call(self, e, used)

    # --- lvalues and memory

    def place(self, e: ir.Expression) -> Lvalue:
        """Where an lvalue stands."""
        return lvalues.place(self, e)

    def as_address(self, value: Value, e: ir.Expression) -> Address | PointerSelect:
        """The value as a pointer."""
        return addresses.as_address(self, value, e)

    def moved(self, address: Address | PointerSelect, by: Poly) -> Address | PointerSelect:
        """An address some bytes further."""
        return addresses.moved(self, address, by)

    def sides(self, address: Address | PointerSelect, span: Span | None) -> Iterator[tuple[Poly, Address]]:
        """Where a pointer leads that is dereferenced, each with its condition, which is a guard meanwhile.

        `split` is set where lanes of one warp may go different ways: then no side is the whole instruction.
        """
        return addresses.sides(self, address, span)

    def load(self, place: Lvalue, e: ir.Expression | None) -> Value:
        """What stands at a place; `e` (None: do not count it) is the access as written."""
        return loads.load(self, place, e)

    def write(self, place: Lvalue, value: Value, e: ir.Expression, definition: Definition | None = None) -> None:
        """Store a value at a place; `e` is the lvalue as written."""
        stores.write(self, place, value, e, definition)

    def definition(self, e: ir.Assign | ir.Increment | ir.Declare, mark: int) -> Definition | None:
        """The step of a derivation that an assignment makes."""
        return derivations.definition(self, e, mark)
