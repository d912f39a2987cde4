"""Writes the methods of records out, which `coalint.core.records.record` makes when a module is imported.

mypyc compiles what is written. A record becomes a plain class with `__init__`, `__eq__`, `__hash__` and comparisons,
and a statement behind it that hands the rest to `coalint.core.described.describe`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_OPTIONS = frozenset({"frozen", "slots", "eq", "order", "weakref_slot"})
_FIELD_OPTIONS = frozenset({"default", "default_factory", "init", "repr", "hash", "compare", "metadata"})
_COMPARISONS = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_IMPORT = "from typing import Any as _Any, ClassVar as _ClassVar, Literal as _Literal"
_DESCRIBE = "from coalint.core.described import describe as _describe"
_BY_VALUE = frozenset({"int", "str", "bool", "bytes"})


class UnknownRecordError(Exception):
    """A record is written in a way that this module does not know."""


@dataclass(frozen=True)
class Attribute:
    """A field of a record, as source text."""

    name: str
    type: str
    default: str = ""
    factory: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    def takes_part(self, option: str) -> bool:
        """Whether `repr`, `init` or `compare` is not switched off."""
        return self.options.get(option, "True") != "False"

    @property
    def hashed(self) -> bool:
        """Whether the hash looks at it."""
        return self.options.get("hash", self.options.get("compare", "True")) != "False"


@dataclass(frozen=True)
class Record:
    """A class that `record` decorates."""

    module: str
    node: ast.ClassDef
    options: Mapping[str, bool]
    own: tuple[Attribute, ...]
    base: str | None
    names: Mapping[str, str]
    """The statements that import the names of its module elsewhere, by the names."""


def records(module: str, tree: ast.Module) -> Iterator[Record]:
    """Yield the records of a module. Raises UnknownRecordError, with the place, for what is not known here."""
    names = _names(module, tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            options = _options(module, node)
            if options is None:
                continue
            bases = [ast.unparse(base) for base in node.bases]
            if len(bases) > 1 or node.keywords or len(node.decorator_list) > 1:
                raise _unknown(module, node, "more than one base, or other decorators")
            base = bases[0] if bases else None
            yield Record(module, node, options, tuple(_attributes(module, node)), base, names)


def written(text: str, own: list[Record], by_name: Mapping[str, Record]) -> str:
    """Return the text of a module with the methods of its records, which `by_name` holds with those of all others."""
    if not own:
        return text
    lines = text.split("\n")
    needed: set[str] = set()
    for record in reversed(own):
        node = record.node
        everything = _inherited(record, by_name)
        needed.update(_missing(record, by_name))
        indented = ["    " + line if line else line for line in _methods(record, everything)]
        end = node.end_lineno or node.lineno
        lines[end:end] = ["", *indented, "", "", _description(record)]
        for statement in reversed(node.body):
            if isinstance(statement, ast.AnnAssign) and not _is_class_variable(statement):
                declared = f"    {ast.unparse(statement.target)}: {ast.unparse(statement.annotation)}"
                lines[statement.lineno - 1 : statement.end_lineno] = [declared]
        del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    place = next(
        number
        for number, line in enumerate(lines)
        if line.startswith("from coalint.core.records import ")  # what a module needs to have records
    )
    lines[place : place + 1] = [lines[place], _IMPORT, _DESCRIBE, *sorted(needed)]
    return "\n".join(lines)


def _names(module: str, tree: ast.Module) -> dict[str, str]:
    dotted = "coalint." + module.removesuffix(".py").replace("/", ".")
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                bound = alias.asname or alias.name
                names[bound] = f"from {node.module} import {alias.name} as {bound}"
        elif isinstance(node, ast.ClassDef):
            names[node.name] = f"from {dotted} import {node.name}"
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    names[target.id] = f"from {dotted} import {target.id}"
    return names


def _missing(record: Record, by_name: Mapping[str, Record]) -> Iterator[str]:
    """Yield the imports that the fields of a record's bases need in its module."""
    base = by_name.get(record.base or "")
    while base is not None:
        texts = [text for each in base.own for text in (each.type, each.default, each.factory) if text]
        used = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        yield from (base.names[name] for name in used & base.names.keys() - record.names.keys())
        base = by_name.get(base.base or "")


def _options(module: str, node: ast.ClassDef) -> dict[str, bool] | None:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Name) and decorator.id == "record":
            return {}
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "record":
            given: dict[str, bool] = {}
            for word in decorator.keywords:
                if word.arg not in _OPTIONS or not isinstance(word.value, ast.Constant):
                    raise _unknown(module, node, f"the option `{ast.unparse(word)}` of `record`")
                given[word.arg] = bool(word.value.value)
            return given
    return None


def _attributes(module: str, node: ast.ClassDef) -> Iterator[Attribute]:
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or _is_class_variable(statement):
            if isinstance(statement, ast.Assign):
                raise _unknown(module, node, f"`{ast.unparse(statement)}` has no type")
            continue
        name, kind, value = ast.unparse(statement.target), ast.unparse(statement.annotation), statement.value
        if kind.startswith("InitVar") or kind == "KW_ONLY":
            raise _unknown(module, node, f"a field of the type {kind}")
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "field"):
            yield Attribute(name, kind, "" if value is None else ast.unparse(value))
            continue
        options = {word.arg or "**": word.value for word in value.keywords}
        if value.args or not options.keys() <= _FIELD_OPTIONS:
            raise _unknown(module, node, f"`{ast.unparse(value)}`")
        default, factory = options.pop("default", None), options.pop("default_factory", None)
        yield Attribute(
            name=name,
            type=kind,
            default="" if default is None else ast.unparse(default),
            factory="" if factory is None else _made(factory),
            options={option: ast.unparse(given) for option, given in options.items()},
        )


