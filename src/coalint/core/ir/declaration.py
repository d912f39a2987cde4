"""What several translation units know a kernel by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Declaration:
    """What several translation units know a kernel by.

    `symbol` tells it from all others, template arguments included; `file` holds its first declaration.
    """

    symbol: str
    file: str
