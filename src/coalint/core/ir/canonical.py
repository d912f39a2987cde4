"""Digests of functions that do not depend on where these stand, nor on the keys that a front end gives to names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from coalint.core.ir.expressions import Call, FunctionName, Lambda, Launch, Literal
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Variable
from coalint.core.ir.types import Array, Floating, Integer, Other, Pointer, Record, Reference
from coalint.core.records import record
from coalint.core.source.source_lines import SourceLines
from coalint.core.source.spans import Span

_TYPES = (Integer, Floating, Pointer, Reference, Array, Record, Other)
_REFERENCES = {Call: "function", FunctionName: "function", Lambda: "function", Launch: "kernel"}
"""Fields that hold the key of a function."""


@record(frozen=True, slots=True)
class FunctionForm:
    """What a function is apart from its place and keys.

    Attributes:
        digest: Of its content; variables and functions are numbered in their order there.
        variables: The keys of its variables in this order.
        callees: The keys of the functions that it refers to in this order.
        records: The names of the struct types that it uses.
        declared: Where these are declared.
        elsewhere: Places outside of it that it refers to, as of global variables, in their order.
    """

    digest: bytes
    variables: tuple[str, ...]
    callees: tuple[str, ...]
    records: frozenset[str]
    declared: frozenset[str]
    elsewhere: tuple[Span, ...]


@record(frozen=True, slots=True)
class Reach:
    """Functions and all that they refer to, directly or not.

    Attributes:
        digest: Of all their content; equal for code that is the same but for its place and keys.
        functions: The functions in an order that is the same for such code.
        variables: The keys of their variables, each with a number that is the same for such code.
        records: The names of the struct types that they use.
        declared: Where these are declared.
        elsewhere: Places outside of them that they refer to, in an order that is the same for such code.
    """

    digest: bytes
    functions: tuple[Function, ...]
    variables: Mapping[str, int]
    records: frozenset[str]
    declared: frozenset[str]
    elsewhere: tuple[Span, ...]

    @property
    def pieces(self) -> tuple[Span, ...]:
        """The places of all of it, in an order that is the same for such code."""
        return (*(function.span for function in self.functions), *self.elsewhere)


class CanonicalForms:
    """The forms of a module's functions, each found once.

    Args:
        functions: Those that are followed, by their keys.
        sources: The texts of files.
        names: What other functions are told apart by, by their keys.
        plain: Gives the words of a form without what does not tell functions apart; as they are without it.
    """

    def __init__(
        self,
        functions: Mapping[str, Function],
        sources: Mapping[str, str],
        names: Mapping[str, str] = MappingProxyType({}),
        plain: Callable[[str], str] = str,
    ) -> None:
        self._functions, self._sources, self._names = functions, SourceLines(sources), names
        self._plain = plain
        self._forms: dict[str, FunctionForm] = {}

    def reach(self, roots: Iterable[Function]) -> Reach:
        """Return what functions come to with all that they refer to."""
        order: dict[str, Function] = {function.key: function for function in roots}
        pending = list(order.values())
        variables: dict[str, int] = {}
        parts: list[object] = [len(order)]
        records: set[str] = set()
        declared: set[str] = set()
        elsewhere: dict[Span, int] = {}
        for function in pending:  # which grows meanwhile
            form = self._form(function)
            for key in form.callees:
                callee = self._functions.get(key)
                if callee is not None and key not in order:
                    order[key] = callee
                    pending.append(callee)
            numbers = {key: number for number, key in enumerate(order)}
            parts.append(form.digest)
            parts.append([variables.setdefault(key, len(variables)) for key in form.variables])
            parts.append([numbers.get(key, self._names.get(key)) for key in form.callees])
            parts.append([elsewhere.setdefault(place, len(elsewhere)) for place in form.elsewhere])
            records |= form.records
            declared |= form.declared
        digest = blake2b(repr(parts).encode(), digest_size=16).digest()
        return Reach(
            digest=digest,
            functions=tuple(pending),
            variables=variables,
            records=frozenset(records),
            declared=frozenset(declared),
            elsewhere=tuple(elsewhere),
        )

    def _form(self, function: Function) -> FunctionForm:
        form = self._forms.get(function.key)
        if form is None:
            form = self._forms[function.key] = _Writer(function, self._sources, self._plain).form()
        return form


class _Writer:
    """Writes one function down as a list of plain values."""

    def __init__(self, function: Function, sources: SourceLines, plain: Callable[[str], str]) -> None:
        self.function, self.at, self.sources, self.plain = function, function.span, sources, plain
        self.out: list[object] = []
        self.variables: dict[str, int] = {}
        self.callees: dict[str, int] = {}
        self.types: dict[Any, int] = {}
        self.known_types: dict[int, int] = {}
        self.records: set[str] = set()
        self.declared: set[str] = set()
        self.elsewhere: dict[Span, int] = {}

    def form(self) -> FunctionForm:
        """Return the function's form."""
        one = self.function
        self.out += (one.name, one.bundled, one.is_const, sorted(one.kept))
        for part in (one.parameters, one.receiver, one.result, one.span, one.body):
            self.write(part)
        digest = blake2b(self.plain(repr(self.out)).encode(), digest_size=16).digest()
        return FunctionForm(
            digest=digest,
            variables=tuple(self.variables),
            callees=tuple(self.callees),
            records=frozenset(self.records),
            declared=frozenset(self.declared),
            elsewhere=tuple(self.elsewhere),
        )

    def write(self, value: Any) -> None:
        kind = type(value)
        if kind is Span:
            self.span(value)
        elif kind in _SCALARS:
            self.out.append(value)
        elif kind is tuple:
            self.out.append(len(value))
            for part in value:
                self.write(part)
        elif kind is Variable:
            self.variable(value)
        elif kind in _TYPES:
            self.type(value)
        elif isinstance(value, Enum):
            self.out.append(value.name)
        elif kind is frozenset:
            self.out.append(sorted(map(str, value)))
        else:
            self.node(kind, value)

    def node(self, kind: type, value: Any) -> None:
        if kind is Literal and value.value == value.span.line and not self.sources.text(value.span)[:1].isdigit():
            self.out.append("the line that it stands on")
            self.write(value.type)
            self.span(value.span)
            return
        names, get = _plan(kind)
        self.out.append(kind.__name__)
        reference = _REFERENCES.get(kind)
        for name, part in zip(names, get(value), strict=True):
            if name == reference:
                self.out.append(None if part is None else self.callees.setdefault(part, len(self.callees)))
            elif name == "others":  # keys of variables
                self.out.append((len(part), sorted(self.variables[key] for key in part if key in self.variables)))
            else:
                self.write(part)

    def variable(self, value: Variable) -> None:
        number = self.variables.get(value.key)
        if number is not None:
            self.out.append(number)
            return
        self.variables[value.key] = len(self.variables)
        self.out += (value.name, value.storage.name, value.constant, value.type_name, value.supposed)
        self.out += (value.is_component, value.numbers)
        self.type(value.type)
        self.span(value.span)

    def type(self, value: Any) -> None:
        number = self.known_types.get(id(value))
        if number is None:
            number = self.types.get(value)
            if number is None:
                number = self.types[value] = len(self.types)
                self.out.append(_DECLARED.sub("", repr(value)))
                self._note_record(value)
            self.known_types[id(value)] = number
        self.out.append(number)

    def _note_record(self, value: Any) -> None:
        """Note down the struct that a type is, or leads to."""
        while not isinstance(value, Record):
            inner = _INNER.get(type(value))
            if inner is None:
                return
            value = getattr(value, inner)
        self.records.add(value.name)
        self.declared.add(value.declared)

    def span(self, span: Span) -> None:
        at = self.at
        if span.file == at.file and at.line <= span.line and span.end_line <= at.end_line and span.cell is None:
            line, end = span.line - at.line, span.end_line - at.line
            self.out.append((line, span.column, end, span.end_column, span.bundled))
        else:
            number = self.elsewhere.setdefault(span, len(self.elsewhere))
            lines = span.end_line - span.line
            self.out.append(("elsewhere", number, span.column, lines, span.end_column, repr(span.cell)))


_DECLARED = re.compile(r", declared='[^']*'")
_INNER = {Pointer: "pointee", Reference: "target", Array: "element"}
_SCALARS = (str, int, bool, type(None), float)


@cache
def _plan(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Return the names of a record's fields, and what gets their values."""
    names = tuple(field.name for field in fields(kind))
    if len(names) == 1:
        (name,) = names
        return names, lambda value: (getattr(value, name),)
    return names, attrgetter(*names)
