"""Measures what an edit of one kernel costs beside a first check of the file.

    python benchmarks/edit_times.py FILE [--kernel NAME]

A statement is added to the kernel (by default the first), in its line and then with a line more. Times are
processor seconds of a check in one process, with precompiled headers; the cache is a folder of the benchmark's own.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

KERNEL = re.compile(r"__global__[^;{]*?\b(\w+)\s*\([^;{]*\)\s*\{")


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kernel", default="")
    options = parser.parse_args()
    text = options.file.read_text(errors="replace")
    begin = next((m.end() for m in KERNEL.finditer(text) if options.kernel in ("", m[1])), None)
    if begin is None:
        parser.error(f"{options.file} defines no such kernel")
    with tempfile.TemporaryDirectory() as folder:
        job = Job(
            assume=(),
            arch=architecture("sm_90"),
            rules=load_rules().rules,
            headers=str(Path(folder) / "headers"),
            inputs=True,
            kernels=str(Path(folder) / "kernels"),
            answers=str(Path(folder) / "answers"),
        )
        _seconds(job, options.file, "__global__ void nothing() {}\n")  # what is loaded once
        changed = f"{text[:begin]} int edited_here = 1; (void)edited_here;{text[begin:]}"
        moved = f"{text[:begin]} int edited_here = 1;\n(void)edited_here;{text[begin:]}"
        for name, now in (
            ("first check", text),
            ("unchanged", text),
            ("one line changed", changed),
            ("a line added", moved),
        ):
            print(f"{_seconds(job, options.file, now):6.2f} s  {name}")


def _seconds(job: Job, file: Path, text: str) -> float:
    begin = time.process_time()
    result = check_file(Source(str(file)), replace(job, overlay=((os.path.realpath(file), text),)))
    if result.failures:
        raise SystemExit(str(result.failures[0]))
    return time.process_time() - begin


if __name__ == "__main__":
    main()
