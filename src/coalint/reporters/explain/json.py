"""Prints how files are compiled as one JSON object, schema `coalint-explain-compile/1`."""

from __future__ import annotations

import json
from typing import Any

from coalint.engine.units.display_names import Names
from coalint.engine.units.explanation import Explanation, Explanations
from coalint.frontend.cuda.build.compile_commands import Entry
from coalint.frontend.cuda.build.includes import Located
from coalint.frontend.interface import ParserMessage

SCHEMA = "coalint-explain-compile/1"


def explanations_text(explained: Explanations) -> str:
    """Return the object as indented JSON with a final line feed."""
    value = {
        "schema": SCHEMA,
        "files": [_file(item, explained.names) for item in explained.files],
        "warnings": list(explained.remarks),
    }
    return json.dumps(value, indent=2) + "\n"


def _file(item: Explanation, names: Names) -> dict[str, Any]:
    compilation = item.compilation
    translation = compilation.translation
    return {
        "file": compilation.path,
        "root": compilation.root,
        "entry": None if compilation.entry is None else _entry(compilation.entry, compilation.entries),
        "why": compilation.why.name.lower(),
        "compiler": translation.compiler if translation else None,
        "architectures": list(translation.architectures) if translation else [],
        "architecture": compilation.architecture,
        "flags": list(compilation.flags),
        "arguments": list(item.arguments),
        "dropped": [{"argument": d.argument, "reason": d.reason} for d in compilation.dropped],
        "located": [_located(located, names) for located in compilation.includes.located],
        "errors": [_message(message, names) for message in item.errors],
        "includes_not_found": sorted({message.include for message in item.errors if message.include}),
        "undeclared": list(item.undeclared),
        "supposed": list(item.supposed),
        "installed": [{"name": header.name, "folder": header.folder} for header in item.installed],
        "kernels": [
            {"name": k.name, "template_arguments": list(k.template_arguments), "file": k.file, "line": k.line}
            for k in item.kernels
        ],
        "failure": None if item.failure is None else item.failure.message,
    }


def _entry(entry: Entry, entries: int) -> dict[str, Any]:
    return {
        "database": entry.database,
        "index": entry.index,
        "of": entries,
        "directory": entry.directory,
        "file": entry.file,
        "command": entry.command if isinstance(entry.command, str) else list(entry.command),
    }


def _located(located: Located, names: Names) -> dict[str, Any]:
    return {
        "include": located.include.name,
        "angled": located.include.angled,
        "file": names.file(located.includer),
        "line": located.include.line,
        "folder": located.folder,
        "candidates": list(located.files),
    }


def _message(message: ParserMessage, names: Names) -> dict[str, Any]:
    span = message.span
    return {"file": names.file(span.file), "line": span.line, "column": span.column, "message": message.message}
