"""Frozen dataclasses as plain data and back: what is read can be wrong, but never anything else than such records.

A record becomes a list of its fields. No class is named in the data: each type is known from the field that holds it,
so that reading runs no code but the constructors of the records asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

VOLATILE = "volatile"
"""In a field's metadata: it is left out, and read back as its default."""
_PLAIN = (str, int, float, bool, NoneType)


def as_data(value: Any) -> Any:
    """Return lists, dicts, strings and numbers for a record. TypeError for what is no record nor made of such."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        return [as_data(item) for item in value]
    if isinstance(value, Mapping):
        return {key: as_data(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return [as_data(getattr(value, name)) for name in _kept(type(value))]
    raise TypeError(f"{type(value).__name__} is no record")


def from_data(kind: Any, data: Any) -> Any:
    """Return the record of a type from `as_data`.

    TypeError, ValueError or KeyError where the data is of another shape.
    """
    return _reader(kind)(data)


@cache
def _kept(record: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record) if not field.metadata.get(VOLATILE))


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _exactly(kind)
    if origin in (Union, UnionType):
        return _either(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(arguments[1])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if is_dataclass(kind):
        return _record(kind)  # type: ignore[arg-type]
    raise TypeError(f"{kind} is no record")


def _exactly(kind: type) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            if kind is float and type(data) is int:
                return float(data)
            raise TypeError(f"{data!r} is no {kind.__name__}")
        return data

    return read


def _either(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    (inner,) = (kind for kind in kinds if kind is not NoneType)
    present = _reader(inner)
    return lambda data: None if data is None else present(data)


def _tuple(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    if kinds[-1] is Ellipsis:
        item = _reader(kinds[0])
        return lambda data: tuple(map(item, _list(data)))
    items = tuple(map(_reader, kinds))
    return lambda data: tuple(read(part) for read, part in zip(items, _list(data), strict=True))


def _mapping(kind: Any) -> Callable[[Any], Any]:
    item = _reader(kind)

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise TypeError(f"{data!r} is no mapping")
        return {key: item(value) for key, value in data.items()}

    return read


def _record(kind: type) -> Callable[[Any], Any]:
    readers: list[Callable[[Any], Any]] = []
    names = _kept(kind)

    def read(data: Any) -> Any:
        if not readers:  # late, since a record may hold its own kind
            by_name = {field.name: field for field in fields(kind)}
            readers.extend(_reader(_type(kind, by_name[name])) for name in names)
        parts = _list(data)
        return kind(**{name: read(part) for name, read, part in zip(names, readers, parts, strict=True)})

    return read


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is no list")
    return data


def _type(record: type, field: Field[Any]) -> Any:
    """Return a field's type, which its module must import for more than type checkers."""
    if not isinstance(field.type, str):
        return field.type
    return eval(field.type, dict(vars(sys.modules[record.__module__])))
