"""What the launch adds to an address, as it is written: nvcc knows neither that nor a distance that comes of it.

Seen on an H200: of `x[i] += x[i + blockDim.x]; x[i] += x[i + 2 * blockDim.x]` both stores are made, since for nvcc the
second load may read what the first one stores. With `x[i + 1024]` one store is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from coalint.analysis.recorder.elimination.written_sums import (
    MOST,
    Monomial,
    Sum,
    is_extent,
    names_extent,
    product_of,
    shape_of,
    sum_of,
)
from coalint.analysis.recorder.told_by_launch import is_parameter, variables_made_of
from coalint.core import ir

_INDEX = "index"


class WrittenDistances:
    """Tells whether the distance of two addresses of a kernel is known without its launch. `body` is the kernel's."""

    def __init__(self, body: ir.Statement | None) -> None:
        self._body = body
        self._known: dict[int, tuple[ir.Expression, frozenset[tuple[Monomial, int]]]] = {}
        self._variables: dict[str, Sum] = {}

    def rests_on_launch(self, a: ir.Expression, b: ir.Expression) -> bool:
        """Whether extents of the launch or the kernel's parameters make the distance between two accesses."""
        return self._told(a) != self._told(b)

    def _told(self, access: ir.Expression) -> frozenset[tuple[Monomial, int]]:
        """Return the part of an address that only the launch tells."""
        known = self._known.get(id(access))
        if known is None:
            parts = self._address(access).items()
            told = frozenset((product, factor) for product, factor in parts if factor and self._is_told(product))
            known = self._known[id(access)] = access, told
        return known[1]

    def _is_told(self, product: Monomial) -> bool:
        return names_extent(product, self._made)

    def _address(self, place: ir.Expression) -> Sum:
        """Return where a place lies, in bytes."""
        match place:
            case ir.Subscript(base=base, index=index):
                return sum_of(self._value(base), self._index(index), place.type.size)
            case ir.Dereference(pointer=pointer):
                return self._value(pointer)
            case ir.Member(object=whole, offset=int(offset)):
                return sum_of(self._address(whole), {(): offset})
            case ir.Name(variable=variable):
                return {(variable.key,): 1}
        return {(shape_of(place),): 1}

    def _index(self, expression: ir.Expression) -> Sum:
        """Return an index in elements: one atom and a number where it names what the launch tells.

        nvcc extends the sum `i + m` to 64 bits as a whole: `x[i + m]` and `(x + m)[i]` are different places to it.
        """
        parts = self._value(expression)
        if not any(map(self._is_told, parts)):
            return parts
        whole = frozenset((product, factor) for product, factor in parts.items() if product and factor)
        return {((_INDEX, whole),): 1, (): parts.get((), 0)}

    def _value(self, expression: ir.Expression) -> Sum:
        """Return a number or a pointer as a sum, the latter in bytes."""
        found = self._parts(expression)
        return found if found is not None and len(found) <= MOST else {(shape_of(expression),): 1}

    def _parts(self, expression: ir.Expression) -> Sum | None:
        match expression:
            case ir.Literal(value=int(value)):
                return {(): value}
            case ir.Name(variable=variable):
                return self._variable(variable.key)
            case ir.Cast(operand=operand):
                return self._value(operand)
            case ir.AddressOf(target=target):
                return self._address(target)
            case ir.Subscript() | ir.Member() if isinstance(expression.type, ir.Array):
                return self._address(expression)
            case ir.Unary(operator="-", operand=operand):
                return sum_of({}, self._value(operand), -1)
            case ir.Binary(operator="+" | "-" as operator, left=left, right=right):
                sign = 1 if operator == "+" else -1
                if _points(left) and not _points(right):
                    return sum_of(self._value(left), self._index(right), sign * _step(left))
                if _points(right) and not _points(left):
                    return sum_of(self._value(right), self._index(left), _step(right))
                return sum_of(self._value(left), self._value(right), sign)
            case ir.Binary(operator="*", left=left, right=right):
                return product_of(self._value(left), self._value(right))
        return None

    def _variable(self, key: str) -> Sum:
        found = self._variables.get(key)
        if found is None:
            found = self._variables[key] = {(key,): 1}  # where it is declared as made of itself
            if key in self._initializers:
                found = self._variables[key] = self._value(self._initializers[key])
        return found

    @cached_property
    def _initializers(self) -> Mapping[str, ir.Expression]:
        """What the variables are that keep what they are declared with, by their keys."""
        declared: dict[str, ir.Expression] = {}
        changed: set[str] = set()
        for node in self._nodes():
            match node:
                case ir.Declare(variable=variable, initializer=ir.Expression() as initializer):
                    if variable.key in declared:
                        changed.add(variable.key)
                    declared[variable.key] = initializer
                case ir.Assign(target=ir.Name(variable=variable)) | ir.Increment(target=ir.Name(variable=variable)):
                    changed.add(variable.key)
                case ir.AddressOf(target=ir.Name(variable=variable)):
                    changed.add(variable.key)
                case ir.Call(arguments=arguments):
                    changed |= {each.variable.key for each in arguments if isinstance(each, ir.Name)}
        return {key: made for key, made in declared.items() if key not in changed}

    @cached_property
    def _made(self) -> frozenset[str]:
        """The keys of parameters that are no pointers, and of variables made of these or of the launch's extents."""
        given = {node.variable.key for node in self._nodes() if isinstance(node, ir.Name) and _is_number_given(node)}
        return frozenset(given) | variables_made_of(self._body, lambda part: _is_number_given(part) or is_extent(part))

    def _nodes(self) -> Iterator[ir.Expression | ir.Statement]:
        return iter(()) if self._body is None else ir.nodes(self._body)


def _is_number_given(node: ir.Expression | ir.Statement) -> bool:
    return isinstance(node, ir.Name) and is_parameter(node) and not _points(node)


def _points(expression: ir.Expression) -> bool:
    return isinstance(expression.type, ir.Pointer | ir.Array)


def _step(expression: ir.Expression) -> int:
    """Return the bytes by which a pointer moves that one is added to."""
    match expression.type:
        case ir.Pointer(pointee=target) | ir.Array(element=target):
            return target.size
    return 1
