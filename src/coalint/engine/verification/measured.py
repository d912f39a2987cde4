"""The counters of one source, measured on one GPU, as the small JSON file that lies beside it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coalint.core.facts.access import Operation, Space
from coalint.engine.verification.counters import Instruction, Launch, lines_in

SCHEMA = "coalint-counters/1"
COLUMNS = ("lines", "space", "operation", "instruction", "guarded", "bytes", "executed", "threads", "cost", "ideal")


class MeasuredError(ValueError):
    """A file of counters that cannot be read; says which and why."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the counters were measured on, and when (an ISO date)."""

    gpu: str
    architecture: str
    driver: str
    cuda: str
    ncu: str
    date: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The counters of every launch of a source; `sha256` is the hash of the source that was measured."""

    source: str
    sha256: str
    machine: Machine
    launches: tuple[Launch, ...]


def counters_path(source: Path, architecture: str = "sm_90") -> Path:
    """Where the counters of a source lie: `strided.sm_90.json` beside `strided.cu`."""
    return source.with_suffix(f".{architecture}.json")


def source_hash(source: Path) -> str:
    """The hash that counters are bound to; line ends do not count."""
    return hashlib.sha256(source.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def dumped(measured: Measured) -> str:
    """The file's text: one line per instruction, nothing that depends on where the source lay."""
    machine = measured.machine
    head = {
        "schema": SCHEMA,
        "source": measured.source,
        "sha256": measured.sha256,
        "gpu": machine.gpu,
        "architecture": machine.architecture,
        "driver": machine.driver,
        "cuda": machine.cuda,
        "ncu": machine.ncu,
        "date": machine.date,
        "columns": list(COLUMNS),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    launches = ",\n".join(_dumped_launch(launch, measured.source) for launch in measured.launches)
    return "\n".join(["{", *lines, '  "launches": [', launches, "  ]", "}"]) + "\n"


def _dumped_launch(launch: Launch, source: str) -> str:
    rows = ",\n".join("      " + json.dumps(_row(i, source)) for i in launch.instructions)
    shapes = f'"grid": {json.dumps(launch.grid)}, "block": {json.dumps(launch.block)}'
    body = f"[\n{rows}\n    ]" if rows else "[]"
    return f'    {{"kernel": {json.dumps(launch.kernel)}, {shapes}, "instructions": {body}}}'


def _row(i: Instruction, source: str) -> list[Any]:
    lines = list(lines_in(i, source))
    kind = [i.space.value, i.operation.value, i.opcode, int(i.guarded), i.bytes]
    return [lines, *kind, i.executed, i.threads, i.cost, i.ideal]


def load_measured(path: Path) -> Measured:
    """Read a file of counters; raises MeasuredError, and OSError where it cannot be opened."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["schema"] != SCHEMA:
            raise MeasuredError(f"{path}: schema {value['schema']!r}, this version reads {SCHEMA!r}: measure again")
        if value["columns"] != list(COLUMNS):
            raise MeasuredError(f"{path}: its columns are not those of this version: measure again")
        machine = Machine(*(value[key] for key in ("gpu", "architecture", "driver", "cuda", "ncu", "date")))
        launches = tuple(_launch(launch, value["source"]) for launch in value["launches"])
        return Measured(value["source"], value["sha256"], machine, launches)
    except MeasuredError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise MeasuredError(f"{path}: no file of counters ({error!r}): measure again") from error


def _launch(value: dict[str, Any], source: str) -> Launch:
    return Launch(
        value["kernel"],
        tuple(_instruction(row, source) for row in value["instructions"]),
        _shape(value["grid"]),
        _shape(value["block"]),
    )


def _shape(value: list[int] | None) -> tuple[int, int, int] | None:
    if value is None:
        return None
    x, y, z = value
    return x, y, z


def _instruction(row: list[Any], source: str) -> Instruction:
    lines, space, operation, opcode, guarded, *numbers = row
    places = tuple((source, line) for line in lines)
    return Instruction(places, opcode, bool(guarded), Space(space), Operation(operation), *numbers)
