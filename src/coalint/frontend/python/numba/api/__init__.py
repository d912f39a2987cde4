"""What Numba, NumPy, CuPy, `math` and Python provide, by whole names: calls to the IR."""

from __future__ import annotations

import ast

from coalint.frontend.python.numba.api import (
    array_methods,
    atomics,
    casts,
    functions,
    generators,
    hosts,
    indices,
    memory,
    python,
    warps,
)
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.effects import unfollowed
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.type_names import scalar_named
from coalint.frontend.python.numba.values import Value

TABLE: Table = {
    **indices.TABLE,
    **memory.TABLE,
    **warps.TABLE,
    **atomics.TABLE,
    **functions.TABLE,
    **python.TABLE,
    **hosts.TABLE,
    **generators.TABLE,
    **array_methods.TABLE,
}


def called(low: Lowering, node: ast.Call, name: str, given: Arguments, object: Value | None = None) -> Value:
    """Return the result of what is known by this whole name; a method's begins with a dot."""
    handler = _handler(name)
    if handler is not None and not given.is_open:
        shifted = given if object is None else Arguments((object, *given.positional), given.named)
        result = handler(low, node, shifted)
        if result is not None:
            return result
    if name.startswith("."):
        whole = given if object is None else Arguments((object, *given.positional), given.named)
        return unfollowed(low, node, whole, f"the method `{name[1:]}` is not followed here")
    return unfollowed(low, node, given, f"`{name.removeprefix('builtins.')}` is not followed here")


def _handler(name: str) -> Handler | None:
    for module in ("cupyx.jit.", "cupy."):
        if name.startswith(module) and name not in TABLE:
            twin = ("numba.cuda." if module == "cupyx.jit." else "numpy.") + name[len(module) :]
            name = twin if twin in TABLE else name
    if name in TABLE:
        return TABLE[name]
    scalar = scalar_named(name)
    if scalar is not None:
        return casts.cast_to(scalar)
    return functions.of_module(name)
