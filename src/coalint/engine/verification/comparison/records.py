"""The outcome of comparing predictions with counters, line by line."""

from __future__ import annotations

from enum import Enum

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.records import record
from coalint.engine.verification.counters import Instruction, Launch
from coalint.engine.verification.export.signatures import split_signature

Place = tuple[str, int]


"""The last component of a file's path (exports come from other machines), and a line."""


class Outcome(Enum):
    """How prediction and counter compare at one place.

    UNKNOWN: nothing was predicted for the access. UNPREDICTED: an instruction was counted at which no access was seen.
    UNCOUNTED: no instruction was counted.
    """

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    UNPREDICTED = "unpredicted"
    UNCOUNTED = "uncounted"


@record(frozen=True, slots=True)
class Comparison:
    """The accesses of one line, space and operation in one launch.

    A request is an executed warp instruction with an active lane.

    Attributes:
        place: File and line; None where the instructions belong to no line of the analysed files.
        space: The memory accessed.
        operation: Load, store or atomic.
        bytes: Bytes per lane and instruction: as counted, or as predicted where nothing was counted.
        outcome: How prediction and counter compare.
        predicted: Sectors or wavefronts per request; None where there is no prediction.
        predicted_ideal: Their ideal number.
        counted: Sectors or wavefronts per request; None where nothing was counted.
        requests: The number of requests counted.
        cost: All sectors or wavefronts counted.
        instructions: The instructions counted.
        accesses: The accesses predicted.
        reason: Why the two differ, as far as can be told.
        predicted_executed: Warp instructions of the launch as predicted; None where that is open, or where the launch
            that was analysed is another one.
        predicted_total: Sectors or wavefronts of all of these; None as before.
    """

    place: Place | None
    space: Space
    operation: Operation
    bytes: int
    outcome: Outcome
    predicted: float | None
    predicted_ideal: float | None
    counted: float | None
    requests: float
    cost: int
    instructions: tuple[Instruction, ...]
    accesses: tuple[Access, ...]
    reason: str = ""
    predicted_executed: int | None = None
    predicted_total: float | None = None

    @property
    def executed(self) -> int:
        """The warp instructions counted, those without an active lane included."""
        return sum(instruction.executed for instruction in self.instructions)

    @property
    def is_executed_as_predicted(self) -> bool | None:
        """Whether the launch executed as many as predicted, within a hundredth; None where either is not known.

        Where a predicate lets warps execute it without an active lane, the requests count as well.
        """
        if self.predicted_executed is None or not self.instructions:
            return None
        near = 0.01 * self.executed
        return (
            abs(self.predicted_executed - self.executed) <= near or abs(self.predicted_executed - self.requests) <= near
        )

    @property
    def line(self) -> int | None:
        """The line, without its file."""
        return self.place[1] if self.place else None


@record(frozen=True, slots=True)
class ComparedLaunch:
    """One launch, compared with the analysis that fits it best.

    Attributes:
        launch: The launch.
        analysis: The analysis; None where no kernel of that name was analysed.
        comparisons: The comparisons, ordered by place.
    """

    launch: Launch
    analysis: Analysis | None
    comparisons: tuple[Comparison, ...]

    @property
    def is_instance(self) -> bool:
        """Whether the analysis has the template arguments of the launch; another instance is compared otherwise."""
        if self.analysis is None:
            return False
        own = ["".join(text.split()) for text in self.analysis.specialization.template_arguments]
        return own == ["".join(text.split()) for text in split_signature(self.launch.kernel)[1]]
