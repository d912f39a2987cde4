"""NumPy's and CuPy's random numbers: functions of the module and methods of generators."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.dtypes import element_of
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.build import INDEX
from coalint.frontend.python.numba.lowering.host_arrays import made, shape_of
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import FLOAT64, INT64, Scalar
from coalint.frontend.python.numba.values import Dotted, Nothing, Number, TupleValue, Value

_MODULE = "numpy.random"
_GENERATOR = "numpy.random.Generator"


def _random(element: Scalar, size_place: int, *, separate: bool = False) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        written = given.named.get("dtype")
        element_type = element if written is None else element_of(written)
        size = TupleValue(given.positional) if separate else given.get(size_place, "size")
        shape = shape_of(size)
        if not shape or element_type is None:
            return Number(ir.Unresolved(low.span(node), INDEX, "a random number"), INT64) if not shape else None
        return made(low, node, element_type, shape)

    return handler


def _module(name: str) -> Handler:
    return lambda _low, _node, _given: Dotted(name)


_OF_MODULE: dict[str, Handler] = {
    "rand": _random(FLOAT64, 0, separate=True),
    "randn": _random(FLOAT64, 0, separate=True),
    "random": _random(FLOAT64, 0),
    "random_sample": _random(FLOAT64, 0),
    "ranf": _random(FLOAT64, 0),
    "uniform": _random(FLOAT64, 2),
    "normal": _random(FLOAT64, 2),
    "standard_normal": _random(FLOAT64, 0),
    "randint": _random(INT64, 2),
    "seed": lambda _low, _node, _given: Nothing(),
    "RandomState": _module(_MODULE),
    "default_rng": _module(_GENERATOR),
}
_OF_GENERATOR: dict[str, Handler] = {
    "random": _random(FLOAT64, 0),
    "uniform": _random(FLOAT64, 2),
    "normal": _random(FLOAT64, 2),
    "standard_normal": _random(FLOAT64, 0),
    "integers": _random(INT64, 2),
}

TABLE: Table = {
    **{f"{_MODULE}.{name}": handler for name, handler in _OF_MODULE.items()},
    **{f"{_GENERATOR}.{name}": handler for name, handler in _OF_GENERATOR.items()},
}
