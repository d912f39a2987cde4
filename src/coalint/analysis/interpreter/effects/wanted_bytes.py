"""How many bytes of its parts the value of an expression is made of."""

from __future__ import annotations

from collections.abc import Container, Iterator
from enum import Enum, auto

from coalint.analysis.domain.wants import WHOLE, Want
from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.core.records import record

Element = ir.Subscript | ir.Dereference | ir.Member | ir.Call
"""What is loaded: `p[i]`, `*p`, `s.x`, a call of a load that is cached."""


class Goal(Enum):
    """Where a value goes, as far as it matters for what is loaded."""

    REGISTER = auto()
    MEMORY = auto()
    INDEX = auto()
    SHIFTED = auto()


@record(frozen=True, slots=True)
class Use:
    """A part of the code, what is wanted of its value, and where that goes; a place is not loaded."""

    node: ir.Expression | ir.Statement
    want: Want = WHOLE
    goal: Goal = Goal.REGISTER
    is_place: bool = False

    def on(self, node: ir.Expression | ir.Statement) -> Use:
        """Return the same use of another part."""
        return Use(node, self.want, self.goal, self.is_place)


def parts_of(use: Use, indices: Container[str]) -> Iterator[Use]:
    """Yield the parts of a part, with what is wanted of each; `indices` are the keys of variables that are indices."""
    node = use.node
    match node:
        case ir.Assign():
            plain = node.operator is None
            yield Use(node.target, is_place=plain or isinstance(node.target, ir.Name))
            yield Use(node.value, goal=_goal(node.target, indices) if plain else Goal.REGISTER)
        case ir.Declare() if node.initializer is not None:
            is_bound = isinstance(node.variable.type, ir.Reference)
            yield Use(node.initializer, goal=_goal_of_variable(node.variable, indices), is_place=is_bound)
        case ir.Subscript():
            yield Use(node.base, is_place=True)
            yield Use(node.index, goal=Goal.INDEX)
        case ir.Dereference():
            yield Use(node.pointer, goal=Goal.INDEX)
        case ir.Member():
            yield Use(node.object, is_place=True)
        case ir.AddressOf():
            yield Use(node.target, is_place=True)
        case ir.Cast() if isinstance(node.operand.type, ir.Array | ir.Record):
            yield Use(node.operand, is_place=use.is_place)
        case ir.Cast():
            yield _of_cast(node, use)
        case ir.Binary():
            yield from _of_binary(node, use)
        case ir.Unary(operator="-" | "~"):
            yield Use(node.operand, _low(node, use), use.goal)
        case _:
            yield from (Use(child) for child in ir.children(node))


def _goal(target: ir.Expression, indices: Container[str]) -> Goal:
    if isinstance(target, ir.Name):
        return _goal_of_variable(target.variable, indices)
    return Goal.MEMORY if 0 < _bits(target) < 32 else Goal.REGISTER


def _goal_of_variable(variable: ir.Variable, indices: Container[str]) -> Goal:
    """Return where the value of a variable goes; one of less than 32 bits may well be stored as it is."""
    if variable.key in indices:
        return Goal.INDEX
    is_narrow = isinstance(variable.type, ir.Integer) and variable.type.bits < 32
    return Goal.MEMORY if is_narrow else Goal.REGISTER


def _bits(e: ir.Expression) -> int:
    return e.type.bits if isinstance(e.type, ir.Integer) else 0


def _low(e: ir.Expression, use: Use) -> Want:
    """Return what arithmetic passes on: of 64-bit integers, the lower half is made of lower halves."""
    return Want(4) if _bits(e) == 64 and use.want == Want(4) else WHOLE


