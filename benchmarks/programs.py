"""Whole programs that others wrote, predicted and counted: how often the two agree, and why they do not.

python benchmarks/programs.py pick HeCBench/src FOLDER    # programs that need no data and no libraries
bash benchmarks/profile_programs.sh FOLDER 500            # on a machine with a GPU, nvcc and ncu
python benchmarks/programs.py compare FOLDER              # coalint verify for each, and the sum of it
python benchmarks/programs.py executions FOLDER           # counts of whole launches, line by line
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import Job, Source
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.compare import compare as compare_launches
from coalint.engine.verification.comparison.launches import profiled_launches
from coalint.engine.verification.comparison.records import Comparison
from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.reader import parse_export
from coalint.engine.verification.export.shapes import parse_shapes
from coalint.engine.verification.export.signatures import base_name
from coalint.machine.architecture import architecture

LIBRARIES = re.compile(
    r"-l(cublas|cufft|cudnn|cusparse|cusolver|curand|nccl|mpi|boost|gsl|nvml|cuda\b|gomp|pthread|jpeg|png|z\b)|mpicxx"
)
LARGEST = 300_000  # bytes of a program's folder
MOST = 180  # programs, the smallest first
NUMBERS = re.compile(r"[\d\s.eE+-]*")
SLOW_TO_BUILD = re.compile(r"#\s*include\s*<(cub|thrust)/|cudaMallocManaged")
ARGUMENT = re.compile(
    r"(?:\b(?P<name>\w+)\s*=\s*)?(?:std::)?(?:ato[ilf]|atoll|sto[ildf]|stoul)\s*\(\s*argv\[(?P<number>\d)\]\s*\)"
)
SOURCES = {".cu", ".cuh", ".cpp", ".cc", ".c", ".h", ".hpp"}
REPETITIONS = re.compile(r"repeat|iter|loops|passes|trials", re.IGNORECASE)


@dataclass(frozen=True)
class Program:
    """A program as its Makefile builds and runs it; `size` is of its folder in bytes."""

    folder: Path
    files: tuple[str, ...]
    arguments: tuple[str, ...]
    flags: str
    size: int

    @property
    def line(self) -> str:
        """Return its line of list.txt."""
        return f"{self.folder.name}|{' '.join(self.files)}|{' '.join(self.arguments)}|{self.flags}\n"


def program_in(folder: Path) -> Program | None:
    """Return the program of a folder; None where it needs data, libraries or a long build."""
    made = folder / "Makefile"
    text = made.read_text(errors="replace") if made.exists() else ""
    run = re.search(r"^run:.*\n\t(.*)", text, re.M)
    named = re.search(r"^source\s*:?=\s*((?:.*\\\n)*.*)", text, re.M)
    if run is None or named is None or LIBRARIES.search(text):
        return None
    files = named[1].replace("\\\n", " ").split()
    binary = re.search(r"^program\s*:?=\s*(\S+)", text, re.M)
    arguments = run[1].replace("$(LAUNCHER)", "").replace("$(program)", binary[1] if binary else "main")
    arguments = arguments.strip().lstrip("@").removeprefix(f"./{binary[1] if binary else 'main'}").strip()
    flags = " ".join(f for f in re.findall(r"-I\S+|-D\S+|-std=\S+", text) if f != "-DDEBUG")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    strange = any(sign in " ".join([*files, flags]) for sign in ("..", "$"))
    if size > LARGEST or strange or not NUMBERS.fullmatch(arguments) or not any(f.endswith(".cu") for f in files):
        return None
    if not all((folder / file).exists() for file in files):
        return None
    if any(SLOW_TO_BUILD.search(file.read_text(errors="replace")) for file in sources_in(folder)):
        return None
    return Program(folder, tuple(files), tuple(arguments.split()), flags, size)


def sources_in(folder: Path) -> list[Path]:
    """Return the files of C++ in a folder."""
    return [file for file in sorted(folder.rglob("*")) if file.suffix in SOURCES]


def with_numbers(text: str, arguments: tuple[str, ...]) -> str:
    """Return a source with the numbers of the command line in it, and two repetitions of what it repeats."""

    def number(match: re.Match[str]) -> str:
        place = int(match["number"]) - 1
        if not 0 <= place < len(arguments):
            return match[0]
        name = match["name"] or ""
        value = "2" if REPETITIONS.search(name) else arguments[place]
        return f"{name} = {value}" if name else value

    return ARGUMENT.sub(number, text)


def pick(sources: Path, folder: Path) -> None:
    """Copy programs whose Makefile runs them with numbers alone, and list how they are built and run.

    The copies hold the numbers of their command lines, so that their sources tell all sizes.
    """
    found = [program for each in sorted(sources.glob("*-cuda")) if (program := program_in(each)) is not None]
    found = sorted(sorted(found, key=lambda program: program.size)[:MOST], key=lambda program: program.folder.name)
    for program in found:
        copy = folder / program.folder.name
        shutil.copytree(program.folder, copy, dirs_exist_ok=True)
        for file in sources_in(copy):
            file.write_text(with_numbers(file.read_text(errors="replace"), program.arguments))
    (folder / "list.txt").write_text("".join(program.line for program in found))
    print(f"{len(found)} programs")


def verified(folder: Path, line: str) -> list[dict[str, object]]:
    """What `coalint verify` says of each access of a program."""
    name, sources, _, flags = line.split("|")
    export, found = folder / "csv" / f"{name}.csv", list[dict[str, object]]()
    for source in sources.split() if export.exists() else []:
        command = ["coalint", "verify", f"{name}/{source}", "--ncu", str(export.absolute()), "--arch", "sm_90"]
        command += ["--output-format", "json", "--isolated", "--", *flags.split()]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        launches = json.loads(said)["launches"] if source.endswith(".cu") and said.strip() else []
        found += [{**one, "program": name} for launch in launches for one in launch["comparisons"]]
    return found


def compare(folder: Path) -> None:
    """Print how many accesses agree, and what is said of the others."""
    lines = (folder / "list.txt").read_text().splitlines()
    with ThreadPoolExecutor(2) as pool:
        all_ = [one for found in pool.map(lambda line: verified(folder, line), lines) for one in found]
    print(len({one["program"] for one in all_}), "programs", dict(Counter(str(one["outcome"]) for one in all_)))
    reasons = Counter(re.sub(r"\d[\d.]*", "N", str(one["reason"])) for one in all_ if one["outcome"] == "different")
    for reason, count in reasons.most_common(20):
        print(count, reason[:110])


def counted_lines(folder: Path, line: str) -> list[Comparison]:
    """Return the comparisons of a program's launches with the analyses of the same instance, block and grid."""
    name, sources, _, flags = line.split("|")
    page, raw = folder / "csv" / f"{name}.csv", folder / "raw" / f"{name}.csv"
    if not page.exists() or not raw.exists():
        return []
    try:
        launches = parse_export(page.read_text(errors="replace"))
        shapes = parse_shapes(raw.read_text(errors="replace"))
    except ExportError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return []
    if [base_name(launch.kernel) for launch in launches] != [base_name(kernel) for kernel, _, _ in shapes]:
        print(f"{name}: the pages name different launches", file=sys.stderr)
        return []
    launches = tuple(replace(launch, grid=g, block=b) for launch, (_, g, b) in zip(launches, shapes, strict=True))
    inspected = []
    for source in sources.split():
        limits, asked = Limits(seconds=20), profiled_launches(launches)
        job = Job((), architecture("sm_90"), (), keep=True, limits=limits, profiled=asked)
        path = folder / name / source
        flags_here = tuple(f"-I{folder / name / f[2:]}" if f.startswith("-I") else f for f in flags.split())
        checked = check_file(Source(str(path), flags_here), job).checked
        inspected += [Inspected(k.analysis, k.instructions) for k in checked if k.analysis is not None]
    return [c for launch in compare_launches(launches, inspected) for c in launch.comparisons]


