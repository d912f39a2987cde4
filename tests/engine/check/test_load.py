"""Limits count work: a busy machine changes no access, in `lint` and in `inspect`, until a file's time is over.

The clock of the process stands in for the load: seconds go by fifty times as fast as they do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import pytest

from coalint.analysis.domain.algebra import atom_table
from coalint.analysis.launches import selection, specializations
from coalint.analysis.recorder import instruction_recorder
from coalint.analysis.synchronization import races
from coalint.analysis.warps.counters import enumeration
from coalint.engine import linter
from coalint.engine.config.settings import Settings
from coalint.engine.registry import load_rules
from coalint.engine.report import Inspection, Report
from coalint.engine.request import RunRequest

FASTER = 50
ONLY_LINT = ("portable",)  # the model that the report's page computes with
HOUR = 3600.0  # of which fifty times the real time of these checks is a small part
LAUNCHES = " ".join(f"k<<<{n}, 64>>>(out, in, {n});" for n in range(1, 5))
KERNEL = f"""
__global__ void k(float *out, const int *in, int n) {{
    __shared__ float tile[64];
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 5; ++j)
            out[(i * j & 3) * 64 + in[i + threadIdx.x]] = tile[(threadIdx.x * i + j) & 63];
    {" ".join(f"tile[(threadIdx.x + {k}) & 63] = in[{k} * n + threadIdx.x];" for k in range(4))}
}}
void run(float *out, const int *in) {{ {LAUNCHES} }}
"""

LIMITS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "accesses": lambda patch: patch.setattr(instruction_recorder, "MAX_ACCESSES", 5),
    "quantities": lambda patch: patch.setattr(atom_table, "MOST", atom_table.RESERVED + 20),
    "combinations": lambda patch: patch.setattr(enumeration, "MAX_COMBINATIONS", 2),
    "pairs": lambda patch: patch.setattr(races, "MAX_TRIED", -1),
    "launches": lambda patch: (
        patch.setattr(selection, "MAX_SPECIALIZATIONS", 2),
        patch.setattr(specializations, "MAX_SPECIALIZATIONS", 2),
    )[0],
}


def faster(clock: Callable[[], float]) -> Callable[[], float]:
    start = clock()
    return lambda: start + FASTER * (clock() - start)


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make the clocks go faster from now on."""

    def begin() -> None:
        for name in ("process_time", "monotonic", "perf_counter"):
            monkeypatch.setattr(time, name, faster(getattr(time, name)))

    return begin


def request(file: Path, seconds: float) -> Iterator[RunRequest]:
    with ThreadPoolExecutor(1) as executor:
        settings = Settings(cache=False, timeout_per_file=seconds)
        yield RunRequest(files=[str(file)], settings=settings, executor=executor)


def both(file: Path, seconds: float = HOUR) -> tuple[Report, Inspection]:
    """What `lint` and `inspect` give, in this process, whose clock it is."""
    (report,) = (linter.lint(replace(each, with_models=True), load_rules()) for each in request(file, seconds))
    (inspection,) = (linter.inspect(each) for each in request(file, seconds))
    return report, inspection


def outcome(results: tuple[Report, Inspection]) -> tuple[object, ...]:
    """The accesses and all that is said."""
    return (
        *(told(result) for result in results),
        *(repr([d.finding for d in result.diagnostics]) for result in results),
    )


def told(result: Report | Inspection) -> list[tuple[str, str, str]]:
    """Each access by kernel, field by field, and its cost."""
    found: list[tuple[str, str, str]] = []
    kernels = result.inspected if isinstance(result, Report) else result.kernels
    for number, kernel in enumerate(kernels):
        for place, (access, cost) in enumerate(zip(kernel.analysis.accesses, kernel.traffics, strict=True)):
            where = f"{kernel.analysis.kernel} {number}, access {place}"
            found += [(where, f.name, repr(getattr(access, f.name))) for f in fields(access) if f.name not in ONLY_LINT]
            found.append((where, "cost", repr(cost)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMITS)
def test_load_changes_no_access_where_a_limit_on_work_bites(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hurry: Callable[[], None]
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL)
    unlimited = both(file)
    LIMITS[limit](monkeypatch)
    calm = both(file)
    assert outcome(unlimited) != outcome(calm)  # the limit bites
    hurry()
    busy = both(file)
    first, *others = (told(result) for result in (*calm, *busy))
    for other in others:
        assert other == first
    assert outcome(busy) == outcome(calm)


def test_a_file_whose_time_is_over_says_so(tmp_path: Path, hurry: Callable[[], None]) -> None:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL)
    hurry()
    report, inspection = both(file, 0.001)
    for result in (report, inspection):
        assert told(result) == []
        (finding,) = (diagnostic.finding for diagnostic in result.diagnostics)
        assert finding.code in ("COA902", "COA903")  # while the file is parsed, or its kernel analysed
        assert "took longer than" in finding.message
