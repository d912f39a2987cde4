"""The indeterminates of values: atoms, their kinds and levels."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.core.records import record

Poly = Polynomial

CROWDED = "the kernel has too many distinct quantities"


class TooManyAtoms(Exception):
    """A kernel has more distinct quantities than are followed."""


class Level(IntEnum):
    """Over which threads a value is the same."""

    UNIFORM = 0  # all threads of the block: blockIdx.x, a parameter
    DIVERGENT = 2  # may differ between any two threads: threadIdx.x
    LOADED = 3  # and rests on what memory holds: a[threadIdx.x]
    EXCHANGED = 4  # made of other lanes' values: perhaps the same for all of them, as the sum that each arrives at


@record(frozen=True, slots=True)
class Sharing:
    """How an opaque value differs between threads, as far as that is certain.

    `varies` says in words why it differs between threads of the block; empty where it may not. `warp_divergent` says
    that lanes of one warp hold different values, `warp_uniform` that they hold the same. `deciders` are quantities, the
    same for all threads, that decide whether they differ; empty where they do in any case.
    """

    varies: str = ""
    warp_divergent: bool = False
    warp_uniform: bool = False
    deciders: tuple[str, ...] = ()


class AtomKind(Enum):
    """What an atom stands for."""

    THREAD = "thread"  # threadIdx.x
    COUNTER = "counter"  # the number of an iteration; blockIdx.x
    UNIFORM = "uniform"  # a parameter, gridDim.x: one unknown value for the whole block
    TABLE = "table"  # a loop-carried value whose every iteration is known
    OPERATION = "operation"  # what is no polynomial: a / b, a ^ b, a < b
    LOAD = "load"  # a value read from memory
    OPAQUE = "opaque"  # anything else, with the reason

    __hash__ = object.__hash__  # Enum's is Python code, and kinds are in the keys of all atoms


@record(frozen=True, slots=True, eq=False)
class Atom:
    """One indeterminate.

    `name` is what the user calls it. `low` and `high` bound its value where known; `presumed`, where `low` rests on
    what memory holds being no negative number, as sizes and offsets there are. A counter's `trips` is how many
    values 0..trips-1 it takes (None: unknown). A table's `values` are indexed by its operand;
    those of a table that differs between threads are in `lanes`, an array of shape (rows, W, 32). `supposed` says
    in words that a table's values are not certain. A load's operand is its address; `reason` says why an opaque
    value is not known, `varies` why it differs between threads of the block even so; `warp_divergent` says that
    lanes of one warp differ too, `warp_uniform` that they do not, and `deciders` on which quantities that rests. A
    `pending` atom stands for a variable whose changes are still being found out. `is_block_index`: it is the index
    of the block in the grid along an axis. `is_quoted`: `name` is how the source writes the value, so that a
    message can say that an address goes where it says. `is_float`: it stands for a floating-point number, of which
    only the address that it was loaded from is followed, or for its operand over 2 to the power of `bits`.
    """

    index: int
    kind: AtomKind
    name: str
    level: Level
    operator: str = ""
    operands: tuple[Poly, ...] = ()
    low: int | None = None
    high: int | None = None
    trips: int | None = None
    values: tuple[int, ...] = ()
    lanes: Any = None
    bits: int = 0
    signed: bool = True
    reason: str = ""
    supposed: str = ""
    varies: str = ""
    warp_divergent: bool = False
    warp_uniform: bool = False
    deciders: tuple[str, ...] = ()
    pending: bool = False
    presumed: bool = False
    is_block_index: bool = False
    is_quoted: bool = False
    is_float: bool = False

    @property
    def agreed(self) -> bool:
        """Whether the lanes of a warp have agreed on it."""
        return self.warp_uniform or (self.kind is AtomKind.LOAD and not self.operands)
