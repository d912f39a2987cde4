"""What coalint says: findings, their severities, notes and fixes."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum, IntEnum

from coalint.core.facts.causes import Cause, CauseKind
from coalint.core.facts.costs import Cost
from coalint.core.facts.launch_costs import LaunchCost
from coalint.core.facts.operations import Operation, Space
from coalint.core.records import record
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


@record(frozen=True, slots=True)
class Note:
    """One step of an explanation, at a place of its own where there is one.

    Attributes:
        message: The step in words.
        span: Its place.
        quote: The text of the program at the place, where the message does nothing but quote it.
        source: The text of the program that the message is about; empty where it is about none.
        of_help: Whether it says what following the help would do.
    """

    message: str
    span: Span | None = None
    quote: str = ""
    source: str = ""
    of_help: bool = False


@record(frozen=True, slots=True)
class FixCheck:
    """What a fix that lengthens the rows of a shared array must bring: the same elements, without bank conflicts.

    `declared` is where the array is, the pitches are bytes from row to row.
    """

    array: str
    declared: Span
    pitch_before: int
    pitch_after: int


@record(frozen=True, slots=True)
class Fix:
    """A change that removes a finding; `safe` when the program's meaning provably stays the same.

    A fix with a `check` stays only if another analysis shows that it comes true.
    """

    description: str
    edits: tuple[Edit, ...]
    safe: bool = False
    check: FixCheck | None = None


@record(frozen=True, slots=True)
class Subject:
    """An access that a finding is about.

    Attributes:
        operation: What it does.
        space: The memory that it goes to.
        expression: Its text in the source.
        array: The name of the array or pointer parameter; empty where that is not known.
        bytes: What one lane moves, as it is written.
        strides: The distances between threads that are neighbours in x, y and z, in bytes; None where not constant.
        span: Where it stands.
        calls: The user's calls that lead to it from the kernel, outermost first.
    """

    operation: Operation
    space: Space
    expression: str
    array: str
    bytes: int
    strides: tuple[int | None, int | None, int | None]
    span: Span
    calls: tuple[Span, ...] = ()


@record(frozen=True, slots=True)
class Finding:
    """One diagnostic, complete: what (with numbers), where, why (notes), and what to do (help).

    Attributes:
        code: The rule's code.
        name: The rule's name.
        severity: How bad it is.
        confidence: How sure it is.
        message: What is wrong, in words. Nothing is read from it.
        span: Where it is reported.
        kernel: The kernel; None where it is about a file.
        notes: The reasons, step by step.
        help: What to do.
        fix: A change that removes the finding.
        fingerprint: What identifies it across edits.
        cost: What the instruction costs; None where the finding is not about a cost that is known.
        cause: Why it is made; None where the rule gives none.
        subjects: The accesses that it is about, the one that it is reported at first.
        assumed: The suppositions that its numbers rest on, in words.
        weight: How often a thread makes the access, as far as the loops around it tell; it ranks findings.
        rests_on: The same and what was guessed of the launch, each with the name of its kind before it.
        launch_cost: What its accesses cost over a whole launch; None where it is about none that are counted.
        unreached: What nothing in the repository calls though the kernel is launched by it alone, or the kernel itself;
            None where the kernel may be launched.
    """

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
    cost: Cost | None = None
    cause: Cause | None = None
    subjects: tuple[Subject, ...] = ()
    assumed: tuple[str, ...] = ()
    weight: float = 1.0
    rests_on: tuple[tuple[str, str], ...] = ()
    launch_cost: LaunchCost | None = None
    unreached: str | None = None

    @property
    def is_of_cost(self) -> bool:
        """Whether it is a warning of sectors or wavefronts."""
        return self.severity is Severity.WARNING and self.cost is not None

    @property
    def is_of_excess(self) -> bool:
        """Whether it is a warning of sectors or wavefronts beyond the ideal."""
        return self.severity is Severity.WARNING and self.cost is not None and self.cost.excess > 0

    @property
    def is_of_meeting_lanes(self) -> bool:
        """Whether it is about lanes that meet at one address: they wait for each other, whatever the sectors cost."""
        return self.cause is not None and self.cause.kind is CauseKind.MEETING_LANES

    def as_info(self, note: Note) -> Finding:
        """Return the finding as an info, with a note that says why it is no more."""
        return replace(self, severity=Severity.INFO, notes=(*self.notes, note))
