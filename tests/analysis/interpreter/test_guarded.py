"""Variables that move in a loop while a condition holds, held against running the loop thread by thread."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from project import shared_headers

from coalint.core.facts.access import Access
from coalint.core.facts.assumptions import Given
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

KERNEL = """__global__ void __launch_bounds__({threads}) k(float *out, const float *in, int n, int m) {{
    {setup}
    for (int it = 0; it < {trips}; ++it) {{
        {body}
    }}
}}
"""


def accesses(folder: Path, given: Given | None = None, **parts: object) -> list[Access]:
    file = folder / "k.cu"
    file.write_text(KERNEL.format(**{"threads": 64, "trips": 6, **parts}))
    job = Job((), architecture("sm_80"), (), keep=True, headers=shared_headers(), given=given or Given())
    result = check_file(Source(str(file)), job)
    assert not result.failures, result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return list(kernel.analysis.accesses)


Request = frozenset[tuple[int, int]]
"""The active lanes of a warp with the bytes they are at, counted from the first line that one of them touches."""


def request(places: dict[int, int]) -> Request:
    line = min(places.values()) // 128 * 128
    return frozenset((lane, place - line) for lane, place in places.items())


def requests(access: Access) -> set[Request]:
    assert access.result.unknown is None, access.result.unknown
    lanes = access.result.lanes
    assert lanes is not None
    offsets = np.broadcast_to(lanes.offsets, lanes.active.shape)
    return {
        request({int(lane): int(offsets[row, warp, lane]) for lane in np.flatnonzero(lanes.active[row, warp])})
        for row, warp in np.argwhere(lanes.active.any(axis=2))
    }


@pytest.mark.parametrize("seed", range(60))
def test_what_is_touched_under_the_condition_is_what_the_threads_touch(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    threads, trips, step = rng.choice([32, 64, 96]), rng.randint(2, 7), rng.choice([1, 7, 32, 64])
    start, slope = rng.choice([0, 1, 3]), rng.choice([1, 2, 64])
    limit = rng.randint(1, 3 * trips * max(1, slope // 8))
    spread = rng.choice([0, 1])  # whether the condition parts the threads
    condition, other = f"it * {slope} + {spread} * (int)threadIdx.x < m", rng.choice(["", " && n > 0"])
    pointer = rng.random() < 0.3
    setup = "const float *p = in + threadIdx.x" if pointer else "int p = threadIdx.x"
    load = "*p" if pointer else "in[p]"
    moved = f"p += {step}"
    body = f"if ({condition}{other}) {{ out[threadIdx.x] = {load}; {moved}; }}"
    if rng.random() < 0.3:
        body = f"if (!({condition}{other})) {{ out[0] = 1; }} else {{ out[threadIdx.x] = {load}; {moved}; }}"
    places = {thread: thread + start for thread in range(threads)}
    expected = set()
    for it in range(trips):
        going = [thread for thread in range(threads) if it * slope + spread * thread < limit]
        for warp in {thread // 32 for thread in going}:
            expected.add(request({t % 32: 4 * places[t] for t in going if t // 32 == warp}))
        places.update({thread: places[thread] + step for thread in going})
    given = Given((("m", limit), ("n", 1)))
    found = accesses(tmp_path, given, threads=threads, trips=trips, setup=f"{setup} + {start};", body=body)
    loads = [access for access in found if access.memory is not None and access.memory.name == "in"]
    assert set().union(*map(requests, loads)) == expected


@pytest.mark.parametrize(
    "body",
    [
        "if (it > m) { out[p] = 1; p += 32; }",  # fails first and holds later
        "if (it == m) { out[p] = 1; p += 32; }",
        "if (in[it] > 0) { out[p] = 1; p += 32; }",
        "if (p < m) { out[p] = 1; p += 32; }",
        "if (it < m) { out[p] = 1; p += it; }",
        "if (it < m) { out[p] = 1; p += 32; } else p += 1;",
        "if (it < m) { p += 32; } out[p] = 1;",
        "if (w > 0.5f) { out[p] = 1; p += 32; } w = w * 0.5f + 1;",
        "if (go) { out[p] = 1; p += 32; } go = w * it > 0.5f;",
        "if (out[64]) { out[p] = 1; p += 32; } out[64] = it & 1;",
    ],
)
def test_what_may_have_been_left_out_before_is_not_known(body: str, tmp_path: Path) -> None:
    setup = "int p = threadIdx.x; float w = in[0]; bool go = w > 0.5f; if (go && out[64]) out[1] = 2;"
    found = [a for a in accesses(tmp_path, setup=setup, body=body) if a.expression == "out[p]"]
    assert found
    assert any(access.result.unknown for access in found)


def test_a_step_by_a_choice_that_stays_is_known_either_way(tmp_path: Path) -> None:
    found = accesses(tmp_path, setup="int p = threadIdx.x;", body="out[p] = 1; if (n > 4) p += 32;")
    assert not any(access.result.unknown for access in found)
