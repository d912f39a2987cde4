"""Lines with memory instructions in nvcc's machine code against the lines of the accesses that coalint lists.

    python benchmarks/memory_lines.py NAME=FOLDER[,FOLDER...] ... --cache FOLDER [-o docs/data/memory_lines.json]

Files and machine code are those of benchmarks/machine_code.py. A place is a file and a line with an LDG, STG, LDS, STS,
ATOM, RED or kin whose function coalint's kernels reach. It is listed where an access of the same source covers the
line; every other is put into a class, and those of `LOST` are printed: nothing explains them.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from host_headers import host_headers
from machine_code import PLAIN, Compiled, all_compiled, compiled, parser, repositories

from coalint.engine.check.file import check_file
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.units.plan import plan
from coalint.machine.architecture import architecture

LISTED, STATEMENT, LIBRARY, PROBLEM, LOST = "listed", "statement", "library", "problem", "lost"
MOVED, HELD, UNTAKEN = "moved", "held", "untaken"
CLASSES = {
    LISTED: "an access of coalint's covers the line",
    "called": "code of the toolkit's headers; an access is listed at the line of the user's that calls it",
    STATEMENT: "nvcc names another line of the same statement",
    HELD: "a part of a variable is used that a line with a listed access has loaded: nvcc loads it part by part",
    UNTAKEN: "no thread comes there with the numbers of the launches: listed for another block, or open arguments",
    MOVED: "nvcc moved or merged an access to this line: code without optimisation has no such instruction here",
    LIBRARY: "code of the toolkit's headers, called at a line without an access of its own",
    PROBLEM: "the kernel, or the file, was not analysed whole, which coalint says",
    "unreached": "no kernel that coalint analyses reaches the function",
    LOST: "nothing explains it",
}
_PART = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\[|\.)")  # `packet[k]`, `pair.x`
OTHER_BLOCKS = (32, 256, 1024)
"""Threads of blocks that places are looked for with which the launches' numbers rule out."""
_FARTHEST = 80  # lines from a variable to its use
_TOOLKIT = re.compile(r"/nvidia/cu\d+/|^/usr/")


@dataclass(frozen=True)
class Place:
    """A line with memory instructions: what class it is of, and their names."""

    file: str
    line: int
    opcodes: tuple[str, ...]
    kind: str
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Listed:
    """What coalint lists for a source: lines of accesses, of functions that kernels reach, and whether all was read."""

    accesses: frozenset[tuple[str, int]]
    kernels: frozenset[str]
    lost: frozenset[str]
    problems: tuple[str, ...]


def listed(result: FileResult) -> Listed:
    """What a checked file lists."""
    accesses: set[tuple[str, int]] = set()
    kernels = set()
    for kernel in result.checked:
        kernels.add(kernel.kernel.partition("<")[0].rpartition("::")[2])
        assert kernel.analysis is not None
        for access in kernel.analysis.accesses:
            for span in (access.span, *access.calls):
                file = os.path.realpath(span.file)
                accesses |= {(file, line) for line in range(span.line, span.end_line + 1)}
    problems = tuple(f"{p.code} {p.kernel or ''}: {p.message[:160]}" for p in result.problems)
    problems += tuple(failure.message[:160] for failure in result.failures)
    names = {p.kernel.partition("<")[0].rpartition("::")[2] for p in result.problems if p.kernel}
    names |= {name.partition("<")[0].rpartition("::")[2] for name, _ in result.in_part}
    return Listed(frozenset(accesses), frozenset(kernels), frozenset(names), problems)


def _statement_lines(file: str, line: int) -> tuple[int, int]:
    """The first and last line of the statement that a line lies in, by its semicolons and braces."""
    lines = _lines(file)
    first = last = line
    if not 0 < line <= len(lines):
        return line, line
    while first > 1 and not re.search(r"[;{}]\s*(//.*)?$|^\s*(#.*)?$", lines[first - 2]) and line - first < 12:
        first -= 1
    while last < len(lines) and not re.search(r"[;{}]\s*(//.*)?$", lines[last - 1]) and last - line < 12:
        last += 1
    return first, last


_TEXTS: dict[str, list[str]] = {}


