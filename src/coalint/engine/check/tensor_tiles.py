"""Tiles in shared memory that tensor copies move (`cp.async.bulk.tensor`): their rows must not be padded.

A copy by a `CUtensorMap` fills and reads an array as it lies, row after row. What parts its columns over the banks is
the map's own swizzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.operations import Space
from coalint.core.findings import Finding, Note, Severity
from coalint.engine.check.pointer_roots import PointerRoots
from coalint.engine.check.records import CheckedKernel, RankedFinding

_DEPTH = 4  # calls that are followed
_COPY = re.compile(r"cp_async_bulk_tensor")
_INSTRUCTION = re.compile(r"cp\.(async|reduce\.async)\.bulk\.tensor")
_MAP = "CUtensorMap"
_NOTE = Note("a tensor copy moves this array as it lies, so that its rows cannot be padded")
_HELP = (
    "let the tensor map swizzle the array (as by CU_TENSOR_MAP_SWIZZLE_128B), and exclusive-or the column in each "
    "access as the map does; or leave it"
)
_PADDED = frozenset({"COA201", "COA203"})


def without_tensor_tiles(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file with no advice to pad what tensor copies move, and such warnings as infos."""
    if not any(_concerns(item.finding) for one in checked for item in one.findings):
        return list(checked)
    copies = _Copies(module)
    arrays: dict[tuple[object, str], set[str]] = {}
    for kernel in module.kernels:
        arrays.setdefault((kernel.span, kernel.name), set()).update(copies.arrays_of(kernel.function))
    return [
        replace(one, findings=tuple(_item(item, arrays.get((one.span, one.kernel), set())) for item in one.findings))
        for one in checked
    ]


def _item(item: RankedFinding, arrays: set[str]) -> RankedFinding:
    if not _concerns(item.finding) or item.finding.subjects[0].array not in arrays:
        return item
    moved = None if item.moved is None else _unpadded(item.moved)
    return replace(item, finding=_unpadded(item.finding), moved=moved)


def _concerns(finding: Finding) -> bool:
    """Whether a finding is a conflict of banks."""
    return bool(finding.subjects) and finding.subjects[0].space is Space.SHARED and finding.code.startswith("COA2")


def _unpadded(finding: Finding) -> Finding:
    notes = tuple(note for note in finding.notes if not note.of_help)
    severity = Severity.INFO if finding.code in _PADDED else finding.severity
    return replace(finding, severity=severity, notes=(*notes, _NOTE), help=_HELP, fix=None)


class _Copies:
    """The arrays that tensor copies in a file move."""

    def __init__(self, module: ir.Module) -> None:
        self._functions = module.functions
        self._known: dict[tuple[str, int], frozenset[ir.Variable]] = {}

    def arrays_of(self, function: ir.Function) -> set[str]:
        """Return the names of the arrays in shared memory that a kernel, or what it calls, hands to tensor copies."""
        return {variable.name for variable in self._moved(function, _DEPTH) if variable.storage is ir.Storage.SHARED}

    def _moved(self, function: ir.Function, depth: int) -> frozenset[ir.Variable]:
        """Return the arrays, and parameters that point to some, that a function hands to tensor copies."""
        key = function.key, depth
        if key not in self._known:
            roots = PointerRoots(function.body)
            handed = (roots.of(node) for node in self._handed(function.body, depth))
            self._known[key] = frozenset(variable for variable in handed if variable is not None)
        return self._known[key]

    def _handed(self, body: ir.Statement, depth: int) -> Iterator[ir.Expression]:
        """Yield the addresses that a body hands to tensor copies."""
        for node in ir.nodes(body):
            if isinstance(node, ir.Assembly) and _INSTRUCTION.search(node.template):
                yield from (operand.expression for operand in node.operands)
            elif isinstance(node, ir.Call):
                function = self._functions.get(node.function or "")
                if _COPY.search(node.name) or any(_is_map(argument.type) for argument in node.arguments):
                    yield from node.arguments
                elif function is not None and depth:
                    moved = {variable.key for variable in self._moved(function, depth - 1)}
                    pairs = zip(node.arguments, function.parameters, strict=False)
                    yield from (argument for argument, parameter in pairs if parameter.key in moved)


def _is_map(type_: ir.Type) -> bool:
    while isinstance(type_, ir.Pointer | ir.Reference):
        type_ = type_.pointee if isinstance(type_, ir.Pointer) else type_.target
    return isinstance(type_, ir.Record) and type_.name.endswith(_MAP)
