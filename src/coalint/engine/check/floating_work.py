"""How long the functions and floating-point operations of a kernel take, in cycles of a multiprocessor for one warp."""

from __future__ import annotations

import re

from coalint.core import ir
from coalint.core.ir.intrinsics import Intrinsic

_FUNCTION = 6.0
_HARDWARE_FUNCTION = 2.0
_OPERATIONS = {"+": 0.125, "-": 0.125, "*": 0.125, "/": 2.0}  # a multiplication and a sum are one instruction
_INTRINSICS = {Intrinsic.ARITHMETIC: 0.25, Intrinsic.TEXTURE_READ: 8.0, Intrinsic.SQUARE_ROOT: 2.0}
_NAMES = (
    r"sin|cos|tan|sincos|sinpi|cospi|sincospi|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|"
    r"expm1|log|log2|log10|log1p|pow|erf|erfc|erfinv|erfcinv|tgamma|lgamma|cbrt|rcbrt|hypot|fmod|remainder|j0|j1|y0|y1"
)
_PRECISE = re.compile(rf"(std::)?({_NAMES})f?$")
_HARDWARE = re.compile(rf"(__({_NAMES})f|h2?({_NAMES}))$")


def floating_cycles(node: ir.Expression | ir.Statement) -> float | None:
    """Return the cycles of what a node itself computes of floating-point numbers, or loads as a texture; else None."""
    match node:
        case ir.Call() if _PRECISE.match(node.name):
            return _FUNCTION
        case ir.Call() if _HARDWARE.match(node.name):
            return _HARDWARE_FUNCTION
        case ir.Call(intrinsic=Intrinsic()) if node.intrinsic in _INTRINSICS:
            return _INTRINSICS[node.intrinsic]
        case ir.Binary(type=ir.Floating()) | ir.Assign(type=ir.Floating()):
            return _OPERATIONS.get(node.operator or "", 0.0)
        case _:
            return None
