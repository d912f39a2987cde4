"""What stores leave in memory, thread by thread and unit by unit: to tell whether two threads leave the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain import fractions
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.recorder.events import SharedAccess
from coalint.analysis.warps.single_threads import Chosen, Threads
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOADED = -(1 << 62)  # what is loaded has an identity from here on, so that it is equal to no number
_ADDRESS_BITS = 40
_PLACE_BITS = 4  # of the position within a value
_NUMBER_BYTES = 8


@record(frozen=True, slots=True)
class Stored:
    """What each thread stores, shape (T,): a number, or the identity of what it has loaded.

    `supposed` says in words what it takes for two identities to be two values; `is_real` marks floating-point numbers.
    `parts` are byte offset and size of the components of a vector, with what is stored there.
    """

    values: NDArray[np.int64]
    is_number: bool
    supposed: tuple[str, ...] = ()
    is_real: bool = False
    parts: tuple[tuple[int, int, Stored], ...] = ()

    def compares_with(self, other: Stored) -> bool:
        """Whether two values are told apart: what is loaded may be the very constant that floats are set to."""
        return self.is_number == other.is_number or not (self.is_real or other.is_real)

    def unit(self, position: int, unit: int) -> NDArray[np.int64]:
        """Return what stands in the unit at a position of the value, in units of `unit` bytes."""
        for offset, size, part in self.parts:
            if offset <= position * unit < offset + size:
                return part.unit(position - offset // unit, unit)
        if not self.is_number:
            return self.values + position
        if unit >= _NUMBER_BYTES:
            return self.values
        bits = 8 * unit
        shift = min(position * bits, 8 * _NUMBER_BYTES - 1)
        return np.right_shift(self.values, shift) & ((1 << bits) - 1)


def stored(threads: Threads, touch: SharedAccess, chosen: Chosen) -> Stored | None:
    """Return what the threads store; None where that is not known."""
    if touch.parts:
        return _of_vector(threads, touch, chosen)
    if touch.value is None:
        return None
    real = _of_float(threads, touch, chosen)
    if real is not None:
        return real
    numbers = threads.numbers(touch.value, chosen)
    if numbers is not None:
        return Stored(numbers, is_number=True) if touch.bytes <= _NUMBER_BYTES else None
    atom = _loaded(threads, touch.value)
    if atom is None:
        return None
    addresses = [threads.offsets(operand, chosen) for operand in atom.operands]
    if len(addresses) != 1 or addresses[0] is None:
        return None
    offsets, _ = addresses[0]
    if (offsets < 0).any() or int(offsets.max(initial=0)) >> (_ADDRESS_BITS - 1):
        return None
    identities = _LOADED + (((atom.index << _ADDRESS_BITS) + offsets) << _PLACE_BITS)
    text = f"threads find different values in `{atom.name}`"
    return Stored(identities, is_number=False, supposed=(text,))


def computed(threads: Threads, touch: SharedAccess, chosen: Chosen) -> Stored | None:
    """Return what tells apart what the threads store in one execution of a store, where they compute it."""
    if touch.basis is None:
        return None
    decided = stored(threads, replace(touch, value=touch.basis, parts=(), bytes=_NUMBER_BYTES), chosen)
    if decided is None:
        return None
    text = f"threads compute different values for `{touch.text}`"
    if not decided.is_number:
        return replace(decided, supposed=(*decided.supposed, text))
    return Stored(_LOADED + (decided.values << _PLACE_BITS), is_number=False, supposed=(text,))


def _of_vector(threads: Threads, touch: SharedAccess, chosen: Chosen) -> Stored | None:
    """Return the numbers that a vector is put together from."""
    parts = []
    for offset, size, value in touch.parts:
        part = stored(threads, replace(touch, value=value, parts=(), bytes=size), chosen)
        if part is None or not part.is_number:
            return None
        parts.append((offset, size, part))
    is_real = any(part.is_real for _, _, part in parts)
    return Stored(parts[0][2].values, is_number=True, is_real=is_real, parts=tuple(parts))


def _of_float(threads: Threads, touch: SharedAccess, chosen: Chosen) -> Stored | None:
    """Return the bits of floating-point numbers that are known thread by thread."""
    known = None if touch.value is None else fractions.parts(threads.algebra, touch.value)
    numerators = None if known is None else threads.numbers(known[0], chosen)
    if known is None or numerators is None or touch.bytes not in fractions.SIGNIFICANDS:
        return None
    single = touch.bytes == 4
    numbers = np.ldexp(numerators.astype(np.float64), -known[1])
    bits = numbers.astype(np.float32).view(np.int32) if single else numbers.view(np.int64)
    return Stored(bits.astype(np.int64), is_number=True, is_real=True)


def _loaded(threads: Threads, value: Poly) -> Atom | None:
    """Return what a value was loaded from that differs between threads, where it is that and a number."""
    atoms = threads.algebra.atoms_of(value)
    if len(atoms) == 1 and atoms[0].operator == "wrap":  # stored in fewer bytes than it was loaded in
        return _loaded(threads, atoms[0].operands[0])
    if len(atoms) != 1 or atoms[0].kind is not AtomKind.LOAD or atoms[0].level is Level.UNIFORM:
        return None
    return atoms[0] if all(len(monomial) <= 1 for _, monomial in threads.algebra.terms(value)) else None
