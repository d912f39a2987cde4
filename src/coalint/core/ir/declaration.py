"""What several translation units know a kernel by."""

from __future__ import annotations

from coalint.core.records import record


@record(frozen=True, slots=True)
class Declaration:
    """What several translation units know a kernel by.

    `symbol` tells it from all others, template arguments included; `file` holds its first declaration.
    """

    symbol: str
    file: str
