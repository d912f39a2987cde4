"""The outcome of comparing predictions with counters, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.engine.verification.counters import Instruction, Launch

if TYPE_CHECKING:
    pass


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


@dataclass(frozen=True, slots=True)
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

    @property
    def line(self) -> int | None:
        """The line, without its file."""
        return self.place[1] if self.place else None


@dataclass(frozen=True, slots=True)
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
