"""Missing barriers: random kernels against a count of what every thread does, and kernels as people write them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from racing_kernels import UNKNOWN, Event, Kernel, conflict, program

from coalint.analysis.access import Race
from coalint.checking import CheckedKernel, FileResult, Job, Source, check_file
from coalint.diagnostics import Confidence
from coalint.machine.arch import architecture
from coalint.registry import load_rules

KERNELS_PER_FILE = 40
FILES = 6 + int(os.environ.get("COALINT_RANDOM_KERNELS", "0")) // KERNELS_PER_FILE
RULES = tuple(rule for rule in load_rules().rules if rule.code == "COA304")


def checked(text: str, arch: str = "sm_90", assume: tuple[str, ...] = ()) -> FileResult:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(text)
        result = check_file(Source(str(path)), Job(assume, architecture(arch), RULES, keep=True))
    assert not result.failures, result.failures
    assert not result.problems, result.problems
    return result


# --- random kernels


@cache
def random_races(file: int) -> list[tuple[Kernel, list[list[Event]], tuple[Race, ...]]]:
    text, kernels = program(range(file * KERNELS_PER_FILE, (file + 1) * KERNELS_PER_FILE))
    by_name = {kernel.kernel: kernel for kernel in checked(text).checked}
    found = []
    for kernel in kernels:
        analysis = by_name[kernel.name].analysis
        assert analysis is not None
        found.append((kernel, [kernel.events(n) for n in UNKNOWN], analysis.races))
    return found


def _is_real(race: Race, events: list[Event]) -> bool:
    sides = [
        [e for e in events if (e.line, e.thread, e.kind) == (p.span.line, p.thread[0], p.operation.value)]
        for p in (race.first, race.second)
    ]
    return any(conflict(a, b) and f"s[{a.element}]" == race.element for a in sides[0] for b in sides[1])


@pytest.mark.parametrize("file", range(FILES))
def test_what_is_reported_are_threads_that_race(file: int) -> None:
    wrong = [
        "\n".join([f"{race.first}\n{race.second}\n{race.element}", *kernel.lines])
        for kernel, events, races in random_races(file)
        for race in races
        if not any(_is_real(race, run) for run in events)
    ]
    assert not wrong, "\n\n".join(wrong)


def test_most_kernels_whose_warps_race_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    racing = reported = 0
    for file in range(6):
        for _, events, races in random_races(file):
            if _warps_race(events[0]):
                racing += 1
                reported += any(not race.same_warp for race in races)
    with capsys.disabled():
        print(f" {reported} of {racing}", end="")
    assert racing > 50
    assert reported >= 0.9 * racing


def _warps_race(events: list[Event]) -> bool:
    places: dict[tuple[int, int], list[Event]] = {}
    for event in events:
        places.setdefault((event.blocks, event.element), []).append(event)
    return any(
        a.thread // 32 != b.thread // 32 and conflict(a, b)
        for at in places.values()
        for i, a in enumerate(at)
        for b in at[:i]
    )
