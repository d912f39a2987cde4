"""What an expression of a kernel or of its host stands for while it is lowered."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.core.records import record
from coalint.frontend.python.numba.scopes import Scope
from coalint.frontend.python.numba.types import ArrayType, Element, Scalar, Structure


@record(frozen=True, slots=True)
class Number:
    """A scalar. `constant` is its value where the source says it; `is_natural` says that it is not below zero.

    `ratio` are the integers of which it is the quotient, for `math.ceil(n / 16)`.
    """

    expression: ir.Expression
    type: Scalar
    constant: int | float | None = None
    is_natural: bool = False
    ratio: tuple[Number, Number] | None = None


@record(frozen=True, slots=True)
class ArrayValue:
    """An array: its first element's address, or a variable of constant extents, with extents and strides in bytes.

    `base` is of a pointer's type, or of an array's where it is a variable; `strides` are there for the layout ANY.
    """

    base: ir.Expression
    type: ArrayType
    shape: tuple[Number, ...]
    strides: tuple[Number, ...] = ()


@record(frozen=True, slots=True)
class RecordValue:
    """A record, by its place or its value."""

    expression: ir.Expression
    type: Structure


@record(frozen=True, slots=True)
class TupleValue:
    """A tuple, or a list of the host."""

    items: tuple[Value, ...]


@record(frozen=True, slots=True)
class Dotted:
    """What a module holds, by its whole name: `numba.cuda.grid`."""

    name: str


@record(frozen=True, slots=True)
class ProjectModule:
    """A module that is a file of the project: its scope, None for a folder without `__init__.py`, and its path."""

    scope: Scope | None
    path: str


@record(frozen=True, slots=True)
class Text:
    """A string."""

    text: str


@record(frozen=True, slots=True)
class Nothing:
    """None."""


@record(frozen=True, slots=True)
class ElementType:
    """A type as a value: `np.float32`, `np.dtype([...])`."""

    type: Element


@record(frozen=True, slots=True)
class Slice:
    """`first:last:step`; None where it is not written."""

    first: Value | None
    last: Value | None
    step: Value | None


@record(frozen=True, slots=True)
class Range:
    """`range(first, last, step)`."""

    first: Number
    last: Number
    step: Number


@record(frozen=True, slots=True)
class Zipped:
    """`zip(a, b)`, and `enumerate(a)` as a range beside it."""

    items: tuple[Value, ...]


@record(frozen=True, slots=True, eq=False)
class FunctionValue:
    """A function of the file; `device` says that it is no kernel, `signatures` are those of its decorator.

    `configured` are grid and block where it is about to be launched.
    """

    node: ast.FunctionDef | ast.Lambda
    scope: Scope
    is_kernel: bool = False
    is_compiled: bool = False
    signatures: tuple[str | ast.expr, ...] = ()
    configured: tuple[Value, ...] | None = None


@record(frozen=True, slots=True)
class Bound:
    """A method with its object: `a.reshape`."""

    object: Value
    name: str


@record(frozen=True, slots=True)
class Unknown:
    """What is not followed, with the reason, and the parts of it that are lowered."""

    reason: str
    parts: tuple[ir.Expression, ...] = ()


Value = (
    Number
    | ArrayValue
    | RecordValue
    | TupleValue
    | Dotted
    | ProjectModule
    | Text
    | Nothing
    | ElementType
    | Slice
    | Range
    | Zipped
    | FunctionValue
    | Bound
    | Unknown
)
