"""A run on executors other than coalint's own workers: the same report, and what they lose is told."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from dask_cluster import FILES

from coalint.engine.config.settings import Settings
from coalint.engine.execution.executors import LostItemError
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Report
from coalint.engine.request import RunRequest

pytestmark = pytest.mark.workers


def spawned() -> Executor:
    return ProcessPoolExecutor(2, get_context("spawn"))


@pytest.fixture(scope="module")
def own() -> Report:
    """What coalint's own workers give."""
    return lint(RunRequest(files=FILES, settings=Settings(cache=False)), load_rules())


@pytest.mark.slow
@pytest.mark.parametrize("make", [spawned, lambda: ThreadPoolExecutor(4)], ids=["processes", "threads"])
def test_any_executor_gives_the_same_report(make: Callable[[], Executor], own: Report) -> None:
    with make() as executor:
        report = lint(RunRequest(files=FILES, settings=Settings(cache=False), executor=executor), load_rules())
    assert own.diagnostics
    assert report == own


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_that_are_no_copies_give_the_same_report(
    method: str, own: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coalint.engine.execution.workers.pool.worker_context", lambda _: get_context(method))
    assert lint(RunRequest(files=FILES, settings=Settings(cache=False)), load_rules()) == own


class Losing(Executor):
    """Loses the file that is submitted first, so many times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.first = ""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.first = self.first or args[-1].path
        if args[-1].path == self.first and self.times:
            self.times -= 1
            future.set_exception(LostItemError("a mouse bit through the cable"))
        else:
            future.set_result(function(*args, **kwargs))
        return future


@pytest.mark.slow
def test_what_an_executor_loses_once_is_tried_again(own: Report) -> None:
    assert lint(RunRequest(files=FILES, settings=Settings(cache=False), executor=Losing(1)), load_rules()) == own


@pytest.mark.slow
def test_what_an_executor_loses_is_reported_at_its_file(own: Report) -> None:
    report = lint(RunRequest(files=FILES, settings=Settings(cache=False), executor=Losing(2)), load_rules())
    (lost,) = (d.finding for d in report.diagnostics if d.finding.code == "COA902")
    assert lost.message == "the file was not analysed: a mouse bit through the cable"
    assert lost.span.file == FILES[0]
    others = [d for d in own.diagnostics if d.finding.span.file != FILES[0]]
    assert [d for d in report.diagnostics if d.finding.span.file != FILES[0]] == others
