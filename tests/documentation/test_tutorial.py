"""The numbers beside the accesses of the tutorial are those that coalint counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project import Project

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```cuda\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SAID = re.compile(r"(\d+) of (\d+) (sectors|wavefronts)")


def test_the_page_has_examples() -> None:
    assert len(BLOCKS) == 5
    assert sum(len(SAID.findall(block)) for block in BLOCKS) == 18


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_line_takes_what_its_comment_says(number: int, project: Project) -> None:
    project.put("k.cu", BLOCKS[number])
    found: dict[int, set[tuple[int, int, str]]] = {}
    for kernel in project.coalint("inspect", "--output-format=json", "k.cu").report["kernels"]:
        for access in kernel["accesses"]:
            assert access["exact"]
            for unit in ("sectors", "wavefronts"):
                if access[unit] is not None:
                    found.setdefault(access["line"], set()).add((access[unit], access[f"{unit}_ideal"], unit))
    lines = enumerate(BLOCKS[number].splitlines(), 1)
    said = {line: {(int(a), int(b), unit) for a, b, unit in SAID.findall(text)} for line, text in lines}
    assert {line: costs for line, costs in said.items() if costs} == found
