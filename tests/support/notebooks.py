"""Notebooks as Jupyter writes them."""

from __future__ import annotations

import json
from collections.abc import Sequence


def notebook(*cells: str | tuple[str, str], language: str = "python", indent: int | None = 1) -> str:
    """The text of a notebook with these cells of code; a cell of another kind comes with its name."""
    parts = [("code", cell) if isinstance(cell, str) else cell for cell in cells]
    return json.dumps(
        {
            "cells": [_cell(kind, text.splitlines(keepends=True)) for kind, text in parts],
            "metadata": {"kernelspec": {"name": "k", "language": language}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=indent,
    )


def _cell(kind: str, source: Sequence[str]) -> dict[str, object]:
    code: dict[str, object] = {"execution_count": None, "outputs": []}
    return {"cell_type": kind, "metadata": {}, "source": list(source), **(code if kind == "code" else {})}
