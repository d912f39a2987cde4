"""What is wanted of an integer: the bytes that are used."""

from __future__ import annotations

from coalint.core.records import record


@record(frozen=True, slots=True)
class Want:
    """The bytes of an integer that are used, and how many lie below them; no bytes stand for all."""

    bytes: int = 0
    shift: int = 0


WHOLE = Want()
