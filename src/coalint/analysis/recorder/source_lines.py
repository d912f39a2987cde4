"""The source lines of a module's files, split once."""

from __future__ import annotations

from functools import lru_cache

from coalint.core import ir


def lines_of(module: ir.Module) -> dict[str, list[str]]:
    """Return the source lines of every file of the module."""
    return {file: _lines(text) for file, text in module.sources.items()}


@lru_cache(maxsize=64)
def _lines(text: str) -> list[str]:
    return text.split("\n")
