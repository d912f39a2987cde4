"""Values as they are stored, and expressions that stand where statements do."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.frontend.python.numba.lowering import complexes
from coalint.frontend.python.numba.lowering.build import converted
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import Scalar, ScalarKind, ir_type
from coalint.frontend.python.numba.values import Number, Value


def as_type(low: Lowering, value: Value, type_: Scalar, node: ast.AST) -> ir.Expression:
    """Return a value as it is stored in memory."""
    span = low.span(node)
    if not isinstance(value, Number):
        return unresolved(value, ir_type(type_), span)
    if type_.kind is ScalarKind.COMPLEX:
        if value.type == type_:
            return value.expression
        re, im = complexes.halves(low, value, type_, span)
        return complexes.made(span, type_, re, im).expression
    return converted(value, type_)


def node_of(node: ast.AugAssign) -> ast.expr:
    """Return an expression that stands where a statement stands."""
    return ast.copy_location(ast.Name("value", ast.Load()), node)
