"""Counts what every kernel of a folder costs on the GPU of this machine, and writes it beside the sources.

    PYTHONPATH=src python benchmarks/measure_counters.py fixtures [--all] [--keep FOLDER] [--numba PYTHON]

For each `NAME.cu`: build it with line information, run it, run compute-sanitizer's memcheck over it, profile it with
Nsight Compute, and write `NAME.sm_90.json` (the format is in src/coalint/measured.py). Each `NAME.py` with Numba's
kernels goes the same way, run by run_numba_fixture.py under the interpreter that `--numba` names, which has numba-cuda.
Needs an NVIDIA GPU, nvcc (not for Numba), ncu and compute-sanitizer; of Python only the standard library. Sources whose
counters are current are left alone unless `--all` is given. `--keep` keeps the CSV exports. Ends with 1 if any source
failed, after doing the others.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from coalint.engine.verification.counters import Launch
from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.reader import parse_export
from coalint.engine.verification.export.shapes import parse_shapes
from coalint.engine.verification.export.signatures import base_name
from coalint.engine.verification.measured import (
    Machine,
    Measured,
    MeasuredError,
    counters_path,
    dumped,
    load_measured,
    source_hash,
)

TOOLS = ("ncu", "compute-sanitizer", "nvidia-smi")
LIMIT_S = 300
RUNNER = Path(__file__).with_name("run_numba_fixture.py")
NUMBA_VERSION = "from importlib.metadata import version; print('numba-cuda', version('numba-cuda'))"


class StepFailed(Exception):
    """One step of one source failed; the text is what the tool said."""


def run(*command: str | Path) -> str:
    """Standard output of a command; raises StepFailed with the end of what it wrote."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, errors="replace")
    except subprocess.TimeoutExpired:
        raise StepFailed(f"{words[0]}: not done within {LIMIT_S} s") from None
    if done.returncode:
        raise StepFailed(f"{' '.join(words)}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def machine(architecture: str, numba: str | None = None) -> Machine:
    """The GPU of this machine and the versions of the tools, today; of numba-cuda under the interpreter `numba`."""
    gpus = run("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    gpu, driver = gpus.splitlines()[0].split(", ")
    cuda = _version("nvcc", r"V(\d[\d.]*)") if numba is None else run(numba, "-c", NUMBA_VERSION).strip()
    ncu = _version("ncu", r"Version (\d[\d.]*)")
    return Machine(gpu, architecture, driver, cuda, ncu, datetime.now(UTC).date().isoformat())


def _version(tool: str, pattern: str) -> str:
    match = re.search(pattern, run(tool, "--version"))
    return match[1] if match else "unknown"


class Source:
    """One source on its way through the tools; `folder` takes everything that is made."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.file = file
        stem = f"{file.parent.name}+{file.stem}"
        self.program, self.report = folder / stem, folder / f"{stem}.ncu-rep"
        self.page, self.raw = (folder / f"{stem}.{name}.csv" for name in ("source", "raw"))

    @property
    def command(self) -> tuple[str | Path, ...]:
        """What runs it."""
        return (self.program,)

    def machine(self, architecture: str) -> Machine:
        """What it is measured with."""
        return machine(architecture)

    def build(self, architecture: str) -> None:
        """Compile it as users do, with line information."""
        run("nvcc", f"-arch={architecture}", "-lineinfo", "-o", self.program, self.file)

    def check(self) -> None:
        """Run it, alone and under memcheck: a fixture must be free of faults."""
        run(*self.command)
        run("compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "9", *self.command)

    def profile(self) -> None:
        """Count every instruction of every launch."""
        options = ("--clock-control", "none", "--section", "SourceCounters", "--import-source", "yes")
        run("ncu", *options, "-f", "-o", self.report.with_suffix(""), *self.command)

    def export(self) -> None:
        """Write the pages of the report as CSV."""
        for path, page in (
            (self.page, ("source", "--print-source", "cuda,sass")),
            (self.raw, ("raw",)),
        ):
            path.write_text(run("ncu", "--import", self.report, "--csv", "--page", *page), encoding="utf-8")

    def launches(self) -> tuple[Launch, ...]:
        """What the pages say: the counters of each launch, with its shape."""
        launches = parse_export(self.page.read_text(encoding="utf-8"))
        shapes = parse_shapes(self.raw.read_text(encoding="utf-8"))
        names = [[base_name(launch.kernel) for launch in launches], [base_name(kernel) for kernel, _, _ in shapes]]
        if names[0] != names[1]:
            raise StepFailed(f"the source page and the raw page name different launches: {names}")
        return tuple(replace(launch, grid=g, block=b) for launch, (_, g, b) in zip(launches, shapes, strict=True))


class NumbaSource(Source):
    """A Python file, compiled by Numba while it runs under the interpreter `python`."""

    def __init__(self, file: Path, folder: Path, python: str) -> None:
        super().__init__(file, folder)
        self.python = python

    @property
    def command(self) -> tuple[str | Path, ...]:
        """What runs it."""
        return (self.python, RUNNER, self.file)

    def machine(self, architecture: str) -> Machine:
        """What it is measured with."""
        return machine(architecture, self.python)

    def build(self, architecture: str) -> None:
        """Only see that its kernels' compiler is there."""
        run(self.python, "-c", "from numba import cuda; cuda.detect()")


def write(source: Source, host: Machine) -> int:
    """Write the counters of a source beside it; returns how many launches they are of."""
    launches = source.launches()
    measured = Measured(source.file.name, source_hash(source.file), host, launches)
    counters_path(source.file, host.architecture).write_text(dumped(measured), encoding="utf-8")
    return len(launches)


def current(file: Path, architecture: str) -> bool:
    """Whether the counters beside a source are those of its text."""
    try:
        return load_measured(counters_path(file, architecture)).sha256 == source_hash(file)
    except (OSError, MeasuredError):
        return False


def measure(files: Sequence[Path], folder: Path, architecture: str, numba: str) -> list[str]:
    """Measure the files and write what was counted; returns a message for each that failed."""
    failed: dict[Path, str] = {}
    sources = [NumbaSource(f, folder, numba) if f.suffix == ".py" else Source(f, folder) for f in files]
    hosts = {kind: source.machine(architecture) for kind, source in {type(s): s for s in sources}.items()}

    def attempt(source: Source, step: str) -> None:
        if source.file in failed:
            return
        try:
            if step == "build":
                source.build(architecture)
            elif step == "check":
                source.check()
            elif step == "profile":
                source.profile()
            else:
                source.export()
                print(f"{source.file}: {write(source, hosts[type(source)])} launches", flush=True)
        except (StepFailed, ExportError) as error:
            failed[source.file] = f"{source.file}: {step}: {error}"

    for step, width in (("build", os.cpu_count() or 1), ("check", 4), ("profile", 1), ("export", os.cpu_count() or 1)):
        with ThreadPoolExecutor(width) as pool:
            list(pool.map(attempt, sources, [step] * len(sources)))
        print(f"{step}: done at {datetime.now(UTC):%H:%M:%S}, {len(failed)} failed", file=sys.stderr, flush=True)
    return [failed[file] for file in files if file in failed]


def main() -> int:
    """Measure what the command line names; returns the exit code."""
    parser = argparse.ArgumentParser(description="Count what the kernels of a folder cost on this machine's GPU.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--all", action="store_true", help="also those whose counters are current")
    parser.add_argument("--numba", default=sys.executable, metavar="PYTHON", help="the interpreter with numba-cuda")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the CSV exports here")
    options = parser.parse_args()
    files = sorted([*options.folder.rglob("*.cu"), *options.folder.rglob("numba-*/*.py")])
    if not options.all:
        files = [file for file in files if not current(file, options.arch)]
    needed = (*TOOLS, *(("nvcc",) if any(file.suffix == ".cu" for file in files) else ()))
    missing = [tool for tool in needed if shutil.which(tool) is None]
    if missing:
        print(f"not on the PATH: {', '.join(missing)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as made:
        failures = measure(files, Path(made), options.arch, options.numba) if files else []
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            for export in sorted(Path(made).glob("*.csv")):
                shutil.copy(export, options.keep)
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(files) - len(failures)} of {len(files)} measured", file=sys.stderr)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
