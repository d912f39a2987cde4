"""Reads configuration files: TOML to layers of checked values; errors name the file, line and key."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from coalint.core.source.reading import FileKind, lies_in, read_bytes
from coalint.core.source.repositories import repository_of
from coalint.engine.config.key_lines import lines_of_keys
from coalint.engine.config.kinds import KindError
from coalint.engine.config.layer import Check, ConfigError, Layer
from coalint.engine.config.settings import keys

NAMES = (".coalint.toml", "coalint.toml", "pyproject.toml")
"""The files that may hold a configuration; the first one in a folder applies."""
SECTION = ("tool", "coalint")
_DEEPEST = 200
_NESTED = re.compile(rf"""(?<![\w-])(?:(?>[\w-]+|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{_DEEPEST}}}""")
"""A key of so many parts: tomllib keeps every beginning of it."""
EXTEND = "extend"
_KEPT_INSIDE = ("compile-commands", "baseline")
EXTEND_TEXT = (
    "Another configuration file, relative to this one, on which this one builds. Where both set a key, this file wins."
)


def find_in(folder: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the configuration file of a folder, or None, and the files beside it that it takes precedence over."""
    paths = [path for name in NAMES if _holds_one(path := os.path.join(folder, name))]
    return (paths[0] if paths else None), tuple(paths[1:])


def _holds_one(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    if not path.endswith("pyproject.toml"):
        return True
    try:
        text = _text(path, repository_of(os.path.dirname(path)))
        return "coalint" in text and _section(_parsed(text)) is not None
    except (ConfigError, tomllib.TOMLDecodeError):
        return False  # a broken pyproject.toml is for those to tell whose it is


def _parsed(text: str) -> dict[str, Any]:
    """Return what TOML says. Raises TOMLDecodeError, also for nesting that would take all memory, or the stack."""
    if _NESTED.search(text):
        raise tomllib.TOMLDecodeError(f"a key has more than {_DEEPEST} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("its values are nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python reads no integer of more than some thousand digits
        raise tomllib.TOMLDecodeError("a number has too many digits") from None


def _section(document: Mapping[str, Any]) -> Any:
    section: Any = document
    for word in SECTION:
        section = section.get(word) if isinstance(section, dict) else None
    return section


def read_layers(path: str, check: Check, named: bool = False) -> tuple[Layer, ...]:
    """Return the layers of a file and of those that it extends, the weakest first. Raises ConfigError.

    Whatever a file that the user has not `named` names must lie in its repository, or in its folder outside of one.
    """
    chain: list[tuple[str, Layer]] = []
    current, named_at = os.path.abspath(path), ""
    home = None if named else repository_of(os.path.dirname(current))
    while True:
        if any(_same(current, earlier) for earlier, _ in chain):
            steps = " -> ".join(shown(earlier) for earlier in (*(earlier for earlier, _ in chain), current))
            raise ConfigError(f"{named_at}: extends itself: {steps}; remove one `{EXTEND}`")
        layer, extended = _read(current, named_at, home)
        check(layer)
        chain.append((current, layer))
        if extended is None:
            return tuple(layer for _, layer in reversed(chain))
        current, named_at = extended, layer.place(EXTEND)


def read_override(text: str) -> Layer:
    """Return the layer of one `key = value` of the command line, as TOML. Raises ConfigError."""
    origin = f"--config '{text}'"
    try:
        document = _parsed(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{origin}: neither a file nor TOML: {error}; strings need quotes, as in --config 'arch=\"sm_90\"'"
        ) from None
    if EXTEND in document:
        raise ConfigError(f"{origin}: `{EXTEND}` is for files; name the file itself with --config FILE")
    return _layer(origin, os.getcwd(), document, {})


def shown(path: str) -> str:
    """Return a path as users know it: relative where the file lies below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def _same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _text(path: str, home: str | None) -> str:
    try:
        return read_bytes(path, FileKind.CONFIGURATION, None if home is None else (home,)).decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(path)}: is not UTF-8, which TOML requires (byte {error.start})") from None


def _read(path: str, named_at: str, home: str | None) -> tuple[Layer, str | None]:
    """Return a file's own layer, and the path of the file that it extends or None. Raises ConfigError.

    `home` is the repository that brings the file and holds what it names; None for a file of the user's.
    """
    name = shown(path)
    if not os.path.isfile(path):
        raise ConfigError(f"{named_at + ': ' if named_at else ''}there is no file {name}")
    text = _text(path, home)
    try:
        document: Any = _parsed(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: is not valid TOML: {error}") from None
    inside: Sequence[str] = ()
    if os.path.basename(path) == "pyproject.toml":
        document, inside = _section(document), SECTION
        if document is None:
            raise ConfigError(f"{name}: has no section [{'.'.join(SECTION)}]")
        if not isinstance(document, dict):
            raise ConfigError(f"{name}: `{'.'.join(SECTION)}` must be a table")
    lines = lines_of_keys(text, inside)
    extended = document.pop(EXTEND, None)
    layer = _layer(name, os.path.dirname(path), document, lines)
    if home is not None:
        layer = replace(layer, brought=True)
        for key in _KEPT_INSIDE:
            _refuse_outside(layer, key, layer.values.get(key), home)
    if extended is None:
        return layer, None
    if not isinstance(extended, str):
        raise ConfigError(f"{layer.place(EXTEND)} must be the path of a file")
    above = os.path.normpath(os.path.join(layer.folder, os.path.expanduser(extended)))
    if home is not None:
        _refuse_outside(layer, EXTEND, above, home)
    return layer, above


def _refuse_outside(layer: Layer, key: str, path: str | None, home: str) -> None:
    """Raise ConfigError for a path of a repository's that leads out of it: only its user may name what lies there."""
    if path is not None and not lies_in(os.path.realpath(path), (home,)):
        option = "the file itself with --config" if key == EXTEND else f"it with {keys()[key][1].option}"
        raise ConfigError(
            f"{layer.place(key)} is outside of the repository {shown(home)}; give {option} if this is intended"
        )


def _layer(origin: str, folder: str, document: Mapping[str, Any], lines: Mapping[str, int]) -> Layer:
    places = Layer(origin, folder, {}, lines)
    values: dict[str, Any] = {}
    for name, value in document.items():
        if name not in keys():
            raise ConfigError(f"{places.place(name)} is not a key of coalint; {_suggestion(name)}")
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
