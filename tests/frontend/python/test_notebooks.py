"""Kernels in notebooks: read without running them, reported with the cell and the line in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notebooks import notebook
from project import Project

from coalint.frontend.python.cells import parse_cells, without_magics
from coalint.frontend.python.notebooks import read_notebook

IMPORTS = "%matplotlib inline\n!pip install numba \\\n  cupy\nimport numpy as np\nfrom numba import cuda\n"
KERNEL = "@cuda.jit\ndef copy(a, out):\n    x, y = cuda.grid(2)\n    out[x, y] = 2 * a[y, x]\n"
LAUNCH = "a = cuda.to_device(np.zeros((512, 512), np.float32))\n%timeit -n 10 copy[(32, 32), (16, 16)](a, a)\n"
TITLE = ("markdown", "# Copies\n\nText.")


def test_a_finding_names_the_cell_and_the_line_in_it(project: Project) -> None:
    project.put("nb.ipynb", notebook(TITLE, IMPORTS, KERNEL, LAUNCH))
    done = project.lint("nb.ipynb")
    (found,) = done.report["diagnostics"]
    assert (found["code"], found["file"]) == ("COA103", "nb.ipynb")
    assert found["cell"] == {"number": 3, "line": 4, "column": 5, "end_line": 4, "end_column": 14}
    assert "basis: 16x16 threads (launch at cell 4, line 2)" in [note["message"] for note in found["notes"]]


def test_the_file_s_own_line_is_that_of_the_json(project: Project) -> None:
    path = project.put("nb.ipynb", notebook(TITLE, IMPORTS, KERNEL, LAUNCH))
    (found,) = project.lint("nb.ipynb").report["diagnostics"]
    line = path.read_text().split("\n")[found["line"] - 1]
    assert line[found["column"] - 1 : found["end_column"] - 1] == "out[x, y]"


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_every_way_to_write_json(project: Project, indent: int | None) -> None:
    project.put("nb.ipynb", notebook(TITLE, IMPORTS, KERNEL, LAUNCH, indent=indent))
    (found,) = project.lint("nb.ipynb").report["diagnostics"]
    assert (found["cell"]["number"], found["cell"]["line"], found["cell"]["column"]) == (3, 4, 5)


def test_text_quotes_the_python(project: Project) -> None:
    project.put("nb.ipynb", notebook(TITLE, IMPORTS, KERNEL, LAUNCH))
    text = project.coalint("lint", "nb.ipynb").out
    assert "--> nb.ipynb:cell 3:4:5  COA103" in text
    assert " 4 |     out[x, y] = 2 * a[y, x]\n" in text
    concise = project.coalint("lint", "nb.ipynb", "--output-format=concise").out
    assert concise.startswith("nb.ipynb:cell 3:4:5: warning[swapped-thread-axes]")
    inspected = project.coalint("inspect", "nb.ipynb").out
    assert inspected.startswith("nb.ipynb:cell 3:2: copy, 16x16 threads (launch at cell 4, line 2)")


def test_sarif_and_html_name_the_cell(project: Project) -> None:
    path = project.put("nb.ipynb", notebook(TITLE, IMPORTS, KERNEL, LAUNCH))
    sarif = json.loads(project.coalint("lint", "nb.ipynb", "--output-format=sarif").out)
    (result,) = sarif["runs"][0]["results"]
    (location,) = result["locations"]
    assert {"name": "cell 3", "kind": "module"} in location["logicalLocations"]
    assert location["properties"]["cell"]["line"] == 4
    region = location["physicalLocation"]["region"]
    assert path.read_text().split("\n")[region["startLine"] - 1][region["startColumn"] - 1 :].startswith("out[x, y]")
    page = project.coalint("lint", "nb.ipynb", "--output-format=html").out
    assert "nb.ipynb:cell 3" in page


def test_cuda_source_in_a_notebook(project: Project) -> None:
    source = (
        'extern "C" __global__ void k(float *out, const float *in) {\n'
        "    int i = blockIdx.x * 256 + threadIdx.x;\n    out[i] = in[8 * i];\n}\n"
    )
    cell = f"import cupy as cp\n%load_ext autoreload\nk = cp.RawKernel(r'''\n{source}''', 'k')\n"
    project.put("nb.ipynb", notebook(TITLE, "# é\n", cell))
    (found,) = project.lint("nb.ipynb").report["diagnostics"]
    assert (found["code"], found["cell"]["number"], found["cell"]["line"]) == ("COA101", 3, 6)


def test_comments_and_settings_hold_in_cells(project: Project) -> None:
    ignored = KERNEL.replace("2 * a[y, x]", "2 * a[y, x]  # coalint: ignore[COA103] on purpose")
    project.put("nb.ipynb", notebook(IMPORTS, ignored, LAUNCH))
    assert project.lint("nb.ipynb").places == []
    assumed = KERNEL.replace("    x,", "    # coalint: assume(cuda.blockDim.x == 64 and cuda.blockDim.y == 1)\n    x,")
    project.put("nb.ipynb", notebook(IMPORTS, assumed))
    (found,) = project.lint("nb.ipynb").report["diagnostics"]
    assert "32 sectors" in found["message"]


def test_a_cell_that_is_no_python_costs_itself_alone(project: Project) -> None:
    project.put("nb.ipynb", notebook(IMPORTS, "def f(:\n    pass\n", KERNEL, "%%bash\nls | grep 'x\n", LAUNCH))
    found = {(d["code"], d["cell"]["number"]) for d in project.lint("nb.ipynb").report["diagnostics"]}
    assert found == {("COA902", 2), ("COA103", 3)}


def test_a_kernel_that_a_later_cell_defines_anew_is_another_one(project: Project) -> None:
    other = KERNEL.replace("out[x, y] = 2 * a[y, x]", "out[y, x] = 2 * a[y, x]")
    project.put("nb.ipynb", notebook(IMPORTS, other, LAUNCH, KERNEL, LAUNCH.replace("(16, 16)", "(32, 8)")))
    (found,) = project.lint("nb.ipynb").report["diagnostics"]
    assert found["cell"]["number"] == 4
    assert "32 sectors" in found["message"]


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline", "0"),
        ("if x:\n    !ls *.py\n    y = 1", "if x:\n    0\n    y = 1"),
        ("files = !ls\n", "files = _"),
        ("a = %timeit -o f()", "a = _"),
        ("x = y %a\n", "x = y %a"),
        ("x = (y\n  %z)", "x = (y\n  %z)"),
        ("s = '''\n%time\n!ls\n'''", "s = '''\n%time\n!ls\n'''"),
        ("len?\n", "0"),
        ("?len", "0"),
        ("x = a != b", "x = a != b"),
        ("%%time\nf()", "0\nf()"),
        ("%%writefile x.cu\n__global__ void k();", ""),
        ("!echo 'it\nx = 1", "0\nx = 1"),
        ("!a \\\n  b \\\n  c\nx = 1", "0\n\n\nx = 1"),
        ("%time f(1)", "0;    f(1)"),
        ("%time f(", "0"),
    ],
)
def test_what_is_no_python_is_blanked(cell: str, python: str) -> None:
    blanked = without_magics(cell)
    assert len(blanked) == len(cell)
    assert [line.rstrip() for line in blanked.rstrip().split("\n")] == python.rstrip().split("\n")


@pytest.mark.slow
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=60), max_size=5), st.sampled_from([None, 0, 2]))
def test_every_character_keeps_its_place(cells: list[str], indent: int | None) -> None:
    data = notebook(*cells, indent=indent)
    found = read_notebook(data)
    assert found.error is None
    wanted = {n: text.replace("\r", " ").replace("\f", " ") for n, text in enumerate(cells, 1) if text}
    assert {cell.number: found.text[cell.begin : cell.end] for cell in found.cells} == wanted
    for cell in found.cells:
        for at in range(cell.begin, cell.end):
            before = found.text[cell.begin : at]
            place = (cell.number, before.count("\n") + 1, at - cell.begin - (before.rfind("\n") + 1) + 1)
            assert found.place(found.begins[at]) == place
    parsed = parse_cells(found.text)
    assert len(parsed.text) == len(found.text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file ends where an object was expected"),
        ("version https://git-lfs.github.com/spec/v1\nnumba cuda", "an object was expected here"),
        (notebook(IMPORTS, KERNEL)[:-30], "the file ends"),
        ('{"cells": {"numba": "cuda"}}', "a list was expected here"),
        ('{"cells": ["numba cuda"]}', "an object was expected here"),
        ('{"cells": [{"cell_type": "code", "source": [1, "numba cuda"]}]}', "a string was expected here"),
        ('{"metadata": "numba cuda"}', "it has no cells"),
        ('{"cells": [] "numba": "cuda"}', "a comma or the end of the object was expected here"),
        ('{"cells": []} numba cuda', "the end of the file was expected here"),
        ('{"cells": [{"cell_type": "code", "source": "numba cuda \\x"}]}', "`\\x` is no escape of a string"),
    ],
)
def test_a_malformed_notebook_is_said(project: Project, text: str, reason: str) -> None:
    project.put("nb.ipynb", text)
    done = project.lint("nb.ipynb")
    (found,) = done.report["diagnostics"]
    assert found["code"] == "COA902"
    assert f"the notebook could not be read, so that no kernel in it was found: {reason}" in found["message"]
    assert done.code == 1


@pytest.mark.parametrize("nested", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_depth_is_no_matter(project: Project, nested: str) -> None:
    whole = notebook(IMPORTS, KERNEL, LAUNCH).replace('"outputs": []', f'"outputs": {nested}', 1)
    project.put("nb.ipynb", whole)
    codes = project.lint("nb.ipynb").codes
    assert codes == (["COA103"] if nested.endswith("]") else ["COA902"])


def test_what_takes_too_long_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coalint.frontend.python.json_scanner.MOST_BRACKETS", 1000)
    whole = notebook(IMPORTS, KERNEL).replace('"outputs": []', f'"outputs": [{"[]," * 1000}[]]', 1)
    assert "it holds more than 1,000 brackets" in str(read_notebook(whole).error)
    monkeypatch.setattr("coalint.frontend.python.notebooks.MOST_CODE", 1 << 10)
    assert "MB of code" in str(read_notebook(notebook("x = 1\n" * 1000)).error)


def test_notebooks_of_other_languages_and_without_kernels_are_passed_over(project: Project) -> None:
    project.put("julia.ipynb", notebook(IMPORTS, KERNEL, language="julia"))
    project.put("text.ipynb", notebook(("markdown", "numba and cuda.jit"), "x = 1\n"))
    done = project.coalint("lint", ".", "--output-format=json")
    assert done.code == 0
    assert json.loads(done.out)["diagnostics"] == []


def test_a_folder_is_searched_for_notebooks(project: Project) -> None:
    project.put("sub/nb.ipynb", notebook(IMPORTS, KERNEL, LAUNCH))
    project.put("sub/.ipynb_checkpoints/nb-checkpoint.ipynb", notebook(IMPORTS, KERNEL, LAUNCH))
    assert [file for file, _, _ in project.lint(".").places] == ["sub/nb.ipynb"]


def test_the_hook_reads_notebooks(project: Project) -> None:
    project.put("nb.ipynb", notebook(IMPORTS, KERNEL, LAUNCH))
    assert project.lint("nb.ipynb", "--device-code-only").codes == ["COA103"]


def test_format_3(project: Project) -> None:
    cells = [{"cell_type": "code", "input": text.splitlines(keepends=True)} for text in (IMPORTS, KERNEL, LAUNCH)]
    project.put("nb.ipynb", json.dumps({"metadata": {}, "nbformat": 3, "worksheets": [{"cells": cells}]}, indent=1))
    (found,) = project.lint("nb.ipynb").report["diagnostics"]
    assert (found["code"], found["cell"]["number"]) == ("COA103", 2)
