"""Which parts of a struct a function uses of the copy that it keeps in a variable: nvcc loads no others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from coalint.analysis.interpreter.effects.struct_paths import (
    Path,
    array_of,
    parts_of,
    path_of,
    paths_of,
    referred,
)
from coalint.core import ir
from coalint.core.ir.counters import is_decided, iterations, unrollable
from coalint.core.records import record
from coalint.machine.nvcc.struct_loads import StructPart


@record(slots=True)
class _Uses:
    """What one function, with its lambdas, does with its variables, by their keys.

    `parts` are read by name, `whole` are used in any other way; `flows` are the parameters (with their functions) and
    variables that are copies of others or references to them; `returned` are what it returns. `settings` counts how
    often each is set as a whole. `lost` says that not all of the function could be read.
    """

    parts: dict[str, set[StructPart]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    flows: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)
    settings: dict[str, int] = field(default_factory=dict)
    lost: bool = False


class Uses:
    """What functions use of the structs in their variables, looked up once for each function."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.functions = functions
        self._walked: dict[str, _Uses] = {}
        self._known: dict[tuple[str, str, tuple[StructPart, ...]], tuple[StructPart, ...]] = {}

    def of(self, function: str, variable: ir.Variable, result: tuple[StructPart, ...] = ()) -> tuple[StructPart, ...]:
        """Return the parts of a struct that are read of a variable of a function; none where it may be all of it.

        `result` are those that are read of what the function returns. What is read at some time or another nvcc loads
        where the variable is set. One that is set more than once may hold copies of which each is used otherwise.
        """
        if function not in self.functions:
            return ()
        key = function, variable.key, result
        if key not in self._known:
            self._known[key] = self._found((function, variable.key), result)
        return self._known[key]

    def _found(self, start: tuple[str, str], result: tuple[StructPart, ...]) -> tuple[StructPart, ...]:
        parts: set[StructPart] = set()
        seen, todo = {start}, [start]
        while todo:
            function, variable = todo.pop()
            uses = self._walk(function)
            if uses.lost or variable in uses.whole or uses.settings.get(variable, 0) > 1:
                return ()
            if variable in uses.returned:
                if function != start[0] or not result:
                    return ()
                parts.update(result)
            parts |= uses.parts.get(variable, set())
            new = uses.flows.get(variable, set()) - seen
            seen |= new
            todo.extend(new)
        outer = (part for part in parts if not any(other.covers(part) for other in parts if other != part))
        return tuple(sorted(outer))

    def _walk(self, key: str) -> _Uses:
        if key not in self._walked:
            walker = _Walker(self.functions, key)
            walker.visit(self.functions[key].body)
            self._walked[key] = walker.uses
        return self._walked[key]


