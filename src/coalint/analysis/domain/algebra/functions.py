"""Integer functions that are operations of the algebra: by names of its own, which no language gives them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coalint.core.ir.spelling import Spelling

DIVISION = "/"
"""The operator of quotients, which are truncated."""


class Function(StrEnum):
    """A function of 32-bit integers."""

    ABSOLUTE = "abs"
    MINIMUM = "min"
    MAXIMUM = "max"
    POPULATION_COUNT = "population_count"
    LEADING_ZEROS = "leading_zeros"
    FIRST_SET = "first_set"  # position of the lowest bit that is set, from 1; 0 without one
    REVERSE_BITS = "reverse_bits"
    MULTIPLY_HIGH = "multiply_high"  # bits 32 to 63 of the product of unsigned numbers
    MULTIPLY_24 = "multiply_24"  # the product of numbers of 24 bits, where it is told from other products


def function_names(spelling: Spelling) -> Mapping[str, str]:
    """Return what a language calls the functions, and the operators, that it has names of its own for."""
    return {
        Function.POPULATION_COUNT: spelling.population_count,
        Function.LEADING_ZEROS: spelling.leading_zeros,
        Function.FIRST_SET: spelling.first_set,
        Function.REVERSE_BITS: spelling.reverse_bits,
        Function.MULTIPLY_HIGH: spelling.multiply_high,
        DIVISION: spelling.integer_division,
    }
