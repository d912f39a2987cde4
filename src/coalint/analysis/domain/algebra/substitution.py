"""A value with another one in place of an atom, simplified anew."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly


class Substitution:
    """`by` in place of the atom; operations that contain it are built again, so that they may simplify."""

    def __init__(self, algebra: Algebra, atom: Atom, by: Poly) -> None:
        self.algebra = algebra
        self.atom = atom
        self.by = by
        self._made: dict[int, Poly] = {}

    def of(self, value: Poly) -> Poly:
        """Return the value after the substitution."""
        changed = []
        for atom in self.algebra.atoms_of(value):
            made = self._of_atom(atom)
            if made is not None:
                changed.append((atom.index, made))
        return value.substituted(changed)

    def _of_atom(self, atom: Atom) -> Poly | None:
        """Return what an atom becomes; None where it stays."""
        if atom is self.atom:
            return self.by
        is_fraction = atom.kind is AtomKind.OPAQUE and atom.is_float
        if atom.kind is not AtomKind.OPERATION and not is_fraction:
            return None
        if self.atom not in self.algebra.closure(*atom.operands):
            return None
        result = self._made.get(atom.index)
        if result is None:
            result = self._made[atom.index] = self._again(atom, [self.of(operand) for operand in atom.operands])
        return result

    def _again(self, atom: Atom, operands: list[Poly]) -> Poly:
        algebra = self.algebra
        if atom.is_float:
            return algebra.fraction(operands[0], atom.bits)
        match atom.operator:
            case "<" | "==":
                return algebra.compare(atom.operator, operands[0], algebra.zero)
            case "&&":
                return algebra.both(*operands)
            case "||":
                return algebra.either(*operands)
            case "?:":
                return algebra.select(*operands)
            case "/":
                return algebra.divide(*operands)
            case "&":
                return algebra.bit_and(*operands)
            case "|":
                return algebra.bit_or(*operands)
            case "^":
                return algebra.bit_xor(*operands)
            case "<<":
                return algebra.shift_left(*operands)
            case ">>":
                return algebra.shift_right(*operands)
        return algebra.operation(atom.operator, *operands, bits=atom.bits, signed=atom.signed)
