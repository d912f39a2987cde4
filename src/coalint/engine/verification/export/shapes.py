"""Reads grids and blocks of launches from the CSV of Nsight Compute's raw page."""

from __future__ import annotations

import csv
import re

from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.verification.export.errors import ExportError

_SHAPE = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)?")


def read_shapes(path: str) -> tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...]:
    """Return (kernel, grid, block) of each launch of a raw page. Raises ExportError, and OSError as `read_export`."""
    return parse_shapes(read_bytes(path, FileKind.COUNTERS).decode("utf-8-sig", errors="replace"))


def parse_shapes(text: str) -> tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...]:
    """Return (kernel, grid, block) of each launch; `text` is what `ncu --import R --page raw --csv` prints.

    Raises ExportError.
    """
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
        raise ExportError(f"`{text}` is not a shape such as (32, 8, 1)")
    return int(match[1]), int(match[2]), int(match[3])
