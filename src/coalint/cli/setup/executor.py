"""The executor that checks files, where --dask asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.cli.setup.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from coalint.engine.config.settings import Settings
    from coalint.engine.registry import Registry


@contextmanager
def executor_of(settings: Settings, registry: Registry | None = None) -> Iterator[Executor | None]:
    """Yield an executor on the cluster of --dask; None for this machine's own processes. Raises UsageError."""
    if not settings.dask:
        yield None
        return
    from coalint.engine.execution.dask_cluster import ClusterError, dask_executor
    from coalint.engine.registry import packages_of

    packages = packages_of(registry.rules) if registry is not None else ()
    try:
        with dask_executor(settings.dask, settings.timeout_per_file, packages) as executor:
            yield executor
    except ClusterError as error:
        raise UsageError(str(error)) from error
