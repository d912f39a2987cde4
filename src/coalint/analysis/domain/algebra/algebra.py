"""Integer values as polynomials over named atoms: what C's operators make of them."""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.arithmetic import OPERATORS, wrap
from coalint.analysis.domain.algebra.atoms import AtomKind, AtomTable, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial, generator, quotient, term

PRESUMING = frozenset({"/", "&", "|", "^", ">>", "<<", "?:"})  # of which `_bounds` may presume the lower bound


class Algebra(AtomTable):
    """The operations on the values of one kernel."""

    # --- operations that are no polynomials

    def operation(self, operator: str, *operands: Poly, bits: int = 0, signed: bool = True) -> Poly:
        """`operator` applied to operands: folded when they are numbers, an atom otherwise."""
        numbers = [self.number(operand) for operand in operands]
        if all(n is not None for n in numbers):
            if operator == "wrap":
                return self.constant(wrap(numbers[0], bits, signed))
            return self.constant(int(OPERATORS[operator](*numbers)))
        low, high = self._bounds(operator, operands, bits, signed)
        level = max((self.level(operand) for operand in operands), default=Level.UNIFORM)
        return self.atom(
            AtomKind.OPERATION,
            operator,
            level,
            operator=operator,
            operands=operands,
            low=low,
            high=high,
            bits=bits,
            signed=signed,
            presumed=low == 0 and self._presumes(operator, operands),
        )

    def _presumes(self, operator: str, operands: tuple[Poly, ...]) -> bool:
        """Whether a result is taken for no negative number only since what memory holds is."""
        if operator not in PRESUMING:
            return False
        deciding = operands[-2:] if operator == "?:" else operands[:1] if operator in (">>", "<<") else operands
        doubts = [self._doubtful(operand) for operand in deciding]
        return all(doubts) if operator == "&" else any(doubts)

    def _doubtful(self, value: Poly) -> bool:
        """Whether a value may be negative if what memory holds is."""
        if not self.rests_on_data(value):
            return False
        low, _ = self.range(value, sure=True)
        return low is None or low < 0

    def _bounds(
        self, operator: str, operands: tuple[Poly, ...], bits: int, signed: bool
    ) -> tuple[int | None, int | None]:
        if operator in ("<", "<=", "==", "&&", "||"):
            return 0, 1
        ranges = [self.range(operand) for operand in operands]
        if operator == "wrap":
            return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        if operator == "/":
            (low, high), (d, e) = ranges
            if low is not None and low >= 0 and d is not None and d > 0:
                return (0 if e is None else low // e), (None if high is None else high // d)
            if low is not None and high is not None and d is not None and d > 0:
                return -(-low // d) if low < 0 else 0, high // d if high > 0 else 0
            return (0, None) if self.nonnegative(operands[0]) and self.nonnegative(operands[1]) else (None, None)
        if operator == "&":
            tops = [high for low, high in ranges if low is not None and low >= 0 and high is not None]
            return (0, min(tops)) if tops else (0 if any(map(self.nonnegative, operands)) else None, None)
        if operator in ("|", "^"):
            if all(low is not None and low >= 0 for low, _ in ranges):
                highs = [high for _, high in ranges if high is not None]
                return 0, (1 << max(h.bit_length() for h in highs)) - 1 if len(highs) == len(ranges) else None
            return (0 if all(map(self.nonnegative, operands)) else None), None
        if operator in (">>", "<<"):
            low, high = ranges[0]
            known = operator == ">>" and low is not None and low >= 0
            return (0, high) if known else (0 if self.nonnegative(operands[0]) else None, None)
        if operator in ("?:", "min", "max"):
            chosen = ranges[-2:]
            lows = [low for low, _ in chosen if low is not None]
            highs = [high for _, high in chosen if high is not None]
            low_known, high_known = len(lows) == 2, len(highs) == 2
            if operator == "?:":
                sizes = 0 if all(map(self.nonnegative, operands[-2:])) else None
                return (min(lows) if low_known else sizes), (max(highs) if high_known else None)
            pick = min if operator == "min" else max
            low_any = pick(lows) if low_known else (max(lows) if operator == "max" and lows else None)
            high_any = pick(highs) if high_known else (min(highs) if operator == "min" and highs else None)
            return low_any, high_any
        if operator == "__umulhi":
            highs = [high for _, high in ranges if high is not None]
            return 0, min(highs, default=None)
        if operator in ("__popc", "__clz", "__ffs"):
            return 0, 32
        return None, None

    def divide(self, a: Poly, b: Poly) -> Poly:
        """C's a / b. What divides evenly is taken out, so that (256*x + y) / 32 is 8*x + y/32."""
        divisor = self.number(b)
        if divisor is not None and divisor > 0:
            if divisor == 1:
                return a
            whole, rest = self.zero, self.zero
            for monomial, coefficient in a.items():
                if coefficient % divisor == 0:
                    whole += term(monomial, coefficient // divisor)
                elif not monomial:
                    whole += coefficient // divisor
                    rest += coefficient % divisor
                else:
                    rest += term(monomial, coefficient)
            low, high = self.range(rest)
            if whole == 0 or (low is not None and low >= 0 and self.nonnegative(a)):
                if low is not None and low >= 0 and high is not None and high < divisor:
                    return whole
                return whole + self._nested_division(rest, divisor)
        elif len(self.terms(b)) == 1 and self.terms(b)[0][0] == 1:
            whole, rest = divmod_monomial(self, a, b)
            low, _ = self.range(rest)
            if whole != 0 and low is not None and low >= 0:
                return whole + (self.operation("/", rest, b) if rest != 0 else 0)
        return self.operation("/", a, b)

    def _nested_division(self, a: Poly, divisor: int) -> Poly:
        """(x / c) / d is x / (c*d)."""
        terms = self.terms(a)
        if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
            atom = self.atoms[terms[0][1][0][0]]
            if atom.operator == "/":
                inner = self.number(atom.operands[1])
                if inner is not None and inner > 0:
                    return self.divide(atom.operands[0], self.constant(inner * divisor))
        return self.operation("/", a, self.constant(divisor))

    def remainder(self, a: Poly, b: Poly) -> Poly:
        """C's a % b, as a - b*(a / b): quotient and remainder put together again cancel."""
        return a - b * self.divide(a, b)

    def close_range(self, value: Poly) -> tuple[int | None, int | None]:
        """Bounds that see remainders: x - 4*(x / 4) is 0 to 3."""
        least = most = 0
        for atom in self.atoms_of(value):
            divisor = self.number(atom.operands[1]) if atom.operator == "/" else None
            coefficient = value.coefficient(((atom.index, 1),)) if divisor and divisor > 0 else 0
            if not divisor or not coefficient or coefficient % divisor or not self.nonnegative(atom.operands[0]):
                continue
            times = -coefficient // divisor
            rest = value - times * (atom.operands[0] - divisor * generator(atom.index))
            if len(rest) < len(value):
                value = rest
                least, most = least + min(0, times * (divisor - 1)), most + max(0, times * (divisor - 1))
        low, high = self.range(value)
        return None if low is None else low + least, None if high is None else high + most

    def bit_and(self, a: Poly, b: Poly) -> Poly:
        """a & b; a mask of low bits is a remainder, its complement what the remainder leaves."""
        for value, other in ((a, b), (b, a)):
            mask = self.number(other)
            if mask is None or not self.nonnegative(value):
                continue
            if mask >= 0 and mask & (mask + 1) == 0:
                return self.remainder(value, self.constant(mask + 1))
            low_bits = ~mask if mask < 0 else (~mask & 0xFFFFFFFF)
            if low_bits & (low_bits + 1) == 0 and (mask < 0 or mask >> 31):
                return value - self.remainder(value, self.constant(low_bits + 1))
        return self.operation("&", a, b)

    def bit_or(self, a: Poly, b: Poly) -> Poly:
        """a | b; a sum where the operands have no bit in common."""
        for high, low in ((a, b), (b, a)):
            low_min, low_max = self.range(low)
            if low_min is not None and low_min >= 0 and low_max is not None and self.nonnegative(high):
                step = 1 << low_max.bit_length()
                if all(coefficient % step == 0 for coefficient, _ in self.terms(high)):
                    return high + low
        return self.operation("|", a, b)

    def shift_left(self, a: Poly, b: Poly) -> Poly:
        """a << b."""
        count = self.number(b)
        return a * (1 << count) if count is not None and 0 <= count < 64 else self.operation("<<", a, b)

    def shift_right(self, a: Poly, b: Poly) -> Poly:
        """a >> b."""
        count = self.number(b)
        if count is not None and 0 <= count < 63 and self.nonnegative(a):
            return self.divide(a, self.constant(1 << count))
        if count is None:
            quotient = self._by_reciprocal(a, b)
            if quotient is not None:
                return quotient
        return self.operation(">>", a, b)

    def _by_reciprocal(self, a: Poly, b: Poly) -> Poly | None:
        """x / d as (__umulhi(x, m) + x) >> s or __umulhi(x, m) >> s, with a multiplier and a shift that stand for d."""
        for atom in self.atoms_of(a):
            if atom.operator != "__umulhi" or self.level(b) is not Level.UNIFORM:
                continue
            rest = a - generator(atom.index)
            for x, multiplier in (atom.operands, atom.operands[::-1]):
                if rest in (self.zero, x) and self.level(multiplier) is Level.UNIFORM and self.nonnegative(x):
                    key = ("reciprocal", multiplier, b, rest == 0)
                    divisor = self.atom(AtomKind.UNIFORM, "divisor", Level.UNIFORM, key=key, low=1)
                    return self.operation("/", x, divisor)
        return None

    def compare(self, operator: str, a: Poly, b: Poly) -> Poly:
        """A comparison as 0 or 1; `!=`, `>=` and `>` are complements, so that a condition and its negation cancel."""
        if operator in (">", ">="):
            return self.compare("<" if operator == ">" else "<=", b, a)
        if operator == "!=":
            return 1 - self.compare("==", a, b)
        difference = a - b
        low, high = self.range(difference, sure=True)
        if operator == "<":
            if high is not None and high < 0:
                return self.one
            if low is not None and low >= 0:
                return self.zero
            chosen = self._less_by_choice(difference)
            if chosen is not None:
                return chosen
        elif operator == "<=":
            return 1 - self.compare("<", b, a)
        elif (low is not None and low > 0) or (high is not None and high < 0):
            return self.zero
        return self.operation(operator, self._coarsened(difference) if operator == "<" else difference)

    def _less_by_choice(self, difference: Poly) -> Poly | None:
        """x - (c ? y : x) < 0, which is c and x - y < 0: one side of a choice decides, as in x < max(x, y)."""
        for atom in self.atoms_of(difference):
            coefficient = difference.coefficient(((atom.index, 1),)) if atom.operator == "?:" else 0
            if not coefficient:
                continue
            condition, then, otherwise = atom.operands
            rest = difference - coefficient * generator(atom.index)
            if any(other is atom for other in self.atoms_of(rest)):
                continue
            for side, other, where in ((otherwise, then, condition), (then, otherwise, 1 - condition)):
                number = self.number(rest + coefficient * side)
                if number is None:
                    continue
                left = rest + coefficient * other
                less, at_most = self.compare("<", left, self.zero), self.compare("<=", left, self.zero)
                if number < 0:
                    return at_most if 1 - where == at_most else self.either(1 - where, less)
                if where == 1 - less or where == 1 - at_most:
                    return self.zero
                return less if where == at_most else self.both(where, less)
        return None

    def _coarsened(self, difference: Poly) -> Poly:
        """A difference with the same sign: in 256*u + t < 0 with t in 0..255 the threads do not matter, it is u < 0."""
        shared = {m: c for m, c in difference.items() if m and self.level(term(m, c)) is Level.UNIFORM}
        if not shared or len(shared) == len(difference):
            return difference
        step = gcd(*shared.values())
        low, high = self.range(difference - Polynomial(shared))
        if step < 2 or low is None or high is None or low // step != high // step:
            return difference
        return Polynomial(shared).divided(step) + low // step

    def compare_unsigned(self, operator: str, a: Poly, b: Poly) -> Poly:
        """A comparison of 64-bit unsigned values, given modulo 2**64: negative ones are the largest."""
        if operator in ("==", "!=") or (self.nonnegative(a) and self.nonnegative(b)):
            return self.compare(operator, a, b)
        if operator in (">", ">="):
            return self.compare_unsigned("<" if operator == ">" else "<=", b, a)
        if operator == "<=":
            return 1 - self.compare_unsigned("<", b, a)
        less, a_large, b_large = (self.compare("<", x, y) for x, y in ((a, b), (a, self.zero), (b, self.zero)))
        if self.nonnegative(b):
            return self.both(1 - a_large, less)
        if self.nonnegative(a):
            return self.either(b_large, less)
        return self.select(self.compare("==", a_large, b_large), less, b_large)

    def truth(self, value: Poly) -> Poly:
        """value != 0, as 0 or 1."""
        low, high = self.range(value, sure=True)
        if low is not None and high is not None and low >= 0 and high <= 1:
            return value
        return self.compare("!=", value, self.zero)

    def both(self, a: Poly, b: Poly) -> Poly:
        """a && b of truth values."""
        if a == 0 or b == 0:
            return self.zero
        if a == 1 or a == b:
            return b
        return a if b == 1 else self.operation("&&", a, b)

    def either(self, a: Poly, b: Poly) -> Poly:
        """a || b of truth values."""
        if a == 1 or b == 1:
            return self.one
        if a == 0 or a == b:
            return b
        return a if b == 0 else self.operation("||", a, b)

    def select(self, condition: Poly, a: Poly, b: Poly) -> Poly:
        """condition ? a : b."""
        if a == b:
            return a
        known = self.number(condition)
        if known is not None:
            return a if known else b
        if a == 1 and b == 0:
            return condition
        return self.operation("?:", condition, a, b)

    def unsigned(self, value: Poly, bits: int) -> Poly:
        """The value as an unsigned type sees it: itself, unless it is known to leave the type's range, or is shifted
        so far that it may well be.
        """
        if any(atom.operator == "<<" for atom in self.atoms_of(value)):
            return self.operation("wrap", value, bits=bits, signed=False)
        _, high = self.range(value)
        if self.nonnegative(value) and (high is None or bits >= 64 or high < 1 << bits):
            return value
        low, high = self.close_range(value)
        if low is not None and low >= 0 and high is not None and high < 1 << bits:
            return value
        return self.operation("wrap", value, bits=bits, signed=False)

    def signed(self, value: Poly, bits: int) -> Poly:
        """The value as a signed type of at least 32 bits sees it: index arithmetic is taken not to overflow.

        Arithmetic modulo a power of two: what was wrapped before need not have been, and large factors are negative.
        """
        wrapped = [atom for atom in self.atoms_of(value) if atom.operator == "wrap" and atom.bits >= bits]
        inside = self.closure(*(operand for atom in self.atoms_of(value) for operand in atom.operands))
        if any(atom in inside for atom in wrapped):  # a remainder: cannot be told apart from what it was made of
            return self.operation("wrap", value, bits=bits, signed=True)
        if wrapped:
            value = value.substituted([(atom.index, atom.operands[0]) for atom in wrapped])
        if self._large(value, bits):
            operands = [operand for atom in self.closure(value) for operand in atom.operands]
            if any(self._large(operand, bits) for operand in operands):  # quotients of large numbers may be large too
                return self.operation("wrap", value, bits=bits, signed=True)
            near = {monomial: wrap(coefficient, bits, True) for monomial, coefficient in value.items()}
            value = Polynomial({monomial: n for monomial, n in near.items() if n})
        return value

    def _large(self, value: Poly, bits: int) -> bool:
        return any(abs(coefficient) >> (bits - 1) for coefficient, _ in self.terms(value))


def divmod_monomial(algebra: Algebra, a: Poly, b: Poly) -> tuple[Poly, Poly]:
    """Quotient and remainder of the terms of `a` by the one-term polynomial `b`."""
    ((divisor, _),) = b.items()
    whole, rest = algebra.zero, algebra.zero
    for monomial, coefficient in a.items():
        by = quotient(monomial, divisor)
        if by is not None:
            whole += term(by, coefficient)
        else:
            rest += term(monomial, coefficient)
    return whole, rest
