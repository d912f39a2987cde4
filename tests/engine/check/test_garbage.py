"""What long analyses leave behind goes before the next one begins."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from coalint.engine.check.garbage import swept


class Cycle:
    """Holds itself, so that it waits for the collector."""

    def __init__(self) -> None:
        self.own = self


def held(seconds: float, error: type[Exception] | None = None) -> weakref.ref[Cycle]:
    left = weakref.ref(Cycle())
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    if error is not None:
        raise error(left)
    return left


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "gone"), [(0.3, True), (0.0, False)])
def test_what_a_long_body_leaves_is_collected(seconds: float, gone: bool) -> None:
    with swept():
        left = held(seconds)
    assert (left() is None) == gone


@pytest.mark.slow
def test_it_is_collected_where_the_body_fails_too() -> None:
    with pytest.raises(KeyError) as raised, swept():
        held(0.3, KeyError)
    assert raised.value.args[0]() is None
