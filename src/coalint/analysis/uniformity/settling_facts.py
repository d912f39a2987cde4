"""Which fact about the kernel's parameters would make threads agree, as `// coalint: assume(...)` takes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from math import lcm

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.warps.threads import LANES
from coalint.core.records import record

WARP_SIZES = {"/": LANES, "%": LANES, ">>": LANES.bit_length() - 1}
"""The number of lanes of a warp, as the second operand of what tells a thread's warp or lane."""


ELEMENTS = 16
"""Elements that a thread takes at once, at most: as many times the threads of a block are taken together."""
MOST = 3
"""Quantities of one condition that are asked to be multiples of one number."""
_ROOT = re.compile(r"\.|->|\[")
"""Where the name of a part of a parameter goes on after the parameter's own."""


@record(frozen=True, slots=True)
class Fact:
    """A fact as text. `is_warp_size`: a parameter is the number of lanes of a warp, or its logarithm."""

    text: str
    is_warp_size: bool = False


NO_FACT = Fact("")


def settling(
    algebra: Algebra,
    block: tuple[int, int, int],
    conditions: Sequence[Poly],
    parameters: Collection[str],
    agreed: Callable[[Poly], bool],
) -> Fact:
    """Return the weakest `n % d == 0` (joined by `&&`) with which threads agree on all conditions.

    Where none does, or a multiple of a warp's size, `size == 32` for what divides (or `bits == 5` for what shifts) the
    thread index. Empty if nothing does. `n` is a parameter or what is read from one place for all threads.
    """
    divisors: dict[str, int] = {}
    for condition in conditions:
        names, divisor = _divisor(algebra, block, condition, parameters, agreed)
        if not names:
            return _warp_size(algebra, conditions, parameters, agreed)
        divisors |= {name: lcm(divisors.get(name, 1), divisor) for name in names}
    if list(divisors.values()) == [LANES]:
        size = _warp_size(algebra, conditions, parameters, agreed)
        if size.is_warp_size:
            return size
    return Fact(" && ".join(f"{name} % {divisor} == 0" for name, divisor in divisors.items()))


def _divisor(
    algebra: Algebra,
    block: tuple[int, int, int],
    condition: Poly,
    parameters: Collection[str],
    agreed: Callable[[Poly], bool],
) -> tuple[tuple[str, ...], int]:
    """Return the quantity that has to be a multiple of which number, or the few that have to be; no names for none."""
    atoms = [atom for atom in algebra.closure(condition) if _is_open(atom, parameters)]
    alone = [(divisor, (atom,)) for divisor in _candidates(block) for atom in atoms]
    together = [(divisor, tuple(atoms)) for divisor in _candidates(block) if 1 < len(atoms) <= MOST]
    for divisor, some in (*alone, *together):
        if _settles(algebra, [condition], {atom: (divisor, f"({atom.name} / {divisor})") for atom in some}, agreed):
            return tuple(atom.name for atom in some), divisor
    return (), 1


def _warp_size(
    algebra: Algebra, conditions: Sequence[Poly], parameters: Collection[str], agreed: Callable[[Poly], bool]
) -> Fact:
    """Return that a number by which the thread index is divided or shifted is that of a warp."""
    for operation in algebra.closure(*conditions):
        size = WARP_SIZES.get(operation.operator)
        if size is None or len(operation.operands) != 2 or algebra.level(operation.operands[0]) is Level.UNIFORM:
            continue
        for atom in algebra.atoms_of(operation.operands[1]):
            is_whole = operation.operands[1] == generator(atom.index)
            if is_whole and _is_open(atom, parameters) and _settles(algebra, conditions, {atom: (size, "")}, agreed):
                return Fact(f"{atom.name} == {size}", is_warp_size=True)
    return NO_FACT


def _is_open(atom: Atom, parameters: Collection[str]) -> bool:
    """Whether an atom is a parameter, or a number that all threads read from one place."""
    if " " in atom.name:  # whether a pointer is null, or what is computed: no quantity
        return False
    if atom.kind is AtomKind.LOAD:
        return atom.level is Level.UNIFORM and bool(atom.name)
    return atom.kind is AtomKind.UNIFORM and _ROOT.split(atom.name, maxsplit=1)[0] in parameters


def _candidates(block: tuple[int, int, int]) -> list[int]:
    x, y, z = block
    threads = x * y * z
    most = threads * ELEMENTS
    powers = {1 << bit for bit in range(1, most.bit_length() + 1) if 1 << bit <= most}
    return sorted({n for n in (*powers, x, y, z, x * y, threads) if n > 1})


def _settles(
    algebra: Algebra,
    conditions: Sequence[Poly],
    numbers: Mapping[Atom, tuple[int, str]],
    agreed: Callable[[Poly], bool],
) -> bool:
    """Whether threads agree where each of the atoms is a number, or the number times a quotient that has a name."""
    mark = algebra.mark()
    try:
        values = list(conditions)
        for atom, (number, quotient) in numbers.items():
            factor = algebra.atom(AtomKind.UNIFORM, quotient, Level.UNIFORM) if quotient else algebra.one
            changed = Substitution(algebra, atom, number * factor)
            values = [changed.of(value) for value in values]
        return all(map(agreed, values))
    except TooManyAtoms:
        return False
    finally:
        algebra.forget(mark)