def _made(factory: ast.expr) -> str:
    """Return the call of a factory; of a lambda, what it returns."""
    return ast.unparse(factory.body) if isinstance(factory, ast.Lambda) else f"{ast.unparse(factory)}()"


def _is_class_variable(statement: ast.AnnAssign) -> bool:
    return ast.unparse(statement.annotation).split("[")[0].split(".")[-1] == "ClassVar"


def _inherited(record: Record, by_name: Mapping[str, Record]) -> list[Attribute]:
    """Return the fields of a record, those of its base first."""
    fields: dict[str, Attribute] = {}
    if record.base is not None:
        base = by_name.get(record.base)
        if base is None:
            raise _unknown(record.module, record.node, f"its base {record.base} is no record")
        fields = {each.name: each for each in _inherited(base, by_name)}
    fields.update((each.name, each) for each in record.own)
    return list(fields.values())


def _methods(record: Record, fields: list[Attribute]) -> Iterator[str]:
    given = {each.name for each in record.node.body if isinstance(each, ast.FunctionDef)}
    names = tuple(each.name for each in fields if each.takes_part("init"))
    literals = ", ".join(f"_Literal[{name!r}]" for name in names)
    yield f"__match_args__: _ClassVar[tuple[{literals or '()'}]] = {names!r}"
    yield "__dataclass_fields__: _ClassVar[dict[str, _Any]]"
    yield ""
    yield from _constructor(record, fields, "__post_init__" in given)
    if not record.options.get("eq", True):
        return
    compared = [each for each in fields if each.takes_part("compare")]
    if "__eq__" not in given:
        yield ""
        yield "def __eq__(self, other: object) -> bool:"
        yield f"    if not isinstance(other, {record.node.name}) or type(other) is not type(self):"
        yield "        return NotImplemented"
        yield f"    return {' and '.join(map(_equal, compared)) or 'True'}"
    if "__hash__" not in given and record.options.get("frozen"):
        yield ""
        yield "def __hash__(self) -> int:"
        yield f"    return hash({_tuple('self', [each for each in fields if each.hashed])})"
    if record.options.get("order"):
        for method, operator in _COMPARISONS.items():
            yield ""
            yield f"def {method}(self, other: {record.node.name}) -> bool:"
            yield f"    return {_tuple('self', compared)} {operator} {_tuple('other', compared)}"


def _equal(each: Attribute) -> str:
    """Return the comparison of a field: of what is the same object none is made, as in tuples."""
    alike = f"self.{each.name} == other.{each.name}"
    return alike if each.type in _BY_VALUE else f"(self.{each.name} is other.{each.name} or {alike})"


def _tuple(owner: str, fields: list[Attribute]) -> str:
    return f"({''.join(f'{owner}.{each.name}, ' for each in fields)})"


def _constructor(record: Record, fields: list[Attribute], prepares: bool) -> Iterator[str]:
    parameters = ["self"]
    sets = []
    for each in fields:
        if not each.takes_part("init"):
            if each.default or each.factory:
                sets.append(f"self.{each.name} = {each.default or each.factory}")
            continue
        if each.factory:
            if each.type.endswith("| None"):
                raise _unknown(record.module, record.node, f"a factory for `{each.name}`, which may be None")
            parameters.append(f"{each.name}: {each.type} | None = None")
            sets.append(f"self.{each.name} = {each.factory} if {each.name} is None else {each.name}")
        else:
            parameters.append(f"{each.name}: {each.type}" + (f" = {each.default}" if each.default else ""))
            sets.append(f"self.{each.name} = {each.name}")
    yield f"def __init__({', '.join(parameters)}) -> None:"
    for line in sets:
        yield f"    {line}"
    if prepares:
        yield "    self.__post_init__()"
    elif not sets:
        yield "    pass"


def _description(record: Record) -> str:
    """Return the statement that makes the class a dataclass to `fields` and `replace`, and lets it be pickled."""
    fields = ", ".join(_described(each) for each in record.own)
    options = ", ".join(f"{name}={value}" for name, value in record.options.items() if name in ("frozen", "eq"))
    return f"_describe({record.node.name}, [{fields}]{', ' if options else ''}{options})"


def _described(each: Attribute) -> str:
    options = dict(each.options)
    if each.default:
        options["default"] = each.default
    if each.factory:
        options["default_factory"] = f"lambda: {each.factory}"
    return f"({each.name!r}, {each.type!r}, {{{', '.join(f'{name!r}: {value}' for name, value in options.items())}}})"


def _unknown(module: str, node: ast.ClassDef, what: str) -> UnknownRecordError:
    return UnknownRecordError(f"{module}:{node.lineno}: the record {node.name} cannot be compiled: {what}")
