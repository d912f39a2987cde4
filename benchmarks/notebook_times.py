"""Measures `coalint.lint` in a process with threads, as a notebook has, by each way to start workers.

For `fork` it has none.

    python benchmarks/notebook_times.py [FILE]

Seconds by the clock of the first call and the median of nine more, each of changed text; FILE is a kernel of three
lines by default. A process is measured for each way.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from unittest.mock import patch

import coalint
from coalint.engine.execution.workers import pool
from coalint.engine.execution.workers.process import worker_context

KERNEL = """\
__global__ void k(float *out, const float *in) { out[threadIdx.x] = in[8 * threadIdx.x]; }
void run(float *a) { k<<<4, 256>>>(a, a); }
"""
CALLS = 10
WAYS = ("fork", "forkserver", "spawn")


def seconds(text: str) -> list[float]:
    """The seconds of each call, in this process."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cu"
        for number in range(CALLS):
            file.write_text(f"{text}// {number}\n")
            begin = time.perf_counter()
            coalint.lint(file, isolated=True)
            found.append(time.perf_counter() - begin)
    return found


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--way", choices=WAYS, help="measure this way in this process")
    options = parser.parse_args()
    if options.way is None:
        again = [] if options.file is None else [str(options.file)]
        for way in WAYS:
            subprocess.run([sys.executable, __file__, *again, "--way", way], check=True)
        return
    if options.way != "fork":
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    with patch.object(pool, "worker_context", lambda _: worker_context(options.way)):
        first, *later = seconds(KERNEL if options.file is None else options.file.read_text(errors="replace"))
    print(f"{options.way:10} first {first:.2f} s, later {statistics.median(later):.2f} s")


if __name__ == "__main__":
    main()
