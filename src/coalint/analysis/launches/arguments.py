"""Arguments that several launches of a kernel pass alike."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm

from coalint.analysis.launches.block_shapes import (
    Shape,
)
from coalint.core.facts.launch import LaunchRecord


def passed_by_all(
    names: Sequence[str], records: Sequence[LaunchRecord], block: Shape
) -> tuple[dict[str, int], tuple[tuple[str, int], ...]]:
    """Return the constants that all launches pass to blocks of unknown shapes, and divisors of the other arguments."""
    passed: dict[str, int] = {}
    divisors: list[tuple[str, int]] = []
    for position, name in enumerate(names):
        given = [record.arguments[position] if position < len(record.arguments) else None for record in records]
        if given and given[0] is not None and len(set(given)) == 1:
            passed[name] = given[0]
        divisor = gcd(*(_divisor(record, position, block) for record in records))
        if divisor > 1:
            divisors.append((name, divisor))
    return passed, tuple(divisors)


def _divisor(record: LaunchRecord, position: int, block: Shape) -> int:
    """Return what divides an argument if the block has this shape."""
    known = record.arguments[position] if position < len(record.arguments) else None
    divisor = dict(record.divisors).get(position, 1) if known is None else abs(known)
    return lcm(divisor, *(block[axis] for at, axis in record.of_block if at == position))


def common_divisors(a: tuple[tuple[str, int], ...], b: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Return what divides the parameters at both of two launches."""
    others = dict(b)
    return tuple((name, d) for name, number in a if (d := gcd(number, others.get(name, 1))) > 1)
