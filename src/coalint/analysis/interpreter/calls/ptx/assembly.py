"""Inline PTX: the memory instructions in it become accesses, and what it writes becomes unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import Address, Base, PointerSelect, Region, Value, sides_of
from coalint.analysis.interpreter.calls import async_copies, copies
from coalint.analysis.interpreter.calls.ptx import barriers, instructions
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.service import Manner
from coalint.core import ir
from coalint.core.facts.access import Memory, Operation
from coalint.core.facts.lanes import Service
from coalint.core.facts.lower_bounds import TOGETHER

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

UNREADABLE = "inline PTX is not analysed"
UNDECIDED = "whether this instruction of inline PTX is executed, or where, is not followed"
_REGIONS = {"global": Region.GLOBAL, "shared": Region.SHARED, "const": Region.CONSTANT, "local": Region.LOCAL}
_OPERATIONS = {
    "ld": Operation.LOAD,
    "ldu": Operation.LOAD,
    "st": Operation.STORE,
    "red": Operation.ATOMIC,
    "atom": Operation.ATOMIC,
}
_MATRICES = {"ldmatrix": Operation.LOAD, "stmatrix": Operation.STORE}
_ALIGNED = 16
"""Bytes that the addresses of bulk copies and matrices are multiples of (PTX ISA, cp.async.bulk and wgmma)."""
_COUNTS = {"x1": 1, "x2": 2, "x4": 4}
_PASSED_ON = ("mov", "cvt", "cvta")
_REGISTERS = {
    "tid": ir.Register.THREAD_INDEX,
    "ntid": ir.Register.BLOCK_EXTENT,
    "ctaid": ir.Register.BLOCK_INDEX,
    "nctaid": ir.Register.GRID_EXTENT,
}
_AXES = {axis.value: axis for axis in ir.AXES}
_IN_REGISTERS = frozenset(
    {*_PASSED_ON, "setp", "selp", "add", "sub", "mul", "mad", "fma", "div", "rem", "abs", "neg", "min", "max", "mma"}
    | {"and", "or", "xor", "not", "shl", "shr", "shf", "lop3", "bfe", "bfi", "bfind", "prmt", "popc", "clz", "brev"}
    | {"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "dp4a", "dp2a", "ld", "ldu", "st", "red", "atom"}
)
_NOT_MODELLED = {
    "wgmma": "the matrices in shared memory are given to `wgmma` by descriptors, which are not followed",
    "tcgen05": "`tcgen05` moves matrices in a way that is not modelled",
    "multimem": "`multimem` accesses the memory of several devices",
    "cp.async.bulk": "a bulk copy is carried out apart from the warp's lanes",
    "cp.reduce": "a bulk reduction is carried out apart from the warp's lanes",
}


def execute(state: State, statement: ir.Assembly) -> None:
    """Record what an asm statement accesses, and assign to its outputs."""
    Assembly(state, statement).execute()


class Assembly:
    """One asm statement while it is evaluated: the values of its operands and of the template's own registers."""

    def __init__(self, state: State, statement: ir.Assembly) -> None:
        self.state = state
        self.statement = statement
        self.operands: dict[str, ir.Operand] = {}
        self.values: dict[str, Value] = {}
        self.guards: dict[str, tuple[str, bool]] = {}  # predicates by what is compared with 0, and if equal

    def execute(self) -> None:
        """Record the accesses in order, then assign to the outputs."""
        state = self.state
        for index, operand in enumerate(self.statement.operands):
            for key in (f"%{index}", f"%[{operand.name}]"):
                self.operands[key] = operand
            if not operand.constraint.startswith("="):
                value = state.value(operand.expression)
                self.values |= {f"%{index}": value, f"%[{operand.name}]": value}
        if not self.statement.template or instructions.is_torn(self.statement.template):
            state.recorder.gap(UNREADABLE, self.statement.span)
            state.recorder.order.doubted(state)
        for instruction in instructions.instructions(self.statement.template):
            self._instruction(instruction)
        self._assign_outputs()

    def _instruction(self, i: instructions.Instruction) -> None:
        state = self.state
        if i.name == "setp" and len(i.arguments) == 3 and i.words[1] in ("ne", "eq") and i.arguments[2] == "0":
            self.guards[i.arguments[0]] = (i.arguments[1], i.words[1] == "eq")
            return
        if i.name in _PASSED_ON and len(i.arguments) == 2 and not i.guard:
            value = self._special(i.arguments[1]) or self.values.get(i.arguments[1])
            if value is not None:
                self._set(i.arguments[0], value)
            return
        outer, exits = state.guards, len(state.exits)
        known = not i.guard or self._enter(i)
        if not barriers.execute(state, i, self.statement.span, self._value):
            self._access(i, known)
        state.guards = outer
        if i.guard and len(state.exits) > exits:
            state.alive = True
            control_flow.exclude(state, exits)

    def _enter(self, i: instructions.Instruction) -> bool:
        """Add a predicate to the guards; False where it is not known."""
        compared, equal = self.guards.get(i.guard, ("", False))
        value = self.values.get(compared)
        if value is None or isinstance(value, Address | PointerSelect):
            return False
        truth = self.state.algebra.truth(self.state.as_scalar(value, self._expression()))
        decided = self.state.recorder.always(truth)
        if decided is not None:
            truth = self.state.algebra.one if decided else self.state.algebra.zero
        self.state.under(truth, self.statement.span, GuardKind.BRANCH, negate=equal is not i.negated)
        return True

    def _access(self, i: instructions.Instruction, known: bool) -> None:
        reason = next((text for name, text in _NOT_MODELLED.items() if i.opcode.startswith(name)), "")
        if reason:
            self._not_modelled(i, reason)
        elif i.name == "cp" and i.words[1:2] == ("async",) and len(i.addresses) == 2:
            self._copy(i, known)
        elif i.name in _MATRICES and i.addresses:
            rows = next((8 * _COUNTS[word] for word in i.words if word in _COUNTS), 0)
            manner = Manner(Service.ROWS, rows=rows, since=(7, 5) if i.name == "ldmatrix" else (9, 0))
            self._move(i, _MATRICES[i.name], 16 if rows and "m8n8" in i.words else 0, manner, known)
        elif i.name in _OPERATIONS and i.addresses and i.space != "param":
            operation = _OPERATIONS[i.name]
            manner = Manner(least=TOGETHER) if operation is Operation.ATOMIC else Manner()
            self._move(i, operation, i.bytes, manner, known)
        elif i.name in ("fence", "membar"):
            self.state.epoch += 1
            self.state.recorder.order.doubted(self.state)
        elif i.name not in _IN_REGISTERS:
            self.state.recorder.order.doubted(self.state)

    def _move(self, i: instructions.Instruction, operation: Operation, size: int, manner: Manner, known: bool) -> None:
        state = self.state
        region = _REGIONS.get(i.space, Region.UNKNOWN)
        if operation is not Operation.LOAD:
            state.epoch += 1
        addresses = self._addresses(i.addresses[0], region, size)
        known = known and len(addresses) == 1
        for address in addresses:
            if address.base.region is Region.LOCAL:
                continue
            if not known or size not in (1, 2, 4, 8, 16):
                reason = f"how many bytes `{i.opcode}` moves is not known" if known else UNDECIDED
                state.recorder.unfollowed(state, address, reason, self._expression(), operation)
            else:
                place = Lvalue(address, ir.Record(i.opcode, size, size))
                state.recorder.access(state, place, operation, self._expression(), manner)

    def _copy(self, i: instructions.Instruction, known: bool) -> None:
        """Handle cp.async: `[to], [from], size`, what of it is read, and a policy of caching."""
        told = i.arguments[:-1] if "L2::cache_hint" in i.words else i.arguments
        past = "cg" in i.words
        size = self._number(told[0]) if told else None
        if size not in (4, 8, 16):
            size = 16 if past else None
        target = self._addresses(i.addresses[0], Region.SHARED, size or 16)
        source = self._addresses(i.addresses[1], Region.GLOBAL, size or 16)
        ends = async_copies.Ends((*target,), (*source,), self._expression())
        if known:
            service = Service.BYPASS if past else Service.COPY
            async_copies.move(self.state, ends, size, service, self._reads(told, size))
        else:
            self.state.epoch += 1
            async_copies.lost(self.state, ends, UNDECIDED, size)

    def _reads(self, told: Sequence[str], size: int | None) -> Poly | None:
        """Return the truth value that says whether a lane of cp.async reads; None where it may read in part."""
        algebra = self.state.algebra
        if not told or size is None:
            return None
        if len(told) == 1:
            return algebra.one
        compared, equal = self.guards.get(told[1], ("", False))
        ignored = self._value(compared) if compared else None
        if ignored is not None:
            truth = algebra.truth(ignored)
            return truth if equal else 1 - truth
        read = self._value(told[1])
        return None if read is None else async_copies.reads_all(algebra, read, size)

    def _not_modelled(self, i: instructions.Instruction, reason: str) -> None:
        """Record an instruction whose lanes are not modelled.

        An unknown access where addresses are pointers, else a gap.
        """
        state = self.state
        addresses = [side for where in i.addresses for side in self._addresses(where, Region.UNKNOWN, 16)]
        width = None if i.name == "multimem" else _ALIGNED
        moved = [side for side in addresses if side.base.region in (Region.GLOBAL, Region.SHARED)]
        loads = self._addresses(i.addresses[1], Region.UNKNOWN, 16) if len(i.addresses) > 1 else []
        for side in moved:
            operation = Operation.LOAD if any(side.base is other.base for other in loads) else Operation.STORE
            state.recorder.unfollowed(state, side, reason, self._expression(), operation, width)
        if not moved:
            state.recorder.gap(reason, self.statement.span)
        state.epoch += 1

    # --- operands

    def _addresses(self, where: instructions.Where | None, region: Region, size: int) -> list[Address]:
        """Return the addresses that `[base + offset]` may stand for.

        One that is not followed where it cannot be told.
        """
        value = self.values.get(where.base) if where is not None else None
        if where is None or value is None:
            lost = Base(region, Memory("inline PTX", size), Level.DIVERGENT, "an address that inline PTX computes")
            return [Address(lost, self.state.algebra.zero)]
        operand = self.operands.get(where.base)
        e = operand.expression if operand is not None else self._expression()
        moved = self.state.moved(self.state.as_address(value, e), self.state.algebra.constant(where.offset))
        return [
            Address(replace(side.base, region=region), side.offset)
            if side.base.region is Region.UNKNOWN and region is not Region.UNKNOWN
            else side
            for side in sides_of(moved)
        ]

    def _value(self, argument: str) -> Poly | None:
        """Return an operand as a number, known or not; None for what is not followed."""
        literal = instructions.number(argument)
        if literal is not None:
            return self.state.algebra.constant(literal)
        value = self.values.get(argument)
        return value if isinstance(value, Polynomial) else None

    def _number(self, argument: str) -> int | None:
        value = self.values.get(argument)
        if value is None:
            return instructions.number(argument)
        return self.state.algebra.number(value) if isinstance(value, Polynomial) else None

    def _special(self, name: str) -> Value | None:
        """Return a special register (PTX ISA, chapter 10)."""
        name = name.lstrip("%")
        if name == "laneid":
            return copies.lane_number(self.state)
        named, _, component = name.partition(".")
        register, axis = _REGISTERS.get(named), _AXES.get(component)
        return None if register is None or axis is None else self.state.registers.get((register, axis))

    def _set(self, name: str, value: Value) -> None:
        operand = self.operands.get(name)
        self.values[name] = value
        if operand is not None:
            for key, other in self.operands.items():
                if other is operand:
                    self.values[key] = value

    def _expression(self) -> ir.Expression:
        return ir.Unresolved(self.statement.span, ir.Other("asm"), UNREADABLE)

    def _computes_alike(self) -> bool:
        """Whether all threads compute the same: from inputs that they share, and nothing else."""
        parsed = list(instructions.instructions(self.statement.template))
        inputs = [value for key, value in self.values.items() if key[:2] != "%[" and key.startswith("%")]
        return (
            bool(parsed)
            and all(i.name in instructions.ARITHMETIC and not i.addresses for i in parsed)
            and not instructions.SPECIAL.search(self.statement.template)
            and all(self.state.store.level(value) is Level.UNIFORM for value in inputs)
        )

    def _assign_outputs(self) -> None:
        state, span = self.state, self.statement.span
        for index, operand in enumerate(self.statement.operands):
            if operand.constraint[:1] not in ("=", "+"):
                continue
            e = operand.expression
            made = self.values.get(f"%{index}") if operand.constraint.startswith("=") else None
            if isinstance(e, ir.Name | ir.Member | ir.Subscript | ir.Dereference):
                if made is not None:
                    place = state.place(e)
                    state.write(place, made, e)
                elif self._computes_alike():
                    place = state.place(e)
                    state.write(place, state.store.unknown(place.type, state.text(span), Level.UNIFORM, ""), e)
                elif self.statement.template or _is_local(e):
                    unknown = ir.Unresolved(span, e.type, "a value from inline PTX")
                    state.value(ir.Assign(span, e.type, None, e, unknown))


def _is_local(e: ir.Expression) -> bool:
    while isinstance(e, ir.Member | ir.Subscript | ir.Cast):
        e = e.object if isinstance(e, ir.Member) else e.base if isinstance(e, ir.Subscript) else e.operand
    return isinstance(e, ir.Name) and e.variable.storage is ir.Storage.LOCAL
