"""How often a launch executes an access."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Executions:
    """The executions of one access by one launch, over all blocks, warps and iterations of loops.

    Attributes:
        warps: Executed warp instructions: one for each warp in each iteration in which at least one lane is active;
            None where the source leaves the number open.
        threads: Active lanes of all of these; None where that is open.
        missing: What leaves it open: names of quantities, or a reason in words.
        assumed: What the numbers rest on, in words.
        formula: `warps` as a formula in what is open, as `ceil(n/32)`; empty where there is none.
    """

    warps: int | None
    threads: int | None = None
    missing: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    formula: str = ""

    def __add__(self, other: Executions) -> Executions:
        """Return the executions of both, open where either is."""
        formula = f"{self.formula} + {other.formula}" if self.formula and other.formula else ""
        assumed = tuple(dict.fromkeys((*self.assumed, *other.assumed)))
        if self.warps is None or other.warps is None:
            missing = tuple(dict.fromkeys((*self.missing, *other.missing)))
            return Executions(None, missing=missing, assumed=assumed, formula=formula)
        threads = None if self.threads is None or other.threads is None else self.threads + other.threads
        return Executions(self.warps + other.warps, threads, (), assumed, formula)
