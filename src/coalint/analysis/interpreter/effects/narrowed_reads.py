"""Which loads of integers nvcc narrows, as some of their bytes are all that is made of them.

Read off nvcc 13.2 for sm_90: `(int)p[i]` of a `long long` is a load of 4 bytes, `p[i] & 255` of an `int` one of 1 byte.
A 32-bit integer that is stored in fewer bytes, or becomes an index, is loaded whole. Where an element is wanted
otherwise as well, one load serves both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from coalint.analysis.interpreter.effects.wanted_bytes import WHOLE, Element, Use, Want, of_element, parts_of
from coalint.core import ir
from coalint.core.records import record


class NarrowedReads:
    """Says how many bytes of an element are read, looked up once for each function."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.functions = functions
        self._widths: dict[str, dict[int, int]] = {}

    def width(self, function: str, e: Element) -> int:
        """Return the bytes that are read of an element where a function names it; 0 for all."""
        widths = self._widths.get(function)
        if widths is None:
            body = self.functions[function].body if function in self.functions else None
            widths = self._widths[function] = {} if body is None else _widths(body)
        return widths.get(id(e), 0)


@record(frozen=True, slots=True)
class _Read:
    """One place that reads an element: what it wants of it."""

    element: int
    want: Want


def _widths(body: ir.Statement) -> dict[int, int]:
    """Return the bytes that are read by the identities of the expressions, where these are not all."""
    reads: dict[object, list[_Read]] = {}
    indices, once = _index_variables(body), _read_once(body)
    pending = [Use(body)]
    while pending:
        use = pending.pop()
        node = use.node
        element = once.get(node.variable.key) if isinstance(node, ir.Name | ir.Declare) else None
        if element is not None and isinstance(node, ir.Declare):
            pending.append(Use(element, is_place=True))
            continue
        if element is None and isinstance(node, Element):
            element = node
        if element is not None and not use.is_place:
            want = of_element(replace(use, node=element))
            reads.setdefault(_shape(element), []).append(_Read(id(element), want))
        pending.extend(parts_of(use, indices))
    widths = {}
    for alike in reads.values():
        wants = {read.want for read in alike}
        if len(wants) == 1 and wants != {WHOLE}:
            widths.update({read.element: read.want.bytes for read in alike})
    return widths


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
