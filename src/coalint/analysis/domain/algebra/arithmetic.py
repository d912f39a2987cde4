"""C's integer operators on plain integers and on numpy arrays alike: one definition for folding and for lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from coalint.analysis.domain.algebra.functions import Function
from coalint.core.lazy import np

# Values are Python integers or int64 arrays; numpy's own typing cannot say "either, consistently".
Number = Any


def wrap(value: Number, bits: int, signed: bool) -> Number:
    """Return `value` modulo 2**bits, in the range of the type (C++20 [conv.integral]).

    In arrays 64 bits stay signed.
    """
    if bits >= 64:
        if isinstance(value, np.ndarray):
            return value
        value &= (1 << 64) - 1
        return value - (1 << 64) if signed and value >> 63 else value
    low = value & ((1 << bits) - 1)
    if not signed:
        return low
    half = 1 << (bits - 1)
    return (low ^ half) - half


def bounds(bits: int, signed: bool) -> tuple[int, int]:
    """Return the least and the largest number of an integer type."""
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


TOO_LARGE = "numbers that do not fit in 64 bits"
_LARGEST = 1 << 60
"""What products in arrays stay below, so that a sum of some fits in 64 bits too."""


def times(x: Number, y: Number) -> Number:
    """Return the product. Raises OverflowError where it does not fit in 64 bits."""
    if isinstance(x, int) and isinstance(y, int):
        product = x * y
        if product.bit_length() > 64:  # else a loop that squares doubles its length each time
            raise OverflowError(TOO_LARGE)
        return product
    if _most(x) * _most(y) >= _LARGEST:
        raise OverflowError(TOO_LARGE)
    return x * y


def _most(number: Number) -> int:
    """Return the largest magnitude; of arrays numpy would wrap a product around without a word."""
    if isinstance(number, np.ndarray):
        return max(abs(number.item(number.argmin())), abs(number.item(number.argmax()))) if number.size else 0
    return abs(int(number))


def divide(a: Number, b: Number) -> Number:
    """Return C's quotient, truncated toward zero; a division by zero (an inactive lane's) gives 0."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        safe = np.where(np.equal(b, 0), 1, b)
        quotient = np.abs(a) // np.abs(safe)
        negative = (np.less(a, 0)) != (np.less(safe, 0))
        return np.where(np.equal(b, 0), 0, np.where(negative, -quotient, quotient))
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def shift_left(a: Number, b: Number) -> Number:
    """Return `a << b`; shifts past 62 bits (undefined in C) give 0."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.where((np.less(b, 0)) | (np.greater(b, 62)), 0, np.left_shift(a, np.clip(b, 0, 62)))
    return a << b if 0 <= b <= 62 else 0


def shift_right(a: Number, b: Number) -> Number:
    """Return `a >> b`, arithmetic; operands of unsigned types are normalised to non-negative before."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.right_shift(a, np.clip(b, 0, 63))
    return a >> min(max(b, 0), 63)


def select(condition: Number, a: Number, b: Number) -> Number:
    """Return `condition ? a : b`."""
    if isinstance(condition, np.ndarray):
        return np.where(np.not_equal(condition, 0), a, b)
    return a if condition else b


def _truth(test: Callable[[Number], Number]) -> Callable[[Number], Number]:
    def of(value: Number) -> Number:
        outcome = test(value)
        return outcome.astype(np.int64) if isinstance(outcome, np.ndarray) else int(outcome)

    return of


def _bits32(of_int: Callable[[int], int]) -> Callable[[Number], Number]:
    vectorised = np.vectorize(of_int, otypes=[np.int64])

    def of(value: Number) -> Number:
        return vectorised(value) if isinstance(value, np.ndarray) else of_int(value)

    return of


def _minimum(a: Number, b: Number) -> Number:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.minimum(a, b)
    return min(a, b)


def _maximum(a: Number, b: Number) -> Number:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.maximum(a, b)
    return max(a, b)


def _both(a: Number, b: Number) -> Number:
    return _truth(lambda v: v)((np.not_equal(a, 0)) & (np.not_equal(b, 0)))


def _either(a: Number, b: Number) -> Number:
    return _truth(lambda v: v)((np.not_equal(a, 0)) | (np.not_equal(b, 0)))


def _upper_half(a: Number, b: Number) -> Number:
    """Return bits 32 to 63 of the product of two unsigned 32-bit numbers."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        product = np.asarray(a).astype(np.uint64) * np.asarray(b).astype(np.uint64)
        return (product >> np.uint64(32)).astype(np.int64)
    return a * b >> 32


_MASK = 0xFFFFFFFF

# `<`, `<=` and `==` compare one operand, a difference, with zero.
OPERATORS: dict[str, Callable[..., Number]] = {
    "/": divide,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": shift_left,
    ">>": shift_right,
    "<": _truth(lambda d: d < 0),
    "<=": _truth(lambda d: d <= 0),
    "==": _truth(lambda d: d == 0),
    "&&": _both,
    "||": _either,
    "?:": select,
    Function.MINIMUM: _minimum,
    Function.MAXIMUM: _maximum,
    Function.ABSOLUTE: abs,
    Function.MULTIPLY_HIGH: _upper_half,
    Function.MULTIPLY_24: lambda a, b: a * b,
    Function.REVERSE_BITS: _bits32(lambda v: int(f"{v & _MASK:032b}"[::-1], 2)),
    Function.POPULATION_COUNT: _bits32(lambda v: (v & _MASK).bit_count()),
    Function.LEADING_ZEROS: _bits32(lambda v: 32 - (v & _MASK).bit_length()),
    Function.FIRST_SET: _bits32(lambda v: (v & -v & _MASK).bit_length()),
}


def apply(operator: str, numbers: Sequence[Number]) -> Number:
    """Return the operator's outcome.

    OverflowError where a number that is too large for an array's elements meets an array.
    """
    if any(isinstance(number, np.ndarray) for number in numbers):
        for number in numbers:
            if isinstance(number, int) and not -(1 << 63) <= number < 1 << 63:
                raise OverflowError(TOO_LARGE)
    return OPERATORS[operator](*numbers)
