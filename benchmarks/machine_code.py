"""The memory instructions that nvcc makes of public files, with their lines; kept in a folder, since nvcc takes long.

    python benchmarks/machine_code.py NAME=FOLDER[,FOLDER...] ... --cache FOLDER [--files 300] [--seed 1] [--jobs 2]

Files are compiled for sm_90 with -lineinfo and the `-I` and `-D` of a Makefile beside them; those that do not compile
(a library is missing, an interface is gone) are kept with the compiler's first error.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from cuda_compiler import Compiler, compile_to_cubin, disassemble, find_compiler  # noqa: E402
from host_headers import host_headers  # noqa: E402

SECONDS = 240
"""For one file."""
_SHARED = {"LDS", "STS", "ATOMS", "LDSM", "STSM"}
_GLOBAL = {"LDG", "STG", "ATOMG", "RED", "REDG"}
_GENERIC = {"LD", "ST", "ATOM"}
_FLAG = re.compile(r"(?<!\S)-[ID] ?[^\s$]+")
_FAULT = re.compile(r"error\b.*")


@dataclass(frozen=True)
class MemoryInstruction:
    """One LDG, STG, LDS, STS, ATOM, RED or kin; `frames` are files and lines, innermost first."""

    function: str
    opcode: str
    frames: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Compiled:
    """What nvcc makes of a file: its memory instructions, or the first error; `flags` are its `-I` and `-D`."""

    path: Path
    flags: tuple[str, ...]
    instructions: tuple[MemoryInstruction, ...]
    error: str = ""


def sources(folders: Sequence[Path], limit: int, seed: int) -> list[Path]:
    """The .cu files below the folders, or a seeded sample of them."""
    found = sorted({file for folder in folders for file in folder.rglob("*.cu") if file.is_file()})
    return found if len(found) <= limit else sorted(random.Random(seed).sample(found, limit))


def flags(source: Path) -> tuple[str, ...]:
    """The `-I` and `-D` of the Makefile beside a source, folders absolute; none where a variable stands in them."""
    makefile = source.parent / "Makefile"
    if not makefile.exists():
        return ()
    found = dict.fromkeys(_FLAG.findall(makefile.read_text(errors="replace")))
    return tuple(
        f"-I{(source.parent / flag[2:].strip()).resolve()}" if flag.startswith("-I") else flag for flag in found
    )


PLAIN = ("-Xcicc", "-O0", "-Xptxas", "-O0")
"""nvcc's options for code in which nothing is moved, merged or left out."""


def compiled(compiler: Compiler, source: Path, cache: Path, headers: Sequence[str] = ()) -> Compiled:
    """Compile a file, or return what the cache has of it; `headers` are more options."""
    given = flags(source)
    more = PLAIN if headers[: len(PLAIN)] == PLAIN else ()
    words = (str(source), source.read_text(errors="replace"), *given, *more)
    key = hashlib.sha256("\0".join(words).encode()).hexdigest()
    kept = cache / f"{key[:24]}.json"
    if kept.exists():
        return _read(source, given, json.loads(kept.read_text()))
    try:
        with tempfile.TemporaryDirectory() as folder:
            cubin = Path(folder) / "k.cubin"
            compile_to_cubin(compiler, source, cubin, ("-std=c++17", "-w", *given, *headers), SECONDS)
            made = disassemble(compiler, cubin, source)
        wanted = _SHARED | _GLOBAL | _GENERIC | {"LDGSTS"}
        rows = [(i.function, i.opcode, i.frames) for i in made if i.opcode.split(".")[0] in wanted]
        record: dict[str, object] = {"error": "", "instructions": rows}
    except subprocess.CalledProcessError as error:
        fault = _FAULT.search(error.stderr or "")
        record = {"error": fault[0][:200] if fault else "nvcc failed", "instructions": []}
    except subprocess.TimeoutExpired:
        record = {"error": f"nvcc took longer than {SECONDS} s", "instructions": []}
    kept.write_text(json.dumps(record))
    return _read(source, given, record)


def _read(source: Path, given: tuple[str, ...], record: dict[str, object]) -> Compiled:
    rows = record["instructions"]
    assert isinstance(rows, list)
    made = tuple(MemoryInstruction(name, opcode, tuple((f, n) for f, n in frames)) for name, opcode, frames in rows)
    return Compiled(source, given, made, str(record["error"]))


def all_compiled(files: Sequence[Path], cache: Path, jobs: int) -> Iterator[Compiled]:
    """Compile files in threads, in order."""
    compiler = find_compiler()
    headers = host_headers(cache / "host")
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda file: compiled(compiler, file, cache, headers), files)


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options that say which files are compiled."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("repositories", metavar="NAME=FOLDER[,FOLDER...]", nargs="+")
    made.add_argument("--cache", type=Path, required=True)
    made.add_argument("--files", type=int, default=300, help="of one repository at most")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--jobs", type=int, default=2)
    return made


def repositories(options: argparse.Namespace) -> dict[str, list[Path]]:
    """The files of each repository."""
    named = (item.partition("=") for item in options.repositories)
    return {
        name: sources([Path(folder).resolve() for folder in folders.split(",")], options.files, options.seed)
        for name, _, folders in named
    }


if __name__ == "__main__":
    chosen = parser(__doc__).parse_args()
    for repository, files in repositories(chosen).items():
        for number, item in enumerate(all_compiled(files, chosen.cache, chosen.jobs)):
            print(number, repository, item.path, len(item.instructions), item.error, flush=True)
