"""Arrays of vectors that most functions of a file use whole: what takes one component of them is no warning.

Complex numbers and positions with a mass lie side by side for those functions: arrays of one component each would make
them slower. Arrays of one name and type are taken for the same array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.causes import CauseKind
from coalint.core.facts.operations import Operation
from coalint.core.findings import Finding, Note, Severity
from coalint.engine.check.records import CheckedKernel, RankedFinding

_KINDS = (CauseKind.FIELD, CauseKind.PARTIAL_COPY)
_NOTE = Note("most functions of this file use the elements of this array whole, for which they lie well")
_WHOLE = ""

Key = tuple[str, int]
"""An array's name and the size of its elements in bytes."""


def without_whole_vectors(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of components as infos where most functions use the vectors whole."""
    if not any(_concerns(item.finding) for one in checked for item in one.findings):
        return list(checked)
    whole = _mostly_whole(module)
    return [replace(one, findings=tuple(_item(item, whole) for item in one.findings)) for one in checked]


def _item(item: RankedFinding, whole: set[Key]) -> RankedFinding:
    if not _concerns(item.finding) or _key(item.finding) not in whole:
        return item
    moved = None if item.moved is None else _as_info(item.moved)
    return replace(item, finding=_as_info(item.finding), moved=moved)


def _concerns(finding: Finding) -> bool:
    """Whether a finding is a warning of loads of a component of the language's own vectors, which nothing declares.

    A store of a component may as well be a part of the store of the whole.
    """
    cause = finding.cause
    own = cause is not None and cause.kind in _KINDS and not cause.declared
    loads = bool(finding.subjects) and finding.subjects[0].operation is Operation.LOAD
    return own and loads and finding.severity is Severity.WARNING


def _key(finding: Finding) -> Key:
    numbers = dict(finding.cause.numbers) if finding.cause is not None else {}
    return finding.subjects[0].array, int(numbers.get("record_bytes", 0))


def _as_info(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.INFO, notes=(*finding.notes, _NOTE))


def _mostly_whole(module: ir.Module) -> set[Key]:
    """Return the arrays of vectors that more functions use whole than in part."""
    functions = {kernel.function.key: kernel.function for kernel in module.kernels} | dict(module.functions)
    whole, parts = Counter[Key](), Counter[Key]()
    for function in functions.values():
        used: dict[Key, set[str]] = {}
        sizes: dict[Key, int] = {}
        for key, field, size in _uses(function.body):
            used.setdefault(key, set()).add(field)
            sizes[key] = size
        for key, fields in used.items():
            together = key[1] if _WHOLE in fields else len(fields) * sizes[key]
            (whole if together >= key[1] else parts)[key] += 1
    return {key for key, count in whole.items() if count > parts[key]}


def _uses(body: ir.Statement) -> Iterator[tuple[Key, str, int]]:
    """Yield the arrays of vectors whose elements are used, each with the component and its size, or that it is all.

    Of an element that a variable is set to where it is declared, what is used of the variable is used.
    """
    copies = {
        node.variable.key: key
        for node in ir.nodes(body)
        if isinstance(node, ir.Declare) and node.initializer is not None and (key := _key_of(node.initializer))
    }
    pending: list[ir.Expression | ir.Statement] = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Declare) and node.variable.key in copies and node.initializer is not None:
            pending.extend(ir.children(node.initializer))
            continue
        if isinstance(node, ir.AddressOf):
            pending.extend(part for part in ir.children(node.target) if _key_of(node.target) is not None)
            pending.extend(() if _key_of(node.target) is not None else (node.target,))
            continue
        member = node if isinstance(node, ir.Member) else None
        element = node if member is None else member.object
        key = copies.get(element.variable.key) if isinstance(element, ir.Name) else _key_of(element)
        if key is not None:
            yield (key, _WHOLE, key[1]) if member is None else (key, member.field, member.type.size)
            pending.extend(ir.children(element))
        else:
            pending.extend(ir.children(node))


def _key_of(node: ir.Expression | ir.Statement) -> Key | None:
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
