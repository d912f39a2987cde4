"""What all checks of a run have in common, done once before worker processes are forked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from coalint.engine.check.garbage import loading
from coalint.engine.check.records import Job, Source
from coalint.engine.execution.cache.versions import code_digest
from coalint.frontend.interface import FrontEnd
from coalint.frontend.registry import front_end_of


def prepare(sources: Sequence[Source], job: Job) -> None:
    """Import what checks import when they need it, and read what they would each read."""
    with loading():
        import coalint.engine.execution.preloaded  # noqa: F401

    if job.kernels is not None:
        code_digest()
    arguments: dict[FrontEnd, list[tuple[str, ...]]] = defaultdict(list)
    for source in sources:
        arguments[front_end_of(source.path)].append(source.flags)
    for front_end, flags in arguments.items():
        front_end.prepare(flags, job.headers)
