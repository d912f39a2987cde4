"""Which part of a struct an expression names: the members and elements that lead to it, and where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import gcd, prod

from coalint.core import ir
from coalint.core.ir.folding import constant
from coalint.core.records import record
from coalint.machine.nvcc.struct_loads import WIDEST, StructPart

MOST_PATHS = 64
"""Elements that loops name which are told apart."""


@record(frozen=True, slots=True)
class Step:
    """A member, or an element of one of a constant index: bytes from what it is a part of, its type and name."""

    offset: int
    type: ir.Type
    name: str


Path = tuple[str, tuple[Step, ...]]
"""A variable's key, and the steps that lead to a part of it."""


_NONE: Mapping[str, int] = {}


def path_of(receiver: str, node: ir.Expression | ir.Statement, values: Mapping[str, int] = _NONE) -> Path | None:
    """Return the variable of a struct, or what `this` points to, that an lvalue is all or a part of.

    `values` are the numbers of variables in indices, by their keys.
    """
    match node:
        case ir.Name() if isinstance(referred(node.variable.type), ir.Record):
            return node.variable.key, ()
        case ir.Dereference(pointer=ir.Name() as pointer) if pointer.variable.key == receiver:
            return receiver, ()
        case ir.Member():
            outer = path_of(receiver, node.object, values)
            if outer is None or node.offset is None or node.bit_bytes or isinstance(node.type, ir.Reference):
                return None
            return outer[0], (*outer[1], Step(node.offset, node.type, node.field and f".{node.field}"))
        case ir.Subscript():
            array, number = array_of(node), constant(node.index, values)
            outer = path_of(receiver, array, values) if array is not None and number is not None else None
            if outer is None or number is None or number < 0 or not outer[1]:
                return None
            *before, last = outer[1]  # nvcc knows where an element lies as it knows it of a member
            offset = last.offset + number * node.type.size
            return outer[0], (*before, Step(offset, node.type, f"{last.name}[{number}]"))
        case _:
            return None


def paths_of(receiver: str, node: ir.Expression, ranges: Mapping[str, range]) -> list[Path]:
    """Return the paths of an lvalue for all numbers of the counters in it; none where one is unknown, or of many."""
    names = (part.variable.key for part in ir.nodes(node) if isinstance(part, ir.Name))
    counters = [key for key in dict.fromkeys(names) if key in ranges]
    if not counters or prod(len(ranges[key]) for key in counters) > MOST_PATHS:
        return []
    numbers = product(*(ranges[key] for key in counters))
    paths = [path_of(receiver, node, dict(zip(counters, each, strict=True))) for each in numbers]
    known = [path for path in paths if path is not None]
    return known if len(known) == len(paths) else []


def parts_of(steps: tuple[Step, ...], size: int) -> set[StructPart]:
    """Return what is read of a struct, and by which names, where so many bytes are that the steps lead to."""
    offset, known = 0, 0
    for step in steps:
        offset += step.offset
        known = gcd(known or WIDEST, step.offset or WIDEST)
    name = "".join(step.name for step in steps).removeprefix(".")
    type_ = steps[-1].type
    words = isinstance(type_, ir.Record) and type_.has_word_lanes
    parts: set[StructPart] = set()
    if not words:
        parts.add(StructPart(offset, size, name, known))
    for at in range(0, size if words else 0, 4):
        parts.add(StructPart(offset + at, 4, f"{name}.{'xyzw'[at // 4]}", gcd(known, at)))
    return parts


def array_of(element: ir.Subscript) -> ir.Expression | None:
    """Return the array that decays to the base of a subscript; None where that is a pointer."""
    base = element.base
    while isinstance(base, ir.Cast):
        base = base.operand
    return base if isinstance(base.type, ir.Array) else None


def referred(type_: ir.Type) -> ir.Type:
    """Return what a reference refers to; other types as they are."""
    return type_.target if isinstance(type_, ir.Reference) else type_
