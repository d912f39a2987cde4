"""Wall time of `coalint lint`, cold and warm, against libclang alone parsing the same files with the same arguments.

    python benchmarks/parse_ratio.py FOLDER... [-- CLANG_FLAG...]

Every figure is the median of several runs, and the two programs take turns, so that both see the same machine. The
bare parse is one fresh process that parses file after file with the same precompiled header; `plain s` is that parse
with the header included as text instead. `coalint lint` is timed as users run it, start-up included: cold with an empty
cache, warm with the one that the cold run left.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from tempfile import TemporaryDirectory

from corpora import with_bytecode

from coalint.engine.units.discovery import discover

BARE = """
import json, sys, time
begin = time.perf_counter()
from clang.cindex import Index, TranslationUnitLoadError
from coalint.frontend.cuda.libclang import bindings, parse, precompiled
files, flags, folder = json.load(sys.stdin)
index = Index.create()
(header,) = precompiled.precompiled(flags, folder) if folder is not None else (None,)
arguments = parse.arguments(flags, header)
ready = time.perf_counter()
for file in files:
    try:
        index.parse(file, arguments, options=bindings.OPTIONS)
    except TranslationUnitLoadError:
        pass
print(time.perf_counter() - ready, ready - begin)
"""


@dataclass(frozen=True)
class Timing:
    """Seconds, each the median of the runs: the parses without and `lint` with start-up."""

    files: int
    plain: float
    parse: float
    lint: float
    lint_one_process: float
    warm: float

    def row(self, name: str) -> str:
        """One line of the table."""
        return (
            f"{name[:32]:<32} {self.files:>6} {self.plain:>8.2f} {self.parse:>8.2f} {self.lint:>8.2f}"
            f" {self.lint / self.parse:>7.2f} {self.lint_one_process:>8.2f} {self.lint_one_process / self.parse:>7.2f}"
            f" {self.warm:>7.2f} {self.lint / self.warm:>6.1f}x"
        )


def measure(files: Sequence[str], flags: Sequence[str], runs: int) -> Timing:
    """Time both programs on the same files, alternating."""
    plain, parse, lint, alone, warm = [], [], [], [], []
    with TemporaryDirectory(prefix="coalint-") as folder:
        _parse_seconds(files[:1], flags, folder)
        for _ in range(runs):
            plain.append(_parse_seconds(files, flags, None))
            parse.append(_parse_seconds(files, flags, folder))
            with TemporaryDirectory(prefix="coalint-") as cache:
                lint.append(_lint_seconds(files, flags, f"{cache}/a", jobs=0))
                warm.append(_lint_seconds(files, flags, f"{cache}/a", jobs=0))
                alone.append(_lint_seconds(files, flags, f"{cache}/b", jobs=1))
    return Timing(len(files), median(plain), median(parse), median(lint), median(alone), median(warm))


def _parse_seconds(files: Sequence[str], flags: Sequence[str], folder: str | None) -> float:
    told = json.dumps([files, flags, folder])
    done = subprocess.run([sys.executable, "-c", BARE], input=told, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def _lint_seconds(files: Sequence[str], flags: Sequence[str], cache: str, jobs: int) -> float:
    command = [sys.executable, "-m", "coalint", "lint", f"--jobs={jobs}", f"--cache-dir={cache}", *files, "--", *flags]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - begin
    if done.returncode not in (0, 1):
        print(done.stderr[-2000:], file=sys.stderr)
    return seconds


def main() -> None:
    """Print one row per folder and one for its median file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    own, flags = _cut(sys.argv[1:])
    options = parser.parse_args(own)
    with_bytecode()
    print(
        f"{'':<32} {'files':>6} {'plain s':>8} {'parse s':>8} {'lint s':>8} {'ratio':>7} {'1 proc s':>8} {'ratio':>7}"
        f" {'warm s':>7} {'faster':>7}"
    )
    for folder in options.folders:
        files = discover([folder]).files
        if not files:
            parser.error(f"no CUDA files in {folder}")
        print(measure(files, flags, options.runs).row(folder))
        ordinary = _ordinary(files)
        print(measure([ordinary], flags, options.runs).row(ordinary[-32:]))


def _ordinary(files: Sequence[str]) -> str:
    """The file of median size."""
    return sorted(files, key=os.path.getsize)[len(files) // 2]


def _cut(arguments: list[str]) -> tuple[list[str], list[str]]:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:cut], arguments[cut + 1 :]


if __name__ == "__main__":
    main()
