"""Atomics on shared memory: which instruction nvcc makes of a call, and so in what manner its lanes are served.

Seen in the machine code of nvcc 13.0 and 13.2 for sm_90, and counted (machine.traffic):
- Integer functions on 4 bytes are one instruction, which serves the lanes of a bank one by one.
- A counter that grows by a constant 1 without a use of its old value is `ATOMS.POPC.INC`, which adds up the lanes of a
  word: `atomicAdd(p, 1)`, `atomicSub(p, -1)`, `atomicInc(p, 0xffffffff)`.
- `atomicExch` and `atomicCAS` are one instruction for 4 and 8 bytes.
- `atomicAdd` on `float` is a loop of compare-and-swap in which each round serves one lane of every bank. So are all
  others on 8 bytes, in rounds for which no law was found, and `half2`, where nvcc sees that the address is shared.
- Of lanes whose address nvcc knows to be the same (`combines` below says of which functions), one speaks for all, in
  global memory too. An address that holds threadIdx is never such, not even `a[threadIdx.x / 32]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.recorder.atomics import ONE_INSTRUCTION, combines
from coalint.analysis.recorder.events import rests_on_loads
from coalint.analysis.recorder.service import Manner
from coalint.core import ir
from coalint.core.facts.access import Atomic
from coalint.core.facts.lanes import Service
from coalint.core.facts.lower_bounds import TOGETHER, folded
from coalint.core.ir import Intrinsic

if TYPE_CHECKING:
    from coalint.analysis.domain.values import Value
    from coalint.analysis.interpreter.state import State

_UNSIGNED_MAXIMUM = 0xFFFFFFFF


def manner(state: State, e: ir.Call, type_: ir.Type, operands: list[Value], *, by_thread: bool) -> Manner:
    """Return the function, and how it is served where its address is in shared memory; `type_` is what stands there.

    `by_thread`: threadIdx goes into the operands, even if the launch leaves nothing of it.
    """
    used = _is_used(state, e)
    combined = combines(e.intrinsic, type_, used=used, alike=not by_thread and _is_alike(state, operands))
    return replace(
        _shared(state, e, type_, operands, used),
        atomic=Atomic(
            function=e.name,
            intrinsic=e.intrinsic,
            type_name=_spelled(type_, state.module.spelling),
            bytes=type_.size,
            is_integer=isinstance(type_, ir.Integer) and type_.bits in (32, 64),
            is_used=used,
            is_combined=combined,
        ),
        by_loads=any(
            _rests_on_loads(state, value) and not _is_constant(argument)
            for argument, value in zip(e.arguments[1:], operands, strict=True)
        ),
    )


def _spelled(type_: ir.Type, spelling: ir.Spelling) -> str:
    if isinstance(type_, ir.Integer | ir.Floating):
        return spelling.number(type_)
    return type_.name if isinstance(type_, ir.Record | ir.Other) else ""


def _rests_on_loads(state: State, value: Value) -> bool:
    if not isinstance(value, Polynomial):
        return True
    return rests_on_loads(state.algebra, value)


def _is_alike(state: State, operands: list[Value]) -> bool:
    """Whether the operands are surely the same for all lanes, and nvcc can know it."""
    return bool(operands) and all(state.store.level(value) is Level.UNIFORM for value in operands)


def _shared(state: State, e: ir.Call, type_: ir.Type, operands: list[Value], used: bool | None) -> Manner:
    function = None if e.system_scope else e.intrinsic
    integer = type_.bits if isinstance(type_, ir.Integer) else 0
    is_float = isinstance(type_, ir.Floating) and type_.size == 4
    if function is Intrinsic.ATOMIC_EXCHANGE and (integer in (32, 64) or is_float):
        return Manner(Service.SERIALIZED)
    if function is Intrinsic.ATOMIC_COMPARE_AND_SWAP and integer in (32, 64):
        return Manner(Service.CAS)
    if function is Intrinsic.ATOMIC_ADD and is_float:
        return Manner(Service.CAS_LOOP)
    if function not in ONE_INSTRUCTION or integer != 32:
        return Manner(least=TOGETHER)
    folds = folded(state.module.spelling.compiler)
    if not _grows_by_one(state, function, operands):
        return Manner(Service.SERIALIZED, folds=folds)
    if used is None or not _is_constant(e.arguments[1]):
        return Manner(least=TOGETHER)
    return Manner(Service.SERIALIZED, folds=folds) if used else Manner(Service.POPC_INC)


def _grows_by_one(state: State, function: Intrinsic | None, operands: list[Value]) -> bool:
    """Whether the operand is known to be one with which the function adds 1."""
    if not operands:
        return False
    value = operands[0]
    number = state.algebra.number(value) if isinstance(value, type(state.algebra.zero)) else None
    if number is None:
        return False
    if function is Intrinsic.ATOMIC_INC:
        return number % (1 << 32) == _UNSIGNED_MAXIMUM
    is_minus_one = number % (1 << 32) == _UNSIGNED_MAXIMUM
    return (function is Intrinsic.ATOMIC_ADD and number == 1) or (function is Intrinsic.ATOMIC_SUB and is_minus_one)


def _bare(e: ir.Expression) -> ir.Expression:
    while isinstance(e, ir.Cast):
        e = e.operand
    return e


def _is_constant(e: ir.Expression) -> bool:
    """Whether nvcc knows a value without the launch."""
    e = _bare(e)
    if isinstance(e, ir.Unary):
        return _is_constant(e.operand)
    return isinstance(e, ir.Literal) or (isinstance(e, ir.Name) and e.variable.constant is not None)


def _is_used(state: State, call: ir.Call) -> bool | None:
    """Whether the old value that a call gives is used; None where that shows only in the callers."""
    key = state.frame.function
    function = state.module.functions.get(key)
    if function is None:
        function = next((kernel.function for kernel in state.module.kernels if kernel.function.key == key), None)
    if function is None:
        return None
    used = _use_in(function.body, call)
    return _is_read(state, function.body, used) if isinstance(used, ir.Variable) else used


@lru_cache(maxsize=512)
def _use_in(body: ir.Block, call: ir.Call) -> bool | ir.Variable | None:
    """Whether the value of a call is used; the variable that holds it, where it is if that one is read."""
    chain = _chain(body, call)
    if chain is None:
        return None
    inner: ir.Expression | ir.Statement = call
    for outer in reversed(chain):
        if isinstance(outer, ir.Cast | ir.Aggregate):  # of a struct that holds it
            inner = outer
            continue
        if isinstance(outer, ir.Evaluate) or (isinstance(outer, ir.Loop) and outer.step is inner):
            return False
        if isinstance(outer, ir.Return):
            return None
        variable = outer.variable if isinstance(outer, ir.Declare) else None
        if isinstance(outer, ir.Assign) and outer.operator is None and isinstance(outer.target, ir.Name):
            variable = outer.target.variable
        if variable is not None and variable.storage is ir.Storage.LOCAL:
            return variable
        return True
    return True


def _is_read(state: State, body: ir.Block, variable: ir.Variable) -> bool:
    """Whether a variable is read in a body, or in that of a lambda in it."""
    if any(name.variable.key == variable.key for name in _reads(body)):
        return True
    inner = (state.module.functions.get(node.function) for node in _lambdas(body))
    return any(function is not None and _is_read(state, function.body, variable) for function in inner)


def _names_only(e: ir.Expression) -> bool:
    """Whether an expression is a variable, or a member of one, and nothing else."""
    e = _bare(e)
    while isinstance(e, ir.Member):
        e = _bare(e.object)
    return isinstance(e, ir.Name)


def _lambdas(node: ir.Expression | ir.Statement) -> Iterator[ir.Lambda]:
    if isinstance(node, ir.Lambda):
        yield node
    for part in ir.children(node):
        yield from _lambdas(part)


def _chain(node: ir.Expression | ir.Statement, call: ir.Call) -> tuple[ir.Expression | ir.Statement, ...] | None:
    """Return the nodes around a call, outermost first."""
    if node is call:
        return ()
    for part in ir.children(node):
        chain = _chain(part, call)
        if chain is not None:
            return (node, *chain)
    return None


def _reads(node: ir.Expression | ir.Statement) -> Iterator[ir.Name]:
    """Yield every name that is read, rather than assigned to or named for nothing, as in `(void)x`."""
    if isinstance(node, ir.Name):
        yield node
    if isinstance(node, ir.Evaluate) and _names_only(node.expression):
        return
    assigned = node.target if isinstance(node, ir.Assign) and node.operator is None else None
    for part in ir.children(node):
        if part is not assigned or not isinstance(part, ir.Name):
            yield from _reads(part)
