"""What long analyses leave behind goes before the next one begins."""

from __future__ import annotations

import gc
import time
import weakref

import pytest

from coalint.garbage import swept


class Cycle:
    """Holds itself, so that it waits for the collector."""

    def __init__(self) -> None:
        self.own = self


@pytest.mark.parametrize(("seconds", "gone"), [(0.3, True), (0.0, False)])
def test_what_a_long_body_leaves_is_collected(seconds: float, gone: bool) -> None:
    gc.collect()
    gc.disable()
    try:
        with swept():
            left = weakref.ref(Cycle())
            end = time.process_time() + seconds
            while time.process_time() < end:
                pass
        assert (left() is None) == gone
    finally:
        gc.enable()
        gc.collect()


def test_it_is_collected_where_the_body_fails_too() -> None:
    gc.disable()
    try:
        with pytest.raises(KeyError), swept():
            left = weakref.ref(Cycle())
            end = time.process_time() + 0.3
            while time.process_time() < end:
                pass
            raise KeyError
        assert left() is None
    finally:
        gc.enable()
