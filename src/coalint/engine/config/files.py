"""Reads configuration files: TOML to layers of checked values, with the place of whatever is wrong."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from coalint.engine.config.kinds import KindError
from coalint.engine.config.settings import keys

NAMES = (".coalint.toml", "coalint.toml", "pyproject.toml")
"""The files that may hold a configuration, of which the first in a folder counts."""
SECTION = ("tool", "coalint")
EXTEND = "extend"
EXTEND_TEXT = "A configuration file that this one builds on, relative to it. What both say, this one decides."
_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class ConfigError(Exception):
    """A configuration is wrong; the text says where, what, and what to do."""


@dataclass(frozen=True)
class Layer:
    """What one place says: values by the names of their keys, as Settings holds them.

    `origin` names the place for users, `folder` is what paths and patterns in it are relative to, `lines` gives the
    line of each key where it is known.
    """

    origin: str
    folder: str
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """Where a key is set, as it begins an error."""
        line = self.lines.get(key)
        return f"{self.origin}:{line}: `{key}`" if line else f"{self.origin}: `{key}`"


Check = Callable[[Layer], None]
"""Refuses values that only others can judge, by a ConfigError."""


def find_in(folder: str) -> tuple[str | None, tuple[str, ...]]:
    """The configuration file of a folder, if any, and those beside it that it takes the place of."""
    found = [path for name in NAMES if _holds_one(path := os.path.join(folder, name))]
    return (found[0] if found else None), tuple(found[1:])


def _holds_one(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    if not path.endswith("pyproject.toml"):
        return True
    try:
        text = _text(path)
        return "coalint" in text and _section(tomllib.loads(text)) is not None
    except (ConfigError, tomllib.TOMLDecodeError):
        return False  # a broken pyproject.toml is for those to tell whose it is


def _section(document: Mapping[str, Any]) -> Any:
    found: Any = document
    for word in SECTION:
        found = found.get(word) if isinstance(found, dict) else None
    return found


def read_layers(path: str, check: Check) -> tuple[Layer, ...]:
    """A file and those that it extends, the weakest first. Raises ConfigError."""
    chain: list[tuple[str, Layer]] = []
    current, named_at = os.path.abspath(path), ""
    while True:
        if any(_same(current, seen) for seen, _ in chain):
            steps = " -> ".join(shown(seen) for seen in (*(seen for seen, _ in chain), current))
            raise ConfigError(f"{named_at}: extends itself: {steps}; remove one `{EXTEND}`")
        layer, extended = _read(current, named_at)
        check(layer)
        chain.append((current, layer))
        if extended is None:
            return tuple(layer for _, layer in reversed(chain))
        current, named_at = extended, layer.place(EXTEND)


def read_override(text: str) -> Layer:
    """One `key = value` of the command line, as TOML. Raises ConfigError."""
    origin = f"--config '{text}'"
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{origin}: neither a file nor TOML: {error}; strings need quotes, as in --config 'arch=\"sm_90\"'"
        ) from None
    if EXTEND in document:
        raise ConfigError(f"{origin}: `{EXTEND}` is for files; name the file itself with --config FILE")
    return _layer(origin, os.getcwd(), document, {})


def shown(path: str) -> str:
    """A file as users know it: relative to the working directory where it lies below that."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def _same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(path)}: is not in UTF-8, as TOML must be (byte {error.start})") from None


def _read(path: str, named_at: str) -> tuple[Layer, str | None]:
    """A file's own layer, and the file that it extends."""
    name = shown(path)
    if not os.path.isfile(path):
        raise ConfigError(f"{named_at + ': ' if named_at else ''}there is no file {name}")
    text = _text(path)
    try:
        document: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: is no valid TOML: {error}") from None
    inside: Sequence[str] = ()
    if os.path.basename(path) == "pyproject.toml":
        document, inside = _section(document), SECTION
        if document is None:
            raise ConfigError(f"{name}: has no section [{'.'.join(SECTION)}]")
        if not isinstance(document, dict):
            raise ConfigError(f"{name}: `{'.'.join(SECTION)}` must be a table")
    lines = _lines(text, inside)
    extended = document.pop(EXTEND, None)
    layer = _layer(name, os.path.dirname(path), document, lines)
    if extended is None:
        return layer, None
    if not isinstance(extended, str):
        raise ConfigError(f"{layer.place(EXTEND)} must be the path of a file")
    return layer, os.path.normpath(os.path.join(layer.folder, os.path.expanduser(extended)))


def _layer(origin: str, folder: str, document: Mapping[str, Any], lines: Mapping[str, int]) -> Layer:
    places = Layer(origin, folder, {}, lines)
    values: dict[str, Any] = {}
    for name, value in document.items():
        if name not in keys():
            raise ConfigError(f"{places.place(name)} is no key of coalint's; {_suggestion(name)}")
        _, key, _ = keys()[name]
        try:
            values[name] = key.kind.read(value, folder)
        except KindError as error:
            raise ConfigError(f"{places.place(name)} {error}\n  as in: {key.example}") from None
    return Layer(origin, folder, values, lines)


def _suggestion(name: str) -> str:
    known = [*keys(), EXTEND]
    near = get_close_matches(name.lower().replace("_", "-"), known, 1, 0.6)
    if near:
        return f"did you mean `{near[0]}`?"
    return "`coalint config` lists them"


def _lines(text: str, inside: Sequence[str]) -> dict[str, int]:
    """The line on which each key of the top level, or of a section, first stands."""
    found: dict[str, int] = {}
    section: tuple[str, ...] = ()
    depth = len(inside)
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is not None:
            section = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            if section[:depth] == tuple(inside) and len(section) > depth:
                found.setdefault(section[depth], number)
        elif section == tuple(inside):
            key = _BARE.match(line.strip().strip("\"'"))
            if key is not None and re.match(r"\s*[\"']?[A-Za-z0-9_-]+[\"']?\s*[.=]", line):
                found.setdefault(key[0], number)
    return found
