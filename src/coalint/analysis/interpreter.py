"""Abstract interpretation of expressions: every value as a polynomial, address or struct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coalint import ir
from coalint.analysis import calls
from coalint.analysis.access import Memory, Operation, RecordField
from coalint.analysis.recorder import Recorder, TooLarge
from coalint.analysis.store import Store
from coalint.analysis.symbolic import Algebra, Kind, Level, Poly
from coalint.analysis.values import (
    Address,
    Base,
    Blob,
    Cell,
    Choice,
    Closure,
    Definition,
    Exit,
    Frame,
    FunctionValue,
    Guard,
    GuardKind,
    Place,
    Region,
    Value,
)
from coalint.analysis.warp import Condition
from coalint.diagnostics import Span

MAX_STEPS = 400_000  # expressions evaluated for one kernel at one specialization
NOT_FOLLOWED = Base(Region.UNKNOWN, Memory("?", 1), Level.DIVERGENT, "a pointer that could not be followed")

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class Interpreter:
    """The state of one evaluation, and the meaning of every expression.

    `guards` are the conditions of the current statement, outermost first; `exits` the returns, breaks and continues
    that were passed; `trace` the definitions that the expression at hand has read; `dry` suppresses recording.
    """

    def __init__(
        self, module: ir.Module, algebra: Algebra, recorder: Recorder, registers: dict[tuple[str, str], Poly]
    ) -> None:
        self.module = module
        self.algebra = algebra
        self.recorder = recorder
        self.registers = registers
        self.store = Store(algebra)
        self.frame = Frame("")
        self.guards: tuple[Guard, ...] = ()
        self.exits: list[Exit] = []
        self.trace: list[Definition] = []
        self.alive = True
        self.dry = 0
        self.epoch = 0
        self.steps = 0
        self.depth = 0
        self.globals: dict[str, Base] = {}
        self.launching: dict[str, bool] = {}

    def begin(self) -> int:
        """Start a statement: what it reads is in `trace` from the returned mark on."""
        if self.depth == 0:
            self.trace.clear()
        return len(self.trace)

    # --- text and guards

    def text(self, span: Span) -> str:
        """The source text of a span, on one line."""
        return self.recorder.text(span)

    def under(
        self, value: Poly, span: Span, kind: GuardKind, trace: Sequence[Definition] = (), negate: bool = False
    ) -> None:
        """Add a condition to the guards."""
        text = self.text(span)
        if negate:
            value, text = 1 - value, f"!({text})"
        self.guards = (*self.guards, Guard(Condition(value, text), kind, span, tuple(trace)))

    def conditions(self) -> list[Condition]:
        """The guards' conditions."""
        return [guard.condition for guard in self.guards]

    # --- rvalues

    def value(self, e: ir.Expression) -> Value:
        """The value of an expression."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLarge
        match e:
            case ir.Literal():
                return self.algebra.constant(e.value) if e.value is not None else self._non_integer(e.type)
            case ir.Name() if e.variable.constant is not None:
                return self.algebra.constant(e.variable.constant)
            case ir.Name() | ir.Subscript() | ir.Dereference() | ir.Member():
                place = self.place(e)
                return self.load(place, e)
            case ir.Builtin():
                return self._builtin(e)
            case ir.Cast():
                return self._cast(e)
            case ir.Binary():
                return self._binary(e)
            case ir.Unary():
                return self._unary(e)
            case ir.Assign():
                return self.load(self._assign(e), None)
            case ir.Increment():
                return self._increment(e)
            case ir.Conditional():
                return self._conditional(e)
            case ir.AddressOf():
                return self._address_of(e)
            case ir.Call():
                result = calls.call(self, e)
                return self.load(result, e) if isinstance(result, Place) else result
            case ir.Aggregate():
                return self._aggregate(e)
            case ir.FunctionName():
                return FunctionValue(e.function)
            case ir.Lambda():
                return Closure(e.function, self.frame)
            case ir.Sequence():
                return self._sequence(e)
            case ir.Launch():
                return self.recorder.launch(self, e)
            case _:
                return self._unresolved(e)

    def scalar(self, e: ir.Expression) -> Poly:
        """The value of an expression that should be a number."""
        return self.as_scalar(self.value(e), e)

    def as_scalar(self, value: Value, e: ir.Expression) -> Poly:
        """The value as a number; an opaque one where it is an address or a struct."""
        if isinstance(value, Address | Choice | Blob | Closure | FunctionValue):
            return self.algebra.opaque(self.text(e.span), self.store.level(value), "")
        return value

    def condition(self, e: ir.Expression) -> Poly:
        """The truth value of an expression."""
        if isinstance(e.type, ir.Floating):
            return self.algebra.opaque(self.text(e.span), self.store.level(self.value(e)), "")
        value = self.algebra.truth(self.scalar(e))
        decided = self.recorder.always(value)
        return value if decided is None else self.algebra.one if decided else self.algebra.zero

    def _non_integer(self, type_: ir.Type) -> Value:
        if isinstance(type_, ir.Pointer):
            return Address(NOT_FOLLOWED, self.algebra.zero)
        return self.store.float_uniform

    def _builtin(self, e: ir.Builtin) -> Poly:
        value = self.registers[(e.register, e.axis)]
        if e.register == "threadIdx":
            self.trace.append(Definition(f"`{e.register}.{e.axis}` differs from lane to lane", e.span))
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
            if isinstance(value, Address | Choice):
                return self.algebra.one if target.bits == 1 else value
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
        if isinstance(left, Address | Choice) or isinstance(right, Address | Choice):
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
        if isinstance(left, Choice):
            return self.store.select(
                left.condition,
                self.combine(operator, left.then, right, left_type, right_type, e),
                self.combine(operator, left.otherwise, right, left_type, right_type, e),
            )
        if isinstance(right, Choice):
            return self.store.select(
                right.condition,
                self.combine(operator, left, right.then, left_type, right_type, e),
                self.combine(operator, left, right.otherwise, left_type, right_type, e),
            )
        if isinstance(left, Address) and isinstance(right, Address):
            if left.base is right.base and operator == "-":
                return algebra.divide(left.offset - right.offset, algebra.constant(max(1, step_of(left_type))))
            if left.base is right.base and operator in COMPARISONS:
                return algebra.compare(operator, left.offset, right.offset)
            level = max(self.store.level(left), self.store.level(right))
            return algebra.opaque(self.text(e.span), level, "pointers to different objects are compared")
        if operator in ("+", "-"):
            if isinstance(left, Address):
                by = self._distance(self.as_scalar(right, e), right_type) * max(1, step_of(left_type))
                return Address(left.base, left.offset + by if operator == "+" else left.offset - by)
            if isinstance(right, Address):
                by = self._distance(self.as_scalar(left, e), left_type) * max(1, step_of(right_type))
                return Address(right.base, right.offset + by)
        address = left if isinstance(left, Address) else right
        if operator in ("==", "!="):  # a comparison with a null pointer
            return algebra.opaque(self.text(e.span), self.store.level(address), "")
        return algebra.opaque(self.text(e.span), self.store.level(address), "arithmetic on a pointer as an integer")

    def _distance(self, index: Poly, type_: ir.Type) -> Poly:
        """An index as pointer arithmetic sees it: modulo 2**64, which is what it is already for 64-bit types."""
        if isinstance(type_, ir.Integer) and not type_.signed and type_.bits < 64:
            return self.algebra.unsigned(index, type_.bits)
        return index

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
        if isinstance(e.type, ir.Floating) or isinstance(value, Address | Choice | Blob | Closure | FunctionValue):
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
        size = e.type.size
        covered = sum(cell.size for cell in cells.values())
        return Blob(cells, self.algebra.zero if covered < size or not size else None)

    def _sequence(self, e: ir.Sequence) -> Value:
        from coalint.analysis import control

        for statement in e.statements:
            control.execute(self, statement)
        return self.value(e.value) if e.value is not None else self.algebra.zero

    def _unresolved(self, e: ir.Expression) -> Value:
        reason = e.reason if isinstance(e, ir.Unresolved) else f"{type(e).__name__} is not analysed"
        level = Level.UNIFORM
        if isinstance(e, ir.Unresolved):
            for part in e.parts:
                level = max(level, self.store.level(self.value(part)))
        return self.store.unknown(e.type, self.text(e.span), Level.DIVERGENT, reason)

    # --- lvalues

    def place(self, e: ir.Expression) -> Place:
        """Where an lvalue stands."""
        mark = len(self.trace)
        place = self._place(e)
        trace = tuple(dict.fromkeys(self.trace[mark:]))
        return replace(place, trace=trace) if trace and trace != place.trace else place

    def _place(self, e: ir.Expression) -> Place:
        match e:
            case ir.Name():
                return self._variable(e)
            case ir.Subscript():
                return self._subscript(e)
            case ir.Dereference():
                pointer = self.value(e.pointer)
                return Place(self.as_address(pointer, e.pointer), e.type)
            case ir.Member():
                return self._member(e)
            case ir.Cast():
                inner = self.place(e.operand) if not isinstance(e.operand.type, ir.Pointer) else None
                if inner is not None:
                    return Place(inner.address, e.type, inner.field)
            case ir.Assign():
                return self._assign(e)
            case ir.Increment() if e.prefix:
                self._increment(e)
                return self.place(e.target)
            case ir.Call():
                result = calls.call(self, e)
                if isinstance(result, Place):
                    return result
                return self.temporary(result, e.type)
            case ir.Conditional():
                return self._conditional_place(e)
            case ir.Sequence() if e.value is not None:
                from coalint.analysis import control

                for statement in e.statements:
                    control.execute(self, statement)
                return self.place(e.value)
        return self.temporary(self.value(e), e.type)

    def _conditional_place(self, e: ir.Conditional) -> Place:
        condition = self.condition(e.condition)
        known = self.algebra.number(condition)
        if known is not None:
            return self.place(e.then if known else e.otherwise)
        then, otherwise = self.place(e.then), self.place(e.otherwise)
        address = self.store.select(condition, then.address, otherwise.address)
        assert isinstance(address, Address | Choice)
        return Place(address, e.type)

    def temporary(self, value: Value, type_: ir.Type) -> Place:
        """A fresh variable that holds the value."""
        storage = self.store.new()
        self.store.write(storage, self.algebra.zero, type_.size, value)
        return Place(self.local(storage, "temporary", type_), type_)

    def local(self, storage: int, name: str, type_: ir.Type, span: Span | None = None) -> Address:
        """The address of a local variable."""
        extents, element = extents_of(type_)
        memory = Memory(name, element, extents, span)
        return Address(Base(Region.LOCAL, memory, storage=storage), self.algebra.zero)

    def as_address(self, value: Value, e: ir.Expression) -> Address | Choice:
        """The value as a pointer."""
        if isinstance(value, Address | Choice):
            return value
        level = self.store.level(value)
        if isinstance(value, Blob | Closure | FunctionValue):
            return Address(replace_base(NOT_FOLLOWED, level, "a pointer that could not be followed"), self.algebra.zero)
        atoms = self.algebra.atoms_of(value)
        reason = next((atom.reason for atom in atoms if atom.reason), "a pointer that could not be followed")
        loaded = any(atom.kind is Kind.LOAD for atom in atoms)
        if loaded and level is not Level.UNIFORM:
            reason = f"pointer loaded from memory (`{self.text(e.span)}`)"
        elif loaded or (level is Level.UNIFORM and all(atom.kind is Kind.UNIFORM for atom in atoms) and atoms):
            type_ = e.type
            return self.store.pointer(self.text(e.span), type_, level, ("value", value))
        base = replace_base(NOT_FOLLOWED, level, reason, loaded)
        return Address(base, self.algebra.zero)

    def _variable(self, e: ir.Name) -> Place:
        variable = e.variable
        found = self.frame.find(variable.key)
        if isinstance(found, Place):
            return found
        type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
        if found is not None:
            return Place(self.local(found, variable.name, type_, variable.span), type_)
        base = self.globals.get(variable.key)
        if base is None:
            extents, element = extents_of(type_)
            region = {
                ir.Storage.SHARED: Region.SHARED,
                ir.Storage.CONSTANT: Region.CONSTANT,
                ir.Storage.GLOBAL: Region.GLOBAL,
            }.get(variable.storage, Region.LOCAL)
            storage = -1
            if region is Region.LOCAL:
                storage = self.store.new()
                self.store.parameters[storage] = variable.name
            dynamic = isinstance(type_, ir.Array) and extents[:1] == (None,)
            memory = Memory(variable.name, element, extents, variable.span, dynamic, variable.type_name)
            base = self.globals[variable.key] = Base(region, memory, storage=storage)
        return Place(Address(base, self.algebra.zero), type_)

    def _subscript(self, e: ir.Subscript) -> Place:
        field: RecordField | None = None
        if isinstance(e.base.type, ir.Array) and not isinstance(e.base, ir.Cast):
            outer = self.place(e.base)
            address, field = outer.address, outer.field
        elif isinstance(e.base, ir.Cast) and isinstance(e.base.operand.type, ir.Array):
            outer = self.place(e.base.operand)
            address, field = outer.address, outer.field
        else:
            address = self.as_address(self.value(e.base), e.base)
        index = self.scalar(e.index)
        index = self._distance(index, e.index.type)
        return Place(self.moved(address, index * e.type.size), e.type, field)

    def moved(self, address: Address | Choice, by: Poly) -> Address | Choice:
        """An address some bytes further."""
        if isinstance(address, Address):
            return Address(address.base, address.offset + by)
        then, otherwise = address.then, address.otherwise
        assert isinstance(then, Address | Choice)
        assert isinstance(otherwise, Address | Choice)
        return Choice(address.condition, self.moved(then, by), self.moved(otherwise, by))

    def _member(self, e: ir.Member) -> Place:
        outer = self.place(e.object)
        record = e.object.type
        if e.offset is None:
            base = replace_base(NOT_FOLLOWED, Level.DIVERGENT, f"the layout of `{e.field}`'s struct is not known")
            return Place(Address(base, self.algebra.zero), e.type)
        address = self.moved(outer.address, self.algebra.constant(e.offset))
        if outer.field is not None:
            field = replace(
                outer.field,
                field=f"{outer.field.field}.{e.field}",
                offset=outer.field.offset + e.offset,
                bytes=e.type.size,
            )
        else:
            name = record.name if isinstance(record, ir.Record) else "struct"
            align = record.align if isinstance(record, ir.Record) else 1
            field = RecordField(name, record.size, e.field, e.offset, e.type.size, record_align=align)
        return Place(address, e.type, field)

    # --- memory

    def load(self, place: Place, e: ir.Expression | None) -> Value:
        """What stands at a place; `e` (None: do not count it) is the access as written."""
        if isinstance(place.address, Choice):
            return self._either_way(place, e)
        address, type_ = place.address, place.type
        base = address.base
        if base.region is Region.LOCAL:
            name = self.text(e.span) if e is not None else base.memory.name
            value, definition = self.store.read(base.storage, address.offset, type_, name)
            if definition is not None:
                self.trace.append(definition)
            return value
        if e is not None:
            self.recorder.access(self, place, Operation.LOAD, e)
        return self.loaded(place, e)

    def loaded(self, place: Place, e: ir.Expression | None) -> Value:
        """The value that a load from memory gives: unknown, and as uniform as its address."""
        assert isinstance(place.address, Address)
        address, type_ = place.address, place.type
        level = max(address.base.level, self.algebra.level(address.offset))
        name = self.text(e.span) if e is not None else address.base.memory.name
        if isinstance(type_, ir.Floating):
            return self.store.floating(level)
        key = ("load", id(address.base), address.offset, type_, self.epoch)
        if isinstance(type_, ir.Pointer):
            return self.store.pointer(
                name, type_, level, key, f"pointer loaded from memory (`{name}`)" if level else ""
            )
        atom = self.algebra.atom(Kind.LOAD, name, level, key=key, operands=(address.offset,))
        if isinstance(type_, ir.Record | ir.Array):
            return Blob({}, atom)
        return atom

    def _either_way(self, place: Place, e: ir.Expression | None) -> Value:
        choice = place.address
        assert isinstance(choice, Choice)
        guards = self.guards
        values = []
        for side, negate in ((choice.then, False), (choice.otherwise, True)):
            assert isinstance(side, Address | Choice)
            condition = 1 - choice.condition if negate else choice.condition
            span = e.span if e is not None else None
            if span is not None:
                self.guards = (*guards, Guard(Condition(condition, "the pointer's choice"), GuardKind.BRANCH, span))
            values.append(self.load(replace(place, address=side), e))
            self.guards = guards
        return self.store.select(choice.condition, values[0], values[1])

    def write(self, place: Place, value: Value, e: ir.Expression, definition: Definition | None = None) -> None:
        """Store a value at a place; `e` is the lvalue as written."""
        if isinstance(place.address, Choice):
            guards = self.guards
            for side, negate in ((place.address.then, False), (place.address.otherwise, True)):
                assert isinstance(side, Address | Choice)
                condition = 1 - place.address.condition if negate else place.address.condition
                chosen = Condition(condition, "the pointer's choice")
                self.guards = (*guards, Guard(chosen, GuardKind.BRANCH, e.span))
                self.write(replace(place, address=side), value, e, definition)
                self.guards = guards
            return
        base = place.address.base
        if base.region is Region.LOCAL:
            self.store.write(base.storage, place.address.offset, place.type.size, value, definition)
            return
        self.epoch += 1
        self.recorder.access(self, place, Operation.STORE, e)

    def define(self, span: Span, mark: int, name: str = "") -> Definition | None:
        """A definition from what was read since `mark`; None where threadIdx had no part in it."""
        parents = tuple(dict.fromkeys(self.trace[mark:]))
        if not parents:
            return None
        return Definition(f"`{name}` comes from here" if name else "from here", span, parents) if name else parents[0]

    def _assign(self, e: ir.Assign) -> Place:
        mark = len(self.trace)
        if e.operator is None:
            value = self.value(e.value)
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

    def definition(self, e: ir.Assign | ir.Increment | ir.Declare, mark: int) -> Definition | None:
        """The step of a derivation that an assignment makes."""
        parents = tuple(dict.fromkeys(self.trace[mark:]))
        return Definition(f"`{self.text(e.span)}`", e.span, parents) if parents else None

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

    def _increment(self, e: ir.Increment) -> Value:
        mark = len(self.trace)
        place = self.place(e.target)
        before = self.load(place, e.target)
        one = self.algebra.constant(e.step)
        integer = ir.Integer(32, True)
        after = self._compound("+", before, one, e.target.type, integer, e)
        self.write(place, after, e.target, self.definition(e, mark))
        return after if e.prefix else before


def promoted(type_: ir.Integer) -> ir.Integer:
    """The type that arithmetic happens in (C++20 [conv.prom])."""
    return type_ if type_.bits >= 32 else ir.Integer(32, True)


def common(a: ir.Integer, b: ir.Integer) -> ir.Integer:
    """The usual arithmetic conversions (C++20 [expr.arith.conv])."""
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return b if a.signed else a


def step_of(type_: ir.Type) -> int:
    """Bytes that a pointer of this type moves by when 1 is added."""
    if isinstance(type_, ir.Pointer):
        return type_.pointee.size
    if isinstance(type_, ir.Array):
        return type_.element.size
    return 1


def extents_of(type_: ir.Type) -> tuple[tuple[int | None, ...], int]:
    """Array extents, outermost first, and the size of the innermost element in bytes."""
    extents: list[int | None] = []
    while isinstance(type_, ir.Array):
        extents.append(type_.count)
        type_ = type_.element
    return tuple(extents), type_.size


def replace_base(base: Base, level: Level, reason: str, data_dependent: bool = False) -> Base:
    """A base that is not followed, with its reason."""
    return Base(base.region, base.memory, level, reason, data_dependent=data_dependent)
