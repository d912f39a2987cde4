"""Names: local variables, and what stands outside of the function."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.lowering.statics import from_star, static_value
from coalint.frontend.python.numba.scopes import Imported
from coalint.frontend.python.numba.types import array_type, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Dotted, Number, TupleValue, Unknown, Value

BUILTINS = frozenset(
    {"abs", "bool", "complex", "enumerate", "float", "int", "len", "max", "min", "pow", "print", "range", "round"}
    | {"sum", "tuple", "zip", "divmod", "list", "isinstance", "reversed", "slice", "getattr", "super", "str", "type"}
)


def named(low: Lowering, node: ast.Name) -> Value:
    """Return what a name stands for."""
    value = low.variables.read(node.id, low.span(node))
    if value is not None:
        return value
    home = low.scope.home(node.id)
    if home is None:
        starred = from_star(low, node.id)
        if starred is not None:
            return starred if low.is_host or low.is_static else _captured(low, node, starred)
        return Dotted(f"builtins.{node.id}") if node.id in BUILTINS else _special(node.id)
    if home is low.scope and not low.is_static:
        outside = home.bound.get(node.id, [])
        imported = bool(outside) and all(isinstance(binding, Imported) for binding in outside)
        if not (isinstance(home.node, ast.Module) and outside) and not imported:
            return Unknown(f"`{node.id}` is read before it is given a value")
    outside_value = static_value(low, home, node.id)
    return outside_value if low.is_host or low.is_static else _captured(low, node, outside_value)


def _special(name: str) -> Value:
    return Dotted(f"builtins.{name}") if name.startswith("__") else Unknown(f"`{name}` is not defined in this file")


def _captured(low: Lowering, node: ast.Name, value: Value) -> Value:
    """Return what a kernel sees of a value outside of it: Numba takes it as a constant."""
    span = low.span(node)
    match value:
        case Number() if value.constant is None:
            variable = ir.Variable(f"outside:{node.id}", node.id, ir_type(value.type), ir.Storage.HOST, span)
            return Number(ir.Name(span, variable.type, variable), value.type)
        case Number():
            return Number(
                ir.Literal(span, ir_type(value.type), _integer(value)),
                value.type,
                value.constant,
                (value.constant or 0) >= 0,
            )
        case ArrayValue() if None not in value.type.extents:
            type_ = array_type(value.type)
            name = ir_type_name(value)
            variable = ir.Variable(f"outside:{node.id}", node.id, type_, ir.Storage.CONSTANT, span, type_name=name)
            return ArrayValue(ir.Name(span, type_, variable), value.type, value.shape)
        case ArrayValue():
            return Unknown(f"the shape of the global array `{node.id}` is not known")
        case TupleValue():
            return TupleValue(tuple(_captured(low, node, item) for item in value.items))
    return value


def ir_type_name(array: ArrayValue) -> str:
    """Return an array's element type as NumPy calls it."""
    return array.type.element.name


def _integer(number: Number) -> int | None:
    return int(number.constant) if isinstance(number.constant, int) and number.type.is_integer else None
