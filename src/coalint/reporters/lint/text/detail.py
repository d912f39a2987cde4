"""How much a report for people says."""

from __future__ import annotations

from coalint.core.records import record


@record(frozen=True, slots=True, kw_only=True)
class Detail:
    """How much a report for people says.

    Attributes:
        verbose: Whether each finding has all of its notes, places and launches.
        info: Whether findings of severity info are shown one by one; else they are counted by rule.
        quiet: Whether the findings stand alone, without a summary.
    """

    verbose: bool = False
    info: bool = False
    quiet: bool = False


SHORT = Detail()
