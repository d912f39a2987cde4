"""Which variables a loop changes, read off its syntax, and what each holds at the start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Value
from coalint.core import ir
from coalint.core.ir.intrinsics import BLOCK_BARRIERS

Slot = tuple[int, int]  # storage number and byte offset of a carried variable


@dataclass(frozen=True, slots=True)
class Carried:
    """One variable that the loop changes: its value at the start, its name, and its stand-in during dry runs."""

    slot: Slot
    key: str
    name: str
    size: int
    start: Value
    integer: bool

    @property
    def offset(self) -> Poly | None:
        """The number that changes: the value itself, or a pointer's offset; None for what is not followed."""
        if not self.integer or self.slot[1] == WHOLE:
            return None
        if isinstance(self.start, Address):
            return self.start.offset
        return None if isinstance(self.start, AggregateValue) or not isinstance(self.start, Polynomial) else self.start


@dataclass(frozen=True, slots=True)
class Step:
    """`variable operator= by`, once in every iteration."""

    operator: str
    by: ir.Expression
    type: ir.Type


@dataclass(slots=True)
class Assigned:
    """What a loop assigns.

    `variables` are declared outside of it; `increments` are those (by key) that move by one step in every iteration;
    `counter` is the variable of the `for`'s step; `handed` are variables that calls without a body may change.
    `through_this` says that fields of `this` are assigned, `stores` that something may be through pointers, lambdas or
    references in objects, `writes` that something is through a pointer, `decays` that an array is taken for one.
    `elements`: one of an array of integers or pointers is read or written; `pointed`: one behind a pointer is.
    """

    variables: tuple[ir.Variable, ...] = ()
    increments: dict[str, Step] = field(default_factory=dict)
    counter: ir.Variable | None = None
    breaks: bool = False
    through_this: bool = False
    barriers: bool = False
    stores: bool = False
    decays: bool = False
    elements: bool = False
    pointed: bool = False
    writes: bool = False
    handed: tuple[ir.Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class _Effects:
    """What a call changes: whether anything through pointers, lambdas or references in objects, and what a lambda
    assigns to by name of the variables around it.
    """

    stores: bool
    captured: tuple[ir.Variable, ...]


class Assignments:
    """What the loops of a module change, looked up once for each."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.functions = functions
        self._known: dict[int, tuple[ir.Loop, Assigned]] = {}
        self._walked: dict[str, _Effects] = {}

    def of(self, loop: ir.Loop) -> Assigned:
        """What a loop changes (without its initializer)."""
        found = self._known.get(id(loop))
        if found is None:
            found = self._known[id(loop)] = loop, _assigned(loop, self.functions, self.effects)
        return found[1]

    def effects(self, key: str) -> _Effects:
        """What calling a function changes."""
        found = self._walked.get(key)
        if found is None:
            self._walked[key] = _Effects(True, ())  # as far as it calls itself
            walker, function = _Walker(self.functions, self.effects), self.functions[key]
            walker.visit(function.body)
            own = {*walker.declared, *(parameter.key for parameter in function.parameters)}
            outer = tuple(variable for key, variable in walker.changed.items() if key not in own)
            found = self._walked[key] = _Effects(walker.stores, outer)
        return found


def _assigned(loop: ir.Loop, functions: Mapping[str, ir.Function], effects: Callable[[str], _Effects]) -> Assigned:
    walker = _Walker(functions, effects)
    for part in (loop.condition, loop.body, loop.step):
        if part is not None:
            walker.visit(part)
    found = Assigned(
        breaks=walker.breaks,
        through_this=walker.through_this,
        barriers=walker.barriers,
        stores=walker.stores,
        decays=walker.decays,
        elements=walker.elements,
        pointed=walker.pointed,
        writes=walker.writes,
        handed=tuple(v for key, v in walker.handed.items() if key not in walker.declared),
    )
    changed = {key: variable for key, variable in walker.changed.items() if key not in walker.declared}
    found.variables = tuple(changed.values())
    steps = list(_parts_of_step(loop.step))
    always = [*steps, *(_unconditional(loop.body) if not walker.continues else [])]
    for expression in always:
        step = _step(expression)
        if step is None:
            continue
        variable, increment = step
        if walker.counts.get(variable.key) == 1 and not _mentions(increment.by, {*walker.changed, *walker.declared}):
            found.increments[variable.key] = increment
    for expression in steps:
        step = _step(expression)
        if step is not None and step[0].key in changed:
            found.counter = step[0]
            break
    if found.counter is None:  # `step *= 2`
        targets = [e.target.variable for e in steps if isinstance(e, ir.Assign) and isinstance(e.target, ir.Name)]
        found.counter = next((variable for variable in targets if variable.key in changed), None)
    if found.counter is None and len(found.increments) == 1:
        found.counter = changed.get(next(iter(found.increments)))
    return found


def is_floating(type_: ir.Type) -> bool:
    """Whether a variable holds floating-point values, which are not followed."""
    while isinstance(type_, ir.Array | ir.Reference):
        type_ = type_.element if isinstance(type_, ir.Array) else type_.target
    return isinstance(type_, ir.Floating)


class _Walker:
    def __init__(self, functions: Mapping[str, ir.Function], effects: Callable[[str], _Effects]) -> None:
        self.functions = functions
        self.effects = effects
        self.stores = self.decays = self.elements = self.pointed = self.writes = False
        self.handed: dict[str, ir.Variable] = {}
        self.changed: dict[str, ir.Variable] = {}
        self.counts: dict[str, int] = {}
        self.declared: set[str] = set()
        self.bound: dict[str, ir.Expression] = {}  # what references stand for
        self.breaks = self.continues = self.through_this = self.barriers = False
        self._nested = 0
        self._inside: set[str] = set()  # lambdas

    def visit(self, node: ir.Expression | ir.Statement) -> None:
        match node:
            case ir.Declare():
                self.declared.add(node.variable.key)
                if isinstance(node.variable.type, ir.Reference) and node.initializer is not None:
                    self.bound[node.variable.key] = node.initializer
            case ir.Assign() | ir.Increment():
                self._target(node.target)
            case ir.AddressOf():
                self._target(node.target, 2)
            case ir.Assembly():
                for operand in node.operands:
                    self._target(operand.expression, 2)
            case ir.Cast(type=ir.Pointer(), operand=operand) if isinstance(operand.type, ir.Array):
                self.decays = self.decays or _is_local(operand)
            case ir.Subscript(type=ir.Integer() | ir.Pointer(), base=base):
                is_array = isinstance(base.operand.type if isinstance(base, ir.Cast) else base.type, ir.Array)
                self.elements, self.pointed = self.elements or is_array, self.pointed or not is_array
            case ir.Call(intrinsic=ir.Intrinsic.SUBSCRIPT_OPERATOR, type=ir.Integer() | ir.Pointer(), function=str()):
                self.elements = True
                self._call(node)
            case ir.Call():
                self._call(node)
            case ir.Lambda() if node.function in self.functions and node.function not in self._inside:
                self._inside.add(node.function)
                self.visit(self.functions[node.function].body)
            case ir.Jump(kind=ir.JumpKind.GOTO):
                self.breaks = self.continues = True
            case ir.Jump(kind=ir.JumpKind.BREAK) | ir.Return():
                self.breaks = self.breaks or self._nested == 0 or isinstance(node, ir.Return)
            case ir.Jump(kind=ir.JumpKind.CONTINUE):
                self.continues = self.continues or self._nested == 0
        nested = isinstance(node, ir.Loop | ir.Switch)
        self._nested += nested
        for child in ir.children(node):
            is_base = isinstance(node, ir.Subscript)
            if is_base and isinstance(child, ir.Cast) and isinstance(child.operand.type, ir.Array):
                self.visit(child.operand)  # an element of an array is used, not its address
            else:
                self.visit(child)
        self._nested -= nested

    def _target(self, target: ir.Expression, times: int = 1) -> None:
        while True:
            match target:
                case ir.Name():
                    self.changed[target.variable.key] = target.variable
                    self.counts[target.variable.key] = self.counts.get(target.variable.key, 0) + times
                    if target.variable.key not in self.bound:
                        return
                    target, times = self.bound[target.variable.key], 2
                case ir.Member():
                    target, times = target.object, 2
                case ir.Subscript():
                    target, times = target.base, 2
                    while isinstance(target, ir.Cast):
                        target = target.operand
                    if isinstance(target.type, ir.Pointer):  # what it points to changes, not the pointer
                        self.stores = self.writes = True
                        return
                case ir.Cast():
                    target = target.operand
                case ir.Dereference(pointer=ir.Name(variable=ir.Variable(name="this"))):
                    self.through_this = True
                    return
                case _:
                    self.stores = self.writes = True
                    return

    def _call(self, call: ir.Call) -> None:
        self.barriers = self.barriers or call.intrinsic in BLOCK_BARRIERS or call.function is not None
        function = self.functions.get(call.function or "")
        if function is not None:
            effects = self.effects(function.key)
            self.stores = self.stores or effects.stores
            self.writes = self.writes or self.stores
            for variable in effects.captured:
                self.changed[variable.key] = variable
                self.counts[variable.key] = self.counts.get(variable.key, 0) + 2
        else:
            pointers = any(isinstance(argument.type, ir.Pointer | ir.Array) for argument in call.arguments)
            self.stores = self.stores or pointers or call.callee is not None
            self._hand_over(call)
        if call.receiver is not None and (function is None or not function.is_const):
            self._target(call.receiver, 2)
        parameters = function.parameters if function is not None else ()
        kept = function.kept if function is not None else frozenset[int]()
        for position, argument in enumerate(call.arguments):
            is_reference = position < len(parameters) and isinstance(parameters[position].type, ir.Reference)
            if is_reference and position not in kept:
                self._target(argument, 2)

    def _hand_over(self, call: ir.Call) -> None:
        """The objects and references among the arguments of a call without a body."""
        receiver = () if call.receiver is None else ((ir.RECEIVER, call.receiver),)
        for position, argument in (*enumerate(call.arguments), *receiver):
            is_object = isinstance(argument.type, ir.Record | ir.Array)
            if is_object if call.changes is None else position in call.changes:
                variable = _variable(argument)
                if variable is not None:
                    self.handed[variable.key] = variable


def _variable(e: ir.Expression) -> ir.Variable | None:
    """The variable that an expression is a part of; None for what a pointer leads to."""
    while isinstance(e, ir.Member | ir.Subscript | ir.Cast):
        if isinstance(e, ir.Cast):
            e = e.operand
            continue
        e = e.object if isinstance(e, ir.Member) else e.base
        if isinstance(e.type, ir.Pointer) and not (isinstance(e, ir.Cast) and isinstance(e.operand.type, ir.Array)):
            return None
    return e.variable if isinstance(e, ir.Name) else None


def _is_local(array: ir.Expression) -> bool:
    """Whether an array may be a variable of the thread."""
    while isinstance(array, ir.Member | ir.Subscript):
        array = array.object if isinstance(array, ir.Member) else array.base
    shared = (ir.Storage.SHARED, ir.Storage.GLOBAL, ir.Storage.CONSTANT)
    return not (isinstance(array, ir.Name) and array.variable.storage in shared)


def _parts_of_step(step: ir.Expression | None) -> list[ir.Expression]:
    match step:
        case None:
            return []
        case ir.Sequence():
            inner = [s.expression for s in step.statements if isinstance(s, ir.Evaluate)]
            return [p for e in inner for p in _parts_of_step(e)] + _parts_of_step(step.value)
    return [step]


def _unconditional(body: ir.Statement) -> list[ir.Expression]:
    match body:
        case ir.Evaluate():
            return _parts_of_step(body.expression)
        case ir.Block():
            return [e for statement in body.statements for e in _unconditional(statement)]
    return []


def _step(expression: ir.Expression) -> tuple[ir.Variable, Step] | None:
    match expression:
        case ir.Increment(target=ir.Name(variable=variable)):
            integer = ir.Integer(32, True)
            one = ir.Literal(expression.span, integer, 1)
            return variable, Step("+" if expression.step > 0 else "-", one, variable.type)
        case ir.Assign(operator=("+" | "-") as operator, target=ir.Name(variable=variable), value=by):
            return variable, Step(operator, by, variable.type)
        case ir.Assign(operator=None, target=ir.Name(variable=variable), value=value):
            while isinstance(value, ir.Cast):
                value = value.operand
            if isinstance(value, ir.Binary) and value.operator in ("+", "-"):
                left = value.left
                while isinstance(left, ir.Cast):
                    left = left.operand
                if isinstance(left, ir.Name) and left.variable.key == variable.key:
                    return variable, Step(value.operator, value.right, variable.type)
    return None


def _mentions(expression: ir.Expression | ir.Statement, keys: set[str]) -> bool:
    if isinstance(expression, ir.Name):
        return expression.variable.key in keys
    if isinstance(expression, ir.Call | ir.Assign | ir.Increment):
        return True
    return any(_mentions(child, keys) for child in ir.children(expression))
