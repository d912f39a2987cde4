"""Which integer operations of a kernel compute values, as those of hashes and ciphers do, and how long they take.

An operation counts, unless its result goes into the index of an array, into pointer arithmetic, or into what bounds a
loop. Comparisons, divisions and increments count as nothing: they are common beside addresses and rare in hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from coalint.core import ir
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.loop_trips import without_casts
from coalint.core.ir.walk import nodes

_INSTRUCTION = 0.5
"""Cycles of a multiprocessor for one warp: at compute capability 9.0, 64 lanes in a cycle make a 32-bit addition,
product, shift or bitwise operation (CUDA C++ Programming Guide: Throughput of Native Arithmetic Instructions)."""
_BIT_INSTRUCTION = 2.0
"""The same of reversals of bits, counts of bits and of leading zeros: 16 lanes in a cycle."""
_HALF_INSTRUCTIONS = frozenset({"+", "-", "&", "|", "^", "<<", ">>"})
"""One instruction makes two of these: IADD3 two sums, LOP3 two bitwise operations, SHF both shifts of a rotation."""
_FUNCTIONS = {
    **dict.fromkeys((Intrinsic.PURE, Intrinsic.MULTIPLY_24, Intrinsic.MULTIPLY_HIGH_UNSIGNED), _INSTRUCTION),
    **dict.fromkeys((Intrinsic.POPULATION_COUNT, Intrinsic.COUNT_LEADING_ZEROS), _BIT_INSTRUCTION),
    **dict.fromkeys((Intrinsic.FIND_FIRST_SET, Intrinsic.REVERSE_BITS), _BIT_INSTRUCTION),
}
_PTX = re.compile(r"\b(?:addc?|subc?|mul|madc?|xor|and|or|lop3|shl|shr|shf|prmt|bfe|bfi)\.[\w.]*?[bsu](32|64)\b")

if TYPE_CHECKING:
    _Node = ir.Expression | ir.Statement


class IntegerWork:
    """The integer operations of a kernel, and of the functions that it calls, that compute no address."""

    def __init__(self, functions: Mapping[str, ir.Function], kernel: ir.Kernel) -> None:
        self._functions = functions
        self._flows: dict[str, list[_Node]] = {}
        pending: list[_Node] = []
        self._addresses: set[_Node] = set()
        for function in _called(functions, kernel.function):
            for node in nodes(function.body):
                pending.extend(_addressing(node))
                if isinstance(node, ir.Subscript):
                    self._addresses.update(nodes(node.index))
                for key, value in self._set_by(node, function):
                    self._flows.setdefault(key, []).append(value)
        self._addresses |= self._sources(pending)

    def cycles(self, node: _Node) -> float:
        """Return the cycles of what a node itself computes; 0 where it is no such operation or computes an address."""
        return 0.0 if node in self._addresses else _cycles(node)

    def _set_by(self, node: _Node, function: ir.Function) -> Iterator[tuple[str, _Node]]:
        """Yield what a node sets variables, parameters of a function that it calls, or the function's result to."""
        match node:
            case ir.Declare(initializer=value) if value is not None:
                yield node.variable.key, value
            case ir.Assign():
                yield from ((key, node.value) for key in _changed(node.target))
            case ir.Call(function=str(key)) if key in self._functions:
                called = self._functions[key]
                yield from zip((one.key for one in called.parameters), node.arguments, strict=False)
                if called.receiver is not None and node.receiver is not None:
                    yield called.receiver.key, node.receiver
            case ir.Return(value=value) if value is not None:
                yield function.key, value
            case ir.Assembly():
                for written in node.operands:
                    if "=" in written.constraint or "+" in written.constraint:
                        yield from ((key, node) for key in _changed(written.expression))

    def _sources(self, pending: list[_Node]) -> set[_Node]:
        """Return all nodes within some values, and within what these are computed from."""
        found: set[_Node] = set()
        named: set[str] = set()
        while pending:
            for node in nodes(pending.pop()):
                found.add(node)
                key = node.variable.key if isinstance(node, ir.Name) else None
                if isinstance(node, ir.Call):
                    key = node.function
                if key is not None and key not in named:
                    named.add(key)
                    pending.extend(self._flows.get(key, ()))
        return found


def _cycles(node: _Node) -> float:
    match node:
        case ir.Binary(type=ir.Integer(bits=bits)) | ir.Assign(type=ir.Integer(bits=bits)):
            words = max(1, bits // 32)
            if node.operator == "*":
                return _INSTRUCTION * words * words
            return _INSTRUCTION / 2 * words if node.operator in _HALF_INSTRUCTIONS else 0.0
        case ir.Call(function=None, type=ir.Integer(bits=bits)) if node.intrinsic is not None:
            if not any(isinstance(argument.type, ir.Integer) for argument in node.arguments):
                return 0.0  # of a floating-point number: its bits
            return _FUNCTIONS.get(node.intrinsic, 0.0) * max(1, bits // 32)
        case ir.Assembly():
            return sum(_INSTRUCTION * int(bits) / 32 for bits in _PTX.findall(node.template))
    return 0.0


def _called(functions: Mapping[str, ir.Function], function: ir.Function) -> list[ir.Function]:
    """Return a function, those that it calls, and those that they call."""
    found, pending = {function.key: function}, [function]
    while pending:
        for node in nodes(pending.pop().body):
            called = functions.get(node.function or "") if isinstance(node, ir.Call) else None
            if called is not None and called.key not in found:
                found[called.key] = called
                pending.append(called)
    return list(found.values())


def _addressing(node: _Node) -> Iterator[_Node]:
    """Yield the parts of a node that are addresses, or that bound a loop.

    Not the index of what is declared as an array: it may be a value that a cipher looks up in a table.
    """
    match node:
        case ir.Subscript() if not isinstance(without_casts(node.base).type, ir.Array):
            yield node.index
        case ir.Binary(type=ir.Pointer()):
            yield from (side for side in (node.left, node.right) if isinstance(side.type, ir.Integer))
        case ir.Assign(type=ir.Pointer()) if node.operator:
            yield node.value
        case ir.Loop():
            yield from (part for part in (node.condition, node.step) if part is not None)


def _changed(target: ir.Expression) -> Iterator[str]:
    """Yield the variable that an assignment changes, or a part of; a pointer for what it leads to."""
    while not isinstance(target, ir.Name):
        match target:
            case ir.Member():
                target = target.object
            case ir.Subscript():
                target = target.base
            case ir.Cast():
                target = target.operand
            case ir.Dereference():
                target = target.pointer
            case _:
                return
    yield target.variable.key
