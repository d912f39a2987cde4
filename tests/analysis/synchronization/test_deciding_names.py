"""What decides whether threads part is found once for each value, in the order in which operands are written."""

from __future__ import annotations

from amounts import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_trees import NAMES, Case, Tree, build, quantities, trees

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, Sharing
from coalint.analysis.uniformity.divergence import Uniformity

NOUGHT = dict.fromkeys(NAMES, 0)


def walked(case: Case, value: Poly) -> tuple[str, ...]:
    """The names as they come up where each operand is walked through each time that it occurs."""
    names: dict[str, None] = {}
    pending = [value]
    while pending:
        for atom in case.algebra.atoms_of(pending.pop()):
            if atom.kind is AtomKind.OPAQUE and atom.deciders:
                names |= dict.fromkeys(atom.deciders)
            elif atom.kind is AtomKind.OPAQUE:
                return ()
            elif atom.kind is AtomKind.UNIFORM:
                names[atom.name] = None
            else:
                pending += atom.operands
    return tuple(names)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(trees, min_size=2, max_size=4), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5))
def test_names_come_in_the_order_of_a_whole_walk(several: list[Tree], pairs: list[tuple[int, int]]) -> None:
    case = quantities(NOUGHT)
    sharing = Sharing(deciders=("steps", "n"))
    values = [build(case, tree)[0] for tree in several]
    values += [case.algebra.opaque(f"v{n}", Level.DIVERGENT, "", sharing=sharing) for n in range(2)]
    for left, right in pairs:  # values that are made of each other in several ways
        a, b = values[left % len(values)], values[right % len(values)]
        values.append(case.algebra.operation("^", a, b + case.atoms["m"]))
    uniformity = Uniformity(case.algebra, None)
    for value in values:
        assert uniformity.deciding_parameters(value) == walked(case, value)


def test_a_value_that_is_made_of_itself_over_and_over_is_walked_through_once() -> None:
    case = quantities(NOUGHT)
    value = case.atoms["threadIdx.x"] + case.atoms["n"]
    for _ in range(60):  # 2^60 ways lead to n
        value = case.algebra.operation("^", value, 3 * value + case.atoms["m"])
    assert set(Uniformity(case.algebra, None).deciding_parameters(value)) == {"n", "m"}
