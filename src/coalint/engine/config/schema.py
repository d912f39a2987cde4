"""Makes the JSON schema of a configuration file from the table of keys; `coalint.schema.json` holds its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coalint.core.findings import Severity
from coalint.engine.config.files import EXTEND, EXTEND_TEXT
from coalint.engine.config.keys import Key
from coalint.engine.config.settings import keys

FILE = Path(__file__).parents[2] / "coalint.schema.json"


def schema_text() -> str:
    """Return the schema as indented JSON, draft 7, which taplo and SchemaStore read."""
    properties: dict[str, Any] = {EXTEND: {"description": EXTEND_TEXT, "type": "string"}}
    properties.update((name, _property(key, default)) for name, (_, key, default) in keys().items())
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://json.schemastore.org/coalint.json",
        "title": "coalint configuration",
        "description": "coalint.toml, .coalint.toml, or the table [tool.coalint] of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }
    return json.dumps(schema, indent=2) + "\n"


def _property(key: Key, default: Any) -> dict[str, Any]:
    described: dict[str, Any] = {"description": key.text.replace("`", ""), **key.kind.schema}
    plain = plain_default(key, default)
    return described if plain is None else {**described, "default": plain}


def plain_default(key: Key, default: Any) -> Any:
    """Return a key's default as a TOML or JSON value; None where there is none."""
    if isinstance(default, Severity):
        return default.label
    if isinstance(default, tuple):
        return {} if key.kind.schema["type"] == "object" else list(default)
    return default
