"""Prints the settings that apply to files and folders, each with what set it, as text or JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from coalint.core.findings import Severity
from coalint.engine.config import kinds
from coalint.engine.config.files import shown
from coalint.engine.config.kinds import PerFile
from coalint.engine.config.layers import DEFAULT, Configuration, Resolved, effective_selection
from coalint.engine.config.settings import Settings, keys

SCHEMA = "coalint-config/1"
_TABLES = (kinds.PER_FILE, kinds.SEVERITIES)


def print_config(paths: Sequence[str], configuration: Configuration, output_format: str) -> str:
    """Return the text to print. Raises ConfigError."""
    resolved_paths = [(path, configuration.in_folder(_folder(path))) for path in paths]
    run = configuration.run
    if output_format == "json":
        value = {"schema": SCHEMA, "paths": [_object(path, resolved, run) for path, resolved in resolved_paths]}
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    return "\n".join("".join(f"{line}\n" for line in _lines(path, resolved, run)) for path, resolved in resolved_paths)


def _folder(path: str) -> str:
    whole = os.path.abspath(path)
    return whole if os.path.isdir(whole) else os.path.dirname(whole)


def _rows(resolved: Resolved, run: Resolved) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Yield name, value and origins of each key; keys that apply to a whole run are the working directory's."""
    for name, (attribute, key, _) in keys().items():
        source = run if key.per_run else resolved
        value = getattr(_flat(source.settings), attribute)
        plain = _plain(value) or {} if key.kind in _TABLES else _plain(value)
        yield name, plain, source.origins.get(name, (DEFAULT,))


def _flat(settings: Settings) -> Settings:
    """Return the settings with the selection of all layers."""
    selection = effective_selection(settings)
    return replace(
        settings,
        select=selection.select,
        extend_select=selection.extend_select,
        ignore=selection.ignore,
    )


def _plain(value: Any) -> Any:
    """Return a setting as a TOML or JSON value."""
    if isinstance(value, Severity):
        return value.label
    if isinstance(value, tuple) and value and isinstance(value[0], PerFile):
        return {entry.pattern: list(entry.selectors) for entry in value}
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return {name: level.label for name, level in value}
    return list(value) if isinstance(value, tuple) else value


def _lines(path: str, resolved: Resolved, run: Resolved) -> Iterator[str]:
    file = "no configuration file" if resolved.file is None else shown(resolved.file)
    yield f"# {path}: {file}"
    rows = [(name, _written(value), origins) for name, value, origins in _rows(resolved, run)]
    for option, extra in _additions(resolved.settings):
        rows.append((option, _written(extra), ("command line",)))
    wide = max(len(name) for name, _, _ in rows)
    values = max((len(value) for _, value, _ in rows if len(value) <= 40), default=0)
    for name, value, origins in rows:
        yield f"{name:<{wide}} = {value:<{values}}  # {', '.join(dict.fromkeys(origins))}"
    yield from _elsewhere(resolved, run)


def _additions(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    """Yield what the command line adds to lists of the configuration."""
    for option, values in (
        ("--assume", settings.assume_too),
        ("--exclude", settings.command_line_exclude),
        ("flags", settings.flags),
    ):
        if values:
            yield option, list(values)


def _elsewhere(resolved: Resolved, run: Resolved) -> Iterator[str]:
    """Yield remarks on keys that a configuration sets and that apply only in the working directory."""
    if resolved.file == run.file:
        return
    for name, (_, key, _) in keys().items():
        if key.per_run and name in resolved.origins and resolved.origins[name] != run.origins.get(name):
            origin = resolved.origins[name][-1]
            yield f"# {name} of {origin} has no effect here: it applies to a run and is read for the working directory"


def _written(value: Any) -> str:
    """Return a value in TOML, whose strings, lists and numbers are those of JSON; `unset` for None."""
    if value is None:
        return "unset"
    if isinstance(value, dict):
        if not value:
            return "{}"
        return "{ " + ", ".join(f"{_written(key)} = {_written(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _object(path: str, resolved: Resolved, run: Resolved) -> dict[str, Any]:
    return {
        "path": path,
        "file": None if resolved.file is None else shown(resolved.file),
        "settings": {
            name: {"value": value, "origins": list(dict.fromkeys(origins))}
            for name, value, origins in _rows(resolved, run)
        },
        "command_line": dict(_additions(resolved.settings)),
    }
