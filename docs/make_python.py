"""Writes the table of docs/python.md from what benchmarks/python_corpora.py measured (docs/data/python_corpora.json).

python docs/make_python.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
DATA = DOCS / "data" / "python_corpora.json"
PAGE = DOCS / "python.md"
TITLE = "## Public code that was read\n"

HEAD = """
`coalint lint FOLDER --arch sm_90` over checkouts, of Python files and notebooks alone. "Read" are the errors and
warnings whose source was read against the finding. `python benchmarks/python_corpora.py` counts anew, `python
docs/make_python.py` writes the table.

| repository | commit | kernels | accesses | not known | warnings | read | verdict |
|---|---|---:|---:|---:|---:|---:|---|
"""


def page(text: str, data: dict[str, Any]) -> str:
    """The page's text with a new table, which is its last part."""
    before, _, _ = text.partition(TITLE)
    rows = data["repositories"]
    return before + TITLE + HEAD + "".join(map(_row, rows)) + _row(_total(rows))


def _row(row: dict[str, Any]) -> str:
    grave = row["errors"] + row["warnings"]
    cells = (row["kernels"], row["accesses"], row["unknown"], grave, row["read"], row["verdict"])
    return f"| {row['name']} | {row['commit']} | {' | '.join(map(str, cells))} |\n"


def _total(rows: list[dict[str, Any]]) -> dict[str, Any]:
    counted = ("kernels", "accesses", "unknown", "errors", "warnings", "read")
    return {"name": "all", "commit": "", "verdict": "", **{key: sum(row[key] for row in rows) for key in counted}}


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), json.loads(DATA.read_text())), encoding="utf-8")
