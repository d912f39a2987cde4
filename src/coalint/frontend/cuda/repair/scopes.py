"""What undeclared names stand for, scope by scope."""

from __future__ import annotations

import re
from dataclasses import field
from enum import IntEnum

from coalint.core.records import record

NUMBERS = {
    **{f"int{bits}": type_ for bits, type_ in ((8, "signed char"), (16, "short"), (32, "int"), (64, "long long"))},
    **{f"uint{bits}": f"unsigned {type_}" for bits, type_ in ((8, "char"), (16, "short"), (32, "int"))},
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}
"""Types whose names say what they are, in every library that has them."""

SPACE = "coalint_undeclared"
ANY = f"{SPACE}::any"


class ScopeKind(IntEnum):
    """What a name seems to be; of two opinions the greater holds."""

    VALUE = 0
    OBJECT = 1
    FUNCTION = 2
    FUNCTION_TEMPLATE = 3
    TYPE = 4
    ENUM = 5
    TEMPLATE = 6
    NAMESPACE = 7


CAPITALIZED = re.compile(r"k?[A-Z]\w*")
TYPES = (ScopeKind.TYPE, ScopeKind.ENUM, ScopeKind.TEMPLATE)


@record
class Scope:
    """Names of one namespace: those declared here, and the namespaces inside."""

    names: dict[str, tuple[ScopeKind, str]] = field(default_factory=dict)
    inner: dict[str, Scope] = field(default_factory=dict)
