"""What is inside of by-value parameters: what the user calls it, and which integers are known all the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from coalint.core import ir
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.store.part_names import Parts

_EXTENT = re.compile(r"\.(size|stride)s_\[(\d+)\]")
_POINTER_BYTES = 8


@record(frozen=True, slots=True)
class Quantity:
    """An integer inside of a parameter: `alphas.stride(3)`, `v.pitch`, `sizes[1]`; `is_unit_stride`: likely 1."""

    name: str
    is_unit_stride: bool = False


def pointer_name(parts: Parts, parameter: ir.Variable, at: int) -> str:
    """Return what a pointer at a byte offset of a parameter is called: `p.in`; a tensor's accessor as the tensor is.

    Empty where nothing names it, or the parameter is the pointer itself.
    """
    if not isinstance(parameter.type, ir.Record | ir.Array):
        return ""
    path = parts.path(parameter.type, at, _POINTER_BYTES)
    if path == ".data_" and isinstance(parameter.type, ir.Record) and "TensorAccessor" in parameter.type.name:
        return parameter.name
    return parameter.name + path if path else ""


def quantity(parts: Parts, parameter: ir.Variable, at: int, type_: ir.Integer) -> Quantity | None:
    """Return the integer at a byte offset of a parameter; None where nothing names it.

    The last stride of a tensor's accessor is 1 unless the tensor was transposed or sliced.
    """
    if not isinstance(parameter.type, ir.Record | ir.Array):
        return None
    path = parts.path(parameter.type, at, type_.size)
    if not path:
        return None
    extent = _EXTENT.fullmatch(path)
    if extent is None or not isinstance(parameter.type, ir.Record) or "TensorAccessor" not in parameter.type.name:
        return Quantity(parameter.name + path)
    axes = (parameter.type.size - _POINTER_BYTES) // (2 * type_.size)
    is_last = extent[1] == "stride" and int(extent[2]) == axes - 1
    return Quantity(f"{parameter.name}.{extent[1]}({extent[2]})", is_unit_stride=is_last)
