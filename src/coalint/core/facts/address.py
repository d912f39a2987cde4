"""The address of an access as a formula, and what is open in it."""

from __future__ import annotations

from coalint.core.facts.good_if import GoodIf
from coalint.core.records import record


@record(frozen=True, slots=True)
class AddressForm:
    """The byte address of an access, as far as it can be written down.

    Attributes:
        stride_texts: The forward differences of the address in threadIdx.x, .y and .z, in bytes, as `Access.stride`.
        offset_bytes: The constant part of the offset from the start of the object, in bytes; None where the offset is
            unknown.
        steps: Bytes of which each number that the program has added to the array's start is a multiple, where the
            source does not tell it and a launch may have passed it; 0 for none such, None where that is not followed.
        known_multiple: Bytes that nvcc knows to divide what hides its alignment in the address; 0 where nothing does.
        common: The unknown part of the address that all lanes share, as text: the distance between two accesses of one
            array is known only where theirs are equal.
        common_names: The quantities in `common`.
        common_steps: What each of these moves the address by multiples of, in bytes.
        common_is_chosen: Whether `common` holds a choice between values.
        common_is_cut: Whether it is too long to be written out: two that are equal may differ then.
        pointer: The name of the variable that the access goes through.
        names: All identifiers of the access and of the assignments in `Access.provenance`.
    """

    stride_texts: tuple[str, str, str] = ("?", "?", "?")
    offset_bytes: int | None = None
    steps: int | None = None
    known_multiple: int = 0
    common: str = ""
    common_names: tuple[str, ...] = ()
    common_steps: tuple[tuple[str, int], ...] = ()
    common_is_chosen: bool = False
    common_is_cut: bool = False
    pointer: str = ""
    names: frozenset[str] = frozenset()


@record(frozen=True, slots=True)
class OpenQuantities:
    """What the address and the guards of an access rest on and the launch gives no number for.

    Attributes:
        names: The uniform quantities: parameters, counters of loops, `blockIdx.x`.
        lacking: Those of them, or expressions, without whose numbers it is not known how the lanes lie to each other.
        fitting: Numbers for quantities that are not known with which the access would be good, though it is bad for a
            general number, or nearly so, and nothing in the kernel speaks against them.
        fitting_count: The sectors of a request with these, where it is nearly good; 0 where it is good.
        fitting_whole: Whether the access is good with these together with those to the other parts of its struct.
        dense: The usual number of a quantity that counts a few components by its name (`dim`, `channels`), with which
            lanes lie within a sector of each other; empty where there is none, where no loop of a load walks all of
            them, and where the kernel shows that there are many.
        good_if: What these quantities must be for the access to be as good as it can be; empty where that is not known,
            or where nothing was asked.
    """

    names: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    fitting: tuple[tuple[str, int], ...] = ()
    fitting_count: float = 0.0
    fitting_whole: bool = False
    dense: tuple[tuple[str, int], ...] = ()
    good_if: tuple[GoodIf, ...] = ()


UNKNOWN_ADDRESS = AddressForm()
NOTHING_OPEN = OpenQuantities()
