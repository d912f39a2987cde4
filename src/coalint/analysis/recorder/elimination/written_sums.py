"""Sums of an address as it is written: products of variables, registers and other expressions, with factors."""

from __future__ import annotations

from collections.abc import Container

from coalint.core import ir

Monomial = tuple[object, ...]
"""What is multiplied: keys of variables, and shapes of other expressions."""
Sum = dict[Monomial, int]
"""Bytes or elements: a factor for each product; the empty product has the number."""

MOST = 64
"""Products in one sum; what has more is one atom."""


def sum_of(a: Sum, b: Sum, factor: int = 1) -> Sum:
    """Return `a + factor * b`."""
    found = dict(a)
    for product, count in b.items():
        found[product] = found.get(product, 0) + factor * count
    return found


def product_of(a: Sum, b: Sum) -> Sum | None:
    """Return the product of two sums; None where it has too many parts."""
    if len(a) * len(b) > MOST:
        return None
    found: Sum = {}
    for left, one in a.items():
        for right, other in b.items():
            product = tuple(sorted((*left, *right), key=repr))
            found[product] = found.get(product, 0) + one * other
    return found


def shape_of(node: ir.Expression | ir.Statement) -> object:
    """Return what tells an expression from others that are written otherwise: variables are their keys."""
    match node:
        case ir.Name(variable=variable):
            return variable.key
        case ir.Literal(value=value, floating=floating):
            return (type(node), value, floating)
        case ir.Builtin(register=register, axis=axis):
            return (register, axis)
        case ir.Unary(operator=told) | ir.Binary(operator=told) | ir.Member(field=told) | ir.Call(name=told):
            return (told, *map(shape_of, ir.children(node)))
    return (type(node), *map(shape_of, ir.children(node)))


def names_extent(shape: object, made: Container[str]) -> bool:
    """Whether an expression of this shape names an extent of the launch, or one of these variables."""
    if isinstance(shape, tuple | frozenset):
        return any(names_extent(part, made) for part in shape)
    return _is_of_launch(shape) if isinstance(shape, ir.Register) else isinstance(shape, str) and shape in made


def is_extent(node: ir.Expression | ir.Statement) -> bool:
    """Whether a node is an extent of the launch."""
    return isinstance(node, ir.Builtin) and _is_of_launch(node.register)


def _is_of_launch(register: ir.Register) -> bool:
    return register in (ir.Register.BLOCK_EXTENT, ir.Register.GRID_EXTENT)
