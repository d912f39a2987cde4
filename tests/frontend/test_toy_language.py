"""A front end of another language goes through the whole pipeline, and is reported in the words of its own."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import get_context

import pytest
from cuda_words import CUDA_WORD
from project import Project
from toy_language import ToyFrontEnd

from coalint.engine.execution.workers import pool
from coalint.frontend.registry import front_end_of, registered

SOURCE = """\
kernel spread(out, in)
    shared tile 2048
    out[8 * lane.x] = in[lane.x]
    tile[32 * lane.x] = in[lane.x]
    when lane.x < 16
        wait_all()
    end
end

kernel along(out, in)
    out[lane.x] = in[lane.x]
    wait_all()
end

start spread 4 64
start along 4 64
"""


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with registered(ToyFrontEnd()):
        yield


def test_a_suffix_belongs_to_its_front_end_while_that_is_registered() -> None:
    assert isinstance(front_end_of("k.lanes"), ToyFrontEnd)


@pytest.mark.workers
@pytest.mark.parametrize(
    ("jobs", "method"), [("-j1", "fork"), ("-j2", "fork"), ("-j1", "spawn"), ("-j1", "forkserver")]
)
def test_kernels_of_another_language_are_linted(
    project: Project, monkeypatch: pytest.MonkeyPatch, jobs: str, method: str
) -> None:
    """Also by processes that are started afresh and know nothing of this one."""
    monkeypatch.setattr(pool, "worker_context", lambda _: get_context(method))
    project.put("k.lanes", SOURCE)
    project.put("again.lanes", SOURCE)
    done = project.lint(jobs, "--no-cache", "--sort=path", ".")
    assert done.err == ""
    assert [place for place in done.places if place[0] == "k.lanes"] == [
        ("k.lanes", "COA101", 3),
        ("k.lanes", "COA202", 4),
        ("k.lanes", "COA301", 6),
    ]
    assert [count for _, _, count in done.places] == [3, 4, 6, 3, 4, 6]


def test_messages_are_in_the_words_of_the_language(project: Project) -> None:
    project.put("k.lanes", SOURCE)
    text = " ".join(project.coalint("lint", "--no-cache", "--output-format", "full", "k.lanes").out.split())
    assert "the store to `out[8 * lane.x]` takes 32 sectors per request (ideal: 4)" in text
    assert "let consecutive values of lane.x use consecutive elements of `out`" in text
    assert "the store to `tile[32 * lane.x]` has a 32-way bank conflict" in text
    assert "only part of the block may reach `wait_all()`: `lane.x < 16` can differ" in text
    assert "64 threads (launch at line 15)" in text


@pytest.mark.parametrize("report", ["full", "concise", "json", "github", "gitlab"])
def test_no_report_says_a_word_of_cuda(project: Project, report: str) -> None:
    """SARIF and HTML hold the rules' pages too, whose examples are in CUDA."""
    project.put("k.lanes", SOURCE)
    out = project.coalint("lint", "--no-cache", "--preview", f"--output-format={report}", "k.lanes").out
    assert "only part of the block may reach `wait_all()`" in out
    assert not CUDA_WORD.findall(out)


@pytest.mark.parametrize("line", [3, 4])
def test_a_comment_in_the_mark_of_the_language_hides_a_finding(project: Project, line: int) -> None:
    lines = SOURCE.split("\n")
    lines[line - 1] += "  # coalint: ignore"
    project.put("k.lanes", "\n".join(lines))
    assert line not in [where for _, _, where in project.lint("--no-cache", "k.lanes").places]


def test_accesses_are_inspected(project: Project) -> None:
    project.put("k.lanes", SOURCE)
    out = project.coalint("inspect", "--no-cache", "k.lanes").out
    assert "out[8 * lane.x]" in out
    assert not CUDA_WORD.findall(out)
