"""Kernels whose helpers, constants and launches stand in other files: followed by text, nothing is imported."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from project import Project

from coalint.frontend.python.numba import project as following

HELPERS = """\
from numba import cuda

STEP = 8

@cuda.jit(device=True)
def at(a, i):
    return a[STEP * i]
"""
KERNEL = """\
from numba import cuda
{imports}

@cuda.jit
def k(a, out):
    i = cuda.grid(1)
    out[i] = {expression}
"""
MAIN = """\
import numpy as np
{imports}

def main():
    a = np.zeros(4096, np.float64)
    {launch}(a, a)
"""


def kernels(project: Project, *paths: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(project.coalint("inspect", *paths, "--output-format=json").out)["kernels"]
    return found


@pytest.mark.parametrize(
    ("imports", "expression"),
    [
        ("from helpers import at", "at(a, i)"),
        ("from helpers import at as get", "get(a, i)"),
        ("import helpers", "helpers.at(a, i)"),
        ("import helpers as h", "a[h.STEP * i]"),
        ("from helpers import *", "a[STEP * i]"),
        ("from .helpers import STEP", "a[STEP * i]"),
        ("from . import helpers", "helpers.at(a, i)"),
        ("from lib import STEP", "a[STEP * i]"),
        ("import lib.deep.inner", "a[lib.deep.inner.STEP * i]"),
        ("from lib.deep import inner", "a[inner.STEP * i]"),
    ],
)
def test_what_other_files_define_is_followed(project: Project, imports: str, expression: str) -> None:
    project.put("helpers.py", HELPERS)
    project.put("lib/__init__.py", "from .deep.inner import STEP\n")
    project.put("lib/deep/inner.py", "STEP = 8\n")
    project.put("k.py", KERNEL.format(imports=imports, expression=expression))
    (kernel,) = kernels(project, "k.py")
    load = next(access for access in kernel["accesses"] if access["op"] == "load")
    assert (load["sectors"], load["stride"]) == (32, "32")
    assert load["file"] == ("helpers.py" if "at" in expression or "get" in expression else "k.py")


@pytest.mark.parametrize(
    ("imports", "expression"),
    [
        ("from missing import STEP", "a[STEP * i]"),
        ("from .missing import STEP", "a[STEP * i]"),
        ("from helpers import OTHER", "a[OTHER * i]"),
        ("import helpers", "a[helpers.OTHER * i]"),
        ("from k import STEP", "a[STEP * i]"),
    ],
)
def test_what_is_not_found_is_unknown(project: Project, imports: str, expression: str) -> None:
    project.put("helpers.py", HELPERS)
    project.put("k.py", KERNEL.format(imports=imports, expression=expression))
    (kernel,) = kernels(project, "k.py")
    load = next(access for access in kernel["accesses"] if access["op"] == "load")
    assert load["sectors"] is None
    assert load["unknown"]


@pytest.mark.parametrize(
    ("imports", "launch"),
    [
        ("from lib.k import k", "k[16, 256]"),
        ("from lib import k", "k.k[16, 256]"),
        ("import lib.k as kernels", "kernels.k[16, 256]"),
        ("import lib.k", "lib.k.k[16, 256]"),
    ],
)
def test_launches_of_other_files_of_the_run(project: Project, imports: str, launch: str) -> None:
    project.put("lib/k.py", KERNEL.format(imports="", expression="a[i]"))
    project.put("main.py", MAIN.format(imports=imports, launch=launch))
    for paths in ((".",), ("main.py", "lib/k.py"), ("lib", "main.py")):
        (kernel,) = kernels(project, *paths)
        assert kernel["launch"]["block"] == [256, 1, 1]
        assert kernel["launch"]["file"].endswith("main.py")
        assert [(a["sectors"], a["bytes"], a["exact"]) for a in kernel["accesses"]] == [(8, 8, True)] * 2
    (alone,) = kernels(project, "lib/k.py")
    assert alone["launch"]["source"] == "assumed"


def test_a_file_that_launches_no_kernel_of_the_run_is_passed_over(project: Project) -> None:
    project.put("lib/k.py", KERNEL.format(imports="", expression="a[i]"))
    project.put("other.py", "import json\nf[0](1)\n" + "x = (\n")
    assert project.lint(".").codes == []


def test_a_cache_knows_the_files_that_were_read_and_looked_for(project: Project, monkeypatch: Any) -> None:
    project.put("k.py", KERNEL.format(imports="from consts import STEP", expression="a[STEP * i]"))
    files = [project.root / "k.py", project.root / "consts.py"]

    def codes(text: str | None) -> list[str]:
        if text is not None:
            project.put("consts.py", text)
        for path in files:
            if path.exists():
                os.utime(path, (1, 1))  # long before the run, so that results are kept
        return project.lint("k.py", "--min-severity=warning").codes

    assert codes(None) == []
    assert codes("STEP = 8\n") == ["COA101"]
    assert codes("STEP = 1\n") == []


@pytest.mark.parametrize("dots", ["", "..", "..."])
def test_nothing_outside_of_the_repository_is_read(project: Project, tmp_path: Path, dots: str) -> None:
    imports = f"from {dots}secret import STEP"
    outside = tmp_path / "secret.py"
    outside.write_text("STEP = 8\n")
    (project.root / ".git").mkdir()
    (project.root / "secret.py").symlink_to(outside)
    project.put("pkg/k.py", KERNEL.format(imports=imports, expression="a[STEP * i]"))
    (kernel,) = kernels(project, "pkg/k.py")
    load = next(access for access in kernel["accesses"] if access["op"] == "load")
    assert load["sectors"] is None


def test_files_that_import_each_other(project: Project) -> None:
    project.put("helpers.py", HELPERS.replace("STEP = 8", "from k import STEP"))
    kernel = KERNEL.format(imports="from helpers import at", expression="at(a, i)")
    project.put("k.py", kernel + "\nSTEP = 8\n")
    (found,) = kernels(project, "k.py")
    assert found["accesses"][0]["stride"] == "32"


@pytest.mark.parametrize(("bound", "most"), [("MOST_FILES", 0), ("MOST_CHARACTERS", 20), ("MOST_PLACES", 0)])
def test_imports_are_followed_within_bounds_and_what_is_left_is_said(
    project: Project, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    project.put("helpers.py", HELPERS)
    project.put("k.py", KERNEL.format(imports="import helpers", expression="helpers.at(a, i)"))
    monkeypatch.setattr(following, bound, most)
    report = project.coalint("lint", "k.py", "--output-format=json", "--no-cache", "--jobs=1").report
    (finding,) = (found for found in report["diagnostics"] if found["name"] == "not-analysed")
    assert finding["message"].startswith("the imports of this file were not all followed")
    assert "`helpers" in finding["message"]
    assert "40 files" in finding["help"]
