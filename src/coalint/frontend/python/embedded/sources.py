"""What a Python file holds of CUDA source, and what of it could not be followed."""

from __future__ import annotations

from coalint.core.records import record
from coalint.frontend.python.embedded.raw_launches import RawLaunch
from coalint.frontend.python.embedded.string_literals import Placed


@record(frozen=True, slots=True)
class CudaSource:
    """CUDA source as one call takes it: the parts that are joined, the lines before it, its launches in the file."""

    parts: tuple[Placed, ...]
    prelude: tuple[str, ...]
    launches: tuple[RawLaunch, ...] = ()


@record(frozen=True, slots=True)
class Gap:
    """What could not be followed, between two offsets of the Python source."""

    message: str
    begin: int
    end: int


@record(frozen=True, slots=True)
class PythonFile:
    """What a Python file holds; `error` says at which line it cannot be parsed, and why."""

    text: str
    sources: tuple[CudaSource, ...] = ()
    gaps: tuple[Gap, ...] = ()
    error: tuple[int, str] | None = None
