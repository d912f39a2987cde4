"""Counts on the GPU of this machine how often warps execute barriers and warp primitives.

    PYTHONPATH=src python benchmarks/measure_barriers.py [OUTPUT.json]

Runs benchmarks/barriers/barriers.cu under memcheck and Nsight Compute, and writes the executed warp instructions of
each line by kernel. Needs an NVIDIA GPU, nvcc, ncu and compute-sanitizer.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from measure_counters import Source, StepFailed, machine
from measuring import ROOT, write_measured

from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.reader import parse_rows
from coalint.engine.verification.export.signatures import base_name, file_name
from coalint.engine.verification.measured import source_hash

SOURCE = ROOT / "benchmarks" / "barriers" / "barriers.cu"
SCHEMA = "coalint-barriers/1"
OPCODES = ("BAR", "WARPSYNC", "SHFL", "VOTE", "MATCH", "REDUX")
EXECUTED = "Instructions Executed"


def measure(architecture: str) -> str:
    """Return the counts as JSON. Raises StepFailed and ExportError."""
    with tempfile.TemporaryDirectory() as folder:
        source = Source(SOURCE, Path(folder))
        source.build(architecture)
        source.check()
        source.profile()
        source.export()
        page = source.page.read_text(encoding="utf-8")
    kernels = []
    for kernel, rows in parse_rows(page):
        lines: Counter[tuple[int, str]] = Counter()
        for row in rows:
            opcode = row.opcode.partition(".")[0]
            if opcode in OPCODES:
                line = max((line for file, line in row.places if file_name(file) == SOURCE.name), default=0)
                lines[line, opcode] += int(row.cells[EXECUTED])
        found = [{"line": line, "opcode": opcode, "executed": n} for (line, opcode), n in sorted(lines.items())]
        kernels.append({"kernel": base_name(kernel), "barriers": found})
    data = {"schema": SCHEMA, "source": str(SOURCE.relative_to(ROOT)), "sha256": source_hash(SOURCE)}
    return json.dumps({**data, **asdict(machine(architecture)), "kernels": kernels}, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(write_measured(__doc__, "barriers", measure, (StepFailed, ExportError)))
