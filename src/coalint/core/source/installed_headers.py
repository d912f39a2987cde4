"""Headers that were read from folders on this machine: results rest on them, and elsewhere there may be none."""

from __future__ import annotations

from coalint.core.records import record


@record(frozen=True, slots=True)
class InstalledHeader:
    """A header, or a folder of them, that was read since the front end's own headers lack it.

    Attributes:
        name: As an include names it: `cublasLt.h`, or `cub` for a folder.
        folder: The folder that holds it, a real path.
    """

    name: str
    folder: str
