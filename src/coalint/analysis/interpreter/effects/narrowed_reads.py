"""Which loads of integers nvcc narrows, as some of their bytes are all that is made of them.

Read off nvcc 13.2 for sm_90: `(int)p[i]` of a `long long` is a load of 4 bytes, `p[i] & 255` of an `int` one of 1 byte.
A 32-bit integer that is stored in fewer bytes, or becomes an index, is loaded whole. Where an element is wanted
otherwise as well, one load serves both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field

from coalint.analysis.domain.wants import WHOLE, Want
from coalint.analysis.interpreter.effects.wanted_bytes import Element, Use, of_element, of_result, parts_of
from coalint.core import ir
from coalint.core.records import record


@record(slots=True)
class Wants:
    """What a function wants of elements, of the results of calls (both by identity) and of its parameters (by key)."""

    elements: dict[int, int] = field(default_factory=dict)
    calls: dict[int, Want] = field(default_factory=dict)
    parameters: dict[str, Use] = field(default_factory=dict)


class NarrowedReads:
    """Says how many bytes of an element are read, looked up once for each function and what is wanted of its result.

    `finished` are the answers of other evaluations of these functions, and gets those that any of them would find.
    """

    def __init__(self, functions: Mapping[str, ir.Function], finished: dict[tuple[str, Want], Wants]) -> None:
        self.functions = functions
        self._finished = finished
        self._own: dict[tuple[str, Want], Wants] = {}
        self._is_partial = False

    def width(self, function: str, e: Element, returned: Want = WHOLE) -> int:
        """Return the bytes that are read of an element where a function names it; 0 for all.

        `returned` is what is wanted of the function's result.
        """
        return self._of(function, returned).elements.get(id(e), 0)

    def wanted(self, function: str, call: ir.Call, returned: Want = WHOLE) -> Want:
        """Return what a function wants of the result of a call that it makes."""
        return self._of(function, returned).calls.get(id(call), WHOLE)

    def _of(self, function: str, returned: Want) -> Wants:
        key = function, returned
        known = self._finished.get(key)
        if known is not None:
            return known
        known = self._own.get(key)
        if known is not None:
            self._is_partial = True  # it is asked for by what it calls, or was when it was filled
            return known
        known = self._own[key] = Wants()  # as far as it calls itself
        outer, self._is_partial = self._is_partial, False
        if function in self.functions:
            self._fill(known, self.functions[function], returned)
        if self._is_partial:  # which functions were asked for before decides what it is
            return known
        self._is_partial = outer
        self._finished[key] = self._own.pop(key)
        return known

    def _fill(self, wants: Wants, function: ir.Function, returned: Want) -> None:
        body = function.body
        reads: dict[object, list[_Read]] = {}
        indices, once = _index_variables(body), _read_once(body)
        own = {parameter.key for parameter in function.parameters if isinstance(parameter.type, ir.Integer)}
        named: dict[str, list[Use]] = {}
        pending = [Use(body)]
        while pending:
            use = pending.pop()
            node = use.node
            if isinstance(node, ir.Name) and node.variable.key in own:
                named.setdefault(node.variable.key, []).append(use)
            element = once.get(node.variable.key) if isinstance(node, ir.Name | ir.Declare) else None
            if element is not None and isinstance(node, ir.Declare):
                if not self._is_followed(element):  # the arguments of a call are looked at where its result is used
                    pending.append(Use(element, is_place=True))
                continue
            if element is None and isinstance(node, Element):
                element = node
            if isinstance(element, ir.Call) and self._is_followed(element):
                want = wants.calls[id(element)] = of_result(use.on(element))
                pending.extend(self._arguments(element, want))
                continue
            if element is not None and not use.is_place:
                want = of_element(use.on(element))
                reads.setdefault(_shape(element), []).append(_Read(id(element), want))
            if isinstance(node, ir.Return) and node.value is not None:
                pending.append(Use(node.value, returned))
                continue
            pending.extend(parts_of(use, indices))
        for alike in reads.values():
            found = {read.want for read in alike}
            if len(found) == 1 and found != {WHOLE}:
                wants.elements.update({read.element: read.want.bytes for read in alike})
        wants.parameters = {key: uses[0] for key, uses in named.items() if len(uses) == 1 and not uses[0].is_place}

    def _is_followed(self, e: ir.Expression) -> bool:
        return isinstance(e, ir.Call) and e.function is not None and e.function in self.functions

    def _arguments(self, call: ir.Call, want: Want) -> Iterator[Use]:
        """Yield the operands of a call, with what the called function wants of them."""
        assert call.function is not None
        parameters = self.functions[call.function].parameters
        inside = self._of(call.function, want).parameters
        yield from (Use(part) for part in (call.callee, call.receiver) if part is not None)
        for position, argument in enumerate(call.arguments):
            parameter = parameters[position] if position < len(parameters) else None
            used = None if parameter is None else inside.get(parameter.key)
            yield Use(argument) if used is None else used.on(argument)


@record(frozen=True, slots=True)
class _Read:
    """One place that reads an element: what it wants of it."""

    element: int
    want: Want


def _read_once(body: ir.Statement) -> dict[str, Element]:
    """Return the variables that are set to an element where they are declared, and named once, by their keys."""
    elements: dict[str, Element] = {}
    named: Counter[str] = Counter()
    pending: list[ir.Expression | ir.Statement] = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Name):
            named[node.variable.key] += 1
        elif isinstance(node, ir.Declare) and isinstance(node.variable.type, ir.Integer):
            held = node.initializer
            while isinstance(held, ir.Cast) and held.type.size == held.operand.type.size:
                held = held.operand
            if isinstance(held, Element) and held.type.size == node.variable.type.size:
                elements[node.variable.key] = held
        pending.extend(ir.children(node))
    return {key: element for key, element in elements.items() if named[key] == 1}


def _index_variables(body: ir.Statement) -> frozenset[str]:
    """Return the keys of the variables that occur in indices."""
    keys: set[str] = set()
    pending: list[tuple[ir.Expression | ir.Statement, bool]] = [(body, False)]
    while pending:
        node, inside = pending.pop()
        if isinstance(node, ir.Name) and inside:
            keys.add(node.variable.key)
        index = node.index if isinstance(node, ir.Subscript) else None
        pending.extend((child, inside or child is index) for child in ir.children(node))
    return frozenset(keys)


def _shape(e: ir.Expression) -> object:
    """Return what is equal for expressions that are written alike."""
    match e:
        case ir.Name():
            return e.variable.key
        case ir.Literal() if e.value is not None:
            return e.value
        case ir.Builtin():
            return e.register, e.axis
        case ir.Binary() | ir.Unary():
            return e.operator, *(_shape(part) for part in ir.children(e) if isinstance(part, ir.Expression))
        case ir.Member():
            return e.offset, _shape(e.object)
        case ir.Cast():
            return _shape(e.operand)
        case ir.Subscript() | ir.Dereference() | ir.AddressOf():
            return type(e), *(_shape(part) for part in ir.children(e) if isinstance(part, ir.Expression))
        case ir.Call() if len(e.arguments) == 1:
            return e.name, _shape(e.arguments[0])
    return id(e)
