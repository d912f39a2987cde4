"""The offsets that the lanes of a block touch, and how the hardware serves them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from coalint.core.records import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Service(Enum):
    """How the hardware serves the lanes of one instruction (machine.traffic says what each way costs).

    `SERIALIZED`: a native shared atomic, whose lanes take turns at a bank. `POPC_INC`: a shared counter that grows by
    one, whose bank adds up its lanes. `CAS`: a shared compare-and-swap. `CAS_LOOP`: a loop of such around a shared
    atomic that the hardware does not have. `ROWS`: ldmatrix and stmatrix, where a lane gives the address of a row.
    `COPY`: cp.async through L1; `BYPASS`: past it, as cp.async.cg and all copies of the pipeline's 16 bytes go.
    """

    PLAIN = "plain"
    SERIALIZED = "turns"
    POPC_INC = "counting"
    CAS = "comparing"
    CAS_LOOP = "spinning"
    ROWS = "rows"
    COPY = "copy"
    BYPASS = "bypass"


@record(frozen=True, slots=True)
class Lanes:
    """The byte offsets that the lanes of a block's warps touch, relative to one common base per row.

    The axes are E combinations of enumerated values (loop iterations, block indices), W warps and 32 lanes.

    Attributes:
        offsets: Offsets from the common base in bytes, int64, shape (E, W, 32).
        active: Which lanes take part, bool, shape (E, W, 32).
        weights: How many executions each row of the first axis stands for, int64, shape (E,).
        alignment: What the common base is a multiple of, in bytes; at least 1.
        groups: Splits lanes whose addresses differ by an unknown large distance, int64, shape (W, 32) or (E, W, 32):
            lanes of different groups never share a sector or a word. None where all lanes have one base.
        counters: What is enumerated (loops by their variables, `blockIdx.x`), each with its value in each row, shape
            (E,): the number of the iteration, from 0.
    """

    offsets: NDArray[np.int64]
    active: NDArray[np.bool_]
    weights: NDArray[np.int64]
    alignment: int
    groups: NDArray[np.int64] | None = None
    counters: tuple[tuple[str, NDArray[np.int64]], ...] = ()


@record(frozen=True, slots=True)
class Served:
    """How the hardware serves the lanes of an access.

    Attributes:
        service: The way in which it serves them.
        partner: The lanes at the other end of an asynchronous copy, row by row those of the access; None elsewhere.
        since: The least compute capability for which the lanes are right, where they are a library's or the compiler's
            choice.
    """

    service: Service = Service.PLAIN
    partner: Lanes | None = None
    since: tuple[int, int] = (0, 0)


SERVED_PLAINLY = Served()
