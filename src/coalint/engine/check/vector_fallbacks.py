"""Elements moved one by one where a branch cannot move whole vectors, as at rows' ends: no warnings.

Such is the other side of a branch that asks for an alignment or a rest, or of a template's flag that `if constexpr`
asks for: it moves the same array in vectors. The slow side is for the shapes that the fast one cannot take. So is a
kernel that the host launches where sizes are no multiples of a number, beside one for where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.operations import Space
from coalint.core.findings import Finding, Note
from coalint.core.source.spans import Span
from coalint.engine.check.moved_elements import Keys, WidestElements, elements
from coalint.engine.check.records import CheckedKernel, RankedFinding

_ASKING = frozenset({"%", "&", "<", "<=", ">", ">="})
_ASKED = re.compile(r"align|vec|full|tail|remain", re.IGNORECASE)
_BRANCH = Note("this moves single elements where the other side of the branch cannot move whole vectors")
_INSTANCE = Note("this moves single elements where another instance of the kernel moves whole vectors")
_KERNEL = "this moves single elements where the host cannot launch `{}`, which moves whole vectors"


def without_vector_fallbacks(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of such elements as infos."""
    if not any(_concerns(item.finding) for one in checked for item in one.findings):
        return list(checked)
    fallbacks = _Fallbacks(module)
    notes = fallbacks.beside_kernels(checked) | fallbacks.notes()
    return [replace(one, findings=tuple(_item(item, notes) for item in one.findings)) for one in checked]


def _item(item: RankedFinding, notes: Mapping[Span, Note]) -> RankedFinding:
    note = notes.get(item.finding.subjects[0].span) if _concerns(item.finding) else None
    if note is None:
        return item
    return item.as_info(note)


def _concerns(finding: Finding) -> bool:
    """Whether a finding is a warning of sectors."""
    return finding.is_of_excess and bool(finding.subjects) and finding.subjects[0].space is Space.GLOBAL


class _Fallbacks:
    """Finds the places of such elements in a file."""

    def __init__(self, module: ir.Module) -> None:
        self._functions, self._kernels = module.functions, module.kernels
        self._widest = WidestElements(module.functions)

    def notes(self) -> dict[Span, Note]:
        """Return why an access is such an element, by its place."""
        found: dict[Span, Note] = {}
        for function in (*self._functions.values(), *(kernel.function for kernel in self._kernels)):
            roots = Keys(function.body)
            for condition, *sides in _branches(function.body):
                if _asks_for_shape(condition):
                    for side, other in (sides, reversed(sides)):
                        wide = self._widest.of(other, roots)
                        moved = elements(side, roots)
                        found |= {span: _BRANCH for span, root, size in moved if 2 * size <= wide.get(root, 0)}
        return self._in_other_instances() | found

    def _in_other_instances(self) -> dict[Span, Note]:
        """Return the elements that an instance of a kernel moves where another one has a vector of the array."""
        found: dict[Span, Note] = {}
        by_place: dict[Span, list[ir.Kernel]] = {}
        for kernel in self._kernels:
            by_place.setdefault(kernel.span, []).append(kernel)
        for instances in (several for several in by_place.values() if len(several) > 1):
            made = []
            for kernel in instances:
                body, roots = kernel.function.body, Keys(kernel.function.body, by_name=True)
                moved = list(elements(body, roots))
                made.append((moved, {span for span, _, _ in moved}, self._widest.of(body, roots)))
            for own_elements, _, own in made:
                for _, elsewhere, wide in made:
                    for span, root, size in own_elements:
                        if span not in elsewhere and 2 * size <= wide.get(root, 0) and own.get(root, 0) <= size:
                            found[span] = _INSTANCE
        return found

    def beside_kernels(self, checked: Sequence[CheckedKernel]) -> dict[Span, Note]:
        """Return the elements of kernels that the host takes where others cannot move the array in vectors."""
        found: dict[Span, Note] = {}
        functions = {kernel.span: kernel.function for kernel in self._kernels}
        chosen = [one for one in checked if one.span in functions and any(f.divides for f in one.specialization.forks)]
        for one in chosen:
            body, roots = functions[one.span].body, Keys(functions[one.span].body, by_name=True)
            own = self._widest.of(body, roots)
            for other in chosen:
                if one.span == other.span or not _are_alternatives(one, other):
                    continue
                shared = _alike(functions[one.span], functions[other.span])
                body_of_other = functions[other.span].body
                wide = self._widest.of(body_of_other, Keys(body_of_other, by_name=True))
                for span, root, size in elements(body, roots):
                    if root in shared and 2 * size <= wide.get(root, 0) and own.get(root, 0) <= size:
                        found[span] = Note(_KERNEL.format(other.kernel))
        return found


def _are_alternatives(one: CheckedKernel, other: CheckedKernel) -> bool:
    """Whether a host takes one of two kernels by whether sizes are multiples of a number."""
    mine, others = one.specialization.forks, other.specialization.forks
    return any(
        fork.place == met.place and fork.divides and fork not in others and met not in mine
        for fork in mine
        for met in others
    )


def _alike(one: ir.Function, other: ir.Function) -> set[str]:
    """Return the names of the parameters that two functions have of the same type."""
    types = {parameter.name: parameter.type for parameter in other.parameters}
    return {parameter.name for parameter in one.parameters if types.get(parameter.name) == parameter.type}


def _branches(body: ir.Statement) -> Iterator[tuple[ir.Expression, ir.Statement, ir.Statement]]:
    """Yield the branches with two sides: what follows one that returns or goes on with the loop is its other side."""
    for node in ir.nodes(body):
        if isinstance(node, ir.If) and node.otherwise is not None:
            yield node.condition, node.then, node.otherwise
        elif isinstance(node, ir.Block):
            for number, one in enumerate(node.statements):
                if isinstance(one, ir.If) and one.otherwise is None and _leaves(one.then):
                    yield one.condition, one.then, replace(node, statements=node.statements[number + 1 :])


def _leaves(statement: ir.Statement) -> bool:
    while isinstance(statement, ir.Block) and statement.statements:
        statement = statement.statements[-1]
    return isinstance(statement, ir.Return | ir.Jump)


def _asks_for_shape(condition: ir.Expression) -> bool:
    """Whether a condition compares sizes, asks for a remainder, or names an alignment."""
    for node in ir.nodes(condition):
        match node:
            case ir.Binary(operator=operator) if operator in _ASKING:
                return True
            case ir.Name(variable=ir.Variable(name=name)) | ir.Call(name=name) if _ASKED.search(name):
                return True
    return False
