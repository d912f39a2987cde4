"""Counts on the GPU of this machine what the paddings that coalint suggests do to shared tiles.

    PYTHONPATH=src python benchmarks/measure_paddings.py [OUTPUT.json]

Asks coalint for the row pitch of every tile in benchmarks/paddings/tiles.cu, writes it into the declarations, runs both
sources under memcheck and Nsight Compute, and writes the wavefronts per request that were promised beside those that
were counted. Needs an NVIDIA GPU, nvcc, ncu and compute-sanitizer.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from measure_counters import Source, StepFailed, machine
from measuring import ROOT, write_measured

from coalint.core.facts.access import Space
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job
from coalint.engine.check.records import Source as CheckedSource
from coalint.engine.verification.counters import Launch, lines_in
from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.signatures import base_name
from coalint.engine.verification.measured import source_hash
from coalint.machine.architecture import architecture
from coalint.rule import Context
from coalint.rules.support import wording
from coalint.rules.support.longer_rows import padded
from coalint.rules.support.tiles import tile_of

SOURCE = ROOT / "benchmarks" / "paddings" / "tiles.cu"
SCHEMA = "coalint-paddings/1"


@dataclass(frozen=True)
class FixCheck:
    """One access of a tile: wavefronts per request with the rows as they are, and with those suggested."""

    line: int
    operation: str
    expression: str
    bytes: int
    ideal: float
    before: float
    after: float


@dataclass(frozen=True)
class Suggestion:
    """A kernel's tile with the declaration that it has and the one that coalint suggests."""

    kernel: str
    block: tuple[int, int, int]
    line: int
    declared: str
    suggested: str
    promises: tuple[FixCheck, ...]


def suggestions(source: Path, arch: str) -> list[Suggestion]:
    """What coalint suggests for the tiles of a source, in its order; a kernel without a suggestion is left out."""
    checked = check_file(CheckedSource(str(source)), Job((), architecture(arch), (), keep=True))
    if checked.failures:
        raise RuntimeError(f"{source}: {checked.failures[0].message}")
    contexts = [Context(kernel.analysis, architecture(arch)) for kernel in checked.checked if kernel.analysis]
    return [found for context in contexts if (found := _suggestion(context)) is not None]


def _suggestion(context: Context) -> Suggestion | None:
    for access in context.analysis.accesses:
        tile = tile_of(context, access)
        padding = padded(tile, context) if tile is not None else None
        if tile is None or padding is None:
            continue
        memory = tile.memory
        declaration = memory.span
        if declaration is None:
            continue
        promises = [
            FixCheck(a.span.line, a.op.value, a.expression, a.bytes, before.ideal, before.count, after.count)
            for a, before, after in zip(tile.accesses, padding.before, padding.after, strict=True)
            if before is not None and after is not None
        ]
        declared, suggested = (
            wording.declared(memory, (*memory.extents[:-1], extent), context.spelling)
            for extent in (tile.extent, padding.extent)
        )
        block = access.specialization.block
        return Suggestion(context.analysis.kernel, block, declaration.line, declared, suggested, tuple(promises))
    return None


def with_paddings(text: str, found: Sequence[Suggestion]) -> str:
    """The source with the suggested declarations; all lines stay where they are."""
    lines = text.split("\n")
    for item in found:
        before = lines[item.line - 1]
        lines[item.line - 1] = before.replace(item.declared, item.suggested)
        if lines[item.line - 1] == before:
            raise RuntimeError(f"line {item.line}: no `{item.declared}` in `{before.strip()}`")
    return "\n".join(lines)


def counted(launches: Sequence[Launch], source: Path, kernel: str, promise: FixCheck) -> float:
    """Wavefronts per request of one access, as counted."""
    instructions = [
        instruction
        for launch in launches
        if base_name(launch.kernel) == kernel
        for instruction in launch.instructions
        if instruction.space is Space.SHARED
        and instruction.operation.value == promise.operation
        and lines_in(instruction, source.name) == (promise.line,)
    ]
    if {instruction.bytes for instruction in instructions} != {promise.bytes}:
        raise RuntimeError(f"{source}:{promise.line}: not compiled to accesses of {promise.bytes} bytes")
    return sum(i.cost for i in instructions) / sum(i.executed for i in instructions)


def profiled(file: Path, folder: Path, arch: str) -> tuple[Launch, ...]:
    """Build, check and profile a source."""
    source = Source(file, folder)
    source.build(arch)
    source.check()
    source.profile()
    source.export()
    return source.launches()


def measure(arch: str) -> str:
    """The file's text."""
    host = asdict(machine(arch))
    found = suggestions(SOURCE, arch)
    with tempfile.TemporaryDirectory() as made:
        changed = Path(made) / "padded" / SOURCE.name
        changed.parent.mkdir()
        changed.write_text(with_paddings(SOURCE.read_text(encoding="utf-8"), found), encoding="utf-8")
        before, after = (profiled(file, Path(made), arch) for file in (SOURCE, changed))
    tiles = []
    for item in found:
        tile: dict[str, Any] = {"kernel": item.kernel, "block": item.block}
        tile |= {"declared": item.declared, "suggested": item.suggested, "accesses": []}
        for p in item.promises:
            both = [counted(launches, SOURCE, item.kernel, p) for launches in (before, after)]
            access = {"line": p.line, "operation": p.operation, "expression": p.expression, "bytes": p.bytes}
            tile["accesses"].append({**access, "ideal": p.ideal, "promised": [p.before, p.after], "counted": both})
        tiles.append(tile)
    name = SOURCE.relative_to(ROOT).as_posix()
    return dumped({"schema": SCHEMA, "source": name, "sha256": source_hash(SOURCE), **host}, tiles)


def dumped(head: dict[str, str], tiles: Sequence[dict[str, Any]]) -> str:
    """JSON with one line per access."""
    texts = []
    for tile in tiles:
        accesses = ",\n".join(f"      {json.dumps(access)}" for access in tile["accesses"])
        rest = json.dumps({key: value for key, value in tile.items() if key != "accesses"})
        texts.append(f'    {rest[:-1]}, "accesses": [\n{accesses}\n    ]}}')
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    return "\n".join(["{", *lines, '  "tiles": [', ",\n".join(texts), "  ]", "}"]) + "\n"


def main() -> int:
    """Measure and write; returns the exit code."""
    return write_measured(
        "Count what suggested paddings do, on this machine's GPU.", "paddings", measure, (StepFailed, ExportError)
    )


if __name__ == "__main__":
    sys.exit(main())