class _Walker:
    def __init__(self, functions: Mapping[str, ir.Function], key: str) -> None:
        self.functions = functions
        self.key = key
        self.uses = _Uses()
        receiver = functions[key].receiver
        self.receiver = receiver.key if receiver is not None else ""
        self.lambdas: set[str] = set()
        self.bound: dict[str, ir.Expression] = {}
        self.counters: frozenset[str] = frozenset()  # of the loops around that the compiler can unroll
        self.ranges: dict[str, range] = {}  # what of these is known

    def visit(self, node: ir.Expression | ir.Statement) -> None:
        """Note what an expression or a statement uses."""
        path = self._path(node)
        if path is not None:
            self._use(path, node)
            return
        elements = self._elements(node)
        for element in elements:
            self._use(element, node)
        if elements:
            return
        match node:
            case ir.Unresolved() | ir.Unanalysed():
                self.uses.lost = True
            case ir.AddressOf() if (at := self._path(self._bound(node.target))) is not None:
                self.uses.whole.add(at[0])
            case ir.AddressOf() if elements := self._elements(node.target):
                self.uses.whole.add(elements[0][0])
            case ir.Name() if self._bound(node) is not node:
                self.visit(self._bound(node))
            case ir.Return() if node.value is not None and not self.lambdas and self._is_whole(node.value):
                at = self._path(node.value)
                assert at is not None
                self.uses.returned.add(at[0])
            case ir.Name() if node.variable.key == self.receiver:
                self.uses.whole.add(self.receiver)
            case ir.Lambda():
                self._lambda(node.function)
            case ir.Loop():
                around, ranges = self.counters, self.ranges
                self.counters |= unrollable(node)
                counted = iterations(node) if node.unroll != 1 else None
                self.ranges = ranges if counted is None else {**ranges, counted[0]: counted[1]}
                self._visit_children(node)
                self.counters, self.ranges = around, ranges
            case ir.Subscript() if not is_decided(node.index, self.counters):
                array = array_of(node)
                at = self._path(array) if array is not None else None
                if at is not None:
                    self.uses.whole.add(at[0])  # which lies in memory then, copied as a whole
                self._visit_children(node)
            case ir.Declare() if node.initializer is not None:
                self._set(node.variable, node.initializer)
            case ir.Evaluate(expression=ir.Assign(operator=None) as assign) if self._path(assign.target) is not None:
                self._assign(assign)
            case ir.Call():
                self._call(node)
            case _:
                self._visit_children(node)

    def _visit_children(self, node: ir.Expression | ir.Statement) -> None:
        for child in ir.children(node):
            self.visit(child)

    def _path(self, node: ir.Expression | ir.Statement) -> Path | None:
        return path_of(self.receiver, node)

    def _elements(self, node: ir.Expression | ir.Statement) -> list[Path]:
        """Return the parts that an lvalue is in the iterations of the loops around whose numbers are known."""
        return paths_of(self.receiver, node, self.ranges) if isinstance(node, ir.Member | ir.Subscript) else []

    def _bound(self, node: ir.Expression) -> ir.Expression:
        """Return what a reference to a member of a struct is bound to; other expressions as they are."""
        return self.bound.get(node.variable.key, node) if isinstance(node, ir.Name) else node

    def _is_whole(self, value: ir.Expression) -> bool:
        path = self._path(value)
        return path is not None and not path[1]

    def _use(self, path: Path, node: ir.Expression | ir.Statement) -> None:
        variable, steps = path
        size = node.type.size if isinstance(node, ir.Expression) else 0
        if not steps or not size:
            self.uses.whole.add(variable)
            return
        self.uses.parts.setdefault(variable, set()).update(parts_of(steps, size))

    def _set(self, variable: ir.Variable, value: ir.Expression) -> None:
        if not isinstance(value, ir.Aggregate) or value.parts:
            self.uses.settings[variable.key] = self.uses.settings.get(variable.key, 0) + 1
        is_reference = isinstance(variable.type, ir.Reference) and not isinstance(variable.type.target, ir.Record)
        if is_reference and isinstance(value, ir.Member) and self._path(value) is not None:
            self.bound[variable.key] = value  # it is used where the reference is, if anywhere
        else:
            self._hand(value, self.key, variable)

    def _assign(self, assign: ir.Assign) -> None:
        path = self._path(assign.target)
        assert path is not None
        if isinstance(assign.target, ir.Name):
            self._set(assign.target.variable, assign.value)
            return
        if not path[1]:  # all of `*this`
            self.uses.whole.add(path[0])
        self.visit(assign.value)

    def _hand(self, value: ir.Expression, function: str, variable: ir.Variable) -> None:
        """Handle a variable of a function that becomes a copy of a value, or refers to it."""
        path = self._path(value)
        if path is None or path[1] or not isinstance(referred(variable.type), ir.Record):
            self.visit(value)
        else:
            self.uses.flows.setdefault(path[0], set()).add((function, variable.key))

    def _call(self, call: ir.Call) -> None:
        function = self.functions.get(call.function or "")
        if function is None or call.callee is not None or call.reason:
            for child in ir.children(call):
                self.visit(child)
            return
        if call.receiver is not None:
            path = self._path(call.receiver)
            if path is not None and not path[1] and function.receiver is not None:
                self.uses.flows.setdefault(path[0], set()).add((function.key, function.receiver.key))
            else:
                self.visit(call.receiver)
                if function.receiver is None:
                    self._lambda(function.key)  # of a lambda's own template: what it captured goes by its name
        for parameter, argument in zip(function.parameters, call.arguments, strict=False):
            self._hand(argument, function.key, parameter)
        for argument in call.arguments[len(function.parameters) :]:
            self.visit(argument)

    def _lambda(self, key: str) -> None:
        """Walk the body of a lambda, which sees the variables around it."""
        if key in self.lambdas:
            return
        self.lambdas.add(key)
        function = self.functions.get(key)
        if function is not None:
            self.visit(function.body)
        else:
            self.uses.lost = True
