"""Writes the values of an algebra as the nodes of a portable model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.domain.conditions import When
from coalint.core.arrays import distinct

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.results import Basis, GuardPart
from coalint.core.facts.portable_model import Model, ModelPart, Node, NotPortable

MAX_NODES = 600


MAX_TABLE = 1 << 14  # numbers


class Exporter:
    """Writes values of one algebra as nodes. `axes` are the nodes of the atoms for threadIdx and blockDim."""

    def __init__(self, algebra: Algebra, axes: dict[int, Node], *, free: bool = False) -> None:
        self.algebra = algebra
        self.axes = axes
        self.free = free
        self.printer = Printer(algebra)

    def model(
        self, address: Poly, basis: Basis, other: Poly | None = None, lanes: int = 32, *, keep_open: bool = True
    ) -> Model:
        """Return the access without numbers for its symbols. Raises NotPortable.

        Without `keep_open` the conditions that are the same for a block, and not known, are taken to hold.
        """
        table = _Table(self, basis.shared)
        place = table.poly(address)
        partner = None if other is None else table.poly(other)
        choices = tuple((table.poly(condition), value) for condition, value in basis.choices)
        taken: dict[str, None] = {}

        def kept(tested_parts: Iterable[GuardPart]) -> tuple[ModelPart, ...]:
            parts: dict[ModelPart, None] = {}
            for tested in tested_parts:
                is_open = not keep_open and not tested.followed and self._is_open(tested.value)
                part = None if is_open else table.part(tested.value, tested.guard, basis.plan)
                if part is None:
                    taken[tested.guard.text] = None
                else:
                    parts[part] = None
            return tuple(parts)

        parts, reading = kept(basis.parts), kept(basis.reading)
        values = tuple(
            (table.atom(self.algebra.atoms[index]), tuple(int(n) for n in distinct(basis.plan.arrays[index])))
            for index in basis.plan.counts
        )
        weights = tuple(
            (table.atom(self.algebra.atoms[index]), tuple(own.tolist())) for index, own in basis.plan.weights.items()
        )
        return Model(
            nodes=tuple(table.nodes),
            address=place,
            other=partner,
            parts=parts,
            reading=reading,
            taken=tuple(taken),
            choices=choices,
            values=values,
            weights=weights,
            lanes=lanes,
            free=self.free,
        )

    def _is_open(self, part: Poly) -> bool:
        """Whether a condition is the same for the block, and not known: most blocks pass it."""
        if self.algebra.level(part) is not Level.UNIFORM:
            return False
        return any(
            atom.index not in self.axes and atom.kind in (AtomKind.UNIFORM, AtomKind.LOAD, AtomKind.OPAQUE)
            for atom in self.algebra.closure(part)
        )

    def counted_in_full(self, over: Sequence[tuple[int, When]], plan: Plan) -> bool:
        """Whether no iteration is left out of the counters that a condition holds over, as far as they count."""
        return self.free or all(counter not in plan.counts or counter in plan.whole for counter, _ in over)


class _Table:
    def __init__(self, exporter: Exporter, shared: Callable[[Atom], bool]) -> None:
        self.exporter = exporter
        self.algebra = exporter.algebra
        self.shared = shared
        self.nodes: list[Node] = []
        self.known: dict[Node, int] = {}
        self.atoms: dict[int, int] = {}

    def part(self, value: Poly, condition: Condition, plan: Plan) -> ModelPart | None:
        if not self.exporter.counted_in_full(condition.over, plan):
            return None
        count = len(self.nodes)
        try:
            over = tuple(
                (self.atom(self.algebra.atoms[index]), when.value)
                for index, when in condition.over
                if self.exporter.free or index in plan.counts
            )
            return ModelPart(self.poly(value), condition.text, over)
        except NotPortable:
            del self.nodes[count:]
            self.known = {node: number for node, number in self.known.items() if number < count}
            self.atoms = {index: number for index, number in self.atoms.items() if number < count}
            return None

    def poly(self, value: Poly) -> int:
        terms = tuple(
            (coefficient, tuple((self.atom(self.algebra.atoms[index]), exponent) for index, exponent in monomial))
            for monomial, coefficient in value.items()
        )
        if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
            return terms[0][1][0][0]
        return self._node(("p", terms))

    def atom(self, atom: Atom) -> int:
        number = self.atoms.get(atom.index)
        if number is None:
            number = self.atoms[atom.index] = self._node(self._atom(atom))
        return number

    def _atom(self, atom: Atom) -> Node:
        axis = self.exporter.axes.get(atom.index)
        if axis is not None:
            return axis
        if atom.kind is AtomKind.COUNTER:
            return ("c", atom.index, atom.name, atom.trips)
        if atom.kind is AtomKind.TABLE:
            return self._lookup(atom)
        if atom.kind is AtomKind.OPERATION:
            operands = (self.poly(operand) for operand in atom.operands)
            return ("o", atom.operator, atom.bits, atom.signed, *operands)
        if atom.kind is AtomKind.UNIFORM or atom.level is Level.UNIFORM or atom.warp_uniform or self.shared(atom):
            return ("s", atom.index, self.exporter.printer.atom(atom), atom.low, atom.high)
        if atom.kind is AtomKind.LOAD:
            raise NotPortable(f"index loaded from memory (`{atom.name}`)")
        raise NotPortable(atom.reason or f"`{atom.name}` is not known")

    def _lookup(self, atom: Atom) -> Node:
        row = self.poly(atom.operands[0])
        if atom.lanes is None:
            if len(atom.values) > MAX_TABLE:
                raise NotPortable(f"the values of `{atom.name}` are too many to be written down")
            return ("v", atom.name, row, tuple(atom.values))
        if self.exporter.free or atom.lanes.size > MAX_TABLE:
            raise NotPortable(f"the values of `{atom.name}` are too many to be written down")
        return ("l", atom.name, row, atom.lanes.shape[1], tuple(int(n) for n in atom.lanes.reshape(-1)))

    def _node(self, node: Node) -> int:
        number = self.known.get(node)
        if number is None:
            if len(self.nodes) >= MAX_NODES:
                raise NotPortable("its address is too large an expression")
            number = self.known[node] = len(self.nodes)
            self.nodes.append(node)
        return number


def without_open(model: Model, basis: Basis) -> Model:
    """Return the model with those conditions taken to hold of which the analysis supposed it."""
    supposed = {part.guard.text for part in (*basis.parts, *basis.reading) if not part.followed}
    kept, reading = (
        tuple(part for part in parts if part.text not in supposed) for parts in (model.parts, model.reading)
    )
    all_parts = (*model.parts, *model.reading)
    taken = dict.fromkeys((*model.taken, *(part.text for part in all_parts if part.text in supposed)))
    return replace(model, parts=kept, reading=reading, taken=tuple(taken))
