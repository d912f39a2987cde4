"""`lint --stream`: the findings of a file are printed when it is checked, each once; the summary stands at the end."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from project import Project

from coalint.cli.progress import state_text
from coalint.engine.config.settings import Settings
from coalint.engine.execution.progress import Progress
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Report
from coalint.engine.request import RunRequest

KERNEL = """\
__global__ void {name}(float *out, const float *in) {{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[{stride} * i];
}}
"""
LAUNCH = "void run(float *data) {{ {name}<<<4, 256>>>(data, data); }}\n"


def put(project: Project, name: str, stride: int = 8, *, launched: bool = True) -> None:
    text = KERNEL + (LAUNCH if launched else "")
    project.put(f"{name}.cu", text.format(name=name, stride=stride))


def told_and_reported(project: Project, *files: str) -> tuple[list[Report], Report]:
    """The reports on single files, in the order in which they came, and the one at the end."""
    parts: list[Report] = []
    settings = Settings(cache=False, jobs=1)
    request = RunRequest(files=files, settings=settings, finished=parts.append)
    return parts, lint(request, load_rules())


def test_each_file_is_told_of_when_it_is_checked_and_as_the_report_has_it(project: Project) -> None:
    put(project, "a")
    put(project, "b", stride=4)
    parts, report = told_and_reported(project, "a.cu", "b.cu")
    assert sorted(d.finding.span.file for part in parts for d in part.diagnostics) == ["a.cu", "b.cu"]
    assert len(parts) == 2
    assert {d for part in parts for d in part.diagnostics} == set(report.diagnostics)


def test_what_another_file_may_change_comes_at_the_end(project: Project) -> None:
    put(project, "a", launched=False)
    project.put("typo.cu", "// coalint: ignore[COA101]\n" + KERNEL.format(name="typo", stride=1))
    parts, report = told_and_reported(project, "a.cu", "typo.cu")
    assert [d.finding.span.file for d in report.diagnostics if d.finding.code == "COA101"] == ["a.cu"]
    assert not parts


@pytest.mark.slow
def test_lines_of_json_are_those_of_a_run_without_stream(project: Project) -> None:
    put(project, "a")
    put(project, "b", launched=False)
    put(project, "c", stride=1)
    whole = project.coalint("lint", "--output-format=jsonl", ".")
    streamed = project.coalint("lint", "--output-format=jsonl", "--stream", "--no-cache", ".")
    assert len(streamed.out.splitlines()) == 2
    assert Counter(streamed.out.splitlines()) == Counter(whole.out.splitlines())
    assert streamed.code == whole.code == 1
    assert all(json.loads(line)["code"] == "COA101" for line in streamed.out.splitlines())


def test_people_read_each_finding_once_and_the_summary_last(project: Project) -> None:
    put(project, "a")
    put(project, "b", launched=False)
    whole = project.coalint("lint", ".").out
    streamed = project.coalint("lint", "--stream", ".").out  # from the cache: it is told alike
    assert sorted(streamed.splitlines()) == sorted(whole.splitlines())
    assert streamed.splitlines()[-1] == whole.splitlines()[-1]


def test_findings_below_the_least_severity_and_ignored_ones_are_not_told(project: Project) -> None:
    text = KERNEL.replace("in[{stride} * i];", "in[{stride} * i];  // coalint: ignore[COA101]") + LAUNCH
    project.put("a.cu", text.format(name="a", stride=8))
    put(project, "b")
    assert project.coalint("lint", "--stream", "--output-format=concise", "a.cu").out == ""
    assert project.coalint("lint", "--stream", "--output-format=concise", "--min-severity=error", "b.cu").out == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fix"], "--fix"),
        (["--max-findings=3"], "--max-findings"),
        (["--statistics"], "--statistics"),
        (["--output-format=sarif"], "full, concise, jsonl"),
    ],
)
def test_what_needs_the_whole_report_is_refused(project: Project, options: list[str], said: str) -> None:
    put(project, "a")
    done = project.coalint("lint", "--stream", *options, "a.cu")
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_the_bar_tells_kernels_the_time_left_and_the_file_that_takes_long() -> None:
    running = (("kernels/gemm.cu", 4.2), ("b.cu", 0.1))
    state = Progress(done=3, total=9, kernels=31, share=0.25, running=running)
    assert state_text(state, 4.0) == "31 kernels, 12 s left, gemm.cu takes 4 s"
    early = Progress(done=1, total=9, kernels=1, share=0.01, running=(("b.cu", 0.5),))
    assert state_text(early, 1.0) == "1 kernel"
    assert state_text(Progress(done=1, total=4, kernels=2, share=0.5), 300.0) == "2 kernels, 5 min left"
