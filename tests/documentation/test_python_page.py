"""docs/python.md says what coalint says."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

from project import Project

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "python.md"


def test_its_example_gives_what_it_says(project: Project) -> None:
    text = PAGE.read_text(encoding="utf-8")
    example = re.search(r"```python\n((?:(?!```).)*RawKernel.*?)```", text, re.DOTALL)
    said = re.search(r"`(kernels\.py:\d+:\d+: \S+) the load of \.\.\.`", text)
    assert example is not None
    assert said is not None
    project.put("kernels.py", example[1])
    assert project.coalint("lint", "kernels.py", "--output-format=concise").out.startswith(f"{said[1]} the load of ")


def test_its_kernel_of_numba_gets_the_advice_that_it_says(project: Project) -> None:
    text = PAGE.read_text(encoding="utf-8")
    example = re.search(r"```python\n((?:(?!```).)*cuda\.jit.*?)```", text, re.DOTALL)
    assert example is not None
    project.put("kernels.py", example[1])
    out = project.coalint("lint", "kernels.py", "--output-format=json").out  # which no terminal's width cuts
    assert "takes 32 sectors per request (ideal: 4)" in out
    assert "`y, x = cuda.grid(2)`" in out


def test_its_table_is_what_was_counted() -> None:
    spec = importlib.util.spec_from_file_location("make_python", DOCS / "make_python.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    data = json.loads((DOCS / "data" / "python_corpora.json").read_text())
    text = PAGE.read_text(encoding="utf-8")
    assert module.page(text, data) == text
    assert sum(row["kernels"] > 0 for row in data["repositories"]) >= 10
    assert all(row["read"] == row["errors"] + row["warnings"] for row in data["repositories"])
