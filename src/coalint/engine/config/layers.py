"""Merges layers to the settings of a file: the nearest configuration file above it, then the command line."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from coalint.core.records import record
from coalint.engine.config.files import find_in, read_layers, read_override, shown
from coalint.engine.config.layer import Check, ConfigError, Layer
from coalint.engine.config.selection import Selection
from coalint.engine.config.settings import Settings, keys

COMMAND_LINE = "command line"
DEFAULT = "default"
_SELECTION = ("select", "extend-select", "ignore")
_ADDING = ("extend-select", "ignore")
_JOINED = ("per-file-ignores", "severity")
_NAMING = ("include-dirs", "extra-args", "compile-commands", "baseline")
"""Keys that name files and folders which are read or written."""


@record(frozen=True)
class Resolved:
    """The settings of one file or folder.

    Attributes:
        settings: The settings.
        origins: What set each key that does not have its default.
        file: The configuration file; None where there is none.
    """

    settings: Settings
    origins: Mapping[str, tuple[str, ...]]
    file: str | None


@record
class Configuration:
    """The settings of a run, file by file.

    Attributes:
        command_line: The settings of the command line alone.
        named: The keys that the command line sets.
        config_file: The file of --config, which applies to all files; None where none is named.
        overrides: The layers of --config KEY=VALUE.
        isolated: Whether no configuration file is read.
        check: Raises ConfigError for values that only the rules, the machine model or the analysis can check.
        remarks: Warnings for stderr.
    """

    command_line: Settings = field(default_factory=Settings)
    named: frozenset[str] = frozenset()
    config_file: str | None = None
    overrides: tuple[Layer, ...] = ()
    isolated: bool = False
    check: Check = lambda layer: None
    remarks: list[str] = field(default_factory=list)
    _files: dict[str, str | None] = field(default_factory=dict)
    _resolved: dict[str | None, Resolved] = field(default_factory=dict)

    @property
    def run(self) -> Resolved:
        """The settings of the run as a whole: those of the working directory. Raises ConfigError."""
        return self.in_folder(os.getcwd())

    def for_file(self, path: str) -> Settings:
        """Return the settings of a file. Raises ConfigError."""
        return self.in_folder(os.path.dirname(os.path.abspath(path))).settings

    def in_folder(self, folder: str) -> Resolved:
        """Return the settings of the files in a folder, an absolute path, and their origins. Raises ConfigError."""
        file = self._file(folder)
        if file not in self._resolved:
            self._resolved[file] = self._resolve(file)
        return self._resolved[file]

    def _file(self, folder: str) -> str | None:
        """Return the configuration file that applies in a folder."""
        if self.isolated or self.config_file is not None:
            return self.config_file
        if folder not in self._files:
            file, hidden = find_in(folder)
            above = os.path.dirname(folder)
            for other in hidden:
                self.remarks.append(f"{shown(other)} is not read, because {shown(file or '')} is in the same folder")
            self._files[folder] = file if file is not None or above == folder else self._file(above)
        return self._files[folder]

    def _resolve(self, file: str | None) -> Resolved:
        layers = read_layers(file, self.check, named=self.config_file is not None) if file is not None else ()
        for layer in self.overrides:
            self.check(layer)
        settings, origins = _merged((*layers, *self.overrides))
        return self._on_top(settings, origins, file)

    def _on_top(self, settings: Settings, origins: dict[str, tuple[str, ...]], file: str | None) -> Resolved:
        """Return the settings of files with those of the command line on top."""
        options = self.command_line
        changes: dict[str, Any] = {
            "below": settings.selections,
            "select": options.select,
            "extend_select": options.extend_select,
            "ignore": options.ignore,
            "flags": options.flags,
            "assume_too": options.assume_too,
            "command_line_exclude": options.command_line_exclude,
            "cache": options.cache,
            "cache_dir": options.cache_dir,
            "toolkit": options.toolkit,
            "dask": options.dask,
        }
        if options.compile_commands is not None:
            changes["compile_commands_place"] = options.compile_commands_place
        named = {name for name in _NAMING if name in self.named}
        changes["set_in"] = tuple((name, folder) for name, folder in settings.set_in if name not in named)
        _forget(origins, self.named)
        for name in self.named:
            if name not in _SELECTION:
                attribute = keys()[name][0]
                changes[attribute] = getattr(options, attribute)
            origins[name] = (*(origins.get(name, ()) if name in _ADDING else ()), COMMAND_LINE)
        return Resolved(settings=replace(settings, **changes), origins=origins, file=file)


def configuration(
    command_line: Settings, named: frozenset[str], arguments: Sequence[str], isolated: bool, check: Check
) -> Configuration:
    """Return the configuration of a command line; `arguments` are those of --config. Raises ConfigError."""
    files = [argument for argument in arguments if os.path.isfile(argument) or argument.endswith(".toml")]
    if len(files) > 1:
        raise ConfigError(f"--config names two files, {files[0]} and {files[1]}; one may `extend` the other")
    if files and isolated:
        raise ConfigError(f"--isolated reads no file, but --config names {files[0]}; leave one of them out")
    overrides = tuple(read_override(argument) for argument in arguments if argument not in files)
    config_file = os.path.abspath(files[0]) if files else None
    return Configuration(
        command_line=command_line,
        named=named,
        config_file=config_file,
        overrides=overrides,
        isolated=isolated,
        check=check,
    )


def _merged(layers: Sequence[Layer]) -> tuple[Settings, dict[str, tuple[str, ...]]]:
    """Return the settings of layers, the weakest first, and what set each key."""
    changes: dict[str, Any] = {}
    origins: dict[str, tuple[str, ...]] = {}
    set_in: dict[str, str] = {}
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
            if name in _NAMING:
                set_in.pop(name, None)
                if layer.brought:
                    set_in[name] = layer.folder
            if name in ("exclude", "extra-args"):
                changes[f"{attribute}_folder"] = layer.folder
            elif name == "compile-commands":
                changes["compile_commands_place"] = f"{layer.place(name)}:"
        selection = Selection(
            select=layer.values.get("select"),
            extend_select=layer.values.get("extend-select", ()),
            ignore=layer.values.get("ignore", ()),
        )
        if selection != Selection():
            below.append(selection)
    return Settings(**{**changes, "below": tuple(below), "set_in": tuple(sorted(set_in.items()))}), origins


def _forget(origins: dict[str, tuple[str, ...]], named: Collection[str]) -> None:
    """Remove the origins of added selectors where `select` starts over."""
    if "select" in named:
        for name in _ADDING:
            origins.pop(name, None)


def effective_selection(settings: Settings) -> Selection:
    """Return the selection of all layers together, for display: the last `select`, and what was added since."""
    effective = Selection()
    for layer in settings.selections:
        if layer.select is not None:
            effective = layer
        else:
            effective = replace(
                effective,
                extend_select=(*effective.extend_select, *layer.extend_select),
                ignore=(*effective.ignore, *layer.ignore),
            )
    return effective
