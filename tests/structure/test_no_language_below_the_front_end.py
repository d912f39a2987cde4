"""No word of CUDA stands below the front end: what messages name is spelled by the module's `Spelling`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from cuda_words import CUDA_WORD

from coalint.core.ir.spelling import Spelling
from coalint.frontend.cuda.spelling import CUDA

ROOT = Path(__file__).resolve().parents[2]
PLACES = (*(f"src/coalint/{name}" for name in ("core", "machine", "analysis", "engine", "rule.py")), "rules")


def strings(text: str) -> Iterator[tuple[int, str]]:
    """Every string constant of a module that is no docstring, with its line; parts of f-strings are among them."""
    tree = ast.parse(text)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def words(text: str) -> list[tuple[int, str]]:
    """The words of CUDA in a module's strings, with their lines."""
    return [(line, found) for line, string in strings(text) for found in CUDA_WORD.findall(string)]


@pytest.mark.parametrize("place", PLACES)
def test_no_string_names_a_word_of_cuda(place: str) -> None:
    at = ROOT / place
    modules = [at] if at.is_file() else sorted(at.rglob("*.py"))
    assert modules
    found = [(path, words(path.read_text(encoding="utf-8"))) for path in modules]
    assert not [f"{path}:{line}: {word}" for path, its in found for line, word in its]


@pytest.mark.parametrize(
    "word",
    "__syncthreads __coalint_tile_sync threadIdx blockIdx.x blockDim gridDim warpSize __shared__ __global__ cudaMalloc "
    "__popc __shfl_sync __launch_bounds__ float4 uchar3 curandState dim3 atomicAdd memcpy cg::reduce".split(),
)
def test_a_word_of_cuda_is_seen(word: str) -> None:
    found = words(f'"""A docstring may say `{word}`."""\nMESSAGE = f"put `{word}` {{here}}"')
    assert found == [(2, CUDA_WORD.findall(word)[0])]


def test_what_the_language_spells_with_names_of_its_own_is_seen() -> None:
    common = {"language", "comment", "component", "call", "statement", "subscript", "extent", "volatile", "measuring"}
    common |= {"between_extents", "shared_array", "grid_place", "integer_division"}
    common |= {"untyped_pointer", "integers", "unsigned", "floats", "vector_view", "aligns_wider", "points_to"}
    unseen = [
        field.name
        for field in fields(Spelling)
        if field.name not in common and not CUDA_WORD.search(str(getattr(CUDA, field.name)))
    ]
    assert not unseen, "words of the spelling that this test would not find in a message"