@dataclass(frozen=True)
class Tally:
    """Lines of a program: counted, of these determined by the source, of these executed and moving as predicted.

    A line is executed as predicted if the warp instructions, or those of them with an active lane, are within 1 %.
    """

    counted: int
    determined: int
    executed: int
    moved: int
    differing: tuple[str, ...]


def is_near(predicted: float | None, counted: float) -> bool:
    """Say if a prediction is within 1 % of a counter."""
    return predicted is not None and abs(predicted - counted) <= 0.01 * counted


def tally_of(folder: Path, line: str) -> Tally:
    """Return how often prediction and counters agree on the lines of one program."""
    compared = counted_lines(folder, line)
    determined = [
        one
        for one in compared
        if one.is_executed_as_predicted is not None and all(access.result.exact for access in one.accesses)
    ]
    executed = [one for one in determined if one.is_executed_as_predicted]
    moved = [one for one in determined if is_near(one.predicted_total, one.cost)]
    differing = [
        f"{line.split('|')[0]}:{one.line}: {one.operation.value} {one.space.value}: executed {one.executed}, "
        f"{one.predicted_executed} predicted; {one.cost} moved, {one.predicted_total} predicted "
        f"{sorted({instruction.opcode for instruction in one.instructions})}"
        for one in determined
        if one not in executed or one not in moved
    ]
    counted = sum(bool(one.instructions) for one in compared)
    return Tally(counted, len(determined), len(executed), len(moved), tuple(differing))


def executions(folder: Path) -> None:
    """Print on how many lines the counts of the launch agree, and those on which they do not.

    Each program's tally is kept in FOLDER/executions; a second run makes those that are missing.
    """
    (folder / "executions").mkdir(exist_ok=True)
    tallies = []
    for line in (folder / "list.txt").read_text().splitlines():
        kept = folder / "executions" / f"{line.split('|')[0]}.json"
        if not kept.exists():
            kept.write_text(json.dumps(asdict(tally_of(folder, line))))
        tallies.append(tally := Tally(**json.loads(kept.read_text())))
        print(*tally.differing, sep="\n", end="\n" if tally.differing else "")
        determined, executed = sum(t.determined for t in tallies), sum(t.executed for t in tallies)
        print(f"{line.split('|')[0]}: so far {executed} of {determined} executed as predicted", flush=True)
    print(
        f"{sum(t.counted > 0 for t in tallies)} programs, {sum(t.counted for t in tallies)} lines counted, "
        f"{determined} determined by the source: {executed} executed and {sum(t.moved for t in tallies)} move as "
        "predicted within 1 %"
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pick", sources, folder]:
            pick(Path(sources), Path(folder))
        case ["compare", folder]:
            compare(Path(folder))
        case ["executions", folder]:
            executions(Path(folder))
        case _:
            sys.exit(__doc__)
