"""Random kernels with barriers: each verdict is held against how often every thread comes to the barrier."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from parting_kernels import PARAMETERS, SIZE, THREADS, WARP, Kernel, Thread, TooLong, Writer
from project import shared_headers

from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

KERNELS_PER_FILE = 40
FILES = 2 + int(os.environ.get("COALINT_RANDOM_KERNELS", "0")) // KERNELS_PER_FILE


def runs(kernel: Kernel, seed: int) -> list[list[Thread]]:
    """The threads of two blocks, for several parameters and contents of memory."""
    rng = random.Random(seed)
    found = []
    for n in PARAMETERS:
        for memory in ([rng.randrange(100) for _ in range(SIZE)], [rng.randrange(3) for _ in range(SIZE)]):
            for block in (0, 1):
                try:
                    found.append(kernel.threads(n, block, memory))
                except TooLong:
                    continue
    return found


def parts(threads: list[Thread], number: int, exits_too: bool) -> bool:
    """Whether threads come to a barrier a different number of times; those that are gone may come less often.

    Gone are those that return, and those that come to no barrier where the others come to this one again.
    """
    last = max(threads, key=lambda thread: thread.met.count(number))
    most = last.met.count(number)
    fewer = [thread for thread in threads if thread.met.count(number) < most]
    return any(exits_too or not (thread.returned or _is_gone(thread, last, number)) for thread in fewer)


def _is_gone(thread: Thread, last: Thread, number: int) -> bool:
    """Whether a thread comes to no barrier, after this one's last time, that the thread `last` does not come to."""
    met = thread.met.count(number)
    rest = _after(thread, number, met)
    return rest == _after(last, number, met)[: len(rest)]


def _after(thread: Thread, number: int, times: int) -> list[int]:
    """Return the barriers that a thread comes to after it has come to one of them a number of times."""
    places = [place for place, barrier in enumerate(thread.met) if barrier == number]
    return thread.met[places[times - 1] + 1 if times else 0 :]


def parted(barrier: Barrier, number: int, all_threads: list[list[Thread]], exits_too: bool) -> bool:
    """Whether some block, or warp, is parted before a barrier."""
    size = THREADS if barrier.scope == "block" else WARP
    groups = (threads[first : first + size] for threads in all_threads for first in range(0, THREADS, size))
    return any(parts(group, number, exits_too) for group in groups)


@pytest.mark.slow
@pytest.mark.parametrize("file", range(FILES))
def test_no_verdict_is_contradicted_by_the_threads(tmp_path: Path, file: int) -> None:
    kernels = [Writer(seed).kernel() for seed in range(file * KERNELS_PER_FILE, (file + 1) * KERNELS_PER_FILE)]
    source = tmp_path / "k.cu"
    launches = " ".join(f"{kernel.name}<<<n, {THREADS}>>>(p, n);" for kernel in kernels)
    text = "\n".join([*(kernel.text for kernel in kernels), f"void launch(const int *p, int n) {{ {launches} }}"])
    source.write_text(text)
    lines = text.splitlines()
    result = check_file(Source(str(source)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert not result.failures
    by_name = {kernel.name: kernel for kernel in kernels}
    wrong: list[str] = []
    seen: Counter[Verdict] = Counter()
    for checked in result.checked:
        assert checked.analysis is not None
        done = runs(by_name[checked.kernel], file)
        for barrier in checked.analysis.barriers:
            number = int(lines[barrier.span.line - 1].rpartition("// ")[2])
            seen[barrier.verdict] += 1
            if barrier.verdict not in (Verdict.UNIFORM, Verdict.AFTER_EXIT):
                continue
            exits_too = barrier.verdict is Verdict.UNIFORM and barrier.scope == "block"
            if parted(barrier, number, done, exits_too):
                wrong.append(f"{checked.kernel}, {number}, {barrier.verdict.value}: {barrier.because}")
    assert wrong == []
    assert min(seen[verdict] for verdict in (Verdict.UNIFORM, Verdict.DIVERGENT, Verdict.AFTER_EXIT)) > 5
