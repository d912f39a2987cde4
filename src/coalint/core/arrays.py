"""Operations on arrays that numpy has only in a slower form: its wrappers take longer than 32 lanes do."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scalar = TypeVar("Scalar", bound=np.generic)

LARGEST = (1 << 63) - 1
"""The largest number of 64 bits: what stands for inactive lanes where numbers are sorted."""


def distinct(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the values of an array of any shape, each once, in order.

    It is what `np.unique` returns; that loads numpy's masked arrays, which takes longer than most checks.
    """
    ordered = values.flatten()
    ordered.sort()
    first = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def spread(numbers: NDArray[Scalar], shape: tuple[int, ...]) -> NDArray[Scalar]:
    """Return an array of a shape, as `np.broadcast_to` does; one that has the shape as it is. Not to be written to."""
    return numbers if numbers.shape == shape else np.broadcast_to(numbers, shape)
