"""The base classes of the IR: variables, expressions, statements."""

from __future__ import annotations

from enum import Enum

from coalint.core.ir.types import Type
from coalint.core.records import record
from coalint.core.source.spans import Span


class Storage(Enum):
    """Where a variable lives."""

    LOCAL = "local"
    PARAMETER = "parameter"
    SHARED = "shared"
    GLOBAL = "global"
    CONSTANT = "constant"
    HOST = "host"
    TEMPLATE = "template"  # a template's own parameter, in code that no arguments were found for


@record(frozen=True, slots=True)
class Variable:
    """A declared variable; `key` tells it from others of the same name, `type_name` is an array's element type.

    `supposed` is what the front end takes for itself of the array that it leads to: what rests on it is not exact.
    `is_component` says that the source names only the whole that it is a part of: `a` for `a.shape[1]`. `is_restrict`:
    the source promises that what is stored through this pointer is reached through no other. `numbers` are the elements
    of an array in memory that nothing changes, row after row; empty where they are not known.
    """

    key: str
    name: str
    type: Type
    storage: Storage
    span: Span
    constant: int | None = None
    type_name: str = ""
    supposed: str = ""
    is_component: bool = False
    is_restrict: bool = False
    numbers: tuple[int, ...] = ()


@record(frozen=True, slots=True, eq=False)
class Expression:
    """What has a value; `type` is its C++ type, `span` the place that it is written at."""

    span: Span
    type: Type


@record(frozen=True, slots=True, eq=False)
class Statement:
    """What is executed."""

    span: Span
