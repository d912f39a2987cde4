"""Which quantities of a kernel are row lengths, as its addresses show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Monomial, constant, generator, quotient, term
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.recorder.component_counts import row_of_tensor
from coalint.analysis.recorder.placed import Placed
from coalint.analysis.recorder.plausible import is_small
from coalint.analysis.warps.strides import stride
from coalint.core.facts.access import Access, Space

_TENSOR_STRIDE = re.compile(r"\.stride\(\d+\)$")
_COUNTED = (AtomKind.THREAD, AtomKind.COUNTER)
_PLAIN = (*_COUNTED, AtomKind.UNIFORM, AtomKind.TABLE)


class Pitches:
    """Tells row lengths from other quantities, over all accesses of one kernel.

    `threads` are the components of the thread index; `placed` are the accesses, each with where it lies.
    """

    def __init__(self, algebra: Algebra, threads: Sequence[Poly], placed: Sequence[tuple[Access, Placed]]) -> None:
        self.algebra = algebra
        self.threads = threads
        self.placed = placed
        self._printer = Printer(algebra)

    def settled(self, small: Collection[str] = ()) -> tuple[Access, ...]:
        """Return the accesses with `fitting` numbers only where nothing shows that these are row lengths.

        Of what is called one of `small`, nothing shows it.
        """
        names = {name for access, _ in self.placed for name, _ in access.open.fitting}.difference(small)
        others = [pair for pair in self.placed if pair[0].space in (Space.GLOBAL, Space.GENERIC)]
        pitches = {name for name in names if any(self._is_pitch(name, *pair) for pair in others)}
        return tuple(
            replace(access, open=replace(access.open, fitting=(), fitting_count=0.0))
            if access.open.fitting
            and (pitches.intersection(_named(access)) or self._is_transposed(access, placed.offset))
            else access
            for access, placed in self.placed
        )

    def _is_pitch(self, name: str, access: Access, placed: Placed) -> bool:
        """Whether an access walks rows of this length: something moves by it, and something else by an element.

        So are a tensor's strides but the last, where an access goes beyond the first column: where `out[i][0]` is all,
        there may be one column. What has the name of a small number may be a stride inside of rows. It is a row's
        length where lanes are neighbours and something else than they moves by it.
        """
        if _TENSOR_STRIDE.search(name):
            terms = (term(monomial, coefficient) for monomial, coefficient in placed.offset.items())
            return self.holds(name, placed.offset) and any(not self._is_of_rows(name, part) for part in terms)
        lanes, is_unit, others = self.moves(access, placed)
        shared = tuple(self.shared(placed.offset))
        multiples = [step for step in (*others, *shared) if self.holds(name, step)]
        if is_small(name):
            return is_unit and any(self._is_counted(name, step) for step in multiples)
        if is_unit:
            return bool(multiples)
        if not multiples and not (lanes is not None and self.holds(name, lanes)):
            return False
        return (
            any(step in (access.bytes, -access.bytes) for step in others)
            or any(self._is_element(step, access.bytes) and not self.holds(name, step) for step in shared)
            or any(self.bounds(name, guard) for guard in placed.guards)
        )

    def _is_of_rows(self, name: str, value: Poly) -> bool:
        """Whether a tensor's stride, or that of a dimension before its, is in a part of an index: no column is."""
        tensor, dimension = row_of_tensor(name) or ("", 0)
        strides = (f"{tensor}.stride({number})" for number in range(dimension + 1))
        return self.holds(name, value) or any(self.holds(stride, value) for stride in strides)

    def moves(self, access: Access, placed: Placed) -> tuple[Poly | None, bool, list[Poly]]:
        """Return how lanes move the address, whether by an element, and how other axes and loops move it, in bytes."""
        moving = [axis for axis, count in enumerate(access.specialization.block) if count > 1]
        steps = [self._step(access, placed.offset, axis) for axis in moving]
        counted = (self._per_iteration(placed.offset, counter) for counter in placed.counters)
        others = [step for step in (*steps[1:], *counted) if step is not None]
        lanes = steps[0] if steps else constant(0)
        return lanes, lanes in (access.bytes, -access.bytes), others

    def _step(self, access: Access, offset: Poly, axis: int) -> Poly | None:
        number = access.strides[axis]
        return stride(self.algebra, offset, self.threads[axis]) if number is None else constant(number)

    def _per_iteration(self, offset: Poly, counter: Atom) -> Poly | None:
        """Return how far an iteration moves the address; None where that is no polynomial."""
        inside = (o for atom in self.algebra.atoms_of(offset) for o in atom.operands)
        if counter in self.algebra.closure(*inside):
            return None
        return self.algebra.difference(offset, counter)

    def shared(self, offset: Poly) -> Iterator[Poly]:
        """Yield the terms of the address that all threads of the block share, but the constant."""
        for monomial, coefficient in offset.items():
            alone = term(monomial, coefficient)
            if monomial and self.algebra.level(alone) is Level.UNIFORM:
                yield alone

    def holds(self, name: str, value: Poly) -> bool:
        """Whether a quantity of this name, or an operation that is written so, is in a value."""
        return any(self.is_called(atom, name) for atom in self.algebra.closure(value))

    def is_called(self, atom: Atom, name: str) -> bool:
        """Whether an atom is a quantity of this name, or an operation that is written so."""
        return name == (self._printer.atom(atom) if atom.kind is AtomKind.OPERATION else atom.name)

    def _is_counted(self, name: str, value: Poly) -> bool:
        """Whether nothing is in a value but the quantity, indices of threads and blocks, and counters of loops."""
        leaves = (atom for atom in self.algebra.closure(value) if atom.kind is not AtomKind.OPERATION)
        return all(atom.name == name or atom.kind in _COUNTED or atom.is_block_index for atom in leaves)

    def _is_element(self, value: Poly, width: int) -> bool:
        """Whether a term is one element for each unit of one quantity: `4*t`, `4*blockIdx.y`."""
        ((monomial, coefficient),) = value.items()
        if coefficient != width or len(monomial) != 1 or monomial[0][1] != 1:
            return False
        return self.algebra.atoms[monomial[0][0]].kind in _PLAIN

    def bounds(self, name: str, guard: Poly) -> bool:
        """Whether a guard compares something with the quantity."""
        compared = (atom for atom in self.algebra.closure(guard) if atom.operator in ("<", "<="))
        return any(self.holds(name, operand) for atom in compared for operand in atom.operands)

    def _is_transposed(self, access: Access, offset: Poly) -> bool:
        """Whether a remainder of the lanes' index is multiplied, and its quotient moves the address too.

        Not where the number is a factor of both: they are the row and the column of a window then, of its elements.
        """
        if access.stride != "?" or any(map(is_small, _named(access))):
            return False
        threads = {atom for thread in self.threads for atom in self.algebra.atoms_of(thread)}
        if any(self._is_factor(name, offset, threads) for name in _named(access)):
            return False
        return any(
            self._is_beside_itself(offset, atom, threads) and self._uses_quotient(offset, atom, threads)
            for atom in self.algebra.atoms_of(offset)
            if atom.operator == "/"
        )

    def _is_factor(self, name: str, offset: Poly, threads: set[Atom]) -> bool:
        """Whether a quantity is a factor of all terms of an address by which threads differ."""
        terms = ([self.algebra.atoms[index] for index, _ in monomial] for monomial, _ in offset.items())
        moving = [atoms for atoms in terms if not threads.isdisjoint([*atoms, *self._inside(atoms)])]
        return all(any(self.is_called(atom, name) for atom in atoms) for atoms in moving)

    def _inside(self, atoms: Sequence[Atom]) -> Sequence[Atom]:
        return self.algebra.closure(*(operand for atom in atoms for operand in atom.operands))

    def _is_beside_itself(self, offset: Poly, atom: Atom, threads: set[Atom]) -> bool:
        """Whether what is divided moves the address by itself too, as a remainder does: x - d*(x/d)."""
        return bool(threads.intersection(self.algebra.closure(*atom.operands), self.algebra.atoms_of(offset)))

    def _uses_quotient(self, offset: Poly, atom: Atom, threads: set[Atom]) -> bool:
        """Whether more than the remainder x - d*(x/d) is in an offset, of an atom x/d."""
        x, d = atom.operands
        times = _divided(-offset.derivative(atom.index), d)
        if times is None:
            return True
        rest = offset - times * (x - d * generator(atom.index))
        return bool(threads.intersection(self.algebra.closure(rest)))


def _divided(value: Poly, by: Poly) -> Poly | None:
    """Return value / by where `by` is one term that divides it; None elsewhere."""
    if len(by) != 1:
        return None
    ((divisor, number),) = by.items()
    total = constant(0)
    for monomial, coefficient in value.items():
        left: Monomial | None = quotient(monomial, divisor)
        if left is None or coefficient % number:
            return None
        total += term(left, coefficient // number)
    return total


def _named(access: Access) -> list[str]:
    return [name for name, _ in access.open.fitting]
