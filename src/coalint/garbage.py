"""Python's collector of cyclic garbage, kept from walking over syntax trees and lowered code: these have no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
def kept() -> Iterator[None]:
    """Leave what there is now out of the collections in the body."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
