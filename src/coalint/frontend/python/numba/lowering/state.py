"""The state of one function that is being lowered: names, statements so far, ways to give up on a part."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.components import parts, pointer, put_together, taken_apart, type_of
from coalint.frontend.python.numba.lowering.variables import Variables
from coalint.frontend.python.numba.scopes import Scope
from coalint.frontend.python.numba.types import Type, UnknownType
from coalint.frontend.python.numba.unit import Unit
from coalint.frontend.python.numba.values import (
    ArrayValue,
    Bound,
    FunctionValue,
    Number,
    RecordValue,
    TupleValue,
    Unknown,
    Value,
)

_PARTS = 8
"""How many statements of the IR are looked back over for what one statement has said already."""


class Lowering(ABC):
    """One function of a kernel (or of its host) on its way to the IR.

    `statements` are those of the block at hand. `results` are the types that it returns, `result` the type of
    all of them as the last pass over the function has found it. `launches` are the kernels
    that it launches with the types of their arguments. `is_static` marks the evaluation of a name outside of functions.
    """

    def __init__(self, unit: Unit, scope: Scope, key: str, *, is_host: bool = False, is_static: bool = False) -> None:
        self.unit = unit
        self.scope = scope
        self.key = key
        self.is_host = is_host
        self.is_static = is_static
        once = frozenset(name for name, bindings in scope.bound.items() if len(bindings) == 1)
        self.variables = Variables(key, once if not is_static else frozenset())
        self.statements: list[ir.Statement] = []
        self.results: list[Type] = []
        self.result: Type | None = None
        self.launches: list[tuple[FunctionValue, tuple[Type, ...]]] = []
        self.made = 0

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """Return what an expression stands for."""

    @abstractmethod
    def body(self, nodes: Sequence[ast.stmt]) -> None:
        """Lower statements into the block at hand."""

    def other(self, scope: Scope, key: str, *, is_host: bool = False, is_static: bool = False) -> Lowering:
        """Return the state for another function."""
        return type(self)(self.unit.around(scope), scope, key, is_host=is_host, is_static=is_static)

    def outside(self, scope: Scope) -> Lowering:
        """Return the state for what stands outside of functions."""
        return self.other(scope, "outside", is_static=True)

    def span(self, node: ast.AST) -> Span:
        """Return the place of a node."""
        return self.unit.places.span(node)

    def text(self, node: ast.AST) -> str:
        """Return a node as it is written, on one line."""
        return " ".join((ast.get_source_segment(self.unit.text, node) or "").split()) or ast.unparse(node)

    def target_of(self, node: ast.AST) -> str | None:
        """Return the name that a value is assigned to."""
        return self.unit.targets.get(node)

    def emit(self, statement: ir.Statement) -> None:
        """Add a statement to the block at hand."""
        self.statements.append(statement)

    def not_analysed(self, span: Span, reason: str) -> None:
        """Say that what begins at a place is not analysed, once for a statement."""
        said = (one for one in self.statements[-_PARTS:] if isinstance(one, ir.Unanalysed))
        if not any((one.span.line, one.span.column) == (span.line, span.column) for one in said):
            self.emit(ir.Unanalysed(span, reason))

    @contextmanager
    def block(self) -> Iterator[list[ir.Statement]]:
        """Collect the statements of a block of its own."""
        outer, self.statements = self.statements, []
        try:
            yield self.statements
        finally:
            self.statements = outer

    def new_key(self, name: str) -> str:
        """Return a key that no other variable has."""
        self.made += 1
        return f"{self.key}:{name}#{self.made}"

    def kept(self, value: Value, name: str, span: Span) -> Value:
        """Evaluate a value now, into variables of their own."""
        type_ = type_of(value)
        if isinstance(type_, UnknownType):
            return value
        expressions: list[ir.Expression] = []
        for (part, part_type), e in zip(parts(type_, name), taken_apart(value, type_, span), strict=True):
            if isinstance(e, ir.Literal | ir.Name):
                expressions.append(e)
                continue
            variable = ir.Variable(
                self.new_key(part), part, part_type, ir.Storage.LOCAL, span, is_component=part != name
            )
            self.emit(ir.Declare(span, variable, e))
            expressions.append(ir.Name(span, part_type, variable))
        kept = put_together(type_, iter(expressions), span)
        if isinstance(kept, Number) and isinstance(value, Number):
            return Number(kept.expression, kept.type, value.constant, value.is_natural)
        return kept

    def assign(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a name a value."""
        span = self.span(node)
        for e in list(self.variables.assign(name, value, span)):
            self.emit(ir.Evaluate(span, e))

    def unknown(self, reason: str, *values: Value) -> Unknown:
        """Return what is not followed, with what was lowered of it."""
        return Unknown(reason, tuple(e for value in values for e in expressions_of(value)))


def expressions_of(value: Value) -> Iterator[ir.Expression]:
    """Yield what of a value is evaluated where it is handed on."""
    match value:
        case Number() | RecordValue():
            yield value.expression
        case ArrayValue():
            yield pointer(value)
        case TupleValue():
            for item in value.items:
                yield from expressions_of(item)
        case Bound():
            yield from expressions_of(value.object)
        case Unknown():
            yield from value.parts


def as_number(value: Value) -> Number | None:
    """Return a value as a number; None where it is none."""
    return value if isinstance(value, Number) else None


def unresolved(value: Value, type_: ir.Type, span: Span) -> ir.Expression:
    """Return what is not followed as an expression of a type."""
    reason = value.reason if isinstance(value, Unknown) else "a value that is not a number"
    return ir.Unresolved(span, type_, reason, tuple(expressions_of(value)))
