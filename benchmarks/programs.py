"""Whole programs that others wrote, predicted and counted: how often the two agree, and why they do not.

python benchmarks/programs.py pick HeCBench/src FOLDER    # programs that need no data and no libraries
bash benchmarks/profile_programs.sh FOLDER 600            # on a machine with a GPU, nvcc and ncu
python benchmarks/programs.py compare FOLDER              # coalint verify for each, and the sum of it
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LIBRARIES = re.compile(
    r"-l(cublas|cufft|cudnn|cusparse|cusolver|curand|nccl|mpi|boost|gsl|nvml|cuda\b|gomp|pthread|jpeg|png|z\b)|mpicxx"
)
LARGEST = 300_000  # bytes of a program's folder
NUMBERS = re.compile(r"[\d\s.eE+-]*")


def pick(sources: Path, folder: Path) -> None:
    """Copy programs whose Makefile runs them with numbers alone, and list how they are built and run."""
    lines = []
    for program in sorted(sources.glob("*-cuda")):
        made = program / "Makefile"
        text = made.read_text(errors="replace") if made.exists() else ""
        run = re.search(r"^run:.*\n\t(.*)", text, re.M)
        named = re.search(r"^source\s*:?=\s*((?:.*\\\n)*.*)", text, re.M)
        if run is None or named is None or LIBRARIES.search(text):
            continue
        files = named[1].replace("\\\n", " ").split()
        binary = re.search(r"^program\s*:?=\s*(\S+)", text, re.M)
        arguments = run[1].replace("$(LAUNCHER)", "").replace("$(program)", binary[1] if binary else "main")
        arguments = arguments.strip().lstrip("@").removeprefix(f"./{binary[1] if binary else 'main'}").strip()
        flags = " ".join(f for f in re.findall(r"-I\S+|-D\S+|-std=\S+", text) if f != "-DDEBUG")
        size = sum(file.stat().st_size for file in program.rglob("*") if file.is_file())
        strange = any(sign in " ".join([*files, flags]) for sign in ("..", "$"))
        if size > LARGEST or strange or not NUMBERS.fullmatch(arguments) or not any(f.endswith(".cu") for f in files):
            continue
        if all((program / file).exists() for file in files):
            shutil.copytree(program, folder / program.name, dirs_exist_ok=True)
            lines.append(f"{program.name}|{' '.join(files)}|{arguments}|{flags}\n")
    (folder / "list.txt").write_text("".join(lines))
    print(f"{len(lines)} programs")


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


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pick", sources, folder]:
            pick(Path(sources), Path(folder))
        case ["compare", folder]:
            compare(Path(folder))
        case _:
            sys.exit(__doc__)
