"""Places in notebooks, as people read them: by cell, in `show` and `profile`."""

from __future__ import annotations

import json

import pytest
from project import Project

CELLS = (
    "import numpy as np\nfrom numba import cuda\n",
    "@cuda.jit\ndef k(a):\n    i, j = cuda.grid(2)\n    a[i, j] = 0\n",
    "k[(8, 32), (32, 8)](np.zeros((256, 256), np.float32))",
)


@pytest.fixture
def notebook(project: Project) -> Project:
    cells = [{"cell_type": "code", "source": text.splitlines(keepends=True)} for text in CELLS]
    project.put("n.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1))
    return project


@pytest.mark.parametrize("place", ["n.ipynb:cell 2:4", "n.ipynb:cell 2:4:5"])
def test_show_takes_and_names_the_line_of_a_cell(notebook: Project, place: str) -> None:
    assert "\nn.ipynb:cell 2:4:5: a[i, j]\n" in notebook.coalint("show", place).out
    spot = json.loads(notebook.coalint("show", place, "--output-format=json").out)
    assert (spot["file"], spot["cell"], spot["line"]) == ("n.ipynb", 2, 4)


def test_show_says_which_lines_of_the_cell_have_an_access(notebook: Project) -> None:
    done = notebook.coalint("show", "n.ipynb:cell 2:1")
    assert "n.ipynb:cell 2:1: there is no access here; the nearest that have one: line 4" in done.err


def test_profile_names_cells(notebook: Project) -> None:
    lines = notebook.coalint("profile", "n.ipynb").out.splitlines()
    assert lines[0].startswith("n.ipynb:cell 2:2: k, ")
    assert lines[2].split()[0] == "4:5"
