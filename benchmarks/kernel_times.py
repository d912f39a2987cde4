"""Processor time of a first run by file, by phase and by kernel, in one process.

    python benchmarks/kernel_times.py PATH... [--rounds N] [--shown N] [--profile FILE] [-o times.json]

Prints the sum of each phase beside libclang's bare parse of the same files (precompiled header included), the ratio of
each file's check to its bare parse (median, 95th percentile, most), then the slowest files and specializations. Rules
are the built-in ones, as in `coalint lint`; nothing is cached. What a process imports once, sympy too, is imported
before. Of several rounds each file's best check and best bare parse count, the phases' and kernels' times are those of
all rounds. `--profile` writes a profile for `pstats`.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from coalint.core.source.repositories import repository_of
from coalint.engine.check import kernel_check, module_check
from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.registry import load_rules
from coalint.engine.units.discovery import discover
from coalint.engine.units.plan import plan
from coalint.frontend.interface import FrontendError
from coalint.frontend.registry import front_end_of
from coalint.machine.architecture import architecture


@dataclass
class Times:
    """Seconds of processor time: of each file with and of each bare parse without coalint, by phase, by kernel."""

    files: dict[str, float] = field(default_factory=dict)
    parses: dict[str, float] = field(default_factory=dict)
    phases: dict[str, float] = field(default_factory=dict)
    kernels: list[tuple[float, str]] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """The time of each file in bare parses, in rising order."""
        return sorted(self.files[path] / self.parses[path] for path in self.files)

    def as_json(self) -> dict[str, object]:
        """Return the times as JSON has them."""
        return {"files": self.files, "parses": self.parses, "phases": self.phases, "kernels": self.kernels}


def measure(paths: Sequence[str], profile: cProfile.Profile | None = None, rounds: int = 1) -> Times:
    """Check each file, once in each round, with a precompiled header that is built before."""
    import coalint.analysis.evaluate
    import coalint.analysis.formulas.solving
    import coalint.frontend.cuda.load  # noqa: F401

    times = Times()
    sources = [source for named in _by_repository(paths) for source in plan(named, Settings()).sources]
    with TemporaryDirectory(prefix="coalint-") as headers:
        job = Job((), architecture("sm_80"), load_rules().rules, headers=headers, limits=Limits(0, 0))
        for source in sources:  # precompiles the headers of these flags
            _bare_parse(source, headers)
        for _ in range(rounds):
            for source in sources:
                _keep_best(times.parses, source.path, _seconds(lambda at=source: _bare_parse(at, headers)))  # type: ignore[misc]
        _watch(times)
        for _ in range(rounds):
            for source in sources:
                if profile is not None:
                    profile.enable()
                seconds = _seconds(lambda at=source: check_file(at, job))  # type: ignore[misc]
                _keep_best(times.files, source.path, seconds)
                times.phases["all"] = times.phases.get("all", 0) + seconds
                if profile is not None:
                    profile.disable()
    return times


def _by_repository(paths: Sequence[str]) -> Iterable[list[str]]:
    """Part files by their repositories: no user's run is over several, and each file may read all that a run names."""
    groups: dict[str, list[str]] = {}
    for file in discover(list(paths)).files:
        groups.setdefault(repository_of(os.path.dirname(os.path.abspath(file))), []).append(file)
    return groups.values()


def _keep_best(times: dict[str, float], path: str, seconds: float) -> None:
    times[path] = min(seconds, times.get(path, seconds))


def _bare_parse(source: Source, headers: str) -> None:
    from coalint.frontend.cuda.libclang.parse import parse

    with suppress(FrontendError):
        parse(source.path, source.arguments, headers=headers)


def _seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def _watch(times: Times) -> None:
    """Note the time of the parts of a file's check."""
    from coalint.analysis.launches import host_launches, specializations

    front_end = type(front_end_of("a.cu"))
    for phase, owner, name in (
        ("load", front_end, "load"),
        ("hosts", host_launches, "launch_records"),
        ("specialize", specializations, "specialize"),
        ("analyse", kernel_check, "analyse_kernel"),
        ("rules", kernel_check, "check_kernel"),
        ("idle", module_check, "idle_kernels"),
    ):
        setattr(owner, name, _timed(times, phase, getattr(owner, name)))


def _timed(times: Times, phase: str, call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def timed(*arguments: Any, **options: Any) -> Any:
        begin = time.process_time()
        try:
            return call(*arguments, **options)
        finally:
            seconds = time.process_time() - begin
            times.phases[phase] = times.phases.get(phase, 0) + seconds
            if phase == "analyse":
                path, _, kernel, specialization = arguments[:4]
                times.kernels.append((seconds, f"{kernel.name} {specialization.block} {path}:{kernel.span.line}"))

    return timed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--shown", type=int, default=12)
    parser.add_argument("--profile", type=Path)
    parser.add_argument("-o", dest="output", type=Path)
    options = parser.parse_args()
    profile = None if options.profile is None else cProfile.Profile(time.process_time)
    times = measure(options.paths, profile, options.rounds)
    if profile is not None:
        profile.dump_stats(options.profile)
    if options.output is not None:
        options.output.write_text(json.dumps(times.as_json(), indent=1) + "\n")
    parse, ratios = sum(times.parses.values()), times.ratios
    print(f"{len(times.files)} files, bare parse {parse:.2f} s, {sum(times.files.values()) / parse:.1f} parses in all")
    high = ratios[int(0.95 * (len(ratios) - 1))]
    print(f"ratio by file: median {median(ratios):.1f}, p95 {high:.1f}, most {ratios[-1]:.1f}")
    for phase, seconds in sorted(times.phases.items(), key=lambda item: -item[1]):
        print(f"  {phase:<12} {seconds:>8.2f} s {100 * seconds / times.phases['all']:>6.1f} %")
    for path, seconds in sorted(times.files.items(), key=lambda item: -item[1])[: options.shown]:
        print(f"  {seconds:>8.2f} s {seconds / times.parses[path]:>7.1f} parses  {path[-80:]}")
    for seconds, name in sorted(times.kernels, reverse=True)[: options.shown]:
        print(f"  {seconds:>8.2f} s  {name[-100:]}")


if __name__ == "__main__":
    main()
