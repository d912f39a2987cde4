"""Which operations become functions with branches for what is rare.

Seen in the machine code of nvcc 13.0 for sm_90, without `-use_fast_math`: quotients of floating-point numbers, but by
powers of two, square roots, and quotients of 64-bit integers by what is no constant. Quotients of 32-bit integers,
`expf`, `logf`, `powf`, `tanhf`, `erff` and `rsqrtf` are none.
"""

from __future__ import annotations

from math import frexp

from coalint.core import ir
from coalint.core.ir import folding

_CONSTANT = (ir.Literal, ir.Unary, ir.Binary, ir.Cast)
_WIDE = 64  # bits of integers that are divided so


def divides_slowly(operator: str, left: ir.Type, right: ir.Type, e: ir.Expression) -> bool:
    """Whether an operation on numbers of two types, as it is written, is a quotient of that kind."""
    if operator not in ("/", "%"):
        return False
    divisor = e.right if isinstance(e, ir.Binary) else e.value if isinstance(e, ir.Assign) else None
    if all(isinstance(node, _CONSTANT) for node in ir.nodes(e)):
        return False
    if operator == "/" and ir.Floating in (type(left), type(right)):
        return not (isinstance(divisor, ir.Expression) and _is_power_of_two(divisor))
    is_wide = any(isinstance(kind, ir.Integer) and kind.bits >= _WIDE for kind in (left, right))
    return is_wide and not (isinstance(divisor, ir.Expression) and folding.constant(divisor) is not None)


def _is_power_of_two(divisor: ir.Expression) -> bool:
    while isinstance(divisor, ir.Cast):
        divisor = divisor.operand
    number = divisor.floating if isinstance(divisor, ir.Literal) else None
    number = folding.constant(divisor) if number is None else number
    return bool(number) and number is not None and frexp(abs(number))[0] == 0.5
