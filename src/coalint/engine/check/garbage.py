"""Python's collector of cyclic garbage: kept from syntax trees, which have no cycles; run after what leaves many."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LONG = 0.2  # seconds, beside which a collection takes little
_YOUNG = 20_000  # new objects between collections; Python's 700 suit programs that make fewer of them


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect nothing in the body."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def loading(*, own: bool = False) -> Iterator[None]:
    """Collect nothing in the body, which loads modules: they stay.

    In a process of one's `own` what there is then is left out of collections for good, here and in later bodies.
    """
    with uncollected():
        yield
        if own or gc.get_freeze_count():
            gc.freeze()


@contextmanager
def swept() -> Iterator[None]:
    """Collect what the body left, where it took long: its megabytes may wait for many such bodies else.

    What is still in use is not looked at again before `kept` ends: it would be, after each such body.
    """
    begin = time.process_time()
    try:
        yield
    finally:
        if time.process_time() - begin > _LONG:
            gc.collect()
            gc.freeze()


@contextmanager
def kept() -> Iterator[None]:
    """Leave what there is now out of the collections in the body, and make these rare."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
