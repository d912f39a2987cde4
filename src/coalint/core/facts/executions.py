"""How often a launch executes an access."""

from __future__ import annotations

from typing import Protocol

from coalint.core.facts.formulas import Formula
from coalint.core.records import record


@record(frozen=True, slots=True)
class Executions:
    """The executions of one access by one launch, over all blocks, warps and iterations of loops.

    Attributes:
        warps: Executed warp instructions: one for each warp in each iteration in which at least one lane is active;
            None where the source leaves the number open.
        threads: Active lanes of all of these; None where that is open.
        missing: What leaves it open: names of quantities, or a reason in words.
        assumed: What the numbers rest on, in words.
        formula: `warps` as a formula in what is open, as `ceil(n/32)`; empty where there is none.
        form: The same to compute with; None where there is none.
        reuse: How often at most the launch touches one address by it; None where that is not known.
        cost_varies: Whether what one of them costs on average changes with the open sizes of the formula, as the
            address or the lanes rest on what a loop divides or multiplies.
        is_too_large: Whether it is open for one reason alone: there are too many iterations and blocks to try.
    """

    warps: int | None
    threads: int | None = None
    missing: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    formula: str = ""
    is_too_large: bool = False
    form: Formula | None = None
    reuse: int | None = None
    cost_varies: bool = False

    def __add__(self, other: Executions) -> Executions:
        """Return the executions of both, open where either is."""
        formula = f"{self.formula} + {other.formula}" if self.formula and other.formula else ""
        form = None if self.form is None or other.form is None else self.form + other.form
        reuse = None if self.reuse is None or other.reuse is None else self.reuse + other.reuse
        assumed = tuple(dict.fromkeys((*self.assumed, *other.assumed)))
        cost_varies = self.cost_varies or other.cost_varies
        if self.warps is None or other.warps is None:
            missing = tuple(dict.fromkeys((*self.missing, *other.missing)))
            is_too_large = all(one.is_too_large for one in (self, other) if one.warps is None)
            return Executions(
                None,
                missing=missing,
                assumed=assumed,
                formula=formula,
                is_too_large=is_too_large,
                form=form,
                cost_varies=cost_varies,
            )
        threads = None if self.threads is None or other.threads is None else self.threads + other.threads
        return Executions(
            self.warps + other.warps,
            threads,
            assumed=assumed,
            formula=formula,
            form=form,
            reuse=reuse,
            cost_varies=cost_varies,
        )


@record(frozen=True, slots=True)
class SampleSizes:
    """Numbers that stand in for sizes that the source leaves open, to weigh accesses against each other.

    Attributes:
        threads: For what guards compare the threads or blocks with; the grid has as many threads along each axis.
        loops: For what bounds loops alone.
    """

    threads: int
    loops: int


class Counting(Protocol):
    """Counts how often a launch executes the accesses of an analysis, each when it is asked for."""

    @property
    def warps(self) -> int:
        """The warps of the launch; of one block where the number of blocks is open."""

    @property
    def open_grid(self) -> frozenset[str]:
        """What formulas call the numbers of blocks that are open."""

    def of_access(self, number: int) -> Executions | None:
        """Return the executions of an access by its number in the analysis; None where they are not counted."""

    def of_barrier(self, number: int) -> Executions:
        """Return the executions of a barrier, by its number in the analysis."""

    def sampled(self, number: int, sizes: SampleSizes) -> Executions | None:
        """Return the same with numbers for the open sizes."""

    def as_formula(self, number: int) -> Executions | None:
        """Return the executions of an access as a formula in the open sizes, where there is one; this loads sympy."""

    def barrier_as_formula(self, number: int) -> Executions:
        """Return the same of a barrier, by its number in the analysis."""

    def holds(self, number: int, formula: Formula, *, of_barrier: bool = False) -> bool:
        """Whether a formula gives how often an access, or a barrier, is executed at samples of the open sizes."""

    def named(self, number: int, sizes: SampleSizes) -> tuple[tuple[str, int], ...]:
        """Return the names of the open sizes that an access rests on, each with the number that stands in for it."""
