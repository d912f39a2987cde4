"""Whether the rows of a shared array may become longer, by its declaration and all of its uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.source.comments import read_comments

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.findings import FixCheck
    from coalint.engine.check.records import CheckedKernel

_DECLARATOR = re.compile(r"\b(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)*\[(?P<extent>[^\[\]]*)\]")
_SIMPLE = re.compile(r"\s*(?:\w+|\w[\w\s*+]*)\s*")
"""Extents to which a number can be added without parentheses."""


def drop_unsafe_fixes(kernel: CheckedKernel, module: ir.Module) -> CheckedKernel:
    """Return the kernel without fixes that lengthen the rows of arrays which do not allow it."""
    safe = tuple(
        item
        if item.finding.fix is None or item.finding.fix.check is None or _allows(item.finding.fix.check, module)
        else replace(item, finding=replace(item.finding, fix=None))
        for item in kernel.findings
    )
    return replace(kernel, findings=safe)


def _allows(check: FixCheck, module: ir.Module) -> bool:
    """Whether every use of the array is a subscript of all its extents, and its declaration can be edited."""
    span = check.declared
    text = module.sources.get(span.file, "")
    lines = text.split("\n")[span.line - 1 : span.end_line]
    if span.line != span.end_line or not lines:
        return False
    declared = _DECLARATOR.search(lines[0], span.column - 1, span.end_column - 1)
    if declared is None or declared["name"] != check.array or declared.end() != span.end_column - 1:
        return False
    if not _SIMPLE.fullmatch(declared["extent"]) or _is_measured(check.array, text, module.spelling):
        return False
    spoiled = _spoiled(module)
    return spoiled is not None and (span.line, span.column, check.array) not in spoiled


def _is_measured(name: str, text: str, spelling: ir.Spelling) -> bool:
    """Whether the source uses the array's size or type, or the array in code that the preprocessor may skip."""
    words = "|".join(map(re.escape, spelling.measuring))
    if words and re.search(rf"\b(?:{words})\b[^;{{}}]*\b{name}\b", text):
        return True
    conditional = read_comments(text).conditional if "#" in text else frozenset[int]()
    lines = text.split("\n")
    return any(re.search(rf"\b{name}\b", lines[line - 1]) for line in conditional if line <= len(lines))


def _spoiled(module: ir.Module) -> frozenset[tuple[int, int, str]] | None:
    """Return the arrays, by line, column and name, that are not always fully subscripted; None where unknown."""
    from coalint.core import ir

    arrays: set[tuple[int, int, str]] = set()

    def visit(node: ir.Expression | ir.Statement) -> bool:
        if isinstance(node, ir.Unanalysed):
            return False
        if isinstance(node, ir.Subscript):
            indices = _full(node)
            if indices is not None:
                return all(map(visit, indices))
        if isinstance(node, ir.AddressOf) and isinstance(node.target, ir.Subscript):
            base: ir.Expression = node.target
            while isinstance(base, ir.Subscript | ir.Cast):
                base = base.base if isinstance(base, ir.Subscript) else base.operand
            if not visit(base):
                return False
        if isinstance(node, ir.Name) and isinstance(node.variable.type, ir.Array):
            variable = node.variable
            arrays.add((variable.span.line, variable.span.column, variable.name))
        return all(map(visit, ir.children(node)))

    for function in module.functions.values():
        if not function.bundled and not visit(function.body):
            return None
    return frozenset(arrays)


def _full(node: ir.Subscript) -> tuple[ir.Expression, ...] | None:
    """Return the indices of a full subscript of a named array; None for other subscripts."""
    from coalint.core import ir

    chain = list(_subscripts(node))
    base = chain[-1].base
    name = base.operand if isinstance(base, ir.Cast) else base
    if not isinstance(name, ir.Name):
        return None
    type_: ir.Type = name.variable.type
    for step in reversed(chain):
        if not isinstance(type_, ir.Array) or step.type != type_.element:
            return None
        type_ = type_.element
    return None if isinstance(type_, ir.Array) else tuple(step.index for step in chain)


def _subscripts(node: ir.Subscript) -> Iterator[ir.Subscript]:
    """Yield a subscript and the subscripts that it is applied to, outermost first."""
    from coalint.core import ir

    while True:
        yield node
        base = node.base.operand if isinstance(node.base, ir.Cast) else node.base
        if not isinstance(base, ir.Subscript):
            return
        node = base
