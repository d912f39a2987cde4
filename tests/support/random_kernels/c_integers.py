"""C's integer types: promotion, wrapping, overflow and division, on Python's integers."""

from __future__ import annotations

from dataclasses import dataclass

MAX_TRIPS = 300  # of one loop in one thread


class Discard(Exception):
    """The program's behaviour is undefined, or it runs too long."""


# --- C's integers


@dataclass(frozen=True)
class CType:
    name: str
    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def holds(self, other: CType) -> bool:
        return self.low <= other.low and other.high <= self.high


INT = CType("int", 32, True)
UNSIGNED = CType("unsigned", 32, False)
LONG = CType("long long", 64, True)
SIZE = CType("size_t", 64, False)
SHORT = CType("short", 16, True)
USHORT = CType("unsigned short", 16, False)
UCHAR = CType("unsigned char", 8, False)
BOOL = CType("bool", 1, False)


def promoted(a: CType) -> CType:
    return INT if a.bits < 32 else a


def common(a: CType, b: CType) -> CType:
    """The usual arithmetic conversions (C++20 [expr.arith.conv])."""
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


def wrapped(value: int, bits: int, signed: bool) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def checked(value: int, bits: int) -> int:
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise Discard
    return value


def quotient(a: int, b: int) -> int:
    if b == 0:
        raise Discard
    whole = abs(a) // abs(b)
    return -whole if (a < 0) != (b < 0) else whole


def remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b)


def shifted(a: int, b: int, bits: int) -> int:
    if not 0 <= b < bits:
        raise Discard
    return a << b


def shifted_back(a: int, b: int, bits: int) -> int:
    if not 0 <= b < bits:
        raise Discard
    return a >> b


def trip(number: int) -> int:
    if number >= MAX_TRIPS:
        raise Discard
    return number + 1
