"""Which values of counters an access is tried with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from coalint.analysis.domain.conditions import When
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Bytes: only the residue of a base modulo these matters, to sectors, to banks, and to what copies between them.
SECTOR = 32
BANK = 4
LINE = 128


@record(frozen=True, slots=True)
class Plan:
    """Which counters are enumerated.

    `arrays` are the values of each counter, by atom index, shape (E, 1, 1): the rows are the product of `counts` values
    of each counter, in this order. `combinations` is E. `averaged` are counters of which the mean is taken, `sampled`
    says that values of some are left out. `assumed` are suppositions, in words. `whole` are the counters of which no
    value is left out; of those in `residues` one value stands for all that come after a period. `weights` are how many
    values each one of a counter stands for, where that is more than itself, int64 of the counter's length.
    """

    arrays: dict[int, NDArray[np.int64]]
    combinations: int
    averaged: frozenset[int]
    sampled: bool
    assumed: dict[str, None]
    counts: dict[int, int]
    whole: frozenset[int]
    residues: frozenset[int] = frozenset()
    weights: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    def row_weights(self) -> NDArray[np.int64]:
        """Return how many combinations each row stands for, int64, shape (E,)."""
        rows = np.ones(1, dtype=np.int64)
        for index, count in self.counts.items():
            own = self.weights.get(index)
            rows = np.outer(rows, np.ones(count, dtype=np.int64) if own is None else own).reshape(-1)
        return rows

    def follow(self, holds: NDArray[np.bool_], over: Sequence[tuple[int, When]]) -> NDArray[np.bool_] | None:
        """Return whether a condition held in the iterations that count; None where these are not enumerated."""
        for counter, when in over:
            if counter not in self.counts:
                if when is When.BEFORE and not holds.all():
                    return None
                continue
            if counter not in self.whole:
                return None
            axis = list(self.counts).index(counter)
            cells = holds.reshape(*self.counts.values(), *holds.shape[1:])
            if when is When.EVER:
                cells = np.broadcast_to(cells.all(axis=axis, keepdims=True), cells.shape)
            else:
                cells = np.logical_and.accumulate(cells, axis=axis)
                if when is When.BEFORE:
                    cells = np.roll(cells, 1, axis=axis)
                    cells[(slice(None),) * axis + (0,)] = True
            holds = cells.reshape(holds.shape)
        return holds
