"""Which loads of 64-bit integers nvcc narrows, as a smaller integer is all that is made of them.

Read off nvcc 13 for sm_90: `(int)p[i]` of a `long long` is a load of 4 bytes, `(short)p[i]` one of 2. Where the element
is wanted in full as well, one load of 8 bytes serves both.
"""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core import ir

_BITS = 64
_SMALLER = (8, 16, 32)


class NarrowedReads:
    """Says how many bytes of an element a cast reads, looked up once for each function."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.functions = functions
        self._whole: dict[str, frozenset[str]] = {}

    def width(self, function: str, e: ir.Cast) -> int:
        """Return the bytes that a cast reads of the element it is applied to; 0 for all, and where that is not sure.

        It is not sure where the function reads or hands on anything else through the variable that leads there.
        """
        operand = _cast_at_once(e)
        if operand is None or function not in self.functions:
            return 0
        if function not in self._whole:
            self._whole[function] = _read_in_full(self.functions[function].body)
        root = _root(operand)
        return 0 if root is None or root.key in self._whole[function] else e.type.size


def _cast_at_once(e: ir.Expression | ir.Statement) -> ir.Subscript | ir.Dereference | None:
    """Return the element that a narrowing conversion is applied to; None for anything else."""
    if not isinstance(e, ir.Cast) or not isinstance(e.type, ir.Integer) or e.type.bits not in _SMALLER:
        return None
    operand = e.operand
    if not isinstance(operand, ir.Subscript | ir.Dereference) or not isinstance(operand.type, ir.Integer):
        return None
    return operand if operand.type.bits == _BITS else None


def _root(e: ir.Subscript | ir.Dereference) -> ir.Variable | None:
    """Return the variable whose value, with an offset, is the address of an element."""
    at, _ = _taken_apart(e)
    return at.variable if isinstance(at, ir.Name) else None


def _read_in_full(body: ir.Statement) -> frozenset[str]:
    """Return the variables, by their keys, that lead to more than elements that are narrowed at once or stored to."""
    found: set[str] = set()
    pending: list[ir.Expression | ir.Statement] = [body]
    while pending:
        node = pending.pop()
        element = _cast_at_once(node)
        if element is None and isinstance(node, ir.Assign) and node.operator is None:
            target = node.target
            if isinstance(target, ir.Subscript | ir.Dereference):
                element = target
                pending.append(node.value)
                if _root(target) is None:
                    pending.append(target)
                    continue
        if element is not None and _root(element) is not None:
            pending.extend(_taken_apart(element)[1])
            continue
        if isinstance(node, ir.Name):
            found.add(node.variable.key)
        pending.extend(ir.children(node))
    return frozenset(found)


def _taken_apart(e: ir.Subscript | ir.Dereference) -> tuple[ir.Expression, list[ir.Expression]]:
    """Return the pointer that an element's address begins with, and what is added to it."""
    indices: list[ir.Expression] = [e.index] if isinstance(e, ir.Subscript) else []
    at = e.base if isinstance(e, ir.Subscript) else e.pointer
    while isinstance(at, ir.Binary | ir.Cast):
        if isinstance(at, ir.Cast):
            at = at.operand
        elif isinstance(at.left.type, ir.Pointer):
            indices.append(at.right)
            at = at.left
        else:
            indices.append(at.left)
            at = at.right
    return at, indices
