"""Whether a kernel's accesses bear out that a parameter counts a few components, as its name says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.recorder.component_counts import (
    USUAL,
    bounded_by_count,
    holds_points,
    row_of_tensor,
    speaks_of_rows,
)

if TYPE_CHECKING:
    from coalint.analysis.recorder.pitches import Pitches
    from coalint.analysis.recorder.placed import Placed
    from coalint.core.facts.access import Access


def settled_components(pitches: Pitches) -> Iterator[Access]:
    """Yield a kernel's accesses, with `dense` numbers only where a loop walks all components and nothing shows many.

    They are otherwise as the row lengths leave them.
    """
    names = {name for access, _ in pitches.placed for name, _ in access.open.dense}
    others = {name for access, _ in pitches.placed for name in access.open.names} if names else set()
    few = {name for name in names if _is_few(pitches, name, others - {name})}
    for access, (_, placed) in zip(pitches.settled(), pitches.placed, strict=True):
        is_kept = all(
            name in few and (row_of_tensor(name) is not None or _walks_all(pitches, name, access, placed))
            for name, _ in access.open.dense
        )
        yield access if is_kept else replace(access, open=replace(access.open, dense=()))


def _is_few(pitches: Pitches, name: str, others: set[str]) -> bool:
    tensor = row_of_tensor(name)
    if tensor is not None:
        return _has_few_columns(pitches, name, *tensor)
    arrays = [a.memory.name for a, _ in pitches.placed if a.memory is not None and name in dict(a.open.dense)]
    if speaks_of_rows(others) and not any(map(holds_points, arrays)):
        return False
    return not any(_has_many(pitches, name, *pair) for pair in pitches.placed)


def _has_few_columns(pitches: Pitches, name: str, tensor: str, dimension: int) -> bool:
    """Whether the rows of a tensor, this stride apart, are used up to a column from the second to the fourth.

    Columns are constants, or the counter of a loop over components.
    """
    used: set[int] = set()
    for access, placed in pitches.placed:
        if not pitches.holds(name, placed.offset):
            continue
        column = 0
        for monomial, coefficient in placed.offset.items():
            atoms = [pitches.algebra.atoms[index] for index, _ in monomial]
            rows = [row_of_tensor(atom.name) for atom in atoms]
            if any(atom.name == name for atom in atoms) or any(
                row is not None and row[0] == tensor and row[1] < dimension for row in rows
            ):
                continue
            if all(row is not None for row in rows) and len(rows) < 2:
                column += coefficient // access.bytes
            elif any(atom in placed.counters for atom in atoms) and bounded_by_count(access.guard):
                column += 1
            else:
                return False
        used.add(column)
    return 1 <= max(used, default=0) < max(USUAL)


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
        algebra.level(operand) is not Level.UNIFORM and _has_term(pitches, name, operand)
        for atom in algebra.closure(guard)
        if atom.operator in ("<", "<=", "==")
        for operand in (*atom.operands, atom.operands[0] - atom.operands[-1])
    )


def _has_term(pitches: Pitches, name: str, value: Poly) -> bool:
    alone = (monomial for monomial, _ in value.items() if len(monomial) == 1)
    return any(pitches.is_called(pitches.algebra.atoms[monomial[0][0]], name) for monomial in alone)


def _is_shared_out(pitches: Pitches, name: str, access: Access, placed: Placed) -> bool:
    _, is_unit, others = pitches.moves(access, placed)
    return is_unit and any(pitches.holds(name, step) for step in (*others, *pitches.shared(placed.offset)))


def _walks_all(pitches: Pitches, name: str, access: Access, placed: Placed) -> bool:
    """Whether the innermost loop walks element by element, as far as this number tells."""
    loop = access.loops[-1] if access.loops else None
    if loop is None or loop.bytes not in (access.bytes, -access.bytes):
        return False
    return any(pitches.bounds(name, guard) for guard in placed.guards)


def _powers(offset: Poly) -> Iterator[int]:
    """Yield the atoms, by their index, that a term of an offset holds as a square or a higher power."""
    yield from (index for monomial, _ in offset.items() for index, power in monomial if power > 1)
