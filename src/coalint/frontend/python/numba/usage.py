"""What a kernel's parameters are by the way it uses them, where nothing in the file says it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from coalint.core.records import record
from coalint.frontend.python.numba.scopes import Scope
from coalint.frontend.python.numba.types import FLOAT32, INT32, INT64, ArrayType, Layout, Type, UnknownType
from coalint.frontend.python.numba.values import FunctionValue, Value

ELEMENT_BYTES = 4
MOST_CALLS = 8
_METHODS_OF_ARRAYS = frozenset(
    {"shape", "size", "strides", "ndim", "T", "dtype", "fill", "reshape", "ravel", "itemsize"}
)
_ATTRIBUTES_OF_ARRAYS = _METHODS_OF_ARRAYS | {"real", "imag", "copy", "sum", "flat", "view", "astype", "transpose"}


@record
class _Uses:
    """How often a parameter is indexed at once, and whether it is used as an array at all."""

    ndim: int = 0
    is_array: bool = False
    is_record: bool = False


Lookup = Callable[[ast.expr, Scope], Value]
"""What an expression stands for, seen from a scope."""


def supposed_type(name: str, node: ast.FunctionDef | ast.Lambda, scope: Scope, lookup: Lookup) -> Type:
    """Return what a parameter is taken to be: an array in C order with elements of 4 bytes, or an integer."""
    uses = _uses(name, node, scope, lookup, 0)
    if uses.is_record:
        return UnknownType(f"the elements of `{name}` have fields, and nothing in the source says of which type")
    if not uses.is_array:
        return INT64
    axes = max(1, uses.ndim)
    what = f"`{name}` is in C order with elements of {ELEMENT_BYTES} bytes"
    return ArrayType(INT32 if _holds_indices(name, node) else FLOAT32, Layout.C, (None,) * axes, supposed=what)


def _uses(name: str, node: ast.FunctionDef | ast.Lambda, scope: Scope, lookup: Lookup, depth: int) -> _Uses:
    uses = _Uses()
    inner = scope.inner.get(node)
    parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
    for use in ast.walk(node):
        if isinstance(use, ast.Name) and use.id == name:
            _used(use, parents, inner or scope, uses, lookup, depth)
    return uses


def _used(
    use: ast.Name, parents: dict[ast.AST, ast.AST], scope: Scope, uses: _Uses, lookup: Lookup, depth: int
) -> None:
    parent = parents.get(use)
    axes, at = 0, parent
    below: ast.AST = use
    while isinstance(at, ast.Subscript) and at.value is below:
        axes += _indices(at.slice, scope)
        below, at = at, parents.get(at)
    if axes:
        uses.is_array, uses.ndim = True, max(uses.ndim, axes)
        is_field = isinstance(at, ast.Attribute) and at.attr not in _ATTRIBUTES_OF_ARRAYS
        uses.is_record = uses.is_record or is_field
    elif isinstance(parent, ast.Attribute) and parent.attr in _METHODS_OF_ARRAYS:
        uses.is_array = True
        uses.ndim = max(uses.ndim, _axes_of_shape(parent, parents))
    elif isinstance(parent, ast.Call) and use in parent.args:
        _passed(use, parent, scope, uses, lookup, depth)
    elif isinstance(parent, ast.For) and parent.iter is use:
        uses.is_array = True


def _holds_indices(name: str, node: ast.AST) -> bool:
    """Whether what is read from a parameter becomes an index, by itself or through a variable."""
    variables = {
        target.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Assign) and _reads(name, inner.value)
        for target in inner.targets
        if isinstance(target, ast.Name)
    }
    places: list[ast.AST] = [inner.slice for inner in ast.walk(node) if isinstance(inner, ast.Subscript)]
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "range":
            places.extend(inner.args)
    for place in places:
        if _reads(name, place):
            return True
        if any(isinstance(inner, ast.Name) and inner.id in variables for inner in ast.walk(place)):
            return True
    return False


def _reads(name: str, node: ast.AST) -> bool:
    """Whether an expression holds an element of a parameter."""
    for inner in ast.walk(node):
        base = inner.value if isinstance(inner, ast.Subscript) else None
        if isinstance(base, ast.Name) and base.id == name:
            return True
    return False


def _indices(slice_: ast.expr, scope: Scope) -> int:
    if isinstance(slice_, ast.Tuple):
        return len(slice_.elts)
    if isinstance(slice_, ast.Name):
        return _axes_of_name(slice_.id, scope)
    return 1


def _axes_of_name(name: str, scope: Scope) -> int:
    """Return how many indices a name holds: `pos = cuda.grid(2)`."""
    for binding in scope.bound.get(name, []):
        if isinstance(binding, ast.Tuple):
            return len(binding.elts)
        if isinstance(binding, ast.Call) and ast.unparse(binding.func).endswith("grid") and binding.args:
            count = binding.args[0]
            if isinstance(count, ast.Constant) and isinstance(count.value, int):
                return count.value
    return 1


def _axes_of_shape(node: ast.Attribute, parents: dict[ast.AST, ast.AST]) -> int:
    parent = parents.get(node)
    if node.attr == "T":
        return 2
    if node.attr != "shape":
        return 1
    if (
        isinstance(parent, ast.Subscript)
        and isinstance(parent.slice, ast.Constant)
        and isinstance(parent.slice.value, int)
    ):
        return parent.slice.value + 1 if parent.slice.value >= 0 else -parent.slice.value
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple):
        return len(parent.targets[0].elts)
    return 1


def _passed(use: ast.Name, call: ast.Call, scope: Scope, uses: _Uses, lookup: Lookup, depth: int) -> None:
    place = call.args.index(use)
    if isinstance(call.func, ast.Name) and call.func.id == "len":
        uses.is_array = True
        uses.ndim = max(uses.ndim, 1)
        return
    if isinstance(call.func, ast.Attribute) and "atomic" in ast.unparse(call.func) and place == 0:
        uses.is_array = True
        uses.ndim = max(uses.ndim, _indices(call.args[1], scope) if len(call.args) > 1 else 1)
        return
    if depth >= MOST_CALLS or not isinstance(call.func, ast.Name | ast.Attribute):
        return
    function = lookup(call.func, scope)
    if isinstance(function, FunctionValue) and place < len(function.node.args.args):
        inside = _uses(function.node.args.args[place].arg, function.node, function.scope, lookup, depth + 1)
        uses.is_array = uses.is_array or inside.is_array
        uses.ndim, uses.is_record = max(uses.ndim, inside.ndim), uses.is_record or inside.is_record