def _lines(file: str) -> list[str]:
    if file not in _TEXTS:
        _TEXTS[file] = Path(file).read_text(errors="replace").split("\n") if os.path.exists(file) else []
    return _TEXTS[file]


def places(made: Compiled, found: Listed) -> Iterator[Place]:
    """Class each line of the machine code."""
    at: dict[tuple[tuple[str, int], ...], tuple[set[str], set[str]]] = {}
    for instruction in made.instructions:
        opcodes, functions = at.setdefault(_frames(instruction.frames), (set(), set()))
        opcodes.add(instruction.opcode.split(".")[0])
        functions.add(instruction.function)
    merged: dict[tuple[str, int], Place] = {}
    order = list(CLASSES)
    for frames, (opcodes, functions) in at.items():
        kind, (file, line) = _kind(frames, opcodes, functions, found)
        place = Place(file, line, tuple(sorted(opcodes)), kind, tuple(sorted(functions)))
        before = merged.get((file, line))
        if before is None or order.index(kind) > order.index(before.kind):
            merged[(file, line)] = place
    yield from merged.values()


def _frames(frames: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    return tuple((os.path.realpath(file), line) for file, line in frames)


def _kind(
    frames: tuple[tuple[str, int], ...], opcodes: set[str], functions: set[str], found: Listed
) -> tuple[str, tuple[str, int]]:
    own = next((frame for frame in frames if not _TOOLKIT.search(frame[0])), None)
    if own is None:
        return LIBRARY, frames[0] if frames else ("", 0)
    if own == frames[0] and own in found.accesses:
        return LISTED, own
    is_library = own != frames[0]
    if own in found.accesses:
        return "called", own
    first, last = _statement_lines(*own)
    if any((own[0], line) in found.accesses for line in range(first, last + 1)):
        return STATEMENT, own
    if all(_manner(opcode) == "LD" for opcode in opcodes) and _is_held(frames, own, found):
        return HELD, own
    if any(lost and any(lost in function for function in functions) for lost in found.lost):
        return PROBLEM, own
    if _reduces_an_angle(own, opcodes):
        return LIBRARY, own
    if not any(kernel in function for kernel in found.kernels for function in functions):
        return "unreached", own
    return (LIBRARY if is_library else LOST), own


def _is_held(frames: tuple[tuple[str, int], ...], at: tuple[str, int], found: Listed) -> bool:
    """Whether what a line uses was loaded at a listed line: for the function that it stands in, or into a variable."""
    if any(frame in found.accesses for frame in frames[frames.index(at) + 1 :]):
        return True
    file, line = at
    lines = _lines(file)
    used = set(_PART.findall(lines[line - 1])) if 0 < line <= len(lines) else set()
    filled: set[str] = set()
    for above in range(line - 1, max(0, line - _FARTHEST), -1):
        text = lines[above - 1]
        names = {name for name in used if re.search(rf"\b{name}\b", text)}
        if names and any((file, number) in found.accesses for number in range(*_statement_range(file, above))):
            filled |= names
        if any(_declares(text, name) for name in filled):
            return True
    return False


def _statement_range(file: str, line: int) -> tuple[int, int]:
    first, last = _statement_lines(file, line)
    return first, last + 1


def _declares(text: str, name: str) -> bool:
    """Whether a line declares a variable of the thread: neither a pointer nor memory that threads share."""
    declared = re.match(rf"\s*(?:[\w:]+(?:<[^;=]*>)?\s+)+{name}\s*(?:\[[^=;]*\])*\s*(?:[;={{(]|$)", text)
    return declared is not None and "__shared__" not in text and not text.lstrip().startswith("return")


def _reduces_an_angle(at: tuple[str, int], opcodes: set[str]) -> bool:
    """Whether it is the toolkit's table for `sin` and `cos` of large numbers: code behind the function's own."""
    lines = _lines(at[0])
    text = lines[at[1] - 1].strip() if 0 < at[1] <= len(lines) else ""
    around = "\n".join(lines[max(0, at[1] - _FARTHEST) : at[1]])
    return text == "}" and opcodes == {"LDG"} and re.search(r"\b(sin|cos|tan|sincos)(pi)?f?\s*\(", around) is not None


def _unmoved(item: Compiled, cache: Path, found: list[Place]) -> list[Place]:
    """The places, with what nvcc has moved where told from what it has not."""
    wanted = {(place.file, place.line) for place in found if place.kind == LOST}
    if not wanted:
        return found
    from cuda_compiler import find_compiler

    plain = compiled(find_compiler(), item.path, cache, (*PLAIN, *host_headers(cache / "host")))
    if plain.error:
        return found
    there: dict[tuple[str, int], set[str]] = {}
    for one in plain.instructions:
        for frame in _frames(one.frames)[:1]:
            there.setdefault(frame, set()).add(_manner(one.opcode))
    return [
        replace(place, kind=MOVED)
        if (at := (place.file, place.line)) in wanted and there.get(at, set()).isdisjoint(map(_manner, place.opcodes))
        else place
        for place in found
    ]


def _manner(opcode: str) -> str:
    """Return whether an instruction loads, stores or updates."""
    return next((manner for manner in ("LD", "ST") if opcode.startswith(manner)), "ATOM")


def _checked(item: tuple[Compiled, str, Path]) -> tuple[Compiled, list[Place], tuple[str, ...]]:
    made, headers, cache = item
    job = Job((), architecture("sm_90"), (), keep=True, headers=headers, limits=Limits(60.0))
    sources = plan([str(made.path)], Settings()).sources
    results = [check_file(replace(source, flags=(*source.flags, *made.flags)), job) for source in sources]
    parts = [listed(result) for result in results]
    whole = Listed(
        frozenset().union(*(part.accesses for part in parts)),
        frozenset().union(*(part.kernels for part in parts)),
        frozenset().union(*(part.lost for part in parts)),
        tuple(problem for part in parts for problem in part.problems),
    )
    classed = _unmoved(made, cache, list(places(made, whole)))
    if any(place.kind == LOST for place in classed):
        others = frozenset().union(*(listed(result).accesses for result in _otherwise(sources, made, job)))
        classed = [
            replace(place, kind=UNTAKEN) if place.kind == LOST and (place.file, place.line) in others else place
            for place in classed
        ]
    return made, classed, whole.problems


def _otherwise(sources: Sequence[Source], made: Compiled, job: Job) -> Iterator[FileResult]:
    """The file checked as if nothing launched its kernels, for blocks of several sizes."""
    from unittest.mock import patch

    from coalint.analysis.launches import host_launches

    for threads in OTHER_BLOCKS:
        with patch.object(host_launches, "launch_records", lambda *_, **__: {}):
            for source in sources:
                given = replace(job, assume=(f"blockDim.x == {threads}",))
                yield check_file(replace(source, flags=(*source.flags, *made.flags)), given)


def main() -> None:
    """Compare the repositories named and print or keep the counts."""
    arguments = parser(__doc__)
    arguments.add_argument("-o", dest="output", type=Path)
    options = arguments.parse_args()
    headers = tempfile.mkdtemp(prefix="coalint-headers-")
    rows = {}
    with multiprocessing.get_context("spawn").Pool(options.jobs, maxtasksperchild=30) as pool:
        for name, files in repositories(options).items():
            made = list(all_compiled(files, options.cache, options.jobs))
            good = [item for item in made if not item.error and item.instructions]
            counts: Counter[str] = Counter()
            for item, found, problems in pool.imap_unordered(
                _checked, [(item, headers, options.cache) for item in good]
            ):
                counts.update(place.kind for place in found)
                for place in found:
                    if place.kind in (LOST, LIBRARY, "unreached", PROBLEM):
                        text = (_lines(place.file)[place.line - 1 : place.line] or [""])[0].strip()[:110]
                        print(
                            f"{place.kind} {place.file}:{place.line} {','.join(place.opcodes)} `{text}`",
                            place.functions[0][:60],
                        )
                if any(place.kind in (LOST, PROBLEM, "unreached") for place in found):
                    for problem in problems[:4]:
                        print(f"    said of {item.path}: {problem}")
                sys.stdout.flush()
            rows[name] = {
                "files": len(files),
                "compiled": sum(not item.error for item in made),
                "instructions": sum(len(item.instructions) for item in good),
                "places": sum(counts.values()),
                **{kind: counts[kind] for kind in CLASSES},
            }
            print(name, rows[name], flush=True)
    if options.output is not None:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
