"""Throws hostile inputs at the whole pipeline and tells what it did not withstand.

    python benchmarks/fuzz.py COUNT [--seed S] [--first N] [--log FILE] [--keep FOLDER] [--compare-every N]

Inputs are numbered and depend on the seed alone (see `fuzz_inputs.py`); `--keep` leaves those that failed in a folder.
A failure is an internal error, a file in the input's folder that changed, or an input that the run did not survive.
Workers are forked from this process, which has loaded everything, and take one input after the other. One in N inputs
is checked by one process after all others and by one of two processes, and a difference between the results is a
failure, too. What libclang cannot bear (it crashes, or takes more than its share of time or memory) is counted: coalint
reports it at the file and goes on, as it must. `--log` appends the figures of each batch to a file (see
`fuzz_figures.py`), and begins after what it has of the seed. The exit code is 1 when there was a failure.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from fuzz_bases import programs
from fuzz_figures import Batch, append, next_number
from fuzz_inputs import MAIN, PIPE, make

from coalint.cli.progress import progress_bar
from coalint.core import lazy
from coalint.core.serialization import as_data
from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import FileResult, Job
from coalint.engine.config.settings import Settings
from coalint.engine.execution.progress import Progress
from coalint.engine.execution.workers.pool import map_items
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.gather import gather
from coalint.engine.registry import Registry, load_rules
from coalint.engine.units.plan import plan
from coalint.machine.architecture import architecture
from coalint.reporters.rendering import render_report

BATCH = 200
"""Inputs that are checked before their outcomes are told."""


@dataclass(frozen=True)
class Outcome:
    """What became of one input."""

    number: int
    kind: str
    lost: str = ""
    errors: tuple[str, ...] = ()
    kernels: int = 0
    digest: str = ""


@cache
def _rules() -> Registry:
    return load_rules()


def check(seed: int, job: Job, number: int) -> Outcome:
    """Check one input in a folder of its own."""
    kind, files = make(seed, number)
    with _folder(seed, number) as folder:
        os.mkfifo(Path(folder, PIPE))
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        (source,) = plan([os.path.join(folder, MAIN)], Settings()).sources
        result = check_file(source, job)
        errors = [str(failure) for failure in result.failures if "internal error" in str(failure)]
        errors += _reported(result)
        left = sorted(os.listdir(folder))
        if left != sorted({PIPE, *files}):
            errors.append(f"files were written: {left}")
    cut = "" if result.whole else "a kernel or the file was cut short"
    digest = "" if cut else hashlib.sha256(json.dumps(as_data(result)).encode("utf-8", "surrogatepass")).hexdigest()
    return Outcome(number, kind, cut, tuple(errors), len(result.checked), digest)


@contextmanager
def _folder(seed: int, number: int) -> Iterator[str]:
    """A folder of the same name whenever an input is checked, since results name files."""
    folder = os.path.join(gettempdir(), f"coalint-fuzz-{os.getppid()}", f"{seed}-{number}")
    shutil.rmtree(folder, ignore_errors=True)  # of a process that was killed
    os.makedirs(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _lost(seed: int) -> Callable[[int, object], Outcome]:
    return lambda number, cause: Outcome(number, make(seed, number)[0], str(cause))


def _compared(one: Outcome, other: Outcome) -> Outcome:
    """The outcome of two checks of one input; what a limit cut short may differ, and is counted as lost."""
    if one.lost or other.lost:
        return one if one.lost else replace(other, kernels=one.kernels)
    differs = () if one.digest == other.digest else ("one process and two give different results",)
    return replace(one, errors=tuple(dict.fromkeys((*one.errors, *other.errors, *differs))))


def _keep(folder: Path, seed: int, number: int) -> None:
    for name, data in make(seed, number)[1].items():
        path = folder / str(number) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _reported(result: FileResult) -> Iterable[str]:
    """What goes wrong when the result is made into a report."""
    try:
        report = gather([result], RuleSelections(lambda _: Settings(), _rules()))
        with redirect_stdout(io.StringIO()):
            for output_format in ("full", "concise", "json"):
                render_report(report, output_format, "never")
    except Exception as error:
        yield f"{type(error).__name__} in the report: {error}"


def main() -> int:
    """Run the inputs, print what failed and a count of the rest."""
    options = _options()
    log = Path(options.log) if options.log else None
    first = options.first
    if first is None:
        first = next_number(log, options.seed) if log else 0
    _load()
    begin = time.monotonic()
    counts: Counter[str] = Counter()
    failed = 0
    with TemporaryDirectory(prefix="fuzz-headers-") as headers, progress_bar() as progress:
        for start in range(first, first + options.count, BATCH):
            numbers = range(start, min(start + BATCH, first + options.count))
            batch = _batch(numbers, options, headers)
            counts.update({"kernels analysed": batch.kernels, "compared": batch.compared, **batch.lost})
            counts["withstood"] += batch.inputs - sum(batch.lost.values())
            failed += batch.failed
            if log:
                append(log, batch)
            if progress is not None:
                progress(Progress(done=numbers.stop - first, total=options.count))
    shutil.rmtree(os.path.join(gettempdir(), f"coalint-fuzz-{os.getpid()}"), ignore_errors=True)
    print(f"{options.count} inputs in {time.monotonic() - begin:.0f} s: {failed} failed")
    for what, count in counts.most_common():
        print(f"{count:>8}  {what}")
    return int(failed > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--log", metavar="FILE")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--compare-every", metavar="N", type=int, default=8, help="0: compare nothing")
    return parser.parse_args()


def _load() -> None:
    """Load what the workers need, once and not in each of them."""
    import coalint.analysis.evaluate
    import coalint.frontend  # noqa: F401

    lazy.loaded()
    programs()
    _rules()


def _batch(numbers: range, options: argparse.Namespace, headers: str) -> Batch:
    """Check inputs, and a share of them twice; print and keep those that failed."""
    begin = time.monotonic()
    limits = Limits(options.seconds, options.megabytes << 20)
    job = Job((), architecture("sm_80"), _rules().rules, headers=headers, limits=limits)

    def run(numbers: Sequence[int], jobs: int) -> list[Outcome]:
        return list(map_items(partial(check, options.seed, job), numbers, jobs, _lost(options.seed), limits))

    outcomes = dict(zip(numbers, run(numbers, 1), strict=True))
    again = [n for n in numbers if options.compare_every and n % options.compare_every == 0]
    for number, other in zip(again, run(again, 2), strict=True):
        outcomes[number] = _compared(outcomes[number], other)
    for outcome in outcomes.values():
        if outcome.errors or outcome.lost:
            print(f"{outcome.number} {outcome.kind}: {outcome.lost} {' '.join(outcome.errors)}", flush=True)
        if outcome.errors and options.keep:
            _keep(Path(options.keep), options.seed, outcome.number)
    return Batch(
        seed=options.seed,
        first=numbers.start,
        end=numbers.stop,
        compared=len(again),
        failed=sum(bool(outcome.errors) for outcome in outcomes.values()),
        kernels=sum(outcome.kernels for outcome in outcomes.values()),
        lost=dict(Counter(outcome.lost for outcome in outcomes.values() if outcome.lost)),
        seconds=round(time.monotonic() - begin, 1),
    )


if __name__ == "__main__":
    from fuzz import main as run  # workers that are spawned import the module, and run no script

    sys.exit(run())
