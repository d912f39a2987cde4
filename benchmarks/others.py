"""Wall time of `coalint lint` beside what one would reach for instead: clang-tidy, and nvcc compiling to cubins.

    python benchmarks/others.py FOLDER [-o docs/data/corpora.json] [--runs N]

All on one process and the same files, which must compile: coalint with an empty cache and with a filled one, libclang's
bare parse, clang-tidy (`bugprone-*` and `performance-*`, the device side, with the headers that coalint brings), and
nvcc from PyPI, one file after the other. The tools take turns, every figure is the median of the runs. With -o the
figures are kept beside the repositories' (see corpora.py). Needs `pip install -e '.[dev]' clang-tidy` and g++.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from corpora import bare_parse, with_bytecode

from coalint.engine.units.discovery import discover
from coalint.frontend.cuda.libclang.parse import arguments

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from cuda_compiler import ARCHITECTURE, find_compiler

CHECKS = "-*,bugprone-*,performance-*"


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def _call(command: Sequence[str], accepted: Sequence[int] = (0, 1)) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in accepted:
        raise SystemExit(f"{' '.join(command[:4])}... failed:\n{done.stderr[-2000:]}")


def tools(files: Sequence[str], scratch: str) -> dict[str, Callable[[], object]]:
    """The programs by name, each ready to run over all files."""
    lint = [sys.executable, "-m", "coalint", "lint", "-j1", "--cache-dir"]
    tidy = ["clang-tidy", "--quiet", f"--checks={CHECKS}", *files, "--", *arguments(())]
    nvcc = [str(find_compiler().nvcc), f"-arch={ARCHITECTURE}", "-cubin", "-o", f"{scratch}/k.cubin"]

    def first() -> None:
        with TemporaryDirectory() as cache:
            _call([*lint, cache, *files])

    def compiled() -> None:
        for file in files:
            _call([*nvcc, file], (0,))

    return {
        "coalint, first run": first,
        "coalint, second run": lambda: _call([*lint, f"{scratch}/cache", *files]),
        "libclang, bare parse": lambda: bare_parse(files, 1, f"{scratch}/headers"),
        "clang-tidy": lambda: _call(tidy),
        "nvcc -cubin": compiled,
    }


def main() -> None:
    """Measure the folder and print or keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("-o", dest="output", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with_bytecode()
    files = [file for file in discover([options.folder]).files if file.endswith(".cu")]
    with TemporaryDirectory() as scratch:
        programs = tools(files, scratch)
        programs["coalint, second run"]()
        programs["libclang, bare parse"]()
        taken: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(options.runs):
            for name, run in programs.items():
                taken[name].append(_seconds(run))
    found = {name: round(median(times), 2) for name, times in taken.items()}
    print(json.dumps({"files": len(files), "seconds": found}))
    if options.output is not None:
        data = json.loads(options.output.read_text())
        data["others"] = {"files": len(files), "seconds": found}
        options.output.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
