"""The kinds of values that a configuration file may hold: how each is read from TOML, and its JSON schema."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from coalint.core.findings import Severity
from coalint.core.records import record


class KindError(Exception):
    """A value is not of its key's kind; the text continues an error that begins with the key."""


@record(frozen=True)
class SettingKind:
    """One kind of value.

    Attributes:
        what: The kind in words.
        schema: Its JSON schema.
        read: Returns the value for what TOML holds and the folder that paths are relative to; raises KindError.
    """

    what: str
    schema: Mapping[str, Any]
    read: Callable[[Any, str], Any]


@record(frozen=True, slots=True)
class PerFile:
    """Rules that are not reported in the files that a pattern matches.

    Attributes:
        pattern: A pattern in gitignore's syntax; one that begins with `!` stands for all files it does not match.
        selectors: The rules.
        folder: What the pattern is relative to.
    """

    pattern: str
    selectors: tuple[str, ...]
    folder: str


def _refuse(kind: str, value: Any) -> KindError:
    return KindError(f"must be {kind}, not {_described(value)}")


def _described(value: Any) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f'the string "{value}"'
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list" if all(isinstance(item, str) for item in value) else "a list whose entries are not all strings"
    return "a table" if isinstance(value, dict) else "a date"


def _one(type_: type | tuple[type, ...], expected: str) -> Callable[[Any, str], Any]:
    def read(value: Any, folder: str) -> Any:
        if not isinstance(value, type_) or (isinstance(value, bool) and type_ is not bool):
            raise _refuse(expected, value)
        return value

    return read


def _number(expected: str, *types: type) -> Callable[[Any, str], Any]:
    def read(value: Any, folder: str) -> Any:
        if type(value) not in types or not 0 <= value < float("inf"):
            raise _refuse(expected, value)
        return types[-1](value)

    return read


def _list(expected: str) -> Callable[[Any, str], tuple[str, ...]]:
    def read(value: Any, folder: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _refuse(expected, value)
        return tuple(value)

    return read


def _absolute(path: str, folder: str) -> str:
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def _read_paths(value: Any, folder: str) -> tuple[str, ...]:
    return tuple(_absolute(path, folder) for path in _list("a list of paths")(value, folder))


def _read_path(value: Any, folder: str) -> str:
    return _absolute(_one(str, "a path")(value, folder), folder)


def _word(value: Any, words: tuple[str, ...]) -> str:
    listed = ", ".join(f'"{word}"' for word in words)
    if not isinstance(value, str):
        raise _refuse(f"one of {listed}", value)
    if value not in words:
        near = get_close_matches(value.lower(), words, 1, 0.5)
        raise KindError(f'must be one of {listed}, not "{value}"' + (f'; did you mean "{near[0]}"?' if near else ""))
    return value


def choice(*words: str) -> SettingKind:
    """Return the kind of values that are one of these words."""
    listed = ", ".join(f'"{word}"' for word in words)
    return SettingKind(
        f"one of {listed}", {"type": "string", "enum": list(words)}, lambda value, _: _word(value, words)
    )


_LEVELS = tuple(severity.label for severity in Severity)


def _read_severity(value: Any, folder: str) -> Severity:
    return Severity[_word(value, _LEVELS).upper()]


def _read_severities(value: Any, folder: str) -> tuple[tuple[str, Severity], ...]:
    if not isinstance(value, dict):
        raise _refuse("a table of severities by rule", value)
    severities = []
    for selector, level in value.items():
        try:
            severities.append((selector, _read_severity(level, folder)))
        except KindError as error:
            raise KindError(f"entry `{selector}`: {error}") from None
    return tuple(severities)


def _read_per_file(value: Any, folder: str) -> tuple[PerFile, ...]:
    if not isinstance(value, dict):
        raise _refuse("a table of lists of rules by pattern", value)
    entries = []
    for pattern, selectors in value.items():
        try:
            entries.append(PerFile(pattern, _list("a list of rules")(selectors, folder), folder))
        except KindError as error:
            raise KindError(f"entry `{pattern}`: {error}") from None
    return tuple(entries)


_STRINGS = {"type": "array", "items": {"type": "string"}}
_LEVEL = {"type": "string", "enum": list(_LEVELS)}

STRING = SettingKind("a string", {"type": "string"}, _one(str, "a string"))
STRINGS = SettingKind("a list of strings", _STRINGS, _list("a list of strings"))
SELECTORS = SettingKind("a list of rules", _STRINGS, _list("a list of rules (codes, prefixes of codes, names or ALL)"))
PATH = SettingKind("a path", {"type": "string"}, _read_path)
PATHS = SettingKind("a list of paths", _STRINGS, _read_paths)
BOOLEAN = SettingKind("true or false", {"type": "boolean"}, _one(bool, "true or false"))
COUNT = SettingKind("a whole number", {"type": "integer", "minimum": 0}, _number("a whole number, at least 0", int))
SECONDS = SettingKind("a number", {"type": "number", "minimum": 0}, _number("a number, at least 0", int, float))
SEVERITY = SettingKind("a severity", _LEVEL, _read_severity)
SEVERITIES = SettingKind(
    "a table of severities by rule", {"type": "object", "additionalProperties": _LEVEL}, _read_severities
)
PER_FILE = SettingKind(
    "a table of lists of rules by pattern", {"type": "object", "additionalProperties": _STRINGS}, _read_per_file
)
