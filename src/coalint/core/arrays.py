"""Operations on arrays that numpy has only in a slower form."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scalar = TypeVar("Scalar", bound=np.generic)


def distinct(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the values of an array of any shape, each once, in order.

    It is what `np.unique` returns; that loads numpy's masked arrays, which takes longer than most checks.
    """
    ordered = np.sort(values, axis=None)
    first = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
