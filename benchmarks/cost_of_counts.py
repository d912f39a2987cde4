"""What it costs to count executions, in seconds of the processor and as a share of a first run.

python benchmarks/cost_of_counts.py [--formulas] FILE_OR_FOLDER...    # one process, no cache

`--formulas` counts as a run does that writes formulas beside samples (`json`, `jsonl`, `--verbose`); sympy is loaded
before, and the seconds that this takes once in a process are said apart.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from coalint.core.facts.executions import Counting
from coalint.core.findings import Finding
from coalint.engine.check import kernel as checking
from coalint.engine.check.file import check_file
from coalint.engine.check.launch_costs import weighed
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import Job, Source
from coalint.engine.open_blocks.forms import BlockCounts
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import MachineInstruction

Weigher = Callable[..., list[Finding]]


class Timed:
    """Weighs findings as before, and adds up the seconds that this takes."""

    def __init__(self, weigh: Weigher) -> None:
        self.weigh, self.seconds = weigh, 0.0

    def __call__(
        self,
        findings: Sequence[Finding],
        instructions: Sequence[MachineInstruction],
        counting: Counting | None,
        *,
        with_formulas: bool = False,
        by_block: BlockCounts | None = None,
    ) -> list[Finding]:
        """Return the findings with what their accesses cost over the launch."""
        begin = time.process_time()
        try:
            return self.weigh(findings, instructions, counting, with_formulas=with_formulas, by_block=by_block)
        finally:
            self.seconds += time.process_time() - begin


def main(paths: Sequence[str], formulas: bool) -> None:
    """Print the seconds of counting and of everything for each path."""
    timed = Timed(weighed)
    if formulas:
        begin = time.process_time()
        import sympy

        str(sympy.ceiling(sympy.Symbol("n") / 32) + 1)  # the first sum, and what is first rounded, load more of it
        print(f"to load sympy: {time.process_time() - begin:.2f} s", flush=True)
    vars(checking)["weighed"] = timed
    job = Job((), architecture("sm_90"), load_rules().rules, limits=Limits(seconds=60), formulas=formulas)
    for path in map(Path, paths):
        files = sorted(path.rglob("*.cu")) if path.is_dir() else [path]
        begin, timed.seconds = time.process_time(), 0.0
        for file in files:
            failures = check_file(Source(str(file)), job).failures
            if failures:
                sys.exit(str(failures[0]))
        whole = time.process_time() - begin
        rest = whole - timed.seconds
        share = f"{timed.seconds / whole:.1%} of the run, {timed.seconds / rest:.1%} of the rest"
        print(
            f"{path}: {len(files)} files, {whole:.2f} s, of these {timed.seconds:.2f} s for counts: {share}", flush=True
        )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main([path for path in sys.argv[1:] if path != "--formulas"], "--formulas" in sys.argv)
