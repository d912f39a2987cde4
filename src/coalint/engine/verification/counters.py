"""Reads what Nsight Compute counted per instruction, from the CSV of its source page."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

from coalint.core.facts.access import Operation, Space

EXPORT_COMMAND = "ncu --import REPORT.ncu-rep --page source --csv --print-source cuda,sass"

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
_NEEDED = ("Instructions Executed", "Predicated-On Thread Instructions Executed")
_SASS = re.compile(r"\s*(?P<guard>@!?U?P\w+\s+)?(?P<opcode>[A-Z][\w.]*)")
_ADDRESS = re.compile(r"(?:0x)?[0-9a-f]+")
_CAST = re.compile(r"\((?:unsigned |signed )?(?:bool|char|short|int|long|long long|unsigned)\)(?=-?\d)")
_SHAPE = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)?")


class ExportError(ValueError):
    """A file that is no whole export of the source page; says what it is instead, and how to make one."""

    def __init__(self, message: str, remedy: str = f"export it again: {EXPORT_COMMAND} > EXPORT.csv") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Instruction:
    """One memory instruction of one launch, summed over all warps that executed it.

    `places` are the (file, line) pairs that it stands at: more than one where it was inlined, none in an export without
    source lines. `guarded` says that a predicate decides lane by lane, so that `executed` (warps) may include warps
    without an active lane. `threads` counts the lanes that took part, `cost` sectors (global) or wavefronts (shared),
    `ideal` what the counter calls ideal: never more than `cost`.
    """

    places: tuple[tuple[str, int], ...]
    opcode: str
    guarded: bool
    space: Space
    operation: Operation
    bytes: int
    executed: int
    threads: int
    cost: int
    ideal: int


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of one kernel. `kernel` is its signature in Nsight Compute's spelling; shapes are None if unknown."""

    kernel: str
    instructions: tuple[Instruction, ...]
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None


def read_export(path: str | Path) -> tuple[Launch, ...]:
    """The launches of an export, in its order; raises ExportError, and OSError where the file cannot be read."""
    data = Path(path).read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # what PowerShell's `>` writes
        return parse_export(data.decode("utf-16", errors="replace"))
    if b"\0" in data[:4096]:
        raise ExportError("this is a binary file, not the CSV of a source page")
    return parse_export(data.decode("utf-8-sig", errors="replace"))


def parse_export(text: str) -> tuple[Launch, ...]:
    """The launches in the text of an export, with or without source lines; raises ExportError."""
    if not text.strip():
        raise ExportError("the file is empty")
    reader = _Reader()
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        reader.row(_cells(line.removesuffix("\r")), number)
    if not text.endswith("\n"):
        raise ExportError(f"line {len(lines)}: the file ends within a line: it is truncated")
    return reader.launches()


def _cells(line: str) -> list[str]:
    """The cells of a row. Nsight Compute quotes every cell, and escapes no quote within the source's text."""
    line = line.removesuffix(",")
    if len(line) > 1 and line.startswith('"') and line.endswith('"'):
        return line[1:-1].split('","')
    return next(csv.reader([line]), [])


@dataclass
class _Row:
    """What is kept of one SASS instruction; `cells` by column name."""

    sass: str
    cells: Mapping[str, str]
    line: int
    places: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class _Block:
    """One launch as it is read: the files seen so far, and the instructions by address."""

    kernel: str
    files: set[str] = field(default_factory=set)
    rows: dict[int, _Row] = field(default_factory=dict)
    headed: bool = False


