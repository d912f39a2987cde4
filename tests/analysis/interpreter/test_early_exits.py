"""Short loops that each thread leaves where it has found its place: what the threads hold after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from evaluated import access, accesses

from coalint.core.facts.access import Access

THREADS = 256


def rows(t: int) -> int:
    for i in range(10):
        end = (20 - i) * (i + 1) // 2
        if t < end:
            return i * 100 + 10 + t - end
    return 7


def counted(t: int) -> int:
    return next((i for i in range(8) if t < 4 * i * i), 8)


def skipped(t: int) -> int:
    value = 0
    for i in range(6):
        if t % 2:
            continue
        value += i
        if t < 32 * i:
            break
    return value


def left_by_both(t: int) -> int:
    value = 1
    for i in range(5):
        if t > 200 - 10 * i:
            return 50 + i
        if t < 8 * i:
            break
        value += 3
    return value


def nested(t: int) -> int:
    value = 0
    for i in range(4):
        for k in range(4):
            if t < 16 * i + k:
                break
            value += 1
        if value > 9:
            break
    return value


SEARCHES: dict[str, tuple[Callable[[int], int], str]] = {
    "rows of a triangle": (
        rows,
        (
            "int v = 7; for (int i = 0; i < 10; i++) { int end = ((20 - i) * (i + 1)) / 2;"
            " if (t < end) { v = i * 100 + 10 + t - end; break; } }"
        ),
    ),
    "the counter": (counted, "int v; for (v = 0; v < 8; v++) if (t < 4 * v * v) break;"),
    "continue and break": (
        skipped,
        "int v = 0; for (int i = 0; i < 6; i++) { if (t % 2) continue; v += i; if (t < 32 * i) break; }",
    ),
    "return and break": (
        left_by_both,
        (
            "auto f = [](int t) { int v = 1; for (int i = 0; i < 5; i++) { if (t > 200 - 10 * i) return 50 + i;"
            " if (t < 8 * i) break; v += 3; } return v; }; int v = f(t);"
        ),
    ),
    "a search in a search": (
        nested,
        (
            "int v = 0; for (int i = 0; i < 4; i++) { for (int k = 0; k < 4; k++) { if (t < 16 * i + k) break;"
            " v += 1; } if (v > 9) break; }"
        ),
    ),
    "all leave in the last iteration": (
        lambda t: 3 if t < 100 else 6,
        "int v = 6; for (int i = 0; i < 8; i++) { if (i == 4) break; if (t < 100) v = i; }",
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_each_thread_has_what_it_found(name: str, tmp_path: Path) -> None:
    found_by, source = SEARCHES[name]
    found, _ = access(tmp_path, f"int t = threadIdx.x; {source} out[1000 * v + t] = 1;")
    assert found.result.exact
    assert list(_elements(found)) == [1000 * found_by(t) + t for t in range(THREADS)]


def test_who_leaves_by_what_is_read_is_not_known(tmp_path: Path) -> None:
    body = "int t = threadIdx.x, v; for (v = 0; v < 4; v++) if (in[t] < v) break; out[1000 * v + t] = 1;"
    stored = accesses(tmp_path, body)[-1][0]
    assert not stored.result.exact


def test_a_loop_that_some_leave_after_many_iterations_is_not_run_through(tmp_path: Path) -> None:
    body = "int t = threadIdx.x, v; for (v = 0; v < 100; v++) if (t == 2 * v) break; out[1000 * v + t] = 1;"
    found, _ = access(tmp_path, body)
    assert not found.result.exact


def _elements(found: Access) -> Iterator[int]:
    """The elements of `out` that the threads of a block touch, in their order."""
    assert found.result.lanes is not None
    return (int(offset) // 4 for offset in found.result.lanes.offsets[0].reshape(-1))
