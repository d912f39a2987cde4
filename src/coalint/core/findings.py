"""What coalint says: findings, their severities, notes and fixes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from coalint.core.source.spans import Edit, Span


class Severity(IntEnum):
    """How bad a finding is; ordered, so that thresholds compare."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The lower-case word that users read and write."""
        return self.name.lower()


class Confidence(Enum):
    """How sure a finding is: exact numbers high, a symbolic stride medium, an assumed block shape low."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Note:
    """One step of an explanation, at a place of its own where there is one."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Promise:
    """What a fix that lengthens the rows of a shared array must bring: the same elements, without bank conflicts.

    `declared` is where the array is, the pitches are bytes from row to row.
    """

    array: str
    declared: Span
    pitch_before: int
    pitch_after: int


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that removes a finding; `safe` when the program's meaning provably stays the same.

    A fix with a `promise` stays only if another analysis shows that it is kept.
    """

    description: str
    edits: tuple[Edit, ...]
    safe: bool = False
    promise: Promise | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic, complete: what (with numbers), where, why (notes), and what to do (help)."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    span: Span
    kernel: str | None
    notes: tuple[Note, ...] = ()
    help: str = ""
    fix: Fix | None = None
    fingerprint: str = field(default="")
