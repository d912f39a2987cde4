"""What a request costs, as findings carry it."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


class Unit(Enum):
    """What the cost of a request counts."""

    SECTORS = "sectors"
    WAVEFRONTS = "wavefronts"

    @property
    def singular(self) -> str:
        """The word for one of them."""
        return self.value.removesuffix("s")


@record(frozen=True, slots=True)
class Cost:
    """What one request of a memory instruction costs, in the mean over the requests of the launch.

    Attributes:
        count: Sectors or wavefronts per request.
        ideal: What the same bytes would cost if they were packed, in the same unit.
        unit: What is counted.
        bytes: What one lane moves in the instruction.
        exact: Whether the GPU's counters show these numbers under the launch; otherwise they hold for a general value
            of something that is not known.
    """

    count: float
    ideal: float
    unit: Unit
    bytes: int
    exact: bool

    @property
    def excess(self) -> float:
        """What is moved beyond the ideal; never negative."""
        return max(0.0, self.count - self.ideal)
