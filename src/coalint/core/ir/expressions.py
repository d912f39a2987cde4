"""Expressions of the IR."""

from __future__ import annotations

from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.nodes import Expression, Statement, Variable
from coalint.core.ir.registers import Axis, Register
from coalint.core.records import record


@record(frozen=True, slots=True, eq=False)
class Literal(Expression):
    """A number; `value` is None for what is no integer, `floating` the number of a floating-point literal."""

    value: int | None
    floating: float | None = None


@record(frozen=True, slots=True, eq=False)
class Name(Expression):
    """A use of a variable."""

    variable: Variable


@record(frozen=True, slots=True, eq=False)
class Builtin(Expression):
    """A component of a special register; `axis` is None for the whole of it."""

    register: Register
    axis: Axis | None


@record(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`- + ~ !` applied to a value."""

    operator: str
    operand: Expression


@record(frozen=True, slots=True, eq=False)
class Binary(Expression):
    """An arithmetic, bitwise, comparing or logical operator."""

    operator: str
    left: Expression
    right: Expression


@record(frozen=True, slots=True, eq=False)
class Assign(Expression):
    """`target = value`, or `target operator= value`; its value is the target."""

    operator: str | None
    target: Expression
    value: Expression


@record(frozen=True, slots=True, eq=False)
class Increment(Expression):
    """`++x`, `x++`, `--x`, `x--`; `step` is 1 or -1."""

    target: Expression
    step: int
    prefix: bool


@record(frozen=True, slots=True, eq=False)
class Conditional(Expression):
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@record(frozen=True, slots=True, eq=False)
class Cast(Expression):
    """A conversion to `type`, written or implicit."""

    operand: Expression


@record(frozen=True, slots=True, eq=False)
class Subscript(Expression):
    """`base[index]` on a pointer or an array."""

    base: Expression
    index: Expression


@record(frozen=True, slots=True, eq=False)
class Dereference(Expression):
    """`*pointer`."""

    pointer: Expression


@record(frozen=True, slots=True, eq=False)
class AddressOf(Expression):
    """`&target`."""

    target: Expression


@record(frozen=True, slots=True, eq=False)
class Member(Expression):
    """A field of an object; `offset` in bytes from the object's start, None where the layout is unknown.

    `bit_bytes` is in how many bytes a bit-field lies that does not fill its type. `holds` is the special register that
    the field of a device's properties gives to host code.
    """

    object: Expression
    field: str
    offset: int | None
    bit_bytes: int = 0
    holds: Register | None = None


RECEIVER = -1  # the position of a method's object among its arguments


@record(frozen=True, slots=True, eq=False)
class Call(Expression):
    """A call; `function` is the key of a body in Module.functions, or None for what has no body.

    `receiver` is the object of a method call, or the object under construction of a constructor call (None: a fresh
    temporary). `callee` is the expression called where it is no plain function (a lambda's variable, a pointer).
    `reason` says why there is no body where no header declares the function. Of a function that is declared without a
    body `changes` are the positions of the arguments that it may change, as non-const references, None where that is
    not known; `keeps` are those that point to what is const. `foreign` says that its body stands in the program
    and is not seen, so that it may change global variables.

    `name` is what the user wrote. `intrinsic` is what a function of that name means where it has no body; `masked` says
    that its first argument is the mask of the lanes that wait for one another, `system_scope` that it is an atomic for
    the whole system.
    """

    name: str
    function: str | None
    arguments: tuple[Expression, ...]
    receiver: Expression | None = None
    constructor: bool = False
    callee: Expression | None = None
    reason: str = ""
    changes: frozenset[int] | None = None
    keeps: frozenset[int] = frozenset()
    intrinsic: Intrinsic | None = None
    masked: bool = False
    system_scope: bool = False
    foreign: bool = False


@record(frozen=True, slots=True, eq=False)
class FunctionName(Expression):
    """A function as a value: what a function pointer is set to."""

    function: str | None


@record(frozen=True, slots=True, eq=False)
class Aggregate(Expression):
    """An object under initialization: values at byte offsets; with `zero`, what no part covers is zero."""

    parts: tuple[tuple[int, Expression], ...]
    zero: bool = False


@record(frozen=True, slots=True, eq=False)
class Lambda(Expression):
    """A lambda expression; its body is a function of the module and sees the enclosing variables.

    It sees them as they are, or with `by_value` as they were when it was made; `others` the other way. `copies_this`:
    it has a copy of the object around it.
    """

    function: str
    by_value: bool = False
    others: frozenset[str] = frozenset()
    copies_this: bool = False


@record(frozen=True, slots=True, eq=False)
class Sequence(Expression):
    """`first, second`, and statement expressions: run `statements`, then the value."""

    statements: tuple[Statement, ...]
    value: Expression | None


@record(frozen=True, slots=True, eq=False)
class Launch(Expression):
    """`kernel<<<grid, block, shared, stream>>>(arguments)`; `kernel` is a key of Module.kernels.

    `packed` is an array of pointers to the arguments, as `cudaLaunchKernel` takes it.
    """

    kernel: str | None
    callee: Expression | None
    grid: Expression
    block: Expression
    arguments: tuple[Expression, ...]
    packed: Expression | None = None


@record(frozen=True, slots=True, eq=False)
class Unresolved(Expression):
    """What the front end could not understand, with the parts that it could."""

    reason: str
    parts: tuple[Expression, ...] = ()
