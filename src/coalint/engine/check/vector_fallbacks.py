"""Elements moved one by one where a branch cannot move whole vectors, as at rows' ends: no warnings.

Such is the other side of a branch that asks for an alignment or a rest, or of a template's flag that `if constexpr`
asks for: it moves the same array in vectors. The slow side is for the shapes that the fast one cannot take. So is a
kernel that the host launches by the length of rows, beside one that moves vectors of the same parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.operations import Space
from coalint.core.findings import Finding, Note
from coalint.core.source.spans import Span
from coalint.engine.check.pointer_roots import PointerRoots
from coalint.engine.check.records import CheckedKernel, RankedFinding

_WIDEST = 32  # bytes that a lane moves in one instruction
_DEPTH = 3  # calls that are followed
_ASKING = frozenset({"%", "&", "<", "<=", ">", ">="})
_ASKED = re.compile(r"align|vec|full|tail|remain", re.IGNORECASE)
_PITCH = re.compile(r"stride|pitch|step|align", re.IGNORECASE)
_BRANCH = Note("this moves single elements where the other side of the branch cannot move whole vectors")
_INSTANCE = Note("this moves single elements where another instance of the kernel moves whole vectors")
_KERNEL = "this moves single elements for rows for which the host does not launch `{}`, which moves whole vectors"

_Node = ir.Expression | ir.Statement
_Sizes = dict[str, int]
"""The bytes of the widest element that each variable is read or written through, by a key of the variable."""


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

    def notes(self) -> dict[Span, Note]:
        """Return why an access is such an element, by its place."""
        found: dict[Span, Note] = {}
        for function in (*self._functions.values(), *(kernel.function for kernel in self._kernels)):
            roots = _Keys(function.body)
            for condition, *sides in _branches(function.body):
                if _asks_for_shape(condition):
                    for side, other in (sides, reversed(sides)):
                        wide = self._sizes(other, roots, _DEPTH)
                        elements = _elements(side, roots)
                        found |= {span: _BRANCH for span, root, size in elements if 2 * size <= wide.get(root, 0)}
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
                body, roots = kernel.function.body, _Keys(kernel.function.body, by_name=True)
                made.append((list(_elements(body, roots)), self._sizes(body, roots, _DEPTH)))
            for elements, own in made:
                for others, wide in made:
                    elsewhere = {span for span, _, _ in others}
                    for span, root, size in elements:
                        if span not in elsewhere and 2 * size <= wide.get(root, 0) and own.get(root, 0) <= size:
                            found[span] = _INSTANCE
        return found

    def beside_kernels(self, checked: Sequence[CheckedKernel]) -> dict[Span, Note]:
        """Return the elements of kernels that the host takes by the length of rows, beside others that move vectors."""
        found: dict[Span, Note] = {}
        functions = {kernel.span: kernel.function for kernel in self._kernels}
        chosen = {one.span: one for one in checked if any(map(_PITCH.search, one.specialization.chosen_by))}
        made = []
        for span, one in chosen.items():
            if span in functions:
                body, roots = functions[span].body, _Keys(functions[span].body, by_name=True)
                made.append((one, list(_elements(body, roots)), self._sizes(body, roots, _DEPTH)))
        for one, elements, own in made:
            for other, _, wide in made:
                if one.span == other.span or not _are_alternatives(one, other):
                    continue
                shared = _alike(functions[one.span], functions[other.span])
                for span, root, size in elements:
                    if root in shared and 2 * size <= wide.get(root, 0) and own.get(root, 0) <= size:
                        found[span] = Note(_KERNEL.format(other.kernel))
        return found

    def _sizes(self, body: _Node, roots: _Keys, depth: int) -> _Sizes:
        """Return the widest elements that a statement moves, by what is called with a pointer too."""
        sizes: _Sizes = {}
        for _, root, size in _elements(body, roots):
            sizes[root] = max(size, sizes.get(root, 0))
        for node in ir.nodes(body) if depth else ():
            function = self._functions.get(node.function or "") if isinstance(node, ir.Call) else None
            if not isinstance(node, ir.Call) or function is None:
                continue
            inside = self._sizes(function.body, _Keys(function.body), depth - 1)
            for argument, parameter in zip(node.arguments, function.parameters, strict=False):
                root = roots.of(argument)
                if root and parameter.key in inside:
                    sizes[root] = max(inside[parameter.key], sizes.get(root, 0))
        return sizes


def _are_alternatives(one: CheckedKernel, other: CheckedKernel) -> bool:
    """Whether a host takes one of two kernels by the length of the same rows."""
    names = set(one.specialization.chosen_by) & set(other.specialization.chosen_by)
    return one.specialization.file == other.specialization.file and any(map(_PITCH.search, names))


def _alike(one: ir.Function, other: ir.Function) -> set[str]:
    """Return the names of the parameters that two functions have of the same type."""
    types = {parameter.name: parameter.type for parameter in other.parameters}
    return {parameter.name for parameter in one.parameters if types.get(parameter.name) == parameter.type}


class _Keys:
    """Where addresses in a function begin, by keys of their variables or, over instances of a kernel, by names."""

    def __init__(self, body: ir.Statement, by_name: bool = False) -> None:
        self._roots, self._by_name = PointerRoots(body), by_name

    def of(self, node: _Node) -> str:
        """Return the variable that an address begins at; empty where there is none."""
        variable = self._roots.of(node)
        if variable is None:
            return ""
        return variable.name if self._by_name else variable.key


def _elements(body: _Node, roots: _Keys) -> Iterator[tuple[Span, str, int]]:
    """Yield the elements that a statement names, each with where its address begins and its bytes."""
    waiting: list[tuple[_Node, bool]] = [(body, True)]
    while waiting:
        node, is_moved = waiting.pop()
        if is_moved and isinstance(node, ir.Subscript | ir.Dereference):
            size, root = node.type.size, roots.of(node.base if isinstance(node, ir.Subscript) else node.pointer)
            if root and size and size <= _WIDEST:
                yield node.span, root, size
        waiting.extend((part, not isinstance(node, ir.AddressOf)) for part in ir.children(node))


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
