"""Times the classic access patterns on the GPU of this machine.

    PYTHONPATH=src python benchmarks/measure_curves.py [OUTPUT.json]

Builds benchmarks/curves/curves.cu, runs it, and writes its points with what they were measured on; docs/make_curves.py
draws them. Needs an NVIDIA GPU with 20 GB of memory, nvcc and ncu (for its version alone), and half a minute.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from measure_counters import StepFailed, machine, run
from measuring import ROOT, write_measured

from coalint.engine.verification.measured import source_hash

SOURCE = ROOT / "benchmarks" / "curves" / "curves.cu"
SCHEMA = "coalint-curves/1"


def measure(architecture: str) -> str:
    """The file's text: one line per point."""
    host = asdict(machine(architecture))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "curves"
        run("nvcc", "-O3", "-std=c++17", f"-arch={architecture}", "-o", program, SOURCE)
        points = [json.loads(line) for line in run(program).splitlines()]
    name = SOURCE.relative_to(ROOT).as_posix()
    head = {"schema": SCHEMA, "source": name, "sha256": source_hash(SOURCE), **host}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rows = ",\n".join(f"    {json.dumps(point)}" for point in points)
    return "\n".join(["{", *lines, '  "points": [', rows, "  ]", "}"]) + "\n"


def main() -> int:
    """Measure and write; returns the exit code."""
    return write_measured("Time the classic access patterns on this machine's GPU.", "curves", measure, (StepFailed,))


if __name__ == "__main__":
    sys.exit(main())
