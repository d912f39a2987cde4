"""Which fact about the kernel's parameters would make threads agree, as `// coalint: assume(...)` takes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import lcm

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.substitution import Substitution


def settling(
    algebra: Algebra,
    block: tuple[int, int, int],
    conditions: Sequence[Poly],
    parameters: Collection[str],
    agreed: Callable[[Poly], bool],
) -> str:
    """Return the weakest `n % d == 0` (joined by `&&`) with which threads agree on all conditions.

    Empty if none does.
    """
    divisors: dict[str, int] = {}
    for condition in conditions:
        found = _divisor(algebra, block, condition, parameters, agreed)
        if found is None:
            return ""
        name, divisor = found
        divisors[name] = lcm(divisors.get(name, 1), divisor)
    return " && ".join(f"{name} % {divisor} == 0" for name, divisor in divisors.items())


def _divisor(
    algebra: Algebra,
    block: tuple[int, int, int],
    condition: Poly,
    parameters: Collection[str],
    agreed: Callable[[Poly], bool],
) -> tuple[str, int] | None:
    atoms = [atom for atom in algebra.closure(condition) if atom.kind is AtomKind.UNIFORM and atom.name in parameters]
    for divisor in _candidates(block):
        for atom in atoms:
            if _settles(algebra, condition, atom, divisor, agreed):
                return atom.name, divisor
    return None


def _candidates(block: tuple[int, int, int]) -> list[int]:
    x, y, z = block
    threads = x * y * z
    powers = {1 << bit for bit in range(1, threads.bit_length() + 1) if 1 << bit <= threads}
    return sorted({n for n in (*powers, x, y, z, x * y, threads) if n > 1})


def _settles(algebra: Algebra, condition: Poly, atom: Atom, divisor: int, agreed: Callable[[Poly], bool]) -> bool:
    mark = algebra.mark()
    try:
        quotient = algebra.atom(AtomKind.UNIFORM, f"({atom.name} / {divisor})", Level.UNIFORM)
        return agreed(Substitution(algebra, atom, divisor * quotient).of(condition))
    except TooManyAtoms:
        return False
    finally:
        algebra.forget(mark)
