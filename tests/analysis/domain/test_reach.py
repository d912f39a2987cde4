"""What a value depends on, and what may be forgotten, beside a walk over the operands of each atom."""

from __future__ import annotations

from itertools import pairwise

from amounts import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_trees import NAMES, Tree, build, numbers, quantities, trees

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.frames import Cells, other_storages
from coalint.analysis.domain.values import Cell

NOUGHT = dict.fromkeys(NAMES, 0)


def walked(algebra: Algebra, values: list[Poly]) -> list[int]:
    """The atoms that values depend on, one operand after the other."""
    found: set[int] = set()
    pending = list(values)
    while pending:
        for atom in algebra.atoms_of(pending.pop()):
            if atom.index not in found:
                found.add(atom.index)
                pending.extend(atom.operands)
    return sorted(found)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(trees, min_size=1, max_size=3), numbers)
def test_values_depend_on_what_their_operands_are_made_of(several: list[Tree], given_numbers: dict[str, int]) -> None:
    case = quantities(given_numbers)
    algebra, values = case.algebra, [build(case, tree)[0] for tree in several]
    for _ in range(2):  # found, and remembered
        assert [atom.index for atom in algebra.closure(*values)] == walked(algebra, values)
    for value in values:
        depends = [index for index in range(algebra.mark()) if algebra.depends(value, index)]
        assert depends == walked(algebra, [value])


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(trees, min_size=1, max_size=4), st.data())
def test_only_what_no_kept_value_needs_is_forgotten(several: list[Tree], data: st.DataObject) -> None:
    case = quantities(NOUGHT)
    algebra = case.algebra
    values = [build(case, tree)[0] for tree in several]
    for value in values:
        algebra.closure(value)
    mark, kept = data.draw(st.integers(0, algebra.mark())), data.draw(st.lists(st.sampled_from(values)))
    last = max((index + 1 for index in walked(algebra, kept)), default=0)
    before = algebra.mark()
    algebra.forget(mark, iter(kept))
    assert algebra.mark() == min(before, max(mark, last))
    for value in kept:
        assert [atom.index for atom in algebra.closure(value)] == walked(algebra, [value])


def test_an_index_that_is_given_anew_has_what_its_new_atom_depends_on() -> None:
    case = quantities(NOUGHT)
    algebra, mark = case.algebra, case.algebra.mark()
    for name in ("n", "m"):
        value = algebra.operation("/", case.atoms[name], algebra.constant(3))
        assert [atom.name for atom in algebra.closure(value)][:1] == [name]
        algebra.forget(mark)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(trees, min_size=2, max_size=6), st.data())
def test_differences_are_forgotten_with_what_they_are_made_of(several: list[Tree], data: st.DataObject) -> None:
    case = quantities(NOUGHT)
    algebra = case.algebra
    algebra.differences = {}
    values = [build(case, tree)[0] for tree in several]
    for a, b in pairwise(values):
        algebra.subtract(a, b)
    made = list(algebra.differences)
    algebra.forget(data.draw(st.integers(0, algebra.mark())))
    living = [pair for pair in made if all(index < algebra.mark() for index in walked_without_atoms(pair))]
    assert list(algebra.differences) == living
    assert all(atom in algebra.atoms for pair in living for value in pair for atom in algebra.atoms_of(value))


def walked_without_atoms(values: tuple[Poly, ...]) -> list[int]:
    """The indices that occur in values, of atoms that may be forgotten."""
    return [index for value in values for _, monomial in value.terms for index, _ in monomial]


cells = st.builds(lambda size: {0: Cell(size, Algebra().zero)}, st.integers(1, 2))


@settings(max_examples=examples(100), deadline=None)
@given(st.dictionaries(st.integers(0, 5), cells), st.data())
def test_storages_are_others_where_something_else_stands(before: Cells, data: st.DataObject) -> None:
    kept = {storage: held for storage, held in before.items() if data.draw(st.booleans())}
    now = kept | data.draw(st.dictionaries(st.integers(0, 7), cells))
    expected = [storage for storage, held in now.items() if before.get(storage) is not held]
    assert list(other_storages(now, before)) == expected
