"""Addresses with a thread's number xor'ed with an unknown one: which lane goes where is open, where all go is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Undecided, same_in_warp
from coalint.core.arrays import LARGEST
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.lanes.evaluation import Evaluation

WARP = 32  # lanes
SECTOR = 32  # bytes
BANK = 4  # bytes
PHASES = (8, 16, 32)  # lanes that are served together in shared memory


def permutations(algebra: Algebra, address: Poly) -> frozenset[int]:
    """Return the atoms `x ^ u` that an address depends on in no other way than by a constant factor."""
    atoms = algebra.atoms_of(address)
    inside = {atom.index for outer in atoms for operand in outer.operands for atom in algebra.closure(operand)}
    xors = {a.index for a in atoms if a.operator == "^" and a.level is not Level.UNIFORM and a.index not in inside}
    mixed = {
        index
        for _, monomial in algebra.terms(address)
        if len(monomial) > 1 or any(exponent > 1 for _, exponent in monomial)
        for index, _ in monomial
    }
    return frozenset(xors - mixed)


def varying_part(values: Sequence[LaneValue]) -> LaneValue | None:
    """Return x of x ^ u with the same u in all lanes; None where the unknown part of x is no multiple of 32.

    32 neighbours from a multiple of 32 on trade places with such another 32. What is left to see is that the active
    lanes do fill such a range; then the set is that of x, moved.
    """
    varying = [value for value in values if not all(same_in_warp(n) for n in value.values())]
    if len(varying) != 1:
        return None
    for key, number in varying[0].items():
        if key != CONSTANT and (not same_in_warp(number) or np.any(np.mod(number, WARP) != 0)):
            return None
    return varying[0]


def fills_aligned_ranges(
    lanes: Evaluation, address: Poly, index: int, x: LaneValue, active: NDArray[np.bool_], sectors: bool
) -> bool:
    """Whether the active lanes' x, of `x ^ u`, run through whole ranges of n = 2^k numbers from a multiple of n on.

    An xor with one number maps such a range onto another one, a multiple of n away, and that by whole sectors or banks.
    In shared memory this must hold for each group of lanes that is served together. Nothing else in the address may
    differ between lanes.
    """
    coefficient = lanes.algebra.number(address.derivative(index))
    try:
        rest = lanes.value(address - generator(index) * (coefficient or 0))
    except Undecided:
        return False
    if not coefficient or not all(same_in_warp(number) for number in rest.values()):
        return False
    at = np.broadcast_to(x.get(CONSTANT, 0), active.shape)
    for phase in (PHASES[-1],) if sectors else PHASES:
        here = active.reshape(-1, phase)
        values = at.reshape(-1, phase)[here.any(axis=1)]
        here = here[here.any(axis=1)]
        count = here.sum(axis=1)
        low = np.where(here, values, LARGEST).min(axis=1)
        high = np.where(here, values, np.iinfo(np.int64).min).max(axis=1)
        distinct = np.sort(np.where(here, values, -1 - np.arange(phase)), axis=1)
        repeated = (distinct[:, 1:] == distinct[:, :-1]).any()
        if repeated or (count & (count - 1)).any() or (high - low + 1 != count).any() or (low % count).any():
            return False
        if (count * coefficient % (SECTOR if sectors else BANK)).any():
            return False
    return True
