"""One layer of a configuration: the checked values of a file, or of an option."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from coalint.core.records import record


class ConfigError(Exception):
    """A configuration is wrong; the text says where, what, and what to do."""


@record(frozen=True)
class Layer:
    """The values that one file or option sets.

    Attributes:
        origin: The name of the file or option, for users.
        folder: What paths and patterns are relative to.
        values: The values by key, as Settings holds them.
        lines: The line of each key, from 1, where it is known.
        brought: Whether a repository brought it, and no user named it: a file that was found.
    """

    origin: str
    folder: str
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    brought: bool = False

    def place(self, key: str) -> str:
        """Return where a key is set, as an error begins: ``coalint.toml:3: `arch` ``."""
        line = self.lines.get(key)
        return f"{self.origin}:{line}: `{key}`" if line else f"{self.origin}: `{key}`"


Check = Callable[[Layer], None]


"""Raises ConfigError for values that only the rules, the machine model or the analysis can check."""
