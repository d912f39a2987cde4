"""Files with what an H200 counted of them beside: how each line's prediction compares."""

from __future__ import annotations

from pathlib import Path

from analysed import analysed

from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.compare import compare
from coalint.engine.verification.comparison.records import Comparison
from coalint.engine.verification.measured import counters_path, load_measured, source_hash


def compared(file: Path) -> list[tuple[str, Comparison]]:
    """Each memory access of each launch, with the kernel's name."""
    measured = load_measured(counters_path(file, "sm_90"))
    assert measured.sha256 == source_hash(file), "measure again: benchmarks/measure_counters.py over a folder with it"
    made = [Inspected(one.analysis, one.instructions) for one in analysed(file).checked if one.analysis is not None]
    launches = compare(measured.launches, made)
    return [(launch.launch.kernel.split("(")[0], one) for launch in launches for one in launch.comparisons]