def _of_cast(e: ir.Cast, use: Use) -> Use:
    """Return what a conversion of integers wants of its operand."""
    to, of = _bits(e), _bits(e.operand)
    if to < 8 or not of:
        return Use(e.operand)
    if to >= of:
        becomes_signed = to == of and _is_unsigned(e.operand) and not _is_unsigned(e)
        is_extended = use.goal is Goal.INDEX and becomes_signed
        return Use(e.operand, use.want, Goal.REGISTER if is_extended else use.goal)
    wanted = use.want if 0 < use.want.bytes * 8 < to else Want(to // 8)
    return Use(e.operand, wanted, use.goal)


def _of_binary(e: ir.Binary, use: Use) -> Iterator[Use]:
    """Yield the operands: masks, remainders and shifts by constants want some bytes, other operators all."""
    if isinstance(e.type, ir.Pointer):
        yield from (Use(e.left, goal=Goal.INDEX), Use(e.right, goal=Goal.INDEX))
        return
    number = _number(e.right)
    if number is not None:
        if e.operator == "&" or (e.operator == "%" and _is_unsigned(e.left) and number & (number - 1) == 0):
            yield _masked(e.left, number if e.operator == "&" else number - 1, use)
            return
        if e.operator == ">>":
            yield _shifted(e, number, use)
            return
    if e.operator == "<<":
        yield from (Use(e.left, _low(e, use), Goal.SHIFTED), Use(e.right))
        return
    want = _low(e, use) if e.operator in ("+", "-", "*", "^", "|", "&") else WHOLE
    goal = Goal.INDEX if use.goal is Goal.INDEX else Goal.REGISTER
    yield from (Use(e.left, want, goal), Use(e.right, want, goal))


def _masked(e: ir.Expression, mask: int, use: Use) -> Use:
    """Return what a mask wants; one that keeps no less than is stored is left out, and one of an index may be."""
    bits, width = _bits(e), {0xFF: 1, 0xFFFF: 2, 0xFFFFFFFF: 4}.get(mask)
    if use.goal is Goal.SHIFTED and bits <= 32:
        return Use(e)
    if width is None:
        return Use(e, Want(4) if bits == 64 and 0 <= mask < 1 << 32 else WHOLE)
    if use.goal is Goal.MEMORY and 0 < use.want.bytes <= width:
        return Use(e, use.want, use.goal)
    wanted = use.want if 0 < use.want.bytes < width else Want(width)
    is_kept = use.goal is Goal.INDEX and _is_unsigned(e)
    return Use(e, wanted, Goal.INDEX if is_kept else Goal.REGISTER)


def _shifted(e: ir.Binary, by: int, use: Use) -> Use:
    """Return what a shift to the right by a constant wants."""
    bits = _bits(e.left)
    top, wanted = bits - by, use.want.bytes
    if _is_unsigned(e.left) and top in (8, 16, 32) and bits in (32, 64):
        return Use(e.left, Want(top // 8, by // 8))
    if bits == 64 and by >= 32 and wanted:
        return Use(e.left, Want(4, 4))
    if bits in (32, 64) and by % 8 == 0 and wanted in (1, 2) and by // 8 % wanted == 0 and top > 0:
        return Use(e.left, Want(wanted, by // 8), use.goal)
    return Use(e.left)


def of_element(use: Use) -> Want:
    """Return what is loaded of an element: nvcc keeps a load of at most 32 bits whole for what goes on as it is."""
    assert isinstance(use.node, ir.Expression)
    bits = _bits(use.node)
    if use.want.bytes * 8 >= bits or (bits <= 32 and use.goal is not Goal.REGISTER):
        return WHOLE
    if isinstance(use.node, ir.Call):  # through the cache at least 4 bytes
        return use.want if use.node.intrinsic is Intrinsic.CACHED_LOAD and use.want.bytes == 4 else WHOLE
    return use.want


def of_result(use: Use) -> Want:
    """Return what is wanted of the result of a call whose body becomes part of the code around it."""
    assert isinstance(use.node, ir.Expression)
    bits = _bits(use.node)
    is_kept = use.want.bytes * 8 >= bits or (bits <= 32 and use.goal is not Goal.REGISTER)
    return WHOLE if is_kept or use.is_place else use.want


def _is_unsigned(e: ir.Expression) -> bool:
    return isinstance(e.type, ir.Integer) and not e.type.signed


def _number(e: ir.Expression) -> int | None:
    while isinstance(e, ir.Cast):
        e = e.operand
    return e.value if isinstance(e, ir.Literal) else None
