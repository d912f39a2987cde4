"""The error that is raised for a file that is no whole export."""

from __future__ import annotations

EXPORT_COMMAND = "ncu --import REPORT.ncu-rep --page source --csv --print-source cuda,sass"


class ExportError(ValueError):
    """A file is no complete export of the source page.

    Attributes:
        message: What the file is instead, or what it lacks.
        remedy: How to make an export.
    """

    def __init__(self, message: str, remedy: str = f"export it again: {EXPORT_COMMAND} > EXPORT.csv") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
