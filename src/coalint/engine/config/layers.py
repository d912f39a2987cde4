"""Which settings hold for a file: the nearest configuration above it, with the command line on top."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coalint.engine.config.files import Check, ConfigError, Layer, find_in, read_layers, read_override, shown
from coalint.engine.config.settings import Selection, Settings, keys

COMMAND_LINE = "command line"
DEFAULT = "default"
_SELECTION = ("select", "extend-select", "ignore")
_ADDING = ("extend-select", "ignore")
_JOINED = ("per-file-ignores", "severity")


@dataclass(frozen=True)
class Resolved:
    """The settings for one file or folder; `origins` says of each key what set it, where that is not the default."""

    settings: Settings
    origins: Mapping[str, tuple[str, ...]]
    file: str | None


@dataclass
class Configuration:
    """The settings of a run, file by file.

    `given` are the settings of the command line, of which `named` are the keys that it sets. `chosen` is the file of
    `--config FILE`, which holds for all; `overrides` what `--config KEY=VALUE` says. `check` refuses values that only
    others can judge. `remarks` are for stderr.
    """

    given: Settings = field(default_factory=Settings)
    named: frozenset[str] = frozenset()
    chosen: str | None = None
    overrides: tuple[Layer, ...] = ()
    isolated: bool = False
    check: Check = lambda layer: None
    remarks: list[str] = field(default_factory=list)
    _files: dict[str, str | None] = field(default_factory=dict)
    _resolved: dict[str | None, Resolved] = field(default_factory=dict)

    @property
    def run(self) -> Resolved:
        """What holds for the run as a whole: the configuration of the working directory."""
        return self.in_folder(os.getcwd())

    def of(self, path: str) -> Settings:
        """The settings for a file. Raises ConfigError where its configuration is wrong."""
        return self.in_folder(os.path.dirname(os.path.abspath(path))).settings

    def in_folder(self, folder: str) -> Resolved:
        """The settings for the files of a folder (absolute), with where they come from. Raises ConfigError."""
        file = self._file(folder)
        if file not in self._resolved:
            self._resolved[file] = self._resolve(file)
        return self._resolved[file]

    def _file(self, folder: str) -> str | None:
        """The configuration file for a folder."""
        if self.isolated or self.chosen is not None:
            return self.chosen
        if folder not in self._files:
            file, hidden = find_in(folder)
            above = os.path.dirname(folder)
            for other in hidden:
                self.remarks.append(f"{shown(other)} is not read, since {shown(file or '')} lies beside it")
            self._files[folder] = file if file is not None or above == folder else self._file(above)
        return self._files[folder]

    def _resolve(self, file: str | None) -> Resolved:
        layers = read_layers(file, self.check) if file is not None else ()
        for layer in self.overrides:
            self.check(layer)
        settings, origins = _merged((*layers, *self.overrides))
        return self._on_top(settings, origins, file)

    def _on_top(self, settings: Settings, origins: dict[str, tuple[str, ...]], file: str | None) -> Resolved:
        """The command line on top of what files say."""
        given = self.given
        changes: dict[str, Any] = {
            "below": settings.selections,
            "select": given.select,
            "extend_select": given.extend_select,
            "ignore": given.ignore,
            "flags": given.flags,
            "assume_too": given.assume_too,
            "command_line_exclude": given.command_line_exclude,
            "cache": given.cache,
            "cache_dir": given.cache_dir,
            "dask": given.dask,
        }
        if given.compile_commands is not None:
            changes["compile_commands_place"] = given.compile_commands_place
        _forget(origins, self.named)
        for name in self.named:
            if name not in _SELECTION:
                attribute = keys()[name][0]
                changes[attribute] = getattr(given, attribute)
            origins[name] = (*(origins.get(name, ()) if name in _ADDING else ()), COMMAND_LINE)
        return Resolved(replace(settings, **changes), origins, file)


def configuration(
    given: Settings, named: frozenset[str], arguments: Sequence[str], isolated: bool, check: Check
) -> Configuration:
    """The configuration that a command line asks for; `arguments` are those of `--config`. Raises ConfigError."""
    files = [argument for argument in arguments if os.path.isfile(argument) or argument.endswith(".toml")]
    if len(files) > 1:
        raise ConfigError(f"--config names two files, {files[0]} and {files[1]}; one may `extend` the other")
    if files and isolated:
        raise ConfigError(f"--isolated reads no file, but --config names {files[0]}; leave one of them out")
    overrides = tuple(read_override(argument) for argument in arguments if argument not in files)
    chosen = os.path.abspath(files[0]) if files else None
    return Configuration(given, named, chosen, overrides, isolated, check)


def _merged(layers: Sequence[Layer]) -> tuple[Settings, dict[str, tuple[str, ...]]]:
    """The settings that layers give, the weakest first, and what set each key."""
    changes: dict[str, Any] = {}
    origins: dict[str, tuple[str, ...]] = {}
    below: list[Selection] = []
    for layer in layers:
        _forget(origins, layer.values)
        for name, value in layer.values.items():
            attribute = keys()[name][0]
            if name in _JOINED:
                value = (*changes.get(attribute, ()), *value)
                origins[name] = (*origins.get(name, ()), layer.origin)
            elif name in _ADDING:
                origins[name] = (*origins.get(name, ()), layer.origin)
            else:
                origins[name] = (layer.origin,)
            if name not in _SELECTION:
                changes[attribute] = value
            if name in ("exclude", "extra-args"):
                changes[f"{attribute}_folder"] = layer.folder
            elif name == "compile-commands":
                changes["compile_commands_place"] = f"{layer.place(name)}:"
        selection = Selection(
            layer.values.get("select"), layer.values.get("extend-select", ()), layer.values.get("ignore", ())
        )
        if selection != Selection():
            below.append(selection)
    return Settings(**{**changes, "below": tuple(below)}), origins


def _forget(origins: dict[str, tuple[str, ...]], named: Collection[str]) -> None:
    """A `select` begins anew."""
    if "select" in named:
        for name in _ADDING:
            origins.pop(name, None)


def effective_selection(settings: Settings) -> Selection:
    """What the layers say together, for display: the last `select`, and what was added since."""
    found = Selection()
    for layer in settings.selections:
        if layer.select is not None:
            found = layer
        else:
            found = replace(
                found,
                extend_select=(*found.extend_select, *layer.extend_select),
                ignore=(*found.ignore, *layer.ignore),
            )
    return found
