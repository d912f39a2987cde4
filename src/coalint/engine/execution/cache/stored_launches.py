"""Launches that the host functions of a module make, as long as these and what they call stay the same."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from coalint.core.facts.launch import LaunchRecord
from coalint.core.records import record
from coalint.core.serialization import as_data, from_data
from coalint.core.source.relocation import Relocation
from coalint.core.source.spans import Span
from coalint.engine.execution.cache.entries import read_sealed, write_sealed
from coalint.engine.execution.cache.versions import code_digest

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.ir.canonical import Reach

Records = dict[str, list[LaunchRecord]]
"""The launches of each kernel, by its key."""
LEAST = 0.02
"""Seconds that it takes at least to find launches that are stored."""


@record(frozen=True, slots=True)
class Entry:
    """What is stored: the launches, their kernels by names, and the places of what they rest on."""

    launches: tuple[LaunchRecord, ...]
    pieces: tuple[Span, ...]


def launches_of(module: ir.Module, folder: str, problems: list[ir.Problem]) -> Records:
    """Return the launches that the host functions of a module make: stored ones, or new ones, which are stored.

    `problems` says of launches that are lost; the others of such a module are not stored.
    """
    from coalint.analysis.launches.host_launches import launch_records

    names = _names(module)
    reach = _reach(module, names)
    name = _name(module, reach)
    path = Path(folder) / name[:2] / f"{name[2:]}.json"
    keys = {name: key for key, name in names.items()}
    stored = _read(path, name, reach.pieces)
    if stored is not None and all(record.kernel in keys for record in stored):
        records: Records = {}
        for record in stored:
            records.setdefault(keys[record.kernel], []).append(replace(record, kernel=keys[record.kernel]))
        return records
    began = time.process_time()
    made = launch_records(module, problems=problems)
    if not problems and time.process_time() - began >= LEAST and all(key in names for key in made):
        launches = tuple(replace(record, kernel=names[key]) for key, all_ in made.items() for record in all_)
        text = json.dumps(as_data(Entry(launches, reach.pieces)), separators=(",", ":"))
        write_sealed(path, name, text)
    return made


def _read(path: Path, name: str, pieces: tuple[Span, ...]) -> tuple[LaunchRecord, ...] | None:
    try:
        entry: Entry = from_data(Entry, json.loads(read_sealed(path, name)))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    if len(entry.pieces) != len(pieces):
        return None
    launches: tuple[LaunchRecord, ...] = Relocation(entry.pieces, pieces).moved(entry.launches)
    return launches


def _names(module: ir.Module) -> dict[str, str]:
    """Return names for the kernels that may be launched, by their keys."""
    names = {key: declaration.symbol for key, declaration in module.declared.items()}
    count: Counter[str] = Counter()
    for kernel in module.kernels:
        name = f"{kernel.name}<{', '.join(kernel.template_arguments)}>"
        count[name] += 1
        names[kernel.key] = f"{name} {count[name]}"
    return names


def _reach(module: ir.Module, names: dict[str, str]) -> Reach:
    """Return the host functions with what they call, and the initial values of the global variables."""
    from coalint.core import ir
    from coalint.core.ir.canonical import CanonicalForms

    initial = [
        ir.Function(
            key=f"initial {key}",
            name="",
            parameters=(),
            body=ir.Block(value.span, (ir.Evaluate(value.span, value),)),
            result=value.type,
            span=value.span,
        )
        for key, value in (*module.globals.items(), *((variable.key, value) for variable, value in module.initial))
    ]
    hosts = {key: function for key, function in module.functions.items() if key not in names}
    return CanonicalForms(hosts, module.sources, names).reach([*module.hosts, *initial])


def _name(module: ir.Module, reach: Reach) -> str:
    parts = [
        *("launches", code_digest(), module.spelling.__class__.__name__, reach.digest.hex()),
        [module.guesses.get(function.key) for function in reach.functions],
        [reach.variables.get(key) for key in module.globals],
        [reach.variables.get(variable.key) for variable, _ in module.initial],
        sorted(number for key in module.linked if (number := reach.variables.get(key)) is not None),
    ]
    return blake2b(repr(parts).encode(), digest_size=20).hexdigest()
