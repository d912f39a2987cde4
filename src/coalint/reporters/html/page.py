"""Assembles the page: data, styles and scripts in one file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from coalint.core.version import version
from coalint.engine.report import Report
from coalint.reporters.html.data import page_data
from coalint.reporters.shared.escape_controls import without_controls
from coalint.rule import Rule

MODEL = ("model.js", "traffic.js", "plan.js")
"""The scripts that compute lanes and their cost, without a page."""
MAPS = (*MODEL, "dom.js", "picture.js", "panel.js")
"""The scripts that draw maps of accesses."""
REPORT = (*MAPS, "syntax.js", "sources.js", "report.js")


def page_text(report: Report, rules: Iterable[type[Rule]] = ()) -> str:
    """Return the page; `rules` are those whose text it explains findings with."""
    parts = {
        "VERSION": version(),
        "STYLE": part("style.css"),
        "SCRIPT": script(REPORT),
        "DATA": json_text(page_data(report, rules)),
    }
    return re.sub("@([A-Z]+)@", lambda match: parts[match[1]], part("page.html"))


def part(name: str) -> str:
    """Return the text of a file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def script(names: tuple[str, ...]) -> str:
    """Return scripts, concatenated; what they export to other programs has no effect in a page."""
    return "\n".join(part(name) for name in names)


def json_text(value: Any) -> str:
    """Return JSON that can stand in a script element: no end tag, no comment, no character of text direction."""
    return without_controls(json.dumps(value, separators=(",", ":"), ensure_ascii=False)).replace("<", "\\u003c")
