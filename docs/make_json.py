"""Writes json.md beside this file from the schemas in schemas/: a table of fields for each object.

python docs/make_json.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coalint.core.addresses import SITE

DOCS = Path(__file__).resolve().parent
FOLDER = DOCS / "schemas"
NAMES = ("report-1", "inspect-1", "profile-1")
HEAD = f"""# JSON

`coalint lint`, `coalint inspect` and `coalint profile` print one object each with `--output-format json`; `jsonl`
prints a [diagnostic](#diagnostic) per line. `python docs/make_json.py` writes this page from their JSON schemas,
which are published as

- <{SITE}schemas/report-1.schema.json>
- <{SITE}schemas/inspect-1.schema.json>
- <{SITE}schemas/profile-1.schema.json>

Fields that exist stay within a form (`coalint-report/1`); new ones may be added at any time, so a reader passes
over those that it does not know. Lines and columns count from 1, columns in characters, and an end is exclusive.
"""


def schema(name: str) -> dict[str, Any]:
    """A schema of the folder."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    return found


def page_text() -> str:
    """The page; an object that both forms share is described once."""
    parts = [HEAD]
    described: set[str] = set()
    for name in NAMES:
        form = schema(name)
        parts.append(f"\n## {form['title']}\n\n{form['description']}\n\n{table(form)}")
        for title, definition in form["$defs"].items():
            text = f"\n### {title}\n\n{definition['description']}\n\n{table(definition)}"
            if text not in described:
                parts.append(text)
                described.add(text)
    return "".join(parts)


def table(described: dict[str, Any]) -> str:
    """A row per field."""
    rows = ["| field | type | |", "|---|---|---|"]
    for name, field in described["properties"].items():
        optional = "" if name in described["required"] else " (where there is one)"
        rows.append(f"| `{name}` | {type_of(field)} | {text_of(field)}{optional} |")
    return "".join(f"{row}\n" for row in rows)


def type_of(field: dict[str, Any]) -> str:
    """The type of a field in a few words; one that is described elsewhere is a link."""
    if "$ref" in field:
        title = field["$ref"].rpartition("/")[2]
        return f"[{title}](#{title})"
    if "anyOf" in field:
        return " or ".join(type_of(option) for option in field["anyOf"])
    if "const" in field:
        return f'`"{field["const"]}"`'
    if "enum" in field:
        return ", ".join(f"`{word}`" for word in field["enum"])
    if field["type"] == "array":
        return f"array of {type_of(field['items'])}"
    types = field["type"]
    return types if isinstance(types, str) else " or ".join(types)


def text_of(field: dict[str, Any]) -> str:
    """What a field means, with the fields within it where it is an object of its own."""
    inner = field.get("properties", {})
    text = field.get("description", "")
    fields = "; ".join(f"`{name}`: {value['description']}" for name, value in inner.items())
    return " ".join(filter(None, [text, fields]))


if __name__ == "__main__":
    (DOCS / "json.md").write_text(page_text(), encoding="utf-8")
