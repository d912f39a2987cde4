"""Reads the launches of an export of the source page."""

from __future__ import annotations

import csv
import re
from dataclasses import field
from pathlib import Path

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.verification.counters import Launch
from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.instructions import SassRow, instructions_of, parse_integer

_NEEDED = ("Instructions Executed", "Predicated-On Thread Instructions Executed")


_ADDRESS = re.compile(r"(?:0x)?[0-9a-f]+")


def read_export(path: str | Path) -> tuple[Launch, ...]:
    """Return the launches of an export, in its order. Raises ExportError, and OSError where it cannot be read."""
    data = read_bytes(path, FileKind.COUNTERS)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # what PowerShell's `>` writes
        return parse_export(data.decode("utf-16", errors="replace"))
    if b"\0" in data[:4096]:
        raise ExportError("this is a binary file, not the CSV of a source page")
    return parse_export(data.decode("utf-8-sig", errors="replace"))


def parse_export(text: str) -> tuple[Launch, ...]:
    """Return the launches in the text of an export, with or without source lines. Raises ExportError."""
    return _read(text).launches()


def parse_rows(text: str) -> list[tuple[str, list[SassRow]]]:
    """Return every instruction of each launch in the text of an export, by kernel. Raises ExportError."""
    return [(block.kernel, [row for _, row in sorted(block.rows.items())]) for block in _read(text).blocks]


def _read(text: str) -> _ExportReader:
    if not text.strip():
        raise ExportError("the file is empty")
    reader = _ExportReader()
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        reader.row(_cells(line.removesuffix("\r")), number)
    if not text.endswith("\n"):
        raise ExportError(f"line {len(lines)}: the file ends within a line: it is truncated")
    return reader


def _cells(line: str) -> list[str]:
    """Return the cells of a row. Nsight Compute quotes every cell, and does not escape quotes within the source."""
    line = line.removesuffix(",")
    if len(line) > 1 and line.startswith('"') and line.endswith('"'):
        return line[1:-1].split('","')
    return next(csv.reader([line]), [])


@record
class _LaunchBlock:
    """One launch while it is read.

    Attributes:
        kernel: The kernel's signature.
        files: The source files whose blocks were read.
        rows: The instructions by address.
        headed: Whether a header row was read.
    """

    kernel: str
    files: set[str] = field(default_factory=set)
    rows: dict[int, SassRow] = field(default_factory=dict)
    headed: bool = False


class _ExportReader:
    """Reads row by row. A launch has one block of rows for every source file that it was inlined from."""

    def __init__(self) -> None:
        self.blocks: list[_LaunchBlock] = []
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
            raise ExportError(_describe_other_file(row))
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
            current = _LaunchBlock(name)
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
            self.source_line = parse_integer(row[self.columns["Line No"]], number)
        address = row[self.columns["Address"]]
        if not _ADDRESS.fullmatch(address):
            return
        rows = self.blocks[-1].rows
        cells = {name: row[index] for name, index in self.columns.items()}
        instruction = rows.setdefault(int(address, 16), SassRow(row[self.sass], cells, number))
        if self.source_line is not None and (self.file, self.source_line) not in instruction.places:
            instruction.places.append((self.file, self.source_line))

    def launches(self) -> tuple[Launch, ...]:
        for block in self.blocks:
            if not block.headed or not block.rows:
                raise ExportError(f"the kernel {block.kernel} has no instructions: the file is truncated")
        launches = [
            Launch(block.kernel, tuple(i for _, row in sorted(block.rows.items()) for i in instructions_of(row)))
            for block in self.blocks
        ]
        # An export without source lines was seen to hold every launch twice.
        if "Line No" not in self.columns and launches[::2] == launches[1::2]:
            launches = launches[::2]
        return tuple(launches)


def _describe_other_file(row: list[str]) -> str:
    if {"ID", "Section Name", "Metric Name"} & set(row):
        return "this is a table of metrics per kernel, not the source page"
    return "this is not an export of Nsight Compute's source page: it does not begin with a `Function Name` row"
