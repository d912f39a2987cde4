"""What the statements and calls of a loop change, read off their syntax."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coalint.core import ir
from coalint.core.ir.intrinsics import BLOCK_BARRIERS
from coalint.core.records import record


@record(frozen=True, slots=True)
class CallEffects:
    """What a call changes.

    `stores` says that something may be through pointers, lambdas or references in objects. `captured` are the variables
    around a lambda that it assigns to by name.
    """

    stores: bool
    captured: tuple[ir.Variable, ...]


class Walker:
    """Collects what a part of a program changes; the fields are as in `Assigned`, by the variables' keys.

    `counts` is how often a variable is assigned to, `declared` holds those that the part declares itself, `bound` what
    references are bound to.
    """

    def __init__(self, functions: Mapping[str, ir.Function], effects: Callable[[str], CallEffects]) -> None:
        self.functions = functions
        self.effects = effects
        self.stores = self.decays = self.elements = self.pointed = self.writes = False
        self.handed: dict[str, ir.Variable] = {}
        self.changed: dict[str, ir.Variable] = {}
        self.counts: dict[str, int] = {}
        self.declared: set[str] = set()
        self.bound: dict[str, ir.Expression] = {}  # what references stand for
        self.breaks = self.continues = self.through_this = self.barriers = self.calls = False
        self._nested = 0
        self._inside: set[str] = set()  # lambdas
        self._in_lambda = False  # whose returns leave it, and no loop around it

    def visit(self, node: ir.Expression | ir.Statement) -> None:
        """Visit a node and all below it."""
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
                for each in node.operands:
                    self._target(each.expression, 2)
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
                around, self._in_lambda = self._in_lambda, True
                self.visit(self.functions[node.function].body)
                self._in_lambda = around
            case ir.Jump(kind=ir.JumpKind.GOTO):
                self.breaks = self.continues = True
            case ir.Return():
                self.breaks = self.breaks or not self._in_lambda
            case ir.Jump(kind=ir.JumpKind.BREAK):
                self.breaks = self.breaks or self._nested == 0
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
        self.calls = True
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
        """Handle the objects and references among the arguments of a call without a body."""
        receiver = () if call.receiver is None else ((ir.RECEIVER, call.receiver),)
        for position, argument in (*enumerate(call.arguments), *receiver):
            is_object = isinstance(argument.type, ir.Record | ir.Array)
            if is_object if call.changes is None else position in call.changes:
                variable = _variable(argument)
                if variable is not None:
                    self.handed[variable.key] = variable


def _variable(e: ir.Expression) -> ir.Variable | None:
    """Return the variable that an expression is a part of; None for what a pointer leads to."""
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
