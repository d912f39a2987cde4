"""Kernels: the types that they are compiled for, and the IR of each."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.source.comments import Word, read_comments
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.components import type_of, without_constants
from coalint.frontend.python.numba.lowering.functions import instance, parameters_of
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.scopes import Scope
from coalint.frontend.python.numba.signatures import Signature, read_signature
from coalint.frontend.python.numba.types import ArrayType, Layout, Scalar, Type, UnknownType
from coalint.frontend.python.numba.unit import Unit
from coalint.frontend.python.numba.usage import supposed_type
from coalint.frontend.python.numba.values import FunctionValue, Value

COMMENT = "#"
MOST_INSTANCES = 16
"""Sets of argument types that one kernel is read for; that there are more is said."""


def signatures_of(low: Lowering, function: FunctionValue) -> list[Signature]:
    """Return the signatures that a kernel's decorator names."""
    outside = low.outside(function.scope)

    def lookup(node: ast.expr) -> Value:
        return outside.value(node)

    signatures = (read_signature(written, lookup) for written in function.signatures)
    count = len(parameters_of(function))
    return [signature for signature in signatures if signature is not None and len(signature.arguments) == count]


def kernel_types(low: Lowering, function: FunctionValue, values: Sequence[Value] | None) -> tuple[Type, ...]:
    """Return the types that a kernel is compiled for when it is launched with these values."""
    parameters = parameters_of(function)
    given: list[Type | None] = [None] * len(parameters)
    if values is not None and len(values) == len(parameters):
        given = [_known(type_of(one)) for one in values]
    signature = _matching(signatures_of(low, function), given)
    node, scope = function.node, function.scope

    def lookup(e: ast.expr, seen_from: Scope) -> Value:
        return low.outside(seen_from).value(e)

    types: list[Type] = []
    for place, parameter in enumerate(parameters):
        stated = signature.arguments[place] if signature is not None else None
        passed = given[place]
        if isinstance(stated, UnknownType):
            stated = None
        if stated is None:
            types.append(passed or supposed_type(parameter.name, node, scope, lookup))
        else:
            types.append(_stated(parameter.name, stated, passed))
    return tuple(types)


def _known(type_: Type) -> Type | None:
    return None if isinstance(type_, UnknownType) else without_constants(type_)


def _stated(name: str, stated: Type, passed: Type | None) -> Type:
    """Return the type of a signature; of an array in any order, the order of what is passed."""
    if not isinstance(stated, ArrayType) or stated.layout is not Layout.ANY:
        return stated
    if isinstance(passed, ArrayType) and passed.ndim == stated.ndim:
        return replace(stated, layout=passed.layout)
    return replace(stated, layout=Layout.C, supposed=f"`{name}` is in C order")


def _matching(signatures: Sequence[Signature], given: Sequence[Type | None]) -> Signature | None:
    """Return the signature whose elements are those of the arrays that are passed; else the first."""
    for signature in signatures:
        pairs = zip(signature.arguments, given, strict=True)
        if all(_agrees(stated, passed) for stated, passed in pairs if passed is not None):
            return signature
    return signatures[0] if signatures else None


def _agrees(stated: Type, passed: Type) -> bool:
    if isinstance(stated, ArrayType) and isinstance(passed, ArrayType):
        return (stated.element, stated.ndim) == (passed.element, passed.ndim)
    return isinstance(stated, Scalar) == isinstance(passed, Scalar)


def kernel_key(unit: Unit, function: FunctionValue, types: tuple[Type, ...]) -> str:
    """Return the key of a kernel for arguments of these types."""
    known = unit.lowered.kernel_keys.setdefault((function.node, types), len(unit.lowered.kernel_keys))
    return f"kernel {getattr(function.node, 'name', 'lambda')} {known}"


def lowered_kernels(low: Lowering, functions: Sequence[FunctionValue]) -> tuple[ir.Kernel, ...]:
    """Return the kernels of the file: each for all types that it is launched with, else for those of its signatures."""
    kernels: list[ir.Kernel] = []
    for function in functions:
        launched = low.unit.lowered.launched.get(function.node) or _unlaunched(low, function)
        read = [_kernel(low, function, types) for types in list(launched)[:MOST_INSTANCES]]
        if len(launched) > len(read):
            low.unit.lowered.problems.append(_not_read(read[0], len(launched)))
        kernels.extend(read)
    return tuple(kernels)


def _not_read(kernel: ir.Kernel, count: int) -> ir.Problem:
    """Return what is said of a kernel that is launched with too many sets of argument types."""
    message = (
        f"the kernel {kernel.name} is launched with {count} sets of argument types, of which {MOST_INSTANCES} were read"
    )
    help = "lint the file that launches it with the others on its own"
    return ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, kernel.span, kernel.name, help=help)


def _unlaunched(low: Lowering, function: FunctionValue) -> dict[tuple[Type, ...], FunctionValue]:
    signatures = signatures_of(low, function)
    if not signatures:
        return {kernel_types(low, function, None): function}
    by_types: dict[tuple[Type, ...], FunctionValue] = {}
    for written, _ in zip(function.signatures, signatures, strict=False):
        by_types[kernel_types(low, replace(function, signatures=(written,)), None)] = function
    return by_types


def _kernel(low: Lowering, function: FunctionValue, types: tuple[Type, ...]) -> ir.Kernel:
    unit = low.unit.around(function.scope)
    key = kernel_key(unit, function, types)
    instance(low, function, types, key=key)
    lowered = unit.lowered.functions[key]
    name = getattr(function.node, "name", "lambda")
    return ir.Kernel(
        key=key, name=name, function=lowered, span=lowered.span, assumptions=assumptions(unit, function.node)
    )


def assumptions(unit: Unit, node: ast.FunctionDef | ast.Lambda) -> tuple[str, ...]:
    """Return what `# coalint: assume(...)` says inside of a kernel, or in the comment lines directly above it."""
    commented = read_comments(unit.text, COMMENT)
    if not commented.directives:
        return ()
    place: Span = unit.places.span(node)
    decorators = [decorator.lineno for decorator in getattr(node, "decorator_list", [])]
    first = min([place.line, *decorators]) - 1
    while first > 0 and unit.places.lines[first - 1].strip().startswith(COMMENT):
        first -= 1
    return tuple(
        directive.text
        for directive in commented.directives
        if directive.word is Word.ASSUME
        and not directive.error
        and first < commented.line(directive.start) <= place.end_line
    )
