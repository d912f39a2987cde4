"""Whether a kernel's accesses bear out that a parameter counts a few components, as its name says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.recorder.component_counts import (
    FARTHEST,
    MOST_STORES,
    USUAL,
    bounded_by_count,
    holds_colours,
    holds_points,
    is_choice_count,
    is_component_count,
    is_feature_count,
    may_be_one,
    row_of_tensor,
    speaks_of_rows,
)
from coalint.core.facts.access import Operation

if TYPE_CHECKING:
    from coalint.analysis.recorder.pitches import Pitches
    from coalint.analysis.recorder.placed import Placed
    from coalint.core.facts.access import Access


def settled_components(pitches: Pitches) -> Iterator[Access]:
    """Yield a kernel's accesses, with `dense` numbers only where a loop walks all components and nothing shows many.

    They are otherwise as the row lengths leave them, of which what may be one column, as of channels, is none.
    """
    names = {name for access, _ in pitches.placed for name, _ in access.open.dense}
    single = {name for access, _ in pitches.placed for name, _ in access.open.fitting if may_be_one(name)}
    others = {name for access, _ in pitches.placed for name in access.open.names} if names or single else set()
    single = {name for name in single if _is_few(pitches, name, others - {name})}
    rows = {name: _columns(pitches, name, *tensor) for name in names if (tensor := row_of_tensor(name))}
    few = {name for name in names if name not in rows and _is_few(pitches, name, others - {name})}
    for access, (_, placed) in zip(pitches.settled(single), pitches.placed, strict=True):
        dense: list[tuple[str, int]] = []
        for name, number in access.open.dense:
            columns, stored = rows.get(name, (0, 0))
            if access.op is Operation.STORE and not is_choice_count(name, _kernel(pitches)):
                dense += [(name, stored)] if stored else []
            elif columns and columns * _width(access) <= FARTHEST:
                dense.append((name, max(number, columns)))
            elif name in few and (
                _walks_all(pitches, name, access, placed) or _takes_point(pitches, name, access, placed)
            ):
                dense.append((name, number))
        kept = tuple(dense) if len(dense) == len(access.open.dense) else ()
        yield access if kept == access.open.dense else replace(access, open=replace(access.open, dense=kept))


def _is_few(pitches: Pitches, name: str, others: set[str]) -> bool:
    arrays = [a.memory.name for a, _ in pitches.placed if a.memory is not None and name in dict(a.open.dense)]
    if speaks_of_rows(others) and not is_choice_count(name, _kernel(pitches)) and not any(map(holds_points, arrays)):
        return False
    return not any(_has_many(pitches, name, *pair) for pair in pitches.placed)


def _kernel(pitches: Pitches) -> str:
    """Return what the kernel is called; empty where it accesses nothing."""
    return next((access.specialization.kernel for access, _ in pitches.placed), "")


def _columns(pitches: Pitches, name: str, tensor: str, dimension: int) -> tuple[int, int]:
    """Return how many columns of the rows of a tensor, this stride apart, are used and stored, from the first on.

    0 where that is one alone, where a third of those up to the last are not used, and where columns are neither
    constants nor counted by a loop over components, or by one of few iterations.
    None counts as stored where not all are, or more than the L2 cache joins at no cost.
    """
    used: set[int] = set()
    stores: set[int] = set()
    for access, placed in pitches.placed:
        if _is_loaded(pitches, name, placed.offset) or not pitches.holds(name, placed.offset):
            continue
        columns = {0}
        is_short = holds_colours(tensor) and not _goes_beyond(pitches, placed.offset, tensor, dimension + 1)
        for monomial, coefficient in placed.offset.items():
            atoms = [pitches.algebra.atoms[index] for index, _ in monomial]
            rows = [row_of_tensor(atom.name) for atom in atoms]
            if any(atom.name == name for atom in atoms) or any(
                row is not None and row[0] == tensor and row[1] < dimension for row in rows
            ):
                continue
            counters = [atom for atom, row in zip(atoms, rows, strict=True) if row is None]
            if len(rows) - len(counters) > 1:
                return 0, 0
            steps = _steps(counters, access, placed, is_short)
            if not steps:
                return 0, 0
            columns = {column + step * (coefficient // _width(access)) for column in columns for step in steps}
        used |= columns
        stores |= columns if access.op is Operation.STORE else set()
    count = max(used, default=0) + 1
    if count == 1 or (count > max(USUAL) and 3 * len(used) < 2 * count):
        return 0, 0
    return count, count if count <= MOST_STORES and stores == set(range(count)) else 0


def _steps(counters: list[Atom], access: Access, placed: Placed, is_short: bool) -> range:
    """Return how often a column of the rows is stepped on in an index; nothing where that may be anything.

    A loop over components counts as one more, one over all that rows which `is_short` have as three.
    """
    if not counters:
        return range(1, 2)
    if len(counters) > 1 or counters[0] not in placed.counters:
        return range(0)
    trips = counters[0].trips
    if trips is not None:
        return range(trips if trips <= max(USUAL) else 0)
    if is_short:
        return range(min(USUAL))
    return range(1, 2) if bounded_by_count(access.guard) else range(0)


def _goes_beyond(pitches: Pitches, offset: Poly, tensor: str, dimension: int) -> bool:
    """Whether an index moves along a later dimension of a tensor than this one."""
    rows = (row_of_tensor(atom.name) for atom in pitches.algebra.atoms_of(offset))
    return any(row is not None and row[0] == tensor and row[1] > dimension for row in rows)


def _is_loaded(pitches: Pitches, name: str, offset: Poly) -> bool:
    """Whether a quantity is in an index only where what another access loads was, not by itself."""
    pending, own = list(pitches.algebra.atoms_of(offset)), False
    while pending:
        atom = pending.pop()
        own = own or pitches.is_called(atom, name)
        if atom.kind is not AtomKind.LOAD:
            pending.extend(inner for operand in atom.operands for inner in pitches.algebra.atoms_of(operand))
    return not own


def _width(access: Access) -> int:
    """Return how many bytes an element has of which an access moves all, or the part that is used."""
    is_part = access.is_narrowed and access.memory is not None
    return access.memory.element_bytes if is_part and access.memory is not None else access.bytes


def _has_many(pitches: Pitches, name: str, access: Access, placed: Placed) -> bool:
    """Whether the number of components bounds an index of threads, is a power, or threads walk components together."""
    return (
        any(_compares_threads(pitches, name, guard) for guard in placed.guards)
        or any(pitches.is_called(pitches.algebra.atoms[index], name) for index in _powers(placed.offset))
        or _is_shared_out(pitches, name, access, placed)
    )


def _compares_threads(pitches: Pitches, name: str, guard: Poly) -> bool:
    """Whether a guard compares an index of threads with the number alone, and not what it is a factor of."""
    algebra = pitches.algebra
    return any(
        _has_term(pitches, name, operand) and _varies_without(pitches, name, operand)
        for atom in algebra.closure(guard)
        if atom.operator in ("<", "<=", "==")
        for operand in (*atom.operands, atom.operands[0] - atom.operands[-1])
    )


def _has_term(pitches: Pitches, name: str, value: Poly) -> bool:
    alone = (monomial for monomial, _ in value.items() if len(monomial) == 1)
    return any(pitches.is_called(pitches.algebra.atoms[monomial[0][0]], name) for monomial in alone)


def _varies_without(pitches: Pitches, name: str, value: Poly) -> bool:
    """Whether a term that differs between threads does not have the quantity as a factor."""
    atoms = pitches.algebra.atoms
    terms = ([atoms[index] for index, _ in monomial] for monomial, _ in value.items())
    return any(
        any(atom.level is not Level.UNIFORM for atom in term)
        and not any(pitches.is_called(atom, name) for atom in term)
        for term in terms
    )


def _is_shared_out(pitches: Pitches, name: str, access: Access, placed: Placed) -> bool:
    _, is_unit, others = pitches.moves(access, placed)
    return is_unit and any(pitches.holds(name, step) for step in (*others, *pitches.shared(placed.offset)))


def _walks_all(pitches: Pitches, name: str, access: Access, placed: Placed) -> bool:
    """Whether the innermost loop walks element by element, as far as this number tells."""
    loop = access.loops[-1] if access.loops else None
    if loop is None or loop.bytes not in (access.bytes, -access.bytes):
        return False
    return any(pitches.bounds(name, guard) for guard in placed.guards)


def _takes_point(pitches: Pitches, name: str, access: Access, placed: Placed) -> bool:
    """Whether this load and those beside it take three columns or more, side by side: of points, or of pixels."""
    array = "" if access.memory is None else access.memory.name
    if access.op is not Operation.LOAD or not (is_component_count(name) or is_feature_count(name, array)):
        return False
    columns = set[int]()
    for other, there in pitches.placed:
        if other.op is Operation.LOAD and other.memory == access.memory and other.bytes == access.bytes:
            apart = pitches.algebra.number(there.offset - placed.offset)
            columns |= set() if apart is None else {apart // access.bytes}
    first = last = 0
    while first - 1 in columns:
        first -= 1
    while last + 1 in columns:
        last += 1
    return last - first + 1 >= min(USUAL)


def _powers(offset: Poly) -> Iterator[int]:
    """Yield the atoms, by their index, that a term of an offset holds as a square or a higher power."""
    yield from (index for monomial, _ in offset.items() for index, power in monomial if power > 1)
