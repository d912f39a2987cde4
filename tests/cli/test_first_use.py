"""What meets a new user: a narrow terminal, a log without colour, awkward paths, and a large repository."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from project import STRIDED, Project
from rich.cells import cell_len

ROOT = Path(__file__).resolve().parents[2]
AWKWARD = "meine Kerne/größe 漢 & co/k 1.cu"
EVERY = ("aos-field-access", "contended-atomic", "data-dependent-access", "divergent-barrier", "unpadded-tile-column")


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_a_report_fits_80_columns(monkeypatch: pytest.MonkeyPatch, project: Project, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(ROOT)
    out = project.coalint("lint", f"fixtures/{name}").out
    assert out
    # A path is not cut, so that a terminal can open it.
    assert [line for line in out.splitlines() if cell_len(line) > 80 and "--> " not in line] == []


@pytest.mark.parametrize("command", [("lint",), ("inspect",)])
def test_a_log_without_a_terminal_has_no_colour(
    monkeypatch: pytest.MonkeyPatch, project: Project, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CI", "true")
    project.put("k.cu", STRIDED)
    done = project.coalint(*command, "k.cu")
    assert "in[8 * i]" in done.out
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize("output_format", ["full", "concise", "json", "jsonl", "rdjson", "junit", "markdown", "github"])
def test_an_awkward_path_is_in_every_report_as_it_is(project: Project, output_format: str) -> None:
    project.put(AWKWARD, STRIDED)
    done = project.coalint("lint", f"--output-format={output_format}", ".")
    assert done.code == 1
    out = done.out.replace("\\u00f6", "ö").replace("\\u00df", "ß").replace("\\u6f22", "漢")
    assert AWKWARD in out.replace("&amp;", "&"), out


@pytest.mark.skipif(sys.platform == "win32", reason="there such a path is a path")
def test_a_path_with_backslashes_is_understood_as_what_it_is_elsewhere(project: Project) -> None:
    project.put("src/gpu kernels/k.cu", STRIDED)
    done = project.coalint("lint", "src\\gpu kernels\\k.cu")
    assert done.code == 2
    assert done.err.endswith("did you mean src/gpu kernels/k.cu?\n")


@pytest.mark.slow
def test_a_large_repository_is_read_whole_and_known_the_second_time(project: Project) -> None:
    project.put("include/common.cuh", "#pragma once\n__device__ inline int id() { return threadIdx.x; }\n")
    count = 120
    for number in range(count):
        body = f"out[id()] = in[{number % 4 + 1} * id()];"
        project.put(
            f"src/part {number % 7}/k{number}.cu",
            '#include "../../include/common.cuh"\n'
            f"__global__ void k{number}(float *out, const float *in) {{ {body} }}\n"
            f"void run(float *a) {{ k{number}<<<4, 256>>>(a, a); }}\n",
        )
    first = project.lint(".")
    assert first.report["coverage"]["kernels"] == count
    assert first.codes == ["COA101"] * (count * 3 // 4)
    assert first.err == ""
    again = project.lint(".")
    assert again.out == first.out
    names = {d["file"] for d in first.report["diagnostics"]}
    assert all(os.path.exists(name) for name in names)
    assert json.loads(first.out)["schema"] == "coalint-report/1"
