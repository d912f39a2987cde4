"""No result is read back out of words: messages are made for people, and what programs need are fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORDS = frozenset({"message", "because", "basis", "notes", "help", "assumed"})
"""Attributes of findings, notes, barriers, failures and specializations that hold sentences."""
READING = frozenset(
    "startswith endswith replace partition rpartition split rsplit removeprefix removesuffix find index".split()
)
SEARCHING = frozenset({"search", "match", "fullmatch", "findall", "finditer", "sub", "split"})
FLOORS = {
    "core": ROOT / "src/coalint/core",
    "machine": ROOT / "src/coalint/machine",
    "analysis": ROOT / "src/coalint/analysis",
    "engine": ROOT / "src/coalint/engine",
    "rules": ROOT / "rules",
}
WHAT_OTHERS_SAY = {
    # The front end puts the file's name before its errors; the engine prints it in a place of its own.
    ("engine/check/file.py", "error.message.removeprefix"),
    ("engine/units/explanation.py", "error.message.removeprefix"),
    # A finding about a file has nothing else that stays the same while lines move.
    ("engine/findings/fingerprints.py", "_NUMBER.sub('#', finding.message)"),
}


def readings(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where words are cut, searched, or compared with a text; that two messages are equal is no reading."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            has_text = any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in sides)
            is_searched = any(isinstance(op, ast.In | ast.NotIn) for op in node.ops) and _is_words(sides[-1])
            if is_searched or (has_text and any(map(_is_words, sides))):
                yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_cut = node.func.attr in READING and _is_words(node.func.value)
            if is_cut or (node.func.attr in SEARCHING and any(_is_words(argument) for argument in node.args)):
                yield node.func if is_cut else node


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)


def _is_words(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in WORDS


@pytest.mark.parametrize("floor", sorted(FLOORS))
def test_nothing_but_a_reporter_reads_words(floor: str) -> None:
    found = [
        f"{name}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)}"
        for path in sorted(FLOORS[floor].rglob("*.py"))
        for name in [str(path.relative_to(FLOORS[floor].parent))]
        for node in readings(ast.parse(path.read_text(encoding="utf-8")))
        if (name, ast.unparse(node)) not in WHAT_OTHERS_SAY
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "'sectors' in finding.message",
        "note.message.startswith('`')",
        "PATTERN.search(finding.message)",
        "barrier.because == 'only some'",
        "specialization.basis.replace('from --assume', 'from --block')",
    ],
)
def test_a_reading_is_seen(code: str) -> None:
    assert list(readings(ast.parse(code)))
