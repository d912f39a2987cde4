"""Under which condition on open quantities an access is as good as it can be."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


class GoodKind(Enum):
    """What an access is where the condition holds."""

    COALESCED = "coalesced"
    """Its requests take no more sectors than their bytes fill."""
    CONFLICT_FREE = "conflict-free"
    """Its requests take no more wavefronts than their bytes need."""
    LEAST_CONFLICTS = "least conflicts"
    """Its requests take as few wavefronts as they can, which is more than their bytes need."""
    ALIGNED = "aligned"
    """Its requests begin with a sector, and take no more of them than for any other offset."""


@record(frozen=True, slots=True)
class GoodIf:
    """A sufficient condition, held against the lane model at sample numbers.

    Attributes:
        kind: What the access is where it holds.
        condition: The condition in the source's names: `pitch` is 1, with the names in backquotes.
    """

    kind: GoodKind
    condition: str

    @property
    def text(self) -> str:
        """Return it in words."""
        return f"{self.kind.value} if {self.condition}"

    @property
    def sentence(self) -> str:
        """Return it as a sentence without a full stop."""
        return f"{self.kind.value.capitalize()} if {self.condition}"
