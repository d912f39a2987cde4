"""Signatures of kernels, as strings and as types: `void(float32[:, ::1], int32)`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from coalint.core.records import record
from coalint.frontend.python.numba.type_names import NAMES, scalar_named
from coalint.frontend.python.numba.types import ArrayType, Layout, Scalar, Structure, TupleType, Type, UnknownType
from coalint.frontend.python.numba.values import Dotted, ElementType, Value


@record(frozen=True, slots=True)
class Signature:
    """The types of a function's arguments; `result` is None for void, and where it is not said."""

    arguments: tuple[Type, ...]
    result: Type | None = None


Lookup = Callable[[ast.expr], Value]
"""What a name in the file stands for."""


def read_signature(written: str | ast.expr, lookup: Lookup) -> Signature | None:
    """Return a signature; None where it is none that is followed."""
    if isinstance(written, str):
        try:
            node = ast.parse(written.strip(), mode="eval").body
        except SyntaxError:
            return None
        return _signature(node, _of_string)
    return _signature(written, lookup)


def _of_string(node: ast.expr) -> Value:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    type_ = NAMES.get(name)
    return Dotted(f"numba.types.{name}") if type_ is None else ElementType(type_)


def _signature(node: ast.expr, lookup: Lookup) -> Signature | None:
    if isinstance(node, ast.Call):
        result = None if _is_void(lookup(node.func)) else read_type(node.func, lookup)
        return Signature(tuple(read_type(argument, lookup) for argument in node.args), result)
    if isinstance(node, ast.Tuple):
        return Signature(tuple(read_type(element, lookup) for element in node.elts))
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        type_ = read_type(node, lookup)
        return None if isinstance(type_, UnknownType) else Signature((type_,))
    return None


def _is_void(value: Value) -> bool:
    return isinstance(value, Dotted) and value.name.rpartition(".")[2] in ("void", "none")


def read_type(node: ast.expr, lookup: Lookup) -> Type:
    """Return the type that is written: `float32[:, :]`, `types.Array(float32, 2, "C")`."""
    unknown = UnknownType(f"the type `{ast.unparse(node)}` is not followed")
    if isinstance(node, ast.Subscript):
        element = read_type(node.value, lookup)
        return _array(element, node.slice) if isinstance(element, Scalar | Structure) else unknown
    if isinstance(node, ast.Call):
        return _made(node, lookup) or unknown
    value = lookup(node)
    if isinstance(value, ElementType):
        return value.type
    scalar = scalar_named(value.name) if isinstance(value, Dotted) else None
    return scalar or unknown


def _array(element: Scalar | Structure, slice_: ast.expr) -> ArrayType:
    axes = slice_.elts if isinstance(slice_, ast.Tuple) else [slice_]
    contiguous = [isinstance(axis, ast.Slice) and axis.step is not None for axis in axes]
    layout = Layout.C if contiguous[-1] else Layout.FORTRAN if contiguous[0] else Layout.ANY
    return ArrayType(element, layout, (None,) * len(axes))


def _made(node: ast.Call, lookup: Lookup) -> Type | None:
    called = lookup(node.func)
    name = called.name.rpartition(".")[2] if isinstance(called, Dotted) else ""
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    if name == "Array" and len(arguments) >= 3:
        element, ndim, layout = read_type(arguments[0], lookup), arguments[1], arguments[2]
        if isinstance(element, Scalar | Structure) and isinstance(ndim, ast.Constant) and isinstance(ndim.value, int):
            written = layout.value if isinstance(layout, ast.Constant) else "A"
            known = Layout(written) if written in ("A", "C", "F") else Layout.ANY
            return ArrayType(element, known, (None,) * ndim.value)
    if name == "UniTuple" and len(arguments) == 2 and isinstance(arguments[1], ast.Constant):
        return TupleType((read_type(arguments[0], lookup),) * int(arguments[1].value))  # type: ignore[arg-type]
    if name in ("Tuple", "BaseTuple") and arguments and isinstance(arguments[0], ast.Tuple | ast.List):
        return TupleType(tuple(read_type(element, lookup) for element in arguments[0].elts))
    return None
