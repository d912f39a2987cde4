"""How an address moves from thread to thread, and what of it all threads share."""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.functions import DIVISION
from coalint.analysis.domain.algebra.polynomial import term
from coalint.analysis.domain.algebra.printing import Printer
from coalint.core.records import record


def _is_own(atom: Atom) -> bool:
    """Whether each thread may have its own value of an atom that is no operation."""
    return atom.level is not Level.UNIFORM and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE, AtomKind.TABLE)


def _is_table_of_lanes(atom: Atom) -> bool:
    return atom.kind is AtomKind.TABLE and atom.level is not Level.UNIFORM


def rests_on_own(algebra: Algebra, offset: Poly) -> bool:
    """Whether an offset is made of values that each thread has its own of, through operations too."""
    return any(map(_is_own, algebra.closure(offset)))


def stride(algebra: Algebra, offset: Poly, thread: Poly) -> Poly | None:
    """Return the forward difference in one thread index; None where the address is no polynomial in it."""
    atoms = algebra.atoms_of(thread)
    if not atoms:
        return algebra.zero
    for atom in algebra.atoms_of(offset):
        inside = algebra.closure(*atom.operands)
        if _is_own(atom) or any(inner is atoms[0] or _is_table_of_lanes(inner) for inner in inside):
            return None
    return _with_supposed(algebra, algebra.difference(offset, atoms[0]))


def warp_stride(algebra: Algebra, offset: Poly, thread: Poly, warp: int) -> Poly | None:
    """Return the forward difference in a thread index between lanes of one warp, which begins at a multiple of `warp`.

    The number of the warp, `threadIdx.x / 32`, is the same for all of them. None where there is no such difference.
    """
    atoms = algebra.atoms_of(thread)
    if not atoms:
        return None
    for atom in algebra.atoms_of(offset):
        if _is_of_warp(algebra, atom, thread, warp):
            continue
        inside = algebra.closure(*atom.operands)
        if _is_own(atom) or any(inner is atoms[0] or _is_table_of_lanes(inner) for inner in inside):
            return None
    return _with_supposed(algebra, algebra.difference(offset, atoms[0]))


def _is_of_warp(algebra: Algebra, atom: Atom, thread: Poly, warp: int) -> bool:
    """Whether an atom is the thread's index divided by a multiple of the lanes of a warp."""
    if atom.operator != DIVISION or len(atom.operands) != 2:
        return False
    divided, divisor = atom.operands
    number = algebra.number(divisor)
    return number is not None and number % warp == 0 and divided == thread


def _with_supposed(algebra: Algebra, value: Poly) -> Poly:
    """Return the value with the numbers that are supposed for quantities."""
    supposed = [atom for atom in algebra.atoms_of(value) if atom.supposed and len(atom.values) == 1]
    return value.substituted([(atom.index, algebra.constant(atom.values[0])) for atom in supposed])


def without_wraps(algebra: Algebra, offset: Poly, bits: int = 0) -> Poly:
    """Return an offset as if no unsigned number in it, of so many bits or more, wrapped around."""
    while wrapped := [a for a in algebra.atoms_of(offset) if a.operator == "wrap" and not a.signed and a.bits >= bits]:
        offset = offset.substituted([(atom.index, atom.operands[0]) for atom in wrapped])
    return offset


@record(frozen=True, slots=True)
class Common:
    """The unknown part of an offset that all threads of the block share.

    `names` are the quantities in it, `steps` what each of them moves the offset by multiples of. `is_chosen` says that
    it holds a choice between values, `is_cut` that the text leaves a part out.
    """

    text: str = ""
    names: tuple[str, ...] = ()
    steps: tuple[tuple[str, int], ...] = ()
    is_chosen: bool = False
    is_cut: bool = False


def common(algebra: Algebra, printer: Printer, offset: Poly) -> Common:
    """Return the unknown part of an offset that all threads of the block share."""
    shared = algebra.zero
    steps: dict[str, int] = {}
    for monomial, coefficient in offset.items():
        alone = term(monomial, coefficient)
        if monomial and algebra.level(alone) is Level.UNIFORM:
            shared += alone
            for name in _names(algebra, alone):
                steps[name] = gcd(steps.get(name, 0), coefficient)
    if shared == 0:
        return Common()
    text = printer.text(shared)
    names = tuple(_names(algebra, shared))
    return Common(text=text, names=names, steps=tuple(steps.items()), is_chosen="?" in text, is_cut="..." in text)


def _names(algebra: Algebra, value: Poly) -> dict[str, None]:
    return dict.fromkeys(atom.name for atom in algebra.closure(value) if atom.kind is not AtomKind.OPERATION)
