"""Arrays of vectors that most functions of a file use whole: what takes one component of them is no warning.

Complex numbers and positions with a mass lie side by side for those functions: arrays of one component each would make
them slower. Arrays of one name and type are taken for the same array. So it is where the same function moves whole
elements on another of its paths, in as many loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.causes import CauseKind
from coalint.core.facts.operations import Operation
from coalint.core.findings import Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding

_KINDS = (CauseKind.FIELD, CauseKind.PARTIAL_COPY)
_NOTE = Note("most functions of this file use the elements of this array whole, for which they lie well")
_BRANCH = Note("another path of this kernel moves the elements of this array whole, for which they lie well")
_WHOLE = ""

_Node = ir.Expression | ir.Statement
Key = tuple[str, int]
"""An array's name and the size of its elements in bytes."""


Uses = dict[Key, bool]
"""The arrays of vectors that a function uses, and whether it uses all components."""


def without_whole_vectors(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of components as infos where most functions use the vectors whole."""
    if not any(_concerns(item.finding) for one in checked for item in one.findings):
        return list(checked)
    functions = {kernel.function.key: kernel.function for kernel in module.kernels} | dict(module.functions)
    used = [(function, _uses_of(function)) for function in functions.values()]
    return [replace(one, findings=tuple(_item(item, used) for item in one.findings)) for one in checked]


def _item(item: RankedFinding, used: Sequence[tuple[ir.Function, Uses]]) -> RankedFinding:
    if not _concerns(item.finding):
        return item
    if _is_mostly_whole(item.finding, used):
        return item.as_info(_NOTE)
    key, at = _array_of(item.finding), item.finding.subjects[0].span
    own = (function for function, uses in used if uses.get(key) and _holds(function.body.span, at))
    return item.as_info(_BRANCH) if any(_moves_whole(function, key, at) for function in own) else item


def _concerns(finding: Finding) -> bool:
    """Whether a finding is a warning of loads of a component of the language's own vectors, which nothing declares.

    A store of a component may as well be a part of the store of the whole.
    """
    cause = finding.cause
    own = cause is not None and cause.kind in _KINDS and not cause.declared
    loads = bool(finding.subjects) and finding.subjects[0].operation is Operation.LOAD
    return own and loads and finding.severity is Severity.WARNING


def _is_mostly_whole(finding: Finding, used: Sequence[tuple[ir.Function, Uses]]) -> bool:
    """Whether more functions use the finding's array whole than in part, as the one that it stands in does."""
    key, at = _array_of(finding), finding.subjects[0].span
    others = [uses[key] for function, uses in used if key in uses and not _holds(function.body.span, at)]
    return others.count(True) > others.count(False) + 1


def _array_of(finding: Finding) -> Key:
    numbers = dict(finding.cause.numbers) if finding.cause is not None else {}
    return finding.subjects[0].array, int(numbers.get("record_bytes", 0))


def _moves_whole(function: ir.Function, key: Key, at: Span) -> bool:
    """Whether a function assigns or stores elements of an array as they are, in as many loops as it uses a part."""
    part, whole = 0, -1
    pending: list[tuple[_Node, _Node | None, int]] = [(function.body, None, 0)]
    while pending:
        node, parent, depth = pending.pop()
        if node.span == at:
            part = max(part, depth)
        if _key_of(node) == key and isinstance(parent, ir.Assign):
            whole = max(whole, depth)
        inside = parent if isinstance(node, ir.Cast) else node
        pending.extend((child, inside, depth + isinstance(node, ir.Loop)) for child in ir.children(node))
    return whole >= part


def _holds(body: Span, place: Span) -> bool:
    return body.file == place.file and body.line <= place.line <= body.end_line


def _uses_of(function: ir.Function) -> Uses:
    """Return the arrays of vectors that a function uses, and whether it uses all components."""
    parts, sizes = dict[Key, set[str]](), dict[tuple[Key, str], int]()
    copies: dict[str, Key] = {}
    of_copies: dict[str, set[str]] = {}
    for node, parent in _with_parents(function.body):
        key = _key_of(node)
        if key is not None and not isinstance(parent, ir.AddressOf):
            copy = _copy(parent)
            if copy is not None:
                copies[copy] = key
            else:
                field, size = (parent.field, parent.type.size) if isinstance(parent, ir.Member) else (_WHOLE, key[1])
                parts.setdefault(key, set()).add(field)
                sizes[key, field] = size
        elif isinstance(node, ir.Name) and isinstance(node.variable.type, ir.Record | ir.Reference):
            if isinstance(parent, ir.Member):
                of_copies.setdefault(node.variable.key, set()).add(f"{parent.type.size} {parent.field}")
            elif _copy(parent) != node.variable.key:
                of_copies.setdefault(node.variable.key, set()).add(_WHOLE)
    for copy, key in copies.items():
        for field in of_copies.get(copy, ()):
            number, _, name = field.partition(" ")
            parts.setdefault(key, set()).add(name)
            sizes[key, name] = int(number) if number else key[1]
    return {key: sum(sizes[key, field] for field in fields) >= key[1] for key, fields in parts.items()}


def _with_parents(body: ir.Statement) -> Iterator[tuple[_Node, _Node | None]]:
    """Yield all nodes, each with the one that it is a part of, conversions left out."""
    pending: list[tuple[_Node, _Node | None]] = [(body, None)]
    while pending:
        node, parent = pending.pop()
        yield node, parent
        inside = parent if isinstance(node, ir.Cast) else node
        pending.extend((part, inside) for part in ir.children(node))


def _copy(node: _Node | None) -> str | None:
    """Return the key of the local variable that a node sets to a value."""
    match node:
        case ir.Declare(variable=variable):
            return variable.key
        case ir.Assign(target=ir.Name(variable=variable), operator=None):
            return variable.key
        case _:
            return None


def _key_of(node: _Node) -> Key | None:
    """Return the array that an element of it is named by, where elements are vectors."""
    match node:
        case ir.Subscript(base=base) | ir.Dereference(pointer=base):
            type_ = node.type
        case _:
            return None
    while isinstance(base, ir.Cast):
        base = base.operand
    if not isinstance(base, ir.Name) or not isinstance(type_, ir.Record) or type_.declared:
        return None
    return base.variable.name, type_.size
