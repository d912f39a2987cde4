"""Abstract interpretation of expressions: every value as a polynomial, address or struct."""

from __future__ import annotations

from dataclasses import replace

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import (
    NOT_FOLLOWED,
    NULL,
    Address,
    AggregateValue,
    Cell,
    Closure,
    FunctionValue,
    PointerSelect,
    Region,
    Value,
)
from coalint.analysis.interpreter import statements
from coalint.analysis.interpreter.calls import functions
from coalint.analysis.interpreter.calls.lambdas import closure, copied
from coalint.analysis.interpreter.effects.escape import mark_escaped
from coalint.analysis.interpreter.host import host, launch_records
from coalint.analysis.interpreter.lvalues import LvalueEvaluator
from coalint.analysis.recorder.recorder import TooLarge
from coalint.core import ir
from coalint.machine.nvcc.struct_loads import Part

MAX_TERMS = 400  # of a polynomial
TOO_LONG = "an expression of too many terms"

_READ_IN_PART = (ir.Subscript, ir.Dereference, ir.Member, ir.Call)  # what leads to a struct in memory
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class Interpreter(LvalueEvaluator):
    """The meaning of every expression."""

    def value(self, e: ir.Expression) -> Value:
        """The value of an expression."""
        self.steps += 1
        if self.steps > self.most_steps:
            raise TooLarge
        match e:
            case ir.Literal():
                return self.algebra.constant(e.value) if e.value is not None else self._non_integer(e.type)
            case ir.Name() if e.variable.constant is not None:
                return self.algebra.constant(e.variable.constant)
            case ir.Name() | ir.Subscript() | ir.Dereference() | ir.Member():
                place = self.place(e)
                found = self.load(place, e)
                return self._warp_size(found) if isinstance(e, ir.Member) and e.field in host.WARP_SIZES else found
            case ir.Builtin() if (e.register, e.axis) in self.registers:
                return self._builtin(e)
            case ir.Builtin():
                return self.load(self.place(e), e)
            case ir.Cast():
                return self._cast(e)
            case ir.Binary():
                return self._binary(e)
            case ir.Unary():
                return self._unary(e)
            case ir.Assign():
                return self.load(self.assign(e), None)
            case ir.Increment():
                return self.increment(e)
            case ir.Conditional():
                return self._conditional(e)
            case ir.AddressOf():
                return self._address_of(e)
            case ir.Call():
                result = self.called(e)
                return self.load(result, e) if isinstance(result, Lvalue) else result
            case ir.Aggregate():
                return self._aggregate(e)
            case ir.FunctionName():
                return FunctionValue(e.function)
            case ir.Lambda():
                return closure(self, e)
            case ir.Sequence():
                return self._sequence(e)
            case ir.Launch():
                return self._launch(e)
            case _:
                return self._unresolved(e)

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
        if isinstance(e.type, ir.Floating):
            return self.algebra.opaque(self.text(e.span), self.store.level(self.value(e)), "")
        value = self.algebra.truth(self._number_or_nonnull(e))
        decided = self.recorder.always(value)
        return value if decided is None else self.algebra.one if decided else self.algebra.zero

    def _number_or_nonnull(self, e: ir.Expression) -> Poly:
        value = self.value(e)
        return self.nonnull(value) if isinstance(value, Address | PointerSelect) else self.as_scalar(value, e)

    def nonnull(self, pointer: Address | PointerSelect) -> Poly:
        """Whether a pointer is not null: certain for what has a place, one open condition for each other pointer."""
        if isinstance(pointer, PointerSelect):
            then, otherwise = pointer.then, pointer.otherwise
            if isinstance(then, Address | PointerSelect) and isinstance(otherwise, Address | PointerSelect):
                return self.algebra.select(pointer.condition, self.nonnull(then), self.nonnull(otherwise))
            return self.algebra.opaque("a pointer", Level.DIVERGENT, "a pointer that could not be followed")
        base = pointer.base
        if base is NULL:
            return self.algebra.zero
        if base.region in (Region.LOCAL, Region.SHARED, Region.CONSTANT) or base.memory.span is not None:
            return self.algebra.one
        name = f"{base.memory.name} != nullptr"
        return self.algebra.atom(AtomKind.UNIFORM, name, base.level, key=("nonnull", base), low=0, high=1)

    def _warp_size(self, found: Value) -> Value:
        """What a host reads from a device's properties as the size of its warps."""
        unknown = self.recorder.model is None and isinstance(found, Polynomial) and self.algebra.number(found) is None
        return self.algebra.constant(host.WARP) if unknown else found

    def _non_integer(self, type_: ir.Type) -> Value:
        if isinstance(type_, ir.Pointer):
            return Address(NULL, self.algebra.zero)
        return self.store.float_uniform

    def _builtin(self, e: ir.Builtin) -> Poly:
        value = self.registers[(e.register, e.axis)]
        if e.register == "threadIdx":
            at = self.recorder.place_of(e.span)
            self.trace.append(Definition(f"`{e.register}.{e.axis}` differs from lane to lane", at, is_thread=True))
        return value

    def _cast(self, e: ir.Cast) -> Value:
        source, target = e.operand.type, e.type
        if isinstance(target, ir.Pointer) and isinstance(source, ir.Array):
            return self.place(e.operand).address
        value = self.value(e.operand)
        if isinstance(target, ir.Integer):
            if isinstance(source, ir.Floating):
                level = self.store.level(value)
                return self.algebra.opaque(self.text(e.operand.span), level, "a rounded floating-point value")
            if isinstance(value, Address | PointerSelect):
                return self.nonnull(value) if target.bits == 1 else value
            if isinstance(source, ir.Integer):
                return self.convert(self.as_scalar(value, e), source, target)
            return value
        if isinstance(target, ir.Floating):
            return self.store.floating(self.store.level(value))
        return value

    def convert(self, value: Poly, source: ir.Integer, target: ir.Integer) -> Poly:
        """An integer conversion (C++20 [conv.integral])."""
        algebra = self.algebra
        if target.bits == 1:
            return algebra.truth(value)
        if not source.signed and target.bits > source.bits:
            return algebra.unsigned(value, source.bits)
        if target.bits >= 32:
            return algebra.signed(value, target.bits) if target.signed else value
        low, high = algebra.range(value)
        bottom, top = (
            (-(1 << target.bits - 1), (1 << target.bits - 1) - 1) if target.signed else (0, (1 << target.bits) - 1)
        )
        if low is not None and high is not None and bottom <= low and high <= top:
            return value
        if source.bits <= target.bits and source.signed == target.signed:
            return value
        return algebra.operation("wrap", value, bits=target.bits, signed=target.signed)

    def _binary(self, e: ir.Binary) -> Value:
        operator = e.operator
        if operator in ("&&", "||"):
            return self._short_circuit(e)
        left, right = self.value(e.left), self.value(e.right)
        return self.combine(operator, left, right, e.left.type, e.right.type, e)

    def combine(
        self, operator: str, left: Value, right: Value, left_type: ir.Type, right_type: ir.Type, e: ir.Expression
    ) -> Value:
        """left operator right, for numbers, floating point and addresses."""
        algebra = self.algebra
        if isinstance(left, Address | PointerSelect) or isinstance(right, Address | PointerSelect):
            return self._pointer_arithmetic(operator, left, right, left_type, right_type, e)
        if isinstance(left_type, ir.Floating | ir.Record) or isinstance(right_type, ir.Floating | ir.Record):
            level = max(self.store.level(left), self.store.level(right))
            if operator in COMPARISONS:
                return self._same_on_both_sides(operator, left, right, e, level)
            return self.store.floating(level)
        a, b = self.as_scalar(left, e), self.as_scalar(right, e)
        bits = left_type.bits if isinstance(left_type, ir.Integer) else 64
        if operator == "<<":
            return algebra.shift_left(a, b)
        unsigned = isinstance(left_type, ir.Integer) and not left_type.signed
        if operator in COMPARISONS and unsigned and bits >= 64:
            return algebra.compare_unsigned(operator, a, b)
        if operator in ("/", "%", ">>", *COMPARISONS) and unsigned:
            a = algebra.unsigned(a, bits)
            b = algebra.unsigned(b, bits) if operator != ">>" else b
        if len(a) * len(b) > MAX_TERMS if operator == "*" else len(a) + len(b) > MAX_TERMS:
            level = max(algebra.level(a), algebra.level(b), Level.DIVERGENT)
            return algebra.lost(level) if algebra.crowded() else algebra.opaque(self.text(e.span), level, TOO_LONG)
        match operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return algebra.divide(a, b)
            case "%":
                return algebra.remainder(a, b)
            case "&":
                return algebra.bit_and(a, b)
            case "|":
                return algebra.bit_or(a, b)
            case "^":
                return algebra.operation("^", a, b)
            case ">>":
                return algebra.shift_right(a, b)
            case _ if operator in COMPARISONS:
                return algebra.compare(operator, a, b)
        return algebra.opaque(self.text(e.span), max(algebra.level(a), algebra.level(b)), f"operator `{operator}`")

    def _same_on_both_sides(self, operator: str, left: Value, right: Value, e: ir.Expression, level: Level) -> Value:
        return self.algebra.opaque(self.text(e.span), level, "")

    def _pointer_arithmetic(
        self, operator: str, left: Value, right: Value, left_type: ir.Type, right_type: ir.Type, e: ir.Expression
    ) -> Value:
        algebra = self.algebra
        if isinstance(left, PointerSelect):
            return self.store.select(
                left.condition,
                self.combine(operator, left.then, right, left_type, right_type, e),
                self.combine(operator, left.otherwise, right, left_type, right_type, e),
            )
        if isinstance(right, PointerSelect):
            return self.store.select(
                right.condition,
                self.combine(operator, left, right.then, left_type, right_type, e),
                self.combine(operator, left, right.otherwise, left_type, right_type, e),
            )
        if isinstance(left, Address) and isinstance(right, Address):
            for pointer, null in ((left, right), (right, left)):
                if null.base is NULL and operator in ("==", "!="):
                    known = self.nonnull(pointer)
                    return known if operator == "!=" else 1 - known
            if left.base is right.base and operator == "-":
                return algebra.divide(left.offset - right.offset, algebra.constant(max(1, pointed(left_type).size)))
            if left.base is right.base and operator in COMPARISONS:
                return algebra.compare(operator, left.offset, right.offset)
            level = max(self.store.level(left), self.store.level(right))
            return algebra.opaque(self.text(e.span), level, "pointers to different objects are compared")
        if operator in ("+", "-"):
            if isinstance(left, Address):
                by = self.distance(self._modulo(self.as_scalar(right, e), right_type), pointed(left_type), e)
                return Address(left.base, left.offset + by if operator == "+" else left.offset - by)
            if isinstance(right, Address):
                by = self.distance(self._modulo(self.as_scalar(left, e), left_type), pointed(right_type), e)
                return Address(right.base, right.offset + by)
        address = left if isinstance(left, Address) else right
        other = right if isinstance(left, Address) else left
        if operator in ("==", "!=") and isinstance(address, Address):
            if other == 0:
                known = self.nonnull(address)
                return known if operator == "!=" else 1 - known
            return algebra.opaque(self.text(e.span), self.store.level(address), "")
        mark_escaped(self, address)
        return algebra.opaque(self.text(e.span), self.store.level(address), "arithmetic on a pointer as an integer")

    def _short_circuit(self, e: ir.Binary) -> Poly:
        left = self.condition(e.left)
        known = self.algebra.number(left)
        if known is not None and bool(known) == (e.operator == "||"):
            return left
        before, guards = self.store.snapshot(), self.guards
        if known is None:
            self.under(left, e.left.span, GuardKind.BRANCH, negate=e.operator == "||")
        right = self.condition(e.right)
        self.guards = guards
        if known is None:
            taken = left if e.operator == "&&" else 1 - left
            self.store.cells = self.store.merge(taken, self.store.cells, before)
        return self.algebra.both(left, right) if e.operator == "&&" else self.algebra.either(left, right)

    def _unary(self, e: ir.Unary) -> Value:
        if e.operator == "!":
            return 1 - self.condition(e.operand)
        value = self.value(e.operand)
        if isinstance(e.type, ir.Floating) or isinstance(
            value, Address | PointerSelect | AggregateValue | Closure | FunctionValue
        ):
            return self.store.floating(self.store.level(value)) if isinstance(e.type, ir.Floating) else value
        match e.operator:
            case "-":
                return -value
            case "~":
                return -value - 1
        return value

    def _conditional(self, e: ir.Conditional) -> Value:
        condition = self.condition(e.condition)
        known = self.algebra.number(condition)
        if known is not None:
            return self.value(e.then if known else e.otherwise)
        before, guards = self.store.snapshot(), self.guards
        self.under(condition, e.condition.span, GuardKind.BRANCH)
        then = self.value(e.then)
        after = self.store.cells
        self.store.cells, self.guards = before, guards
        self.under(condition, e.condition.span, GuardKind.BRANCH, negate=True)
        otherwise = self.value(e.otherwise)
        self.guards = guards
        self.store.cells = self.store.merge(condition, after, self.store.cells)
        return self.store.select(condition, then, otherwise)

    def _address_of(self, e: ir.AddressOf) -> Value:
        if isinstance(e.target, ir.Name) and e.target.variable.storage is ir.Storage.HOST:
            return Address(NOT_FOLLOWED, self.algebra.zero)
        if isinstance(e.target, ir.Unresolved | ir.Literal | ir.FunctionName):
            if isinstance(e.target, ir.FunctionName):
                return FunctionValue(e.target.function)
            return self._unresolved(e.target)
        return self.place(e.target).address

    def _aggregate(self, e: ir.Aggregate) -> Value:
        if not isinstance(e.type, ir.Record | ir.Array):
            return self.value(e.parts[0][1]) if e.parts else self.algebra.zero
        cells: dict[int, Cell] = {}
        for offset, part in e.parts:
            mark = len(self.trace)
            value = self.value(part)
            cells[offset] = Cell(part.type.size, value, self.define(part.span, mark))
        return AggregateValue(cells, self.algebra.zero if e.zero else None)

    def _sequence(self, e: ir.Sequence) -> Value:
        for statement in e.statements:
            self.execute(statement)
        return self.value(e.value) if e.value is not None else self.algebra.zero

    def _unresolved(self, e: ir.Expression) -> Value:
        reason = e.reason if isinstance(e, ir.Unresolved) else f"{type(e).__name__} is not analysed"
        level = Level.UNIFORM
        if isinstance(e, ir.Unresolved):
            self.recorder.order.doubted(self)
            for part in e.parts:
                value = self.value(part)
                mark_escaped(self, value)
                level = max(level, self.store.level(value))
        return self.store.unknown(e.type, self.text(e.span), Level.DIVERGENT, reason)

    def assign(self, e: ir.Assign) -> Lvalue:
        """Assign, and give the target."""
        mark = len(self.trace)
        if e.operator is None:
            own = isinstance(e.target, ir.Name) and isinstance(self.frame.variables.get(e.target.variable.key), int)
            target = e.target.variable if own and isinstance(e.target, ir.Name) else None
            value = self.value(e.value) if target is None else self.kept(e.value, target, self.frame)
            value = copied(self, value)
            definition = self.definition(e, mark)
            place = self.place(e.target)
        else:
            place = self.place(e.target)
            right = self.value(e.value)
            before = self.load(place, e.target)
            value = self._compound(e.operator, before, right, e.target.type, e.value.type, e)
            definition = self.definition(e, mark)
        self.write(place, value, e.target, definition)
        return place

    def _compound(
        self, operator: str, left: Value, right: Value, target: ir.Type, other: ir.Type, e: ir.Expression
    ) -> Value:
        """`left operator= right`: in the common type, then converted back (C++20 [expr.ass])."""
        if not isinstance(target, ir.Integer) or not isinstance(other, ir.Integer):
            return self.combine(operator, left, right, target, other, e)
        shift = operator in ("<<", ">>")
        type_ = promoted(target) if shift else common(target, other)
        a = self.convert(self.as_scalar(left, e), target, type_)
        b = self.as_scalar(right, e)
        b = b if shift else self.convert(b, other, type_)
        value = self.as_scalar(self.combine(operator, a, b, type_, other if shift else type_, e), e)
        return self.convert(value, type_, target)

    def increment(self, e: ir.Increment) -> Value:
        """Increment or decrement, and give the value."""
        mark = len(self.trace)
        place = self.place(e.target)
        before = self.load(place, e.target)
        one = self.algebra.constant(e.step)
        integer = ir.Integer(32, True)
        after = self._compound("+", before, one, e.target.type, integer, e)
        self.write(place, after, e.target, self.definition(e, mark))
        return after if e.prefix else before

    def execute(self, statement: ir.Statement) -> None:
        """Run one statement, unless every thread has left already."""
        statements.execute(self, statement)

    def _launch(self, e: ir.Launch) -> Poly:
        found = launch_records.records(self, e)
        if not self.dry:
            self.recorder.launches.extend(found)
        return self.algebra.zero

    def called(self, e: ir.Call, used: tuple[Part, ...] = ()) -> Value | Lvalue:
        """The result of a call: a value, or the place that a returned reference is bound to."""
        return functions.call(self, e, used)


def promoted(type_: ir.Integer) -> ir.Integer:
    """The type that arithmetic happens in (C++20 [conv.prom])."""
    return type_ if type_.bits >= 32 else ir.Integer(32, True)


def common(a: ir.Integer, b: ir.Integer) -> ir.Integer:
    """The usual arithmetic conversions (C++20 [expr.arith.conv])."""
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return b if a.signed else a


def pointed(type_: ir.Type) -> ir.Type:
    """What a pointer moves over when 1 is added: bytes where it is kept as an integer."""
    if isinstance(type_, ir.Pointer):
        return type_.pointee
    if isinstance(type_, ir.Array):
        return type_.element
    return ir.Integer(8, False) if isinstance(type_, ir.Integer) else type_
