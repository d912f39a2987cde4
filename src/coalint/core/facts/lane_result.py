"""What is known of the lanes of one address."""

from __future__ import annotations

from coalint.core.facts.lanes import Lanes
from coalint.core.records import record


@record(frozen=True, slots=True)
class LaneResult:
    """The lanes of one address, or the reason why they are not known.

    Attributes:
        lanes: What the lanes touch; None exactly when `unknown` gives the reason, or when the space is not counted
            (local, constant).
        exact: Whether the numbers computed from `lanes` are what the hardware counts under the launch of the
            specialization.
        assumed: The suppositions that the numbers rest on, in words.
        symbolic: The unknown quantities (`pitch`) that the lane addresses are multiples of.
        unknown: Why `lanes` is None; None where it is not.
        data_dependent: Whether the address depends on what memory holds.
        permuted: Whether the lanes of a warp are these in an order that is not known.
        index_load: What was loaded to make an address that is `data_dependent` (`index[i]`); empty where that is not
            known.
        spread: How many bytes lie from the first to the last that threads of a block may touch by an address that is
            `data_dependent`; None where that has no bound.
        aligned_if: The only condition, in words, under which the numbers are exact: an unknown offset is a multiple of
            32 bytes. Empty where they are exact without it, or rest on more.
        few_lanes: How many lanes of a warp pass at most guards that leave a window of a few values, whatever the sizes
            in them are, as the end of a row does; None where no guards do.
        border_rows: How many values of an index of threads over all blocks pass guards, whatever the sizes in them are,
            as the first and the last row of an image do; None where there may be many.
        has_one_base: Whether the offsets of all warps of a block count from one address: nothing unknown in it differs
            between them.
    """

    lanes: Lanes | None
    exact: bool = False
    assumed: tuple[str, ...] = ()
    symbolic: tuple[str, ...] = ()
    unknown: str | None = None
    data_dependent: bool = False
    permuted: bool = False
    index_load: str = ""
    spread: int | None = None
    aligned_if: str = ""
    few_lanes: int | None = None
    border_rows: int | None = None
    has_one_base: bool = False


NOT_COUNTED = LaneResult(None)
"""The result of an access whose lanes are not looked at, since its space is not counted."""
