"""Offsets into swizzled tiles: a short loop flips bits of them, in a loop that may run any number of times."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import Costed, accesses, count, wavefronts

THREADS = 64
STARTS = ("8 * t + t % 8", "4 * t", "t ^ 3", "16 * (t % 4) + t / 4")
BACK_AGAIN = [  # the step of the inner loop, its iterations, what the outer one takes away at its end
    ("o ^ 2", 2, 0),
    ("(o ^ 4) + 8", 2, 16),
    ("(o ^ 4) + 8", 16, 128),
    ("(o ^ (2 + 4 * (i % 2 == 1))) + (i % 4 == 3) * 8", 4, 8),
    ("(o ^ (2 + 4 * (i % 2 == 1))) + (i % 4 == 3) * 8", 8, 16),
    ("(o + 56) ^ 6", 2, 112),
    ("o ^ (i + 1)", 3, 0),
    ("o ^ (1 << (i % 3))", 6, 0),
]
ELSEWHERE = [
    ("o ^ 2", 3, 0),
    ("(o ^ 4) + 8", 2, 8),
    ("o ^ (i + 1)", 2, 0),
    ("(o ^ 1) * 3", 2, 0),
    ("(o + 1) ^ 3", 2, 0),
]
BODY = """
__shared__ float s[4096];
unsigned t = threadIdx.x, o = {start};
for (int j = 0; j < n; j++) {{
    for (int i = 0; i < {trips}; i++) {{ use(s[o]); o = {step}; }}
    o -= {back};
}}
"""


def accessed(folder: Path, start: str, step: str, trips: int, back: int) -> Costed:
    body = BODY.format(start=start, step=step, trips=trips, back=back)
    (found,) = accesses(folder, body, THREADS, before="__device__ void use(float v);")
    return found


def by_hand(start: str, step: str, trips: int, back: int, rounds: int) -> float:
    """Wavefronts of a request, as a mean over all iterations."""
    offsets = [eval(start.replace("/", "//"), {"t": t}) for t in range(THREADS)]
    counted = []
    for _ in range(rounds):
        for i in range(trips):
            counted += [wavefronts([4 * o for o in offsets[lane : lane + 32]]) for lane in (0, 32)]
            offsets = [eval(step, {"o": o, "i": i}) for o in offsets]
        offsets = [o - back for o in offsets]
    return sum(counted) / len(counted)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(("step", "trips", "back"), BACK_AGAIN)
def test_flips_that_cancel_each_other_are_followed(
    tmp_path: Path, start: str, step: str, trips: int, back: int
) -> None:
    found = accessed(tmp_path, start, step, trips, back)
    assert found[0].result.exact
    assert count(found) == by_hand(start, step, trips, back, 3)


@pytest.mark.parametrize(("step", "trips", "back"), ELSEWHERE)
def test_flips_that_do_not_are_not_taken_for_such(tmp_path: Path, step: str, trips: int, back: int) -> None:
    found = accessed(tmp_path, "t", step, trips, back)
    assert not found[0].result.exact or count(found) == by_hand("t", step, trips, back, 64)


def test_a_function_may_move_the_offset_that_it_is_given(tmp_path: Path) -> None:
    before = """
__device__ void use(float v);
__device__ void tile(const float *s, unsigned &o) {
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) { use(s[o]); o += 256; }
        o = ((o - 512) ^ (2 + 4 * (i % 2 == 1))) + (i % 4 == 3) * 8;
    }
    o -= 8;
}"""
    body = "__shared__ float s[4096]; unsigned o = 8 * threadIdx.x; for (int j = 0; j < n; j++) tile(s, o);"
    (found,) = accesses(tmp_path, body, THREADS, before=before)
    assert found[0].result.exact
    assert count(found) == 8


def test_what_a_table_of_lanes_is_computed_into_is_no_multiple_of_the_thread(tmp_path: Path) -> None:
    body = (
        "unsigned o = 8 * threadIdx.x + threadIdx.x % 8; for (int i = 0; i < 4; i++) o = (o ^ 2) + 8; out[o - 40] = 1;"
    )
    (found,) = accesses(tmp_path, body, THREADS)
    assert found[0].result.exact
    assert (found[0].strides[0], found[0].stride) == (None, "?")