class _Reader:
    """Follows the blocks of the export: a kernel's block stands once for every file that it was inlined from."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.file = ""
        self.columns: dict[str, int] = {}
        self.width = 0
        self.sass = 0
        self.source_line: int | None = None

    def row(self, row: list[str], number: int) -> None:
        if not row or row[0].startswith("=="):
            return
        if row[0] == "File Path" and len(row) == 2:
            self.file, self.source_line, self.width = row[1], None, 0
        elif row[0] in ("Function Name", "Kernel Name") and len(row) <= 3:
            self._function(row[1])
        elif row[0] == "Line No" or ("Address" in row and "Source" in row):
            self._header(row, number)
        elif not self.blocks:
            raise ExportError(_foreign(row))
        elif not self.width:
            raise ExportError(f"line {number}: a header row was expected after the kernel's name")
        elif len(row) < self.width or (len(row) > self.width and "Line No" not in self.columns):
            raise ExportError(
                f"line {number}: {len(row)} columns where the header has {self.width}: the file is truncated"
            )
        else:
            extra = len(row) - self.width  # a source line that itself holds `","`
            self._data([row[0], '","'.join(row[1 : 2 + extra]), *row[2 + extra :]], number)

    def _function(self, name: str) -> None:
        current = self.blocks[-1] if self.blocks else None
        if current is None or current.kernel != name or self.file in current.files:
            current = _Block(name)
            self.blocks.append(current)
        current.files.add(self.file)
        self.source_line, self.width = None, 0

    def _header(self, row: list[str], number: int) -> None:
        if not self.blocks:
            raise ExportError(f"line {number}: no kernel is named above the header")
        if "Address" not in row:
            raise ExportError(f"line {number}: no column `Address`: the page shows the source without its instructions")
        missing = [name for name in _NEEDED if name not in row]
        if missing:
            raise ExportError(
                f"line {number}: no column `{missing[0]}`: the report was made without the instruction counters",
                "profile again with `--section SourceCounters --import-source yes`, and export the source page",
            )
        self.columns = {}
        for index, name in enumerate(row):
            self.columns.setdefault(name, index)
        self.width = len(row)
        self.sass = len(row) - 1 - row[::-1].index("Source")
        self.blocks[-1].headed = True

    def _data(self, row: list[str], number: int) -> None:
        if "Line No" in self.columns and row[self.columns["Line No"]].strip():
            self.source_line = _integer(row[self.columns["Line No"]], number)
        address = row[self.columns["Address"]]
        if not _ADDRESS.fullmatch(address):
            return
        rows = self.blocks[-1].rows
        cells = {name: row[index] for name, index in self.columns.items()}
        kept = rows.setdefault(int(address, 16), _Row(row[self.sass], cells, number))
        if self.source_line is not None and (self.file, self.source_line) not in kept.places:
            kept.places.append((self.file, self.source_line))

    def launches(self) -> tuple[Launch, ...]:
        for block in self.blocks:
            if not block.headed or not block.rows:
                raise ExportError(f"the kernel {block.kernel} has no instructions: the file is truncated")
        launches = [
            Launch(block.kernel, tuple(i for _, row in sorted(block.rows.items()) for i in _instructions(row)))
            for block in self.blocks
        ]
        # An export without source lines was seen to hold every launch twice.
        if "Line No" not in self.columns and launches[::2] == launches[1::2]:
            launches = launches[::2]
        return tuple(launches)


def _instructions(row: _Row) -> Iterator[Instruction]:
    """The accesses that an instruction makes: none if it is no memory instruction, two for `cp.async`."""
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
            tuple(row.places),
            match["opcode"],
            match["guard"] is not None,
            space,
            operation,
            width,
            executed,
            threads,
            _count(row, cost),
            _count(row, ideal),
        )


def _count(row: _Row, column: str) -> int:
    """A counter, 0 where it is blank (nothing executed) or the kernel has no such column (no such access)."""
    text = row.cells.get(column, "").replace(",", "").strip()
    return 0 if text in ("", "-") else _integer(text, row.line)


def _integer(text: str, number: int) -> int:
    try:
        return int(float(text))
    except ValueError:
        raise ExportError(f"line {number}: `{text[:40]}` where a number was expected") from None


def _foreign(row: list[str]) -> str:
    if {"ID", "Section Name", "Metric Name"} & set(row):
        return "this is a table of metrics per kernel, not the source page"
    return "this is no export of Nsight Compute's source page: it does not begin with a `Function Name` row"


def parse_shapes(text: str) -> tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...]:
    """(kernel, grid, block) of each launch, from the CSV of the raw page (`ncu --import R --page raw --csv`)."""
    table = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("==")]
    header = next((row for row in table if "Kernel Name" in row), [])
    if not {"ID", "Kernel Name", "Block Size", "Grid Size"} <= set(header):
        raise ExportError("this is not the raw page: no columns `Kernel Name`, `Block Size` and `Grid Size`")
    columns = [header.index(name) for name in ("Kernel Name", "Grid Size", "Block Size")]
    launches = [[row[column] for column in columns] for row in table if row[header.index("ID")].isdecimal()]
    return tuple((kernel, _shape(grid), _shape(block)) for kernel, grid, block in launches)


def _shape(text: str) -> tuple[int, int, int]:
    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        raise ExportError(f"`{text}` is no shape such as (32, 8, 1)")
    return int(match[1]), int(match[2]), int(match[3])


def base_name(kernel: str) -> str:
    """The kernel's own name in a signature: `scale` in `void ns::scale<(int)8>(float *, T1)`."""
    return split_signature(kernel)[0]


def split_signature(kernel: str) -> tuple[str, tuple[str, ...]]:
    """Name (without namespaces) and template arguments of a signature: `("scale", ("8",))`.

    The name begins after the last space or `::` outside of all brackets, and ends at the first bracket after it.
    """
    depth, begin, end, close = 0, 0, len(kernel), len(kernel)
    text = kernel.replace("(anonymous namespace)::", "").replace("<unnamed>::", "")
    arguments: list[str] = []
    for index, letter in enumerate(text):
        if letter in "<([{":
            if depth == 0 and letter == "(" and index > begin:
                end = min(end, index)
                break
            if depth == 0 and letter == "<":
                end, close = index, index + 1
            depth += 1
        elif letter in ">)]}":
            depth -= 1
            if depth == 0 and letter == ">":
                arguments.append(text[close:index])
        elif depth == 1 and letter == "," and close <= index:
            arguments.append(text[close:index])
            close = index + 1
        elif depth == 0 and (letter == " " or text[index - 1 : index + 1] == "::"):
            begin, end, arguments = index + 1, len(text), []
    return text[begin:end], tuple(_CAST.sub("", argument).strip() for argument in arguments)


def file_name(path: str) -> str:
    """The last component of a path of either kind: exports come from other machines."""
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name


def lines_in(instruction: Instruction, source: str) -> tuple[int, ...]:
    """The lines of a file (known by its last name) that an instruction stands at, ascending."""
    name = file_name(source)
    return tuple(sorted({line for file, line in instruction.places if file_name(file) == name}))
