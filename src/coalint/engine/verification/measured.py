"""The counters of one source on one GPU, as the JSON file beside it holds them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from coalint.core.facts.access import Operation, Space
from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.verification.counters import Instruction, Launch, lines_in

SCHEMA = "coalint-counters/1"
COLUMNS = ("lines", "space", "operation", "instruction", "guarded", "bytes", "executed", "threads", "cost", "ideal")


class MeasuredError(ValueError):
    """A file of counters cannot be read; the text says which and why."""


@record(frozen=True, slots=True)
class Machine:
    """What the counters were measured with.

    Attributes:
        gpu: The GPU's name.
        architecture: Its architecture, as `sm_90`.
        driver: The driver's version.
        cuda: The CUDA toolkit's version.
        ncu: Nsight Compute's version.
        date: The date in ISO format.
    """

    gpu: str
    architecture: str
    driver: str
    cuda: str
    ncu: str
    date: str


@record(frozen=True, slots=True)
class Measured:
    """The counters of every launch of a source.

    Attributes:
        source: The source file's name.
        sha256: The hash of the source that was measured.
        machine: What it was measured with.
        launches: The launches in their order.
    """

    source: str
    sha256: str
    machine: Machine
    launches: tuple[Launch, ...]


def counters_path(source: Path, architecture: str = "sm_90") -> Path:
    """Return the path of a source's counters: `strided.sm_90.json` beside `strided.cu`."""
    return source.with_suffix(f".{architecture}.json")


def source_hash(source: Path) -> str:
    """Return the hash of a source that its counters are stored with; line ends do not count."""
    return hashlib.sha256(read_bytes(source, FileKind.SOURCE).replace(b"\r\n", b"\n")).hexdigest()


def dumped(measured: Measured) -> str:
    """Return the file's text: one line per instruction, independent of the folder of the source."""
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
    """Return the counters of a file. Raises MeasuredError, and OSError where it cannot be opened."""
    try:
        value = json.loads(read_bytes(path, FileKind.COUNTERS))
        if value["schema"] != SCHEMA:
            raise MeasuredError(f"{path}: schema {value['schema']!r}, this version reads {SCHEMA!r}: measure again")
        if value["columns"] != list(COLUMNS):
            raise MeasuredError(f"{path}: its columns are not those of this version: measure again")
        machine = Machine(**{key: value[key] for key in ("gpu", "architecture", "driver", "cuda", "ncu", "date")})
        launches = tuple(_launch(launch, value["source"]) for launch in value["launches"])
        return Measured(source=value["source"], sha256=value["sha256"], machine=machine, launches=launches)
    except MeasuredError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MeasuredError(f"{path}: no file of counters ({error!r}): measure again") from error


def _launch(value: dict[str, Any], source: str) -> Launch:
    return Launch(
        kernel=value["kernel"],
        instructions=tuple(_instruction(row, source) for row in value["instructions"]),
        grid=_shape(value["grid"]),
        block=_shape(value["block"]),
    )


def _shape(value: list[int] | None) -> tuple[int, int, int] | None:
    if value is None:
        return None
    x, y, z = value
    return x, y, z


def _instruction(row: list[Any], source: str) -> Instruction:
    lines, space, operation, opcode, guarded, bytes, executed, threads, cost, ideal = row
    return Instruction(
        places=tuple((source, line) for line in lines),
        opcode=opcode,
        guarded=bool(guarded),
        space=Space(space),
        operation=Operation(operation),
        bytes=bytes,
        executed=executed,
        threads=threads,
        cost=cost,
        ideal=ideal,
    )
