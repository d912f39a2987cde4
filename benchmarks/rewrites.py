"""Holds rewrites of sources that keep the meaning: each access keeps its line and its numbers.

    python benchmarks/rewrites.py FILE_OR_FOLDER ... [--seed 1] [--rounds 1] [--kinds a,b] [--write FOLDER] [--jobs 2]

Every kind of rewrite (tests/support/rewriting) is made at a random choice of its places in each file; a text that has
new errors is refused. Prints what differs, narrowed down to one place where one suffices, and the totals by kind.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from rewriting.comparison import Difference, Original, Tally  # noqa: E402
from rewriting.kinds import KINDS  # noqa: E402

from coalint.engine.check.limits import Limits  # noqa: E402
from coalint.engine.check.records import Job, Source  # noqa: E402
from coalint.engine.config.settings import Settings  # noqa: E402
from coalint.engine.units.discovery import discover  # noqa: E402
from coalint.engine.units.plan import plan  # noqa: E402
from coalint.machine.architecture import architecture  # noqa: E402

Outcome = tuple[str, dict[str, Tally], list[Difference], str]


def held(source: Source, job: Job, kinds: list[str], seeds: range) -> Outcome:
    """All kinds of rewrites of one file: what was tried, what differs, and why it was not tried."""
    try:
        original = Original(source, job)
    except Exception as error:  # a file that cannot be read is another test's matter
        return source.path, {}, [], f"{type(error).__name__}: {error}"
    tallies, differences = {kind: Tally() for kind in kinds}, []
    for kind in kinds:
        for seed in seeds:
            found = original.held(kind, seed, tallies[kind])
            if found is not None:
                differences.append(found)
    return source.path, tallies, differences, ""


def main() -> int:
    """Hold the files named; 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--write", type=Path, help="a folder for the texts that differ")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--longest", type=int, default=60_000, help="bytes of a file that is tried")
    options = parser.parse_args()
    files = [file for file in discover(options.paths).files if file.endswith(".cu")]
    files = [file for file in files if Path(file).stat().st_size <= options.longest]
    headers = tempfile.mkdtemp(prefix="coalint-headers-")
    job = Job((), architecture("sm_90"), (), keep=True, headers=headers, limits=Limits(30.0))
    sources = plan(files, Settings()).sources
    one = partial(
        held, job=job, kinds=options.kinds.split(","), seeds=range(options.seed, options.seed + options.rounds)
    )
    totals: dict[str, Tally] = {kind: Tally() for kind in options.kinds.split(",")}
    wrong: Counter[str] = Counter()
    began = time.monotonic()
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=20) as pool:
        for path, tallies, differences, why in pool.imap_unordered(one, sources):
            if why:
                print(f"{path}: not tried: {why}", flush=True)
            for kind, tally in tallies.items():
                totals[kind].texts += tally.texts
                totals[kind].places += tally.places
                totals[kind].refused += tally.refused
            for number, difference in enumerate(differences):
                wrong[difference.kind] += 1
                _show(difference)
                if options.write is not None:
                    options.write.mkdir(parents=True, exist_ok=True)
                    name = f"{Path(path).parent.name}.{Path(path).stem}.{difference.kind}.{number}.cu"
                    (options.write / name).write_text(difference.text, encoding="latin-1")
    for kind, tally in totals.items():
        print(
            f"{kind:20} {tally.texts:6} texts {tally.places:7} places {tally.refused:5} refused {wrong[kind]:5} differ"
        )
    print(f"{sum(t.texts for t in totals.values())} texts of {len(sources)} files in {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


def _show(difference: Difference) -> None:
    print(f"== {difference.path}: {difference.kind}")
    for site in difference.sites[:3]:
        print("   edits", [(edit.begin, edit.text) for edit in site][:4])
    for word, rows in (("lost", difference.lost), ("new", difference.new)):
        for row in rows[:4]:
            print(f"   {word}: {row}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
