"""Reads the memory accesses of one row of SASS, with their counters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from coalint.core.facts.access import Operation, Space
from coalint.core.records import record
from coalint.engine.verification.counters import Instruction
from coalint.engine.verification.export.errors import ExportError

_KINDS: Mapping[str, tuple[tuple[Space, Operation], ...]] = {
    "LDG": ((Space.GLOBAL, Operation.LOAD),),
    "STG": ((Space.GLOBAL, Operation.STORE),),
    "ATOMG": ((Space.GLOBAL, Operation.ATOMIC),),
    "REDG": ((Space.GLOBAL, Operation.ATOMIC),),
    "RED": ((Space.GLOBAL, Operation.ATOMIC),),
    "LDS": ((Space.SHARED, Operation.LOAD),),
    "LDSM": ((Space.SHARED, Operation.LOAD),),
    "STS": ((Space.SHARED, Operation.STORE),),
    "STSM": ((Space.SHARED, Operation.STORE),),
    "ATOMS": ((Space.SHARED, Operation.ATOMIC),),
    "LDGSTS": ((Space.GLOBAL, Operation.LOAD), (Space.SHARED, Operation.STORE)),
}


_GENERIC = {"LD": Operation.LOAD, "ST": Operation.STORE, "ATOM": Operation.ATOMIC}


_WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}


_COST = {
    Space.GLOBAL: ("L2 Theoretical Sectors Global", "L2 Theoretical Sectors Global Ideal"),
    Space.SHARED: ("L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal"),
}


_SASS = re.compile(r"\s*(?P<guard>@!?U?P\w+\s+)?(?P<opcode>[A-Z][\w.]*)")


@record
class SassRow:
    """One SASS instruction of an export.

    Attributes:
        sass: Its text.
        cells: Its columns by name.
        line: The line of the export, from 1.
        places: The source files and lines that it belongs to.
    """

    sass: str
    cells: Mapping[str, str]
    line: int
    places: list[tuple[str, int]] = field(default_factory=list)

    @property
    def opcode(self) -> str:
        """The opcode with its modifiers, as `BAR.SYNC.DEFER_BLOCKING`; empty where the text is no instruction."""
        match = _SASS.match(self.sass)
        return match["opcode"] if match else ""


def instructions_of(row: SassRow) -> Iterator[Instruction]:
    """Yield the accesses that an instruction makes: none if it is no memory instruction, two for `cp.async`.

    Raises ExportError.
    """
    match = _SASS.match(row.sass)
    executed = _count(row, "Instructions Executed")
    if match is None or not executed or (match["guard"] or "").startswith("@!PT"):
        return
    name, *modifiers = match["opcode"].split(".")
    kinds = _KINDS.get(name, ())
    if name in _GENERIC:
        space = Space.SHARED if row.cells.get("Address Space") == "Shared" else Space.GLOBAL
        kinds = ((space, _GENERIC[name]),)
    size = row.cells.get("Access Size", "")
    width = int(size) // 8 if size.isdecimal() else next((_WIDTHS[word] for word in modifiers if word in _WIDTHS), 4)
    threads = _count(row, "Predicated-On Thread Instructions Executed")
    if name in ("LDSM", "STSM"):  # of each eight lanes' rows: the other lanes give no address
        threads = threads * {"2": 16, "4": 32}.get(modifiers[-1], 8) // 32
    for space, operation in kinds:
        cost, ideal = _COST[space]
        yield Instruction(
            places=tuple(row.places),
            opcode=match["opcode"],
            guarded=match["guard"] is not None,
            space=space,
            operation=operation,
            bytes=width,
            executed=executed,
            threads=threads,
            cost=_count(row, cost),
            ideal=_count(row, ideal),
        )


def _count(row: SassRow, column: str) -> int:
    """Return a counter; 0 where it is blank (nothing executed) or there is no such column (no such access)."""
    text = row.cells.get(column, "").replace(",", "").strip()
    return 0 if text in ("", "-") else parse_integer(text, row.line)


def parse_integer(text: str, number: int) -> int:
    """Return the number in a cell of line `number`. Raises ExportError."""
    try:
        return int(float(text))
    except ValueError:
        raise ExportError(f"line {number}: `{text[:40]}` where a number was expected") from None
