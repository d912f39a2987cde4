"""The widths that tests of merging assert are those of the machine code."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_compiler import compile_to_cubin, disassemble, find_compiler
from expectations import Space
from known_alignments import CASES, LINE, POOL, kernel

pytestmark = pytest.mark.slow


def test_neighbours_are_as_wide_as_nvcc_makes_them(tmp_path: Path) -> None:
    text, lines = POOL, dict[int, int]()
    for number, (start, _) in enumerate(CASES):
        lines[text.count("\n") + LINE + 1] = number
        text += kernel(f"k{number}", start)
    file, cubin = tmp_path / "k.cu", tmp_path / "k.cubin"
    file.write_text(text, encoding="utf-8")
    compiler = find_compiler()
    compile_to_cubin(compiler, file, cubin, ("-w",))
    made: dict[int, list[int]] = {number: [] for number in lines.values()}
    for instruction in disassemble(compiler, cubin, file):
        if instruction.line in lines:
            made[lines[instruction.line]] += [w for space, _, w in instruction.accesses if space is Space.SHARED]
    assert {CASES[n][0]: widths for n, widths in made.items()} == {s: [w] * (16 // w) for s, w in CASES}
