"""Threads that meet only if a loop of open length leads one out of its own part of an array.

A program gives each thread, or row of threads, columns of its own (`s[(ty * columns + j) * pitch + tx]`, `j < n`), or
each row as many elements as threads come to it (`s[j * pitch + tx]`, `tx < n`). Which `n` the launch passes is open,
but one for which a part reaches into the next is none that the program is launched with.
"""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.recorder.events import SharedAccess
from coalint.analysis.warps.single_threads import Chosen, Touched


def leaves_its_part(
    algebra: Algebra, touch: SharedAccess, touched: Touched, iterations: tuple[Chosen, Chosen], threads: tuple[int, int]
) -> bool:
    """Whether two threads lie a column or more apart in an access, which a loop of open length steps over by columns.

    A column is wider than what a thread touches. `iterations` are those of the access and of the other one of a pair.
    """
    apart = abs(int(touched.offsets[threads[0]]) - int(touched.offsets[threads[1]]))
    own, others = map(dict, iterations)
    for loop in touch.loops:
        column = algebra.number(algebra.difference(touch.offset, algebra.atoms[loop.counter]))
        if loop.trips is not None or column is None or abs(column) <= touch.bytes:
            continue
        steps = max(own.get(loop.counter, 0), abs(own.get(loop.counter, 0) - others.get(loop.counter, 0)))
        if apart >= abs(column) and steps * abs(column) >= apart:
            return True
    return False
