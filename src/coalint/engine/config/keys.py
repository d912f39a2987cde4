"""The description of one key of a configuration file, attached to its field of Settings."""

from __future__ import annotations

from dataclasses import field
from typing import TypeVar

from coalint.core.records import record
from coalint.engine.config.kinds import SettingKind

T = TypeVar("T")


@record(frozen=True)
class Key:
    """One key of a configuration file.

    Attributes:
        name: The key.
        kind: What values it takes.
        text: What it means, for the manual and the schema.
        example: An example in TOML.
        option: The option that overrides it; empty where there is none.
        per_run: Whether it cannot differ within a run, and counts only in the working directory's configuration.
    """

    name: str
    kind: SettingKind
    text: str
    example: str
    option: str = ""
    per_run: bool = False


def config_key(
    default: T, name: str, kind: SettingKind, text: str, example: str, option: str = "", per_run: bool = False
) -> T:
    """Return a dataclass field with this default that a configuration file can set."""
    key = Key(name=name, kind=kind, text=text, example=example, option=option, per_run=per_run)
    described: T = field(default=default, metadata={"key": key})
    return described
