"""The interpreter: one evaluation, with the handlers of expressions, lvalues and statements behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.values import (
    Address,
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
from coalint.machine.nvcc.struct_loads import StructPart

_READ_IN_PART = (ir.Subscript, ir.Dereference, ir.Member, ir.Call)  # what leads to a struct in memory


class Interpreter(Evaluation):
    """The meaning of every expression."""

    def value(self, e: ir.Expression) -> Value:
        """Return the value of an expression."""
        self.steps += 1
        if self.steps > self.most_steps:
            raise TooLarge
        handler = _VALUES.get(type(e))
        return unresolved(self, e) if handler is None else handler(self, e)

    def kept(self, e: ir.Expression, variable: ir.Variable, frame: Frame) -> Value:
        """Return what a variable of a call is set to: of a struct in memory only what is used of the variable is read.

        What is handed on as it is counts as used where the struct that it becomes is.
        """
        if not isinstance(variable.type, ir.Record) or not isinstance(e, _READ_IN_PART):
            return self.value(e)
        return self.partly(e, self.uses.of(frame.function, variable, frame.used))

    def partly(self, e: ir.Expression, used: tuple[StructPart, ...]) -> Value:
        """Return the value of an expression of which only these parts are used; all where there are none."""
        if not used or not isinstance(e, _READ_IN_PART):
            return self.value(e)
        self.steps += 1
        result = self.called(e, used) if isinstance(e, ir.Call) else self.place(e)
        return self.load(replace(result, used=used), e) if isinstance(result, Lvalue) else result

    def scalar(self, e: ir.Expression) -> Poly:
        """Return the value of an expression that should be a number."""
        return self.as_scalar(self.value(e), e)

    def as_scalar(self, value: Value, e: ir.Expression) -> Poly:
        """Return the value as a number; an opaque one where it is an address or a struct."""
        if isinstance(value, Polynomial):
            return value
        mark_escaped(self, value)
        return self.algebra.opaque(self.text_of(e), self.store.level(value), "")

    def condition(self, e: ir.Expression) -> Poly:
        """Return the truth value of an expression."""
        return truth.condition(self, e)

    def combine(
        self, operator: str, left: Value, right: Value, left_type: ir.Type, right_type: ir.Type, e: ir.Expression
    ) -> Value:
        """Return left operator right, for numbers, floating point and addresses."""
        return operators.combine(self, operator, left, right, left_type, right_type, e)

    def execute(self, statement: ir.Statement) -> None:
        """Run one statement, unless every thread has left already."""
        execution.execute(self, statement)

    def launched(self, e: ir.Launch) -> Poly:
        """Note down what a launch is given, unless this is a trial run."""
        records = launch_records.records(self, e)
        if not self.dry:
            self.recorder.launches.extend(records)
        return self.algebra.zero

    def called(self, e: ir.Call, used: tuple[StructPart, ...] = ()) -> Value | Lvalue:
        """Return the result of a call: a value, or the place that a returned reference is bound to."""
        return functions.call(self, e, used)

    # --- lvalues and memory

    def place(self, e: ir.Expression) -> Lvalue:
        """Return where an lvalue stands."""
        return lvalues.place(self, e)

    def as_address(self, value: Value, e: ir.Expression) -> Address | PointerSelect:
        """Return the value as a pointer."""
        return addresses.as_address(self, value, e)

    def moved(self, address: Address | PointerSelect, by: Poly, element: int = 0) -> Address | PointerSelect:
        """Return an address some bytes further: a number of elements, 0 where the source tells it."""
        return addresses.moved(self, address, by, element)

    def sides(self, address: Address | PointerSelect, span: Span | None) -> Iterator[tuple[Poly, Address]]:
        """Return where a pointer leads that is dereferenced, each with its condition, which is a guard meanwhile.

        `split` is set where lanes of one warp may go different ways: then no side is the whole instruction.
        """
        return addresses.sides(self, address, span)

    def load(self, place: Lvalue, e: ir.Expression | None) -> Value:
        """Return what stands at a place; `e` (None: do not count it) is the access as written."""
        return loads.load(self, place, e)

    def write(self, place: Lvalue, value: Value, e: ir.Expression, definition: Definition | None = None) -> None:
        """Store a value at a place; `e` is the lvalue as written."""
        stores.write(self, place, value, e, definition)

    def definition(self, e: ir.Assign | ir.Increment | ir.Declare, mark: int) -> Definition | None:
        """Return the step of a derivation that an assignment makes."""
        return derivations.definition(self, e, mark)


def _literal(state: Interpreter, e: ir.Literal) -> Value:
    return state.algebra.constant(e.value) if e.value is not None else non_integer(state, e)


def _name(state: Interpreter, e: ir.Name) -> Value:
    if e.variable.constant is not None:
        return state.algebra.constant(e.variable.constant)
    held = loads.held_number(state, e)
    return state.load(state.place(e), e) if held is None else held


def _lvalue(state: Interpreter, e: ir.Subscript | ir.Dereference) -> Value:
    return state.load(_narrowed(state, e), e)


def _narrowed(state: Interpreter, e: ir.Subscript | ir.Dereference | ir.Member) -> Lvalue:
    """Return the place of an element, of which it may be that only some bytes are loaded."""
    width = state.narrowed.width(state.frame.function, e, state.frame.wanted) if isinstance(e.type, ir.Integer) else 0
    return replace(state.place(e), narrowed=width) if width else state.place(e)


def _member(state: Interpreter, e: ir.Member) -> Value:
    value = state.load(_narrowed(state, e), e)
    return warp_size(state, value) if e.holds is ir.Register.WARP_SIZE else value


def _builtin(state: Interpreter, e: ir.Builtin) -> Value:
    if (e.register, e.axis) in state.registers:
        return read_register(state, e)
    return state.load(state.place(e), e)


def _call(state: Interpreter, e: ir.Call) -> Value:
    result = state.called(e)
    return state.load(result, e) if isinstance(result, Lvalue) else result


# A table, since every expression comes here: a `match` would try one class after the other.
_VALUES: dict[type, Callable[[Interpreter, Any], Value]] = {
    ir.Literal: _literal,
    ir.Name: _name,
    ir.Subscript: _lvalue,
    ir.Dereference: _lvalue,
    ir.Member: _member,
    ir.Builtin: _builtin,
    ir.Cast: cast,
    ir.Binary: binary,
    ir.Unary: unary,
    ir.Assign: lambda state, e: state.load(assign(state, e), None),
    ir.Increment: increment,
    ir.Conditional: select,
    ir.AddressOf: address_of,
    ir.Call: _call,
    ir.Aggregate: aggregate,
    ir.FunctionName: lambda _, e: FunctionValue(e.function),
    ir.Lambda: closure,
    ir.Sequence: sequence,
    ir.Launch: lambda state, e: state.launched(e),
}
