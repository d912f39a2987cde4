"""Whether the threads of a block, or of each warp, hold the same value, and what a difference comes from."""

from __future__ import annotations

from math import prod

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.uniformity.signatures import Signatures
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.threads import LANES


class UniformValues:
    """Judges values for one block shape."""

    def __init__(self, algebra: Algebra, model: WarpModel | None) -> None:
        self.algebra = algebra
        self.model = model
        self._cache: dict[tuple[Poly, int], bool] = {}
        self._signatures: Signatures | None = None

    def uniform(self, value: Poly) -> bool:
        """Whether all threads of the block hold the same value."""
        return self.same(value, None)

    def same_in_warps(self, value: Poly) -> bool:
        """Whether the lanes of each warp agree."""
        return self.same(value, LANES)

    def same(self, value: Poly, size: int | None) -> bool:
        """Whether every run of `size` consecutive threads (None: the block) holds one value."""
        if self.algebra.level(value) is Level.UNIFORM:
            return True
        if self.model is None:
            return False
        threads = prod(self.model.block)
        size = threads if size is None else min(size, threads)
        is_same = self._cache.get((value, size))
        if is_same is None:
            is_same = self._same(value, size, threads)
            self._cache[(value, size)] = is_same
        return is_same

    def _same(self, value: Poly, size: int, threads: int) -> bool:
        assert self.model is not None
        if size == threads and self.model.same_for_block(value):
            return True
        if size == LANES and self.model.same_for_warps(value):
            return True
        if self._signatures is None:
            self._signatures = Signatures(self.algebra, self.model)
        return self._signatures.same(value, size)

    def forget_from(self, first: int) -> None:
        """Forget decisions about atoms from an index on, which are gone."""
        self._cache = {key: same for key, same in self._cache.items() if key[0].lies_below(first)}
        if self._signatures is not None:
            self._signatures.forget_from(first)
        if self.model is not None:
            self.model.forget_from(first)

    def forget(self) -> None:
        """Forget decisions: atoms that they were about may be gone."""
        self._cache.clear()
        self._signatures = None
        if self.model is not None:
            self.model.forget()

    # --- where a difference comes from

    def sources(self, value: Poly) -> list[Atom]:
        """Return the atoms that make a value differ between threads.

        What is read from memory stands for its address.
        """
        atoms: dict[int, Atom] = {}
        seen: set[int] = set()
        pending = [value]
        while pending:
            for atom in self.algebra.atoms_of(pending.pop()):
                if atom.level is Level.UNIFORM or atom.index in seen:
                    continue
                seen.add(atom.index)
                inner = [operand for operand in atom.operands if self.algebra.level(operand) is not Level.UNIFORM]
                if inner and not atom.varies and not atom.reason:
                    pending += inner
                    if atom.kind is not AtomKind.LOAD:
                        continue
                atoms[atom.index] = atom
        return list(atoms.values())

    def unresolved(self, value: Poly, size: int | None = None) -> bool:
        """Whether a value may well be the same for all threads, since something in it was not followed.

        Between lanes of a warp for `size` 32: what differs from warp to warp need not differ there.
        """
        if self.algebra.level(value) is Level.EXCHANGED:
            return True
        sources = [atom for atom in self.sources(value) if not atom.pending]
        origins = [atom for atom in sources if atom.reason or atom.kind is not AtomKind.LOAD or self._own(atom)]
        in_warp = size is not None and size <= LANES
        return not origins or any(
            atom.reason and not (atom.warp_divergent if in_warp else atom.varies) for atom in origins
        )

    def _own(self, atom: Atom) -> bool:
        """Whether a load differs by itself: its address does not."""
        return all(self.algebra.level(operand) is Level.UNIFORM for operand in atom.operands)

    def differs(self, value: Poly, size: int | None = None) -> bool:
        """Whether threads of the block, or of runs of `size`, may hold different values, as far as is followed."""
        if self.algebra.level(value) is Level.UNIFORM:
            return False
        return not self.unresolved(value, size) and not self.same(value, size)  # the cheaper question first

    def reason(self, value: Poly) -> str:
        """Return why a value could not be decided."""
        if self.algebra.level(value) is Level.EXCHANGED:
            return "it is computed from other lanes' values, and whether these agree is not followed"
        return next((atom.reason for atom in self.algebra.closure(value) if atom.reason), "its value is not known")

    def deciding_parameters(self, condition: Poly) -> tuple[str, ...]:
        """Return what decides whether threads part, the same for all: parameters, and what is read from one place.

        None where they part in any case, or each by what it reads itself.
        """
        if self.model is not None and self.model.known(condition):
            return ()
        names: dict[str, None] = {}
        pending, seen = [condition], set[Poly]()
        while pending:
            value = pending.pop()
            if value in seen:  # all that it is made of has come, since operands come before what waits
                continue
            seen.add(value)
            for atom in self.algebra.atoms_of(value):
                if atom.kind is AtomKind.OPAQUE and atom.deciders:
                    names |= dict.fromkeys(atom.deciders)
                    continue
                if atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE) and atom.level is not Level.UNIFORM:
                    return ()
                if atom.kind is AtomKind.UNIFORM or (atom.kind is AtomKind.LOAD and atom.operands):
                    names[atom.name] = None
                else:
                    pending += atom.operands
        return tuple(names)

    def is_read(self, value: Poly) -> bool:
        """Whether what is read from memory decides if a value differs between threads."""
        read = self.algebra.level(value) is Level.LOADED
        return read and not any(atom.varies or atom.warp_divergent for atom in self.algebra.closure(value))
