"""reviewdog's format against its protocol buffer; its columns and suggestions against the source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from awkward_reports import AWKWARD, COLUMN, KERNEL, spoiled, text
from jsonschema import Draft202012Validator

from coalint.engine.findings.groups import groups
from coalint.engine.report import Report


def strict(required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    """An object of these fields alone: reviewdog's reader refuses a field that its protocol buffer lacks."""
    return {"type": "object", "required": list(required), "additionalProperties": False, "properties": properties}


LINE = {"type": "integer", "minimum": 1}

# proto/rdf/reviewdog.proto of github.com/reviewdog/reviewdog: DiagnosticResult.
STRING = {"type": "string"}
SEVERITY = {"enum": ["ERROR", "WARNING", "INFO"]}
POSITION = strict(["line", "column"], line=LINE, column=LINE)
RANGE = strict(["start", "end"], start=POSITION, end=POSITION)
SOURCE = strict(["name"], name=STRING, url=STRING)
RDJSON = strict(
    ["diagnostics", "source"],
    source=SOURCE,
    severity=SEVERITY,
    diagnostics={
        "type": "array",
        "items": strict(
            ["message", "location", "severity", "code"],
            message=STRING,
            location=strict(["path", "range"], path=STRING, range=RANGE),
            severity=SEVERITY,
            source=SOURCE,
            code=strict(["value"], value=STRING, url=STRING),
            suggestions={"type": "array", "items": strict(["range", "text"], range=RANGE, text=STRING)},
            original_output=STRING,
        ),
    },
)


def cut(source: bytes, range_: dict[str, Any]) -> tuple[int, int]:
    """The bytes of a source that a range of reviewdog's covers."""
    lines = source.split(b"\n")
    begin, end = (
        sum(len(line) + 1 for line in lines[: at["line"] - 1]) + at["column"] - 1
        for at in (range_["start"], range_["end"])
    )
    return begin, end


def test_rdjson_is_valid(report: Report) -> None:
    value = json.loads(text(report, "rdjson"))
    Draft202012Validator(RDJSON).validate(value)
    assert len(value["diagnostics"]) == len(groups(report.diagnostics))


def test_rdjson_columns_count_bytes(real: Report) -> None:
    source = KERNEL.encode()
    here = [d for d in json.loads(text(real, "rdjson"))["diagnostics"] if d["location"]["path"].endswith("#1.cu")]
    spans = [cut(source, d["location"]["range"]) for d in here]
    assert COLUMN.encode() in {source[begin:end] for begin, end in spans}


def test_the_edits_of_a_fix_are_one_suggestion() -> None:
    report = spoiled()
    first, second = json.loads(text(report, "rdjson"))["diagnostics"]
    (suggestion,) = first["suggestions"]
    source = report.sources[AWKWARD].encode()
    begin, end = cut(source, suggestion["range"])
    fixed = source[:begin] + suggestion["text"].encode() + source[end:]
    assert fixed.decode() == "zero\n😀ab é😀ef\n<&>h\nij kl\r\n"
    assert "suggestions" not in second
