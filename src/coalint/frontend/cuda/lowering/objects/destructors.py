"""Destructors of local objects: called where a block ends, and where a jump leaves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from coalint.core import ir
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering import members
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.gpu import intrinsics
from coalint.frontend.cuda.lowering.objects import classes

MOST_ELEMENTS = 16  # of an array of objects
_LEFT_BY = {"break": ("loop", "switch"), "continue": ("loop",)}


@record(slots=True)
class _Scope:
    """What a block has made so far; `kind` is `block`, `loop`, `switch` or `function`."""

    kind: str
    made: list[tuple[ir.Variable, Any]] = field(default_factory=list)


class Destruction:
    """The objects in scope whose destructors do something on the device."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self._scopes: list[_Scope] = []
        self._doing: dict[int, bool] = {}

    @contextmanager
    def scope(self, kind: str) -> Iterator[_Scope]:
        """Open a scope; a function's hides those around it."""
        before, scope = self._scopes, _Scope(kind)
        self._scopes = [scope] if kind == "function" else [*before, scope]
        try:
            yield scope
        finally:
            self._scopes = before

    def made(self, variable: ir.Variable, type_: Any) -> None:
        """Note a variable that the scope at hand ends."""
        if self._scopes and variable.storage is ir.Storage.LOCAL and self._does_something(type_):
            self._scopes[-1].made.append((variable, type_))

    def end(self, scope: _Scope, but: ir.Expression | None = None) -> list[ir.Statement]:
        """Return what happens at the end of a scope, to all its objects `but` the one that a function returns."""
        returned = but.variable.key if isinstance(but, ir.Name) else None
        return [
            statement
            for variable, type_ in reversed(scope.made)
            if variable.key != returned
            for statement in self._destroyed(type_, ir.Name(variable.span, variable.type, variable))
        ]

    def before_jump(self, kind: str, but: ir.Expression | None = None) -> list[ir.Statement]:
        """Return what happens before `break`, `continue` or `return`."""
        statements: list[ir.Statement] = []
        for scope in reversed(self._scopes):
            statements.extend(self.end(scope, but))
            if scope.kind in _LEFT_BY.get(kind, ()):
                break
        return statements

    def temporary(self, e: ir.Expression, type_: Any) -> list[ir.Statement]:
        """Return `T(arguments);` as a statement: made and destroyed."""
        if not (isinstance(e, ir.Call) and e.constructor and self._does_something(type_)):
            return []
        held = self.low.fresh(e.name, e.type, e.span)
        return [ir.Declare(e.span, held, e), *self._destroyed(type_, ir.Name(e.span, e.type, held))]

    # --- destructors

    def _does_something(self, type_: Any) -> bool:
        """Whether the end of an object runs code of the user's on the device."""
        canonical = type_.get_canonical()
        while canonical._kind_id in classes.ARRAYS:
            canonical = canonical.element_type.get_canonical()
        record = classes.record_of(canonical)
        if record is None:
            return False
        known = self._doing.get(record.hash)
        if known is None:
            self._doing[record.hash] = False
            known = self._doing[record.hash] = _own(record) is not None or any(
                self._does_something(part) for part in self._parts(record)
            )
        return known

    def _parts(self, record: Any) -> list[Any]:
        bases = [base.type for base, _ in self.low.bases.parents(record) if base is not None]
        return [*bases, *(field.type for field in classes.fields(record))]

    def _destroyed(self, type_: Any, e: ir.Expression) -> Iterator[ir.Statement]:
        """Yield the destructor's body, then members and bases, the last one first."""
        if not self._does_something(type_):
            return
        if isinstance(e.type, ir.Array):
            count = e.type.count or 0
            for position in reversed(range(count if count <= MOST_ELEMENTS else 0)):
                index = ir.Literal(e.span, ir.Integer(64, True), position)
                element = ir.Subscript(e.span, e.type.element, e, index)
                yield from self._destroyed(type_.get_canonical().element_type, element)
            return
        record = classes.record_of(type_)
        own = _own(record)
        if own is not None:
            key = None if classes.is_pattern(record) else self.low.function(own)
            reason = "" if key is not None else f"the destructor of `{record.spelling}` is not followed"
            void = ir.Other("void")
            call = intrinsics.call(e.span, void, own.spelling, key, (), receiver=e, reason=reason)
            yield ir.Evaluate(e.span, call)
        for held in reversed(classes.fields(record)):
            part = members.field_of(self.low, held, record, e, e.span)
            if isinstance(part.type, ir.Record | ir.Array):
                yield from self._destroyed(held.type, part)
        for base, _ in reversed(self.low.bases.parents(record)):
            if base is not None:
                yield from self._destroyed(base.type, self.low.within(e, record, base))


def _own(record: Any) -> Any:
    """Return the destructor that a class declares for the device, unless it is the compiler's or does nothing."""
    destructor = next((m for m in classes.members(record) if m._kind_id == kinds.DESTRUCTOR), None)
    if destructor is None or destructor.is_default_method():
        return None
    children = direct_children(destructor)
    if not any(child._kind_id == kinds.CUDADEVICE_ATTR for child in children):
        return None
    body = next((child for child in children if child._kind_id == kinds.COMPOUND_STMT), None)
    return None if body is not None and not direct_children(body) else destructor


def together(statements: Sequence[ir.Statement], span: Span) -> ir.Statement:
    """Return some statements as one."""
    return statements[0] if len(statements) == 1 else ir.Block(span, tuple(statements))
