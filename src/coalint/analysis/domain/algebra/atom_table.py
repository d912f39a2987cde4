"""The atoms of one kernel, and what can be read off the polynomials over them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from coalint.analysis.domain.algebra.atoms import CROWDED, Atom, AtomKind, Level, Poly, Sharing, TooManyAtoms
from coalint.analysis.domain.algebra.polynomial import Terms, constant, generator

MOST = 4096  # atoms of one kernel
RESERVED = 384  # of them are kept for counters and the like
SPREAD = 40  # bits of the random multiples that tell lost values apart: with sizes and counts they fit in 64

MOST_REMEMBERED = 1 << 18  # atoms in the closures that are remembered

NOTHING_CERTAIN = Sharing()


class AtomTable:
    """The atoms of one kernel, and what can be read off polynomials over them.

    `function_names` are what the kernel's language calls functions, where that differs from the name of the operation.
    """

    def __init__(self, function_names: Mapping[str, str] = MappingProxyType({})) -> None:
        self.function_names = function_names
        self.zero: Poly = constant(0)
        self.one: Poly = constant(1)
        self.atoms: list[Atom] = []
        self._reach: list[int] = []  # of each atom: bit i is set where it depends on atom i
        self._closures: dict[int, tuple[Atom, ...]] = {}  # by the bits of the atoms
        self._room = MOST_REMEMBERED
        self._lost: dict[tuple[Level, bool], Poly] = {}
        self._data = 0  # bit i is set where atom i is read or not followed, and may be negative
        self._numbers = random.Random(0)
        self._known: dict[tuple[Any, ...], Poly] = {}  # in the order of the atoms
        self._fresh = 0
        self.written: dict[int, dict[int, str]] = {}  # by index and depth, how a printer writes operations
        self._selections: dict[Poly, int] = {}  # by condition, the first `condition ? a : b`

    # --- making values

    def constant(self, value: int) -> Poly:
        """Return the polynomial that is `value`."""
        return constant(value)

    def atom(
        self,
        kind: AtomKind,
        name: str,
        level: Level,
        key: tuple[Any, ...] = (),
        *,
        operator: str = "",
        operands: tuple[Poly, ...] = (),
        low: int | None = None,
        high: int | None = None,
        trips: int | None = None,
        values: tuple[int, ...] = (),
        lanes: Any = None,
        bits: int = 0,
        signed: bool = True,
        reason: str = "",
        supposed: str = "",
        sharing: Sharing = NOTHING_CERTAIN,
        pending: bool = False,
        presumed: bool = False,
        is_block_index: bool = False,
        is_quoted: bool = False,
        is_float: bool = False,
    ) -> Poly:
        """Return the generator of an atom; the same kind, key and operands give the same atom.

        The keyword arguments are the fields of `Atom`. Raises TooManyAtoms.
        """
        identity = (kind, key or name, operator, operands, bits, signed)
        known = self._known.get(identity)
        if known is not None:
            return known
        index = len(self.atoms)
        if index >= MOST:
            raise TooManyAtoms
        if kind in (AtomKind.OPERATION, AtomKind.LOAD) and self.crowded():
            return self.lost(level, warp_uniform=bool(operands) and all(map(self.shared, operands)))
        self.atoms.append(
            Atom(
                index=index,
                kind=kind,
                name=name,
                level=level,
                operator=operator,
                operands=operands,
                low=low,
                high=high,
                trips=trips,
                values=values,
                lanes=lanes,
                bits=bits,
                signed=signed,
                reason=reason,
                supposed=supposed,
                varies=sharing.varies,
                warp_divergent=sharing.warp_divergent,
                warp_uniform=sharing.warp_uniform,
                deciders=sharing.deciders,
                pending=pending,
                presumed=presumed,
                is_block_index=is_block_index,
                is_quoted=is_quoted,
                is_float=is_float,
            )
        )
        self._reach.append(1 << index | self._mask(operands))
        if low is None and kind in (AtomKind.LOAD, AtomKind.OPAQUE):
            self._data |= 1 << index
        if operator == "?:":
            self._selections.setdefault(operands[0], index)
        value = generator(index)
        self._known[identity] = value
        return value

    def made(self, kind: AtomKind, key: tuple[Any, ...], operands: tuple[Poly, ...]) -> Poly | None:
        """Return the generator of an atom if it has been made, with that key and no operator; else None."""
        return self._known.get((kind, key, "", operands, 0, True))

    def opaque(
        self,
        name: str,
        level: Level,
        reason: str,
        *,
        sharing: Sharing = NOTHING_CERTAIN,
        operands: tuple[Poly, ...] = (),
        is_quoted: bool = False,
    ) -> Poly:
        """Return a new value of which only the level is known; `reason` says why."""
        if self.crowded():
            return self.lost(level)
        key = self.fresh_key()
        return self.atom(
            AtomKind.OPAQUE,
            name,
            level,
            key=key,
            reason=reason,
            sharing=sharing,
            operands=operands,
            is_quoted=is_quoted,
        )

    def fraction(self, numerator: Poly, shift: int) -> Poly:
        """Return the floating-point number that is `numerator` over 2 to the power of `shift`."""
        return self.atom(
            AtomKind.OPAQUE,
            "floating point",
            self.level(numerator),
            operands=(numerator,),
            bits=shift,
            is_float=True,
        )

    def stand_in(self, name: str, level: Level, reason: str, *, warp_uniform: bool = False) -> Poly:
        """Return a new value for a variable whose changes are still being determined; an atom however many there are.

        `warp_uniform` says that the lanes of each warp agree on it.
        """
        sharing = Sharing(warp_uniform=warp_uniform)
        key = self.fresh_key()
        return self.atom(AtomKind.OPAQUE, name, level, key=key, reason=reason, sharing=sharing, pending=True)

    def crowded(self) -> bool:
        """Whether there are so many atoms that no more values can be told apart."""
        return len(self.atoms) >= MOST - RESERVED

    def full(self) -> bool:
        """Whether hardly any room is left, even for counters."""
        return len(self.atoms) >= MOST - RESERVED // 4

    def lost(self, level: Level, warp_uniform: bool = False) -> Poly:
        """Return a value that is not followed for want of room: a random multiple of one atom, so that no two cancel.

        `warp_uniform` says that the lanes of each warp agree on it.
        """
        key = (level, warp_uniform)
        if key not in self._lost:
            sharing = Sharing(warp_uniform=warp_uniform)
            self._lost[key] = self.atom(
                AtomKind.OPAQUE, "a value", level, key=("lost", *key), reason=CROWDED, sharing=sharing
            )
        return self._lost[key] * (self._numbers.getrandbits(SPREAD) | 1)

    def shared(self, value: Poly) -> bool:
        """Whether a value is made of nothing but what the lanes of each warp are known to agree on."""
        return all(atom.level is Level.UNIFORM or atom.agreed for atom in self.atoms_of(value))

    def rests_on_data(self, value: Poly) -> bool:
        """Whether a value rests on what is read or not followed, and may be negative."""
        return bool(self._mask((value,)) & self._data)

    def fresh_key(self) -> tuple[Any, ...]:
        """Return a key that no other atom has."""
        self._fresh += 1
        return ("fresh", self._fresh)

    def mark(self) -> int:
        """Return a point to go back to with `forget`."""
        return len(self.atoms)

    def forget(self, mark: int, kept: Iterable[Poly] = ()) -> None:
        """Drop the atoms made since `mark`, up to the last one that a kept value needs.

        That is one which occurs in the value itself: operands are older than what is made of them.
        """
        if mark >= len(self.atoms):
            return
        first = max([mark, *(value.indices[-1] + 1 for value in kept if value.indices)])
        if first < len(self.atoms):
            for index in range(first, len(self.atoms)):
                self.written.pop(index, None)
            del self.atoms[first:], self._reach[first:]
            self._closures, self._room = {}, MOST_REMEMBERED
            self._data &= (1 << first) - 1
            self._lost = {key: value for key, value in self._lost.items() if self.terms(value)[0][1][0][0] < first}
            while self._known and next(reversed(self._known.values())).indices[0] >= first:
                self._known.popitem()
            while self._selections and next(reversed(self._selections.values())) >= first:
                self._selections.popitem()

    def selection(self, condition: Poly) -> int:
        """Return the first atom `condition ? a : b` of a condition that there is one of."""
        return self._selections[condition]

    def selects(self, condition: Poly) -> bool:
        """Whether there is an atom `condition ? a : b`."""
        return condition in self._selections

    # --- looking at values

    def terms(self, value: Poly) -> Terms:
        """Return the polynomial as (coefficient, ((atom index, exponent), ...)) pairs."""
        return value.terms

    def number(self, value: Poly) -> int | None:
        """Return the integer that the polynomial is, if it is constant."""
        return value.number

    def atoms_of(self, value: Poly) -> list[Atom]:
        """Return the atoms that occur in the polynomial itself (not in the operands of its operations)."""
        return [self.atoms[index] for index in value.indices]

    def closure(self, *values: Poly) -> Sequence[Atom]:
        """Return every atom that the values depend on, through operands too, by rising index."""
        mask = self._mask(values)
        known = self._closures.get(mask)
        if known is None:
            atoms, left = [], mask
            while left:
                lowest = left & -left
                atoms.append(self.atoms[lowest.bit_length() - 1])
                left ^= lowest
            known = tuple(atoms)
            if len(known) <= self._room:
                self._room -= len(known)
                self._closures[mask] = known
        return known

    def depends(self, value: Poly, index: int) -> bool:
        """Whether a value depends on an atom, through operands too."""
        reach, bit = self._reach, 1 << index
        return any(reach[inner] & bit for inner in value.indices)

    def _mask(self, values: Iterable[Poly]) -> int:
        mask = 0
        for value in values:
            for index in value.indices:
                mask |= self._reach[index]
        return mask

    def level(self, value: Poly) -> Level:
        """Return whether the value is uniform over the block, judged by what it is built from."""
        highest, atoms = Level.UNIFORM, self.atoms
        for index in value.indices:
            level = atoms[index].level
            if level > highest:
                highest = level
        return highest

    def rests_on_memory(self, value: Poly) -> bool:
        """Whether a value rests on what memory holds in a way that differs between threads."""
        level = self.level(value)
        if level is not Level.EXCHANGED:
            return level is Level.LOADED
        return any(atom.level is Level.LOADED for atom in self.closure(value))
