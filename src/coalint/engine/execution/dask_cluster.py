"""An executor on a Dask cluster; checks that its workers run the same program and see the same files."""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import partial
from typing import Any

from coalint.engine.check import limits
from coalint.engine.execution.cache.versions import code_digest
from coalint.engine.execution.executors import ONE, LostItemError

PATIENCE = 15
"""Seconds to wait for the scheduler to answer, and then for its first worker."""
SLACK = 3
"""How many times the limit of an item may pass by the clock, since a worker may have other tasks."""


_Terms = tuple[str, tuple[str, ...], str, float]
"""What a worker needs of a run: digest of the code, rule packages, working directory, seconds for an item."""


class ClusterError(Exception):
    """The cluster cannot be used; the text says why and what to do."""


@contextmanager
def dask_executor(address: str, seconds: float, packages: tuple[str, ...]) -> Iterator[Executor]:
    """Yield an executor on the cluster whose scheduler is at `address`.

    Dask replaces workers that die and runs their items again; an item that ended several workers raises LostItemError.
    Raises ClusterError where there is no such cluster, or it runs another version of coalint.

    Args:
        address: The scheduler's address, as `tcp://host:8786`.
        seconds: The limit for one item; 0 for none.
        packages: The packages of the rules.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            "--dask needs the package `distributed`: install it with `pip install 'coalint[dask]'`"
        ) from None
    for name in ("distributed", "asyncio"):  # their tracebacks, also of what was left open; what matters is raised
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client: Any = None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        cause = _first_line(error)
        traceback.clear_frames(error.__traceback__)  # they hold the client that failed
    if client is None:
        gc.collect()  # which closes it; while Dask starts a thread, that would wait for itself
        raise ClusterError(
            f"--dask: no Dask scheduler answers at {address} ({cause}): "
            "start one with `dask scheduler`, and give the address that it prints, as tcp://host:8786"
        )
    try:
        _await_workers(client, address)
        yield _DaskExecutor(client, (code_digest(packages), packages, os.getcwd(), seconds))
    finally:
        client.close(timeout=2)


def _await_workers(client: Any, address: str) -> None:
    begin = time.monotonic()
    while not client.scheduler_info().get("workers"):
        if time.monotonic() - begin > PATIENCE:
            raise ClusterError(
                f"--dask: the scheduler at {address} has no workers: start some with `dask worker {address}`"
            )
        time.sleep(0.1)


class _DaskExecutor(Executor):
    def __init__(self, client: Any, terms: _Terms) -> None:
        self.inner = client.get_executor()
        self.terms = terms

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        outer: Future[Any] = Future()
        inner = self.inner.submit(_on_worker, self.terms, function, *args, **kwargs)
        inner.add_done_callback(partial(_hand_on, outer))
        return outer


def _hand_on(outer: Future[Any], inner: Future[Any]) -> None:
    if not outer.set_running_or_notify_cancel():
        return
    try:
        outer.set_result(inner.result())
    except BaseException as error:
        outer.set_exception(_translated(error))


def _translated(error: BaseException) -> BaseException:
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return LostItemError("every Dask worker that took it died: it crashed libclang, or took too long or too much")
    if isinstance(error, CancelledError):
        return ClusterError("--dask: the scheduler ended the run: see its log")
    if isinstance(error, ImportError):
        return ClusterError(
            f"--dask: a worker cannot load coalint ({_first_line(error)}): install the same coalint, and the same "
            "rule packs, where the workers run"
        )
    return error


def _on_worker(terms: _Terms, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Run the function on a worker as the client would: same program, same folder, within the limit."""
    from distributed import get_worker

    digest, packages, folder, seconds = terms
    if code_digest(packages) != digest:
        raise ClusterError(
            f"--dask: the worker at {get_worker().address} runs another coalint, libclang, numpy or Python: "
            "install what the client has"
        )
    replaced = get_worker().nanny is not None
    with ONE, _in_folder(folder), open(os.devnull, "w") as nowhere:
        if replaced:
            os.environ.update(limits.LIBCLANG)
            if seconds:  # from outside of Python, since libclang does not come back to it: Dask starts a new worker
                faulthandler.dump_traceback_later(SLACK * seconds, exit=True, file=nowhere)
        try:
            return function(*args, **kwargs)
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    before = os.getcwd()
    try:
        os.chdir(folder)
    except OSError as error:
        raise ClusterError(
            f"--dask: a worker does not see the folder {folder} ({error.strerror}): the client and all workers need "
            "one file system"
        ) from None
    try:
        yield
    finally:
        os.chdir(before)


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).split("\n")[0]
