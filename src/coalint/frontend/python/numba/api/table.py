"""What the tables of known functions hold."""

from __future__ import annotations

import ast
from collections.abc import Callable

from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.values import Value

Handler = Callable[[Lowering, ast.Call, Arguments], Value | None]
"""Gives the result of a call; None where its arguments are not those that are known."""

Table = dict[str, Handler]
