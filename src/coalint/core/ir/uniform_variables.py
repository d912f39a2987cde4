"""Variables of a kernel that all threads of a block have in common, by what the source says of them."""

from __future__ import annotations

from collections.abc import Set

from coalint.core.ir.expressions import (
    AddressOf,
    Assign,
    Binary,
    Builtin,
    Cast,
    Conditional,
    Increment,
    Literal,
    Name,
    Unary,
)
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Expression
from coalint.core.ir.registers import Register
from coalint.core.ir.statements import Declare
from coalint.core.ir.types import Pointer, Reference
from coalint.core.ir.walk import children, nodes

_COMPUTED = (Literal, Name, Builtin, Unary, Binary, Conditional, Cast)


def uniform_variables(kernel: Function) -> frozenset[str]:
    """Return the keys of a kernel's parameters, and of what is computed of them alone, that nothing changes."""
    changed = {
        one.target.variable.key
        for one in nodes(kernel.body)
        if isinstance(one, Assign | Increment | AddressOf) and isinstance(one.target, Name)
    }
    known = {one.key for one in kernel.parameters if not isinstance(one.type, Pointer | Reference)} - changed
    for one in nodes(kernel.body):
        if not isinstance(one, Declare) or one.initializer is None or one.variable.key in changed:
            continue
        if is_uniform(one.initializer, known):
            known.add(one.variable.key)
    return frozenset(known)


def is_uniform(value: Expression, variables: Set[str]) -> bool:
    """Whether a value is the same in all threads of a block, as these variables are, by their keys."""
    if isinstance(value, Name):
        return value.variable.key in variables or value.variable.constant is not None
    if isinstance(value, Builtin):
        return value.register is not Register.THREAD_INDEX
    if not isinstance(value, _COMPUTED):
        return False
    return all(isinstance(part, Expression) and is_uniform(part, variables) for part in children(value))
