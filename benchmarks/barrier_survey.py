"""What coalint says of the barriers and warp primitives of whole repositories, as a table.

    python benchmarks/barrier_survey.py FOLDER... [--findings] [--exclude PATTERN] [--timeout SECONDS] [-j N]

Rows per folder: kernels with a block barrier or a warp primitive, verdicts by distinct place and reason, findings of
COA301, COA302 and COA303. Then the reasons of the unknown verdicts by how often they come. `--findings` prints each
finding, to stderr.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from coalint.core.facts.synchronization import Verdict
from coalint.engine.config.settings import Settings
from coalint.engine.execution.run import Run
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.gather import gather
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest
from coalint.engine.units.discovery import discover
from coalint.engine.units.plan import plan

CODES = {"block": ("COA301", "COA302"), "warp": ("COA303",)}
SELECTED = tuple(code for codes in CODES.values() for code in codes)
MEMORY = 6144  # MiB for one file: what is kept of each is copied between processes
COLUMNS = ("uniform", "divergent", "after-exit", "unknown")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--findings", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--exclude", action="append", default=[], help="a gitignore pattern")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one file")
    options = parser.parse_args()
    settings = Settings(
        select=SELECTED,
        jobs=options.jobs,
        exclude=tuple(options.exclude),
        timeout_per_file=options.timeout,
        memory_per_file=MEMORY,
    )
    registry = load_rules()
    rules = [rule for rule in registry.rules if rule.code in SELECTED]
    selections = RuleSelections(lambda _: settings, registry)
    reasons: Counter[str] = Counter()
    print(f"| repository | scope | kernels | {' | '.join(COLUMNS)} | findings |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in options.folders:
        files = discover([str(folder)], settings.exclude).files
        run = Run(RunRequest(files=files, settings=settings), rules, keep_analyses=True)
        results = list(run.results(plan(files, settings)))
        kernels: dict[str, set[object]] = {"block": set(), "warp": set()}
        verdicts: dict[object, Verdict] = {}
        for checked in (kernel for result in results for kernel in result.checked):
            for barrier in checked.analysis.barriers if checked.analysis is not None else ():
                kernels[barrier.scope].add((checked.kernel, checked.span))
                key = (barrier.scope, barrier.span, barrier.function, barrier.verdict, barrier.because)
                if verdicts.setdefault(key, barrier.verdict) is Verdict.UNKNOWN:
                    text = barrier.because.rpartition("could not be decided: ")[2]
                    reasons[re.sub(r"`[^`]*`|\d+", "_", text)[:100]] += 1
        diagnostics = gather(results, selections).diagnostics
        for diagnostic in diagnostics if options.findings else ():
            found = diagnostic.finding
            place = f"{found.span.file}:{found.span.line}"
            print(f"{place}: {found.code} {found.severity.name.lower()}: {found.message}", file=sys.stderr)
            print(f"    {found.help}", file=sys.stderr)
        counts = Counter((key[0], verdict.value) for key, verdict in verdicts.items() if isinstance(key, tuple))
        codes = Counter(diagnostic.finding.code for diagnostic in diagnostics)
        for scope, of in CODES.items():
            found_here = [counts[(scope, column)] for column in COLUMNS]
            findings = ", ".join(f"{codes[code]} {code}" for code in of)
            row = (folder.name, scope, len(kernels[scope]), *found_here, findings)
            print(f"| {' | '.join(map(str, row))} |", flush=True)
    for reason, count in reasons.most_common(20):
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main()
