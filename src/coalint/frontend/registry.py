"""Which front end reads a file: found by the file's suffix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Generic, TypeVar

from coalint.core.records import record
from coalint.frontend.cuda.front_end import CudaFrontEnd
from coalint.frontend.interface import FrontEnd
from coalint.frontend.python.numba.front_end import NumbaFrontEnd

T = TypeVar("T")
R = TypeVar("R")

_CUDA = CudaFrontEnd()
_front_ends: list[FrontEnd] = [_CUDA, NumbaFrontEnd()]


def front_ends() -> tuple[FrontEnd, ...]:
    """Return all front ends, CUDA's first."""
    return tuple(_front_ends)


def front_end_of(path: str) -> FrontEnd:
    """Return the front end that owns the file's suffix; CUDA's where none does, since headers have any suffix."""
    for front_end in _front_ends:
        if path.endswith((*front_end.suffixes, *front_end.marked_suffixes)):
            return front_end
    return _CUDA


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of the files that a run looks for."""
    return tuple(suffix for front_end in _front_ends for suffix in front_end.suffixes)


def holds_marked_kernels(path: str, data: bytes) -> bool:
    """Whether a file is one whose suffix alone does not tell, and holds kernels for all that its text tells."""
    owners = [front_end for front_end in _front_ends if path.endswith(front_end.marked_suffixes or ("\0",))]
    return any(front_end.may_hold_kernels(data.decode("utf-8", "replace")) for front_end in owners)


def is_bundled(path: str) -> bool:
    """Whether a file is one of a front end's own headers."""
    return any(front_end.bundled and path.startswith(front_end.bundled) for front_end in _front_ends)


@contextmanager
def registered(front_end: FrontEnd) -> Iterator[None]:
    """Add a front end for the duration of the body, and to the processes that check the files of a run in it."""
    _front_ends.append(front_end)
    try:
        yield
    finally:
        _front_ends.remove(front_end)


@record(frozen=True, slots=True)
class WithFrontEnds(Generic[T, R]):
    """A function that is called with these front ends registered, in a process that is started afresh too.

    Attributes:
        function: What is called with an item.
        front_ends: All that are registered where the call is asked for.
    """

    function: Callable[[T], R]
    front_ends: tuple[FrontEnd, ...]

    def __call__(self, item: T) -> R:
        """Return what the function gives for an item."""
        known = {type(front_end) for front_end in _front_ends}
        with ExitStack() as stack:
            for front_end in self.front_ends:
                if type(front_end) not in known:
                    stack.enter_context(registered(front_end))
            return self.function(item)
