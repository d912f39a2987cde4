"""The settings that callers give by name, and what the engine makes of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypedDict

from coalint.engine.config.layer import Layer
from coalint.engine.config.layers import Configuration, configuration
from coalint.engine.config.settings import Settings, keys
from coalint.engine.config.validation import refuse
from coalint.engine.registry import Registry

_SELECTORS = ("select", "extend_select", "ignore")
_PLAIN = ("preview", "arch", "jobs", "timeout_per_file", "memory_per_file", "cache", "cache_dir", "toolkit")
_PATHS = ("baseline", "compile_commands")


class InspectSettings(TypedDict, total=False):
    """How sources are found and read; what is not given comes from the configuration files.

    Attributes:
        arch: The GPU to count for, as `sm_90`.
        assume: Facts about launches, as `blockDim.x == 256`.
        include_dirs: Folders to look for includes in.
        defines: Macros, as `NAME` or `NAME=VALUE`.
        std: The C++ standard, as `c++20`.
        flags: More flags, as clang or nvcc take them.
        compile_commands: The build folder that holds compile_commands.json, or that file.
        exclude: Files to leave out, in gitignore's syntax.
        jobs: Processes; 0 for one per core.
        timeout_per_file: Seconds after which a file is given up; 0 for never.
        memory_per_file: Megabytes at which a file is given up; 0 for no bound.
        cache: Whether results are kept for later runs, and taken from earlier ones.
        cache_dir: Where they are kept.
        toolkit: The folder of a CUDA toolkit or of headers that serve what coalint's own lack, or `none`; by default
            those that are installed.
        config: A configuration file in place of those that are found.
        isolated: Whether to read no configuration file.
    """

    arch: str
    assume: Sequence[str]
    include_dirs: Sequence[str]
    defines: Sequence[str]
    std: str
    flags: Sequence[str]
    compile_commands: str
    exclude: Sequence[str]
    jobs: int
    timeout_per_file: float
    memory_per_file: int
    cache: bool
    cache_dir: str
    toolkit: str
    config: str
    isolated: bool


class LintSettings(InspectSettings, total=False):
    """What is reported, beside how sources are read.

    Attributes:
        select: Only these rules: codes, prefixes of codes, names, or `ALL`.
        extend_select: These rules too.
        ignore: Not these rules.
        preview: Whether rules in preview count like others.
        baseline: A file of known findings, which are left out.
        accesses: Whether the report keeps every access, which the HTML page draws; the cache is not used.
        formulas: Whether findings have formulas of what they weigh where sizes are open, as the command writes in JSON.
    """

    select: Sequence[str]
    extend_select: Sequence[str]
    ignore: Sequence[str]
    preview: bool
    baseline: str
    accesses: bool
    formulas: bool


def loaded(given: Mapping[str, Any], described: type, registry: Registry | None) -> Configuration:
    """Return the configuration with what is given on top.

    Raises ConfigError for wrong values, and TypeError for a name that is not among the described ones.
    """
    names = described.__annotations__
    for name in given.keys() - names.keys():
        near = get_close_matches(name, names, 1)
        raise TypeError(f"there is no setting `{name}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    settings = _settings(given)
    set_here = {key for key, (attribute, _, _) in keys().items() if attribute in given}

    def check(layer: Layer) -> None:
        refuse(layer, registry)

    checked = {name.replace("_", "-"): given[name] for name in (*_SELECTORS, "arch", "assume") if name in given}
    check(Layer("", "", {name: value if name == "arch" else _words(value) for name, value in checked.items()}))
    files = (os.fspath(given["config"]),) if "config" in given else ()
    complete = configuration(
        settings, frozenset(set_here - {"assume", "exclude"}), files, given.get("isolated", False), check
    )
    _ = complete.run
    return complete


def _settings(given: Mapping[str, Any]) -> Settings:
    values = {name: given[name] for name in _PLAIN if name in given}
    values |= {name: _words(given[name]) for name in _SELECTORS if name in given}
    values |= {name: os.path.abspath(given[name]) for name in _PATHS if name in given}
    flags = [f"-I{os.fspath(folder)}" for folder in _words(given.get("include_dirs", ()))]
    flags += [f"-D{macro}" for macro in _words(given.get("defines", ()))]
    flags += [f"-std={given['std']}"] if "std" in given else []
    return Settings(
        **values,
        flags=(*flags, *_words(given.get("flags", ()))),
        assume_too=_words(given.get("assume", ())),
        command_line_exclude=_words(given.get("exclude", ())),
    )


def _words(value: str | Sequence[str]) -> tuple[str, ...]:
    """Return a setting of several words; one may be given by itself."""
    return (value,) if isinstance(value, str) else tuple(value)
