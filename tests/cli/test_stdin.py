"""Source from stdin is read as if it stood in the file that --stdin-filename names."""

from __future__ import annotations

import io
import json
import sys

import pytest
from project import STRIDED, Project

from coalint.engine.config.outputs import FORMATS

UNUSED = "int x;  // coalint: ignore[COA101]\n"


@pytest.fixture
def piped(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project in which STRIDED comes from stdin."""
    pipe(monkeypatch, STRIDED)
    return project


def pipe(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_name_of_its_own_is_given_to_stdin(piped: Project) -> None:
    done = piped.lint("-")
    assert done.places == [("stdin.cu", "COA101", 3)]
    assert done.code == 1


def test_the_text_stands_in_for_the_file_on_disk(piped: Project) -> None:
    piped.put("k.cu", "not the text at all")
    assert piped.lint("-", "--stdin-filename", "k.cu").places == [("k.cu", "COA101", 3)]


def test_the_file_need_not_exist_nor_its_folder(piped: Project) -> None:
    assert piped.lint("-", "--stdin-filename", "new/k.cu").places == [("new/k.cu", "COA101", 3)]


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_names_the_file(piped: Project, output_format: str) -> None:
    done = piped.coalint("lint", "-", "--stdin-filename=k.cu", f"--output-format={output_format}")
    assert "k.cu" in done.out
    assert "COA101" in done.out or "uncoalesced-global-access" in done.out
    assert done.code == 1


def test_headers_and_settings_are_those_of_its_place(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("deep/step.h", "#define STEP 4\n")
    project.put("deep/coalint.toml", 'severity = { COA101 = "error" }\n')
    pipe(monkeypatch, '#include "step.h"\n' + STRIDED.replace("8 * i", "STEP * i"))
    (found,) = project.lint("-", "--stdin-filename=deep/k.cu").report["diagnostics"]
    assert (found["severity"], found["line"]) == ("error", 4)
    assert "16 sectors" in found["message"]


def test_what_a_configuration_excludes_is_passed_over(piped: Project) -> None:
    piped.put("coalint.toml", 'exclude = ["old/"]\n')
    done = piped.lint("-", "--stdin-filename=old/k.cu")
    assert (done.code, done.places) == (0, [])


def test_a_header_is_read_through_the_file_that_includes_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("k.cu", '#define STEP 4\n#include "k.cuh"\nvoid run(float *a) { k<<<4, 256>>>(a, a); }\n')
    project.put("k.cuh", "")
    pipe(monkeypatch, STRIDED.replace("8 * i", "STEP * i").rpartition("void run")[0])
    assert project.lint("-", "--stdin-filename=k.cuh").places == [("k.cuh", "COA101", 3)]


def test_results_are_shared_with_those_of_the_file(piped: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stdin gave must not be taken for what other text on disk gives, nor the other way round."""
    piped.put("k.cu", STRIDED.replace("8 * i", "i"))
    assert piped.lint("k.cu").places == []
    assert piped.lint("-", "--stdin-filename=k.cu").places == [("k.cu", "COA101", 3)]
    assert piped.lint("k.cu").places == []
    pipe(monkeypatch, STRIDED.replace("8 * i", "i"))
    assert piped.lint("-", "--stdin-filename=k.cu").places == []


def test_an_empty_stdin_is_an_empty_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("k.cu", STRIDED)
    pipe(monkeypatch, "")
    done = project.lint("-", "--stdin-filename=k.cu")
    assert (done.code, done.places) == (0, [])


def test_fixed_text_goes_to_stdout_and_the_report_to_stderr(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("k.cu", "the file is left alone")
    pipe(monkeypatch, STRIDED + UNUSED)
    done = project.coalint("lint", "-", "--fix", "--stdin-filename=k.cu", "--output-format=concise")
    assert done.out == STRIDED + "int x;\n"
    assert "k.cu:3:14: warning[uncoalesced-global-access]" in done.err
    assert (project.root / "k.cu").read_text() == "the file is left alone"


def test_a_diff_of_stdin(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, STRIDED + UNUSED)
    done = project.coalint("lint", "-", "--diff", "--stdin-filename=k.cu")
    assert "--- a/k.cu\n+++ b/k.cu\n" in done.out
    assert "-int x;  // coalint: ignore[COA101]\n+int x;\n" in done.out


def test_inspect_reads_stdin(piped: Project) -> None:
    done = piped.coalint("inspect", "-", "--stdin-filename=k.cu", "--output-format=json")
    (kernel,) = json.loads(done.out)["kernels"]
    assert kernel["file"] == "k.cu"
    assert {access["file"] for access in kernel["accesses"]} == {"k.cu"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lint", "-", "k.cu"), "only path"),
        (("lint", "k.cu", "--stdin-filename=k.cu"), "give `-`"),
        (("lint", "-", "--diff-base=main"), "--diff-base"),
        (("verify", "-", "--ncu=x.csv"), "not for verify"),
    ],
)
def test_what_stdin_does_not_go_with(project: Project, arguments: tuple[str, ...], said: str) -> None:
    done = project.coalint(*arguments)
    assert done.code == 2
    assert said in done.err
