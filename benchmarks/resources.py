"""Memory and time that the check of each file takes, in a process of its own as `coalint lint` gives it.

    python benchmarks/resources.py FOLDER... [--sample N] [-- CLANG_FLAG...]

Prints per folder the median, the 99th percentile and the maximum of the peak resident memory (MB, as the kernel counted
it, with what every worker shares) and of the processor time (seconds), then the files at the top of each.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryDirectory

from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import Job, Source
from coalint.engine.execution.workers import pool
from coalint.engine.registry import load_rules
from coalint.engine.units.discovery import discover
from coalint.machine.architecture import architecture

SHOWN = 3


@dataclass(frozen=True)
class Cost:
    """What one file took; `lost` says why its check was ended, if it was."""

    file: str
    megabytes: float
    seconds: float
    lost: str = ""


def costs(files: Sequence[str], flags: Sequence[str], limits: Limits) -> list[Cost]:
    """Check each file in a fresh worker."""
    import coalint.analysis.evaluate
    import coalint.frontend.cuda.load  # noqa: F401

    pool.RECYCLED = 0  # every file gets a process of its own
    with TemporaryDirectory(prefix="coalint-") as headers:
        job = Job((), architecture("sm_80"), load_rules().rules, headers=headers, limits=limits)
        sources = [Source(file, tuple(flags)) for file in files]
        return list(pool.map_items(partial(_cost, job), sources, 0, _lost, limits))


def _cost(job: Job, source: Source) -> Cost:
    result = check_file(source, job)
    used = resource.getrusage(resource.RUSAGE_SELF)
    kilobyte = 1 if sys.platform == "darwin" else 1024
    cut = "" if result.whole else "a kernel or more"
    return Cost(source.path, used.ru_maxrss * kilobyte / 1e6, used.ru_utime + used.ru_stime, cut)


def _lost(source: Source, cause: object) -> Cost:
    return Cost(source.path, float("inf"), float("inf"), str(cause))


def _percentiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    picked = (ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99, 1))
    return " ".join(f"{value:>8.2f}" for value in picked)


def main() -> None:
    """Print a row per folder and its worst files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--sample", type=int, default=0, help="so many files of each folder, chosen by chance")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--megabytes", type=int, default=2048)
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:cut])
    limits = Limits(options.seconds, options.megabytes << 20)
    print(f"{'':<24} {'files':>6} {'MB p50':>8} {'p99':>8} {'max':>8} {'s p50':>8} {'p99':>8} {'max':>8} {'lost':>5}")
    for folder in options.folders:
        files = list(discover([folder]).files)
        if options.sample and options.sample < len(files):
            files = sorted(random.Random(1).sample(files, options.sample))
        found = costs(files, sys.argv[cut + 1 :], limits)
        kept = [cost for cost in found if cost.megabytes != float("inf")]
        memory = _percentiles([cost.megabytes for cost in kept])
        seconds = _percentiles([cost.seconds for cost in kept])
        print(f"{folder[-24:]:<24} {len(found):>6} {memory} {seconds} {len(found) - len(kept):>5}")
        worst = sorted(kept, key=lambda cost: -cost.megabytes)[:SHOWN] + sorted(kept, key=lambda c: -c.seconds)[:SHOWN]
        for cost in [*dict.fromkeys(worst), *(cost for cost in found if cost.lost)]:
            name = os.path.relpath(cost.file, folder)
            print(f"    {name[-60:]:<60} {cost.megabytes:>7.0f} MB {cost.seconds:>6.1f} s  {cost.lost}".rstrip())


if __name__ == "__main__":
    main()
