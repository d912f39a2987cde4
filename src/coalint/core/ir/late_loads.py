"""Loads before a condition of what only one side of it uses: `float v = s[0]; if (t == 0) out[b] = v;`.

A compiler may load it behind the condition, where fewer threads come to. LLVM moves what is computed to where all of
its uses are (`InstCombine`, "sink instructions"), then what that is computed from: `float v = 2 * x[i] + y[i];` as well
as two statements. It does so where nothing between the two may write to memory. What is loaded through a pointer of
which the source promises that no other leads there it loads past barriers and stores, too. What a loop sets anew in
each iteration and reads in none it may compute behind the loop (`LICM`, "sink").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from coalint.core.ir.expressions import Call, Name
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.last_values import last_values
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Expression, Statement
from coalint.core.ir.one_sided_uses import OneSidedUses, is_set_anew, set_by
from coalint.core.ir.statements import Block, Loop
from coalint.core.ir.straight_code import StraightCode, loads
from coalint.core.ir.types import Pointer, Reference
from coalint.core.ir.uniform_variables import uniform_variables
from coalint.core.ir.walk import nodes


class LateLoads:
    """Tells loads of a kernel that may be made later than they are written; `functions` are those that it may call."""

    def __init__(self, kernel: Function, functions: Mapping[str, Function]) -> None:
        self._kernel, self._functions = kernel, functions
        self._code = StraightCode(functions)
        self._promises = any(one.is_restrict for one in kernel.parameters)
        self._found: dict[str, frozenset[int]] = {}
        self._uses: dict[str, OneSidedUses] = {}

    def of(self, key: str) -> frozenset[int]:
        """Return the `id` of each load, or call that loads, which may be made later in the function of a key.

        What the parameters of the kernel promise may hold for each pointer that it passes.
        """
        if key not in self._found:
            is_kernel = key == self._kernel.key
            function = self._kernel if is_kernel else self._functions.get(key)
            self._found[key] = frozenset()
            if function is not None:
                promised = self._promises and not is_kernel
                pointers = (one for one in function.parameters if isinstance(one.type, Pointer))
                restricted = frozenset(one.name for one in pointers if promised or one.is_restrict)
                uniform = uniform_variables(function) if is_kernel else frozenset()
                self._found[key] = frozenset(self._search(function.body, restricted, uniform))
        return self._found[key]

    def _search(self, body: Statement, restricted: Set[str], uniform: Set[str]) -> Iterator[int]:
        for node in nodes(body):
            if isinstance(node, Call):
                yield from self._in_arguments(node, restricted)
            if isinstance(node, Loop):
                yield from (id(load) for value in last_values(node) for load in loads(value))
            if not isinstance(node, Block):
                continue
            uses = OneSidedUses(self._code, node, uniform)
            for position, statement in enumerate(uses.statements):
                variable, value = set_by(statement)
                if variable is None or value is None or not (uses.holds(variable) or is_set_anew(statement)):
                    continue
                found = [id(load) for load in loads(value)]
                if not found or not self._code.is_straight(value):
                    continue
                if uses.are_on_one_side(position, variable, past_writes=_is_promised(value, restricted)):
                    yield from found

    def _in_arguments(self, call: Call, restricted: Set[str]) -> Iterator[int]:
        """Yield what is loaded for a function that uses it behind a condition: `put(out, i, n, in[i])`."""
        function = self._functions.get(call.function or "")
        if function is None:
            return
        uses = self._uses_in(function)
        for parameter, value in zip(function.parameters, call.arguments, strict=False):
            found = [id(load) for load in loads(value)]
            if not found or isinstance(parameter.type, Reference) or not self._code.is_straight(value):
                continue
            if uses.are_on_one_side(-1, parameter, past_writes=_is_promised(value, restricted)):
                yield from found

    def _uses_in(self, function: Function) -> OneSidedUses:
        if function.key not in self._uses:
            self._uses[function.key] = OneSidedUses(self._code, function.body, frozenset())
        return self._uses[function.key]


def _is_promised(value: Expression, parameters: Set[str]) -> bool:
    """Whether nothing changes what a value is loaded from: one of these parameters, or what is loaded as constant."""
    return any(
        (isinstance(one, Name) and one.variable.name in parameters)
        or (isinstance(one, Call) and one.intrinsic is Intrinsic.CACHED_LOAD)
        for one in nodes(value)
    )
