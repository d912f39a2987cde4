"""Kernels as coalint analyses them: types, expressions, statements, functions; knows no front end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from coalint.diagnostics import Span

# --- types: sizes and alignments in bytes, widths in bits


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer, character, boolean or enumeration type."""

    bits: int
    signed: bool

    @property
    def size(self) -> int:
        """Size in bytes."""
        return max(1, self.bits // 8)


@dataclass(frozen=True, slots=True)
class Floating:
    """A floating-point type."""

    size: int


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer, or the address form of an array."""

    pointee: Type
    size: int = 8


@dataclass(frozen=True, slots=True)
class Reference:
    """A C++ reference; evaluating one means evaluating what it is bound to."""

    target: Type
    size: int = 8


@dataclass(frozen=True, slots=True)
class Array:
    """A constant-size array; `count` is None for `T a[]`."""

    element: Type
    count: int | None

    @property
    def size(self) -> int:
        """Size in bytes, 0 when the extent is open."""
        return (self.count or 0) * self.element.size


@dataclass(frozen=True, slots=True)
class Record:
    """A struct, class or union."""

    name: str
    size: int
    align: int


@dataclass(frozen=True, slots=True)
class Other:
    """Void, function types, and types that the front end could not resolve (size 0), with the reason."""

    name: str
    size: int = 0
    reason: str = ""


Type = Integer | Floating | Pointer | Reference | Array | Record | Other


# --- variables


class Storage(Enum):
    """Where a variable lives."""

    LOCAL = "local"
    PARAMETER = "parameter"
    SHARED = "shared"
    GLOBAL = "global"
    CONSTANT = "constant"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared variable; `key` tells it from others of the same name, `type_name` is an array's element type."""

    key: str
    name: str
    type: Type
    storage: Storage
    span: Span
    constant: int | None = None
    type_name: str = ""


# --- expressions


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """What has a value; `type` is its C++ type, `span` the place that it is written at."""

    span: Span
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Expression):
    """A number; None for what is no integer (strings, floating point)."""

    value: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Name(Expression):
    """A use of a variable."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class Builtin(Expression):
    """A component of a special register: `threadIdx.x`, `blockDim.y`, `warpSize`; `axis` is empty for the whole."""

    register: str
    axis: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`- + ~ !` applied to a value."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expression):
    """An arithmetic, bitwise, comparing or logical operator."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Expression):
    """`target = value`, or `target operator= value`; its value is the target."""

    operator: str | None
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Increment(Expression):
    """`++x`, `x++`, `--x`, `x--`; `step` is 1 or -1."""

    target: Expression
    step: int
    prefix: bool


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Expression):
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Expression):
    """A conversion to `type`, written or implicit."""

    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Subscript(Expression):
    """`base[index]` on a pointer or an array."""

    base: Expression
    index: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Dereference(Expression):
    """`*pointer`."""

    pointer: Expression


@dataclass(frozen=True, slots=True, eq=False)
class AddressOf(Expression):
    """`&target`."""

    target: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Member(Expression):
    """A field of an object; `offset` in bytes from the object's start, None where the layout is unknown.

    `bit_bytes` is in how many bytes a bit-field lies that does not fill its type.
    """

    object: Expression
    field: str
    offset: int | None
    bit_bytes: int = 0


RECEIVER = -1  # the position of a method's object among its arguments


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expression):
    """A call; `function` is the key of a body in Module.functions, or None for what has no body.

    `receiver` is the object of a method call, or the object under construction of a constructor call (None: a fresh
    temporary). `callee` is the expression called where it is no plain function (a lambda's variable, a pointer).
    `reason` says why there is no body where no header declares the function. Of a function that is declared without a
    body `changes` are the positions of the arguments that it may change, as non-const references, None where that is
    not known; `keeps` are those that point to what is const.
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


@dataclass(frozen=True, slots=True, eq=False)
class FunctionName(Expression):
    """A function as a value: what a function pointer is set to."""

    function: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate(Expression):
    """An object under initialization: values at byte offsets; with `zero`, what no part covers is zero."""

    parts: tuple[tuple[int, Expression], ...]
    zero: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Lambda(Expression):
    """A lambda expression; its body is a function of the module and sees the enclosing variables.

    It sees them as they are, or with `by_value` as they were when it was made; `others` the other way. `copies_this`:
    it has a copy of the object around it.
    """

    function: str
    by_value: bool = False
    others: frozenset[str] = frozenset()
    copies_this: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Expression):
    """`first, second`, and statement expressions: run `statements`, then the value."""

    statements: tuple[Statement, ...]
    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Unresolved(Expression):
    """What the front end could not understand, with the parts that it could."""

    reason: str
    parts: tuple[Expression, ...] = ()


# --- statements


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """What is executed."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Declare(Statement):
    """A variable's declaration."""

    variable: Variable
    initializer: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Evaluate(Statement):
    """An expression for its effects."""

    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Block(Statement):
    """`{ ... }`."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Statement):
    """`if (condition) then else otherwise`."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Statement):
    """`for`, `while` and `do`: initialize, then test (last in a `do`), body, step."""

    initializer: tuple[Statement, ...]
    condition: Expression | None
    step: Expression | None
    body: Statement
    test_first: bool


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One labelled section of a switch: its values (empty with `default`), and what follows up to the next label."""

    values: tuple[Expression, ...]
    default: bool
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Statement):
    """`switch (subject)`; a section that does not end in a break falls into the next."""

    subject: Expression
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Jump(Statement):
    """`break`, `continue`, or `goto label`."""

    kind: str
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled(Statement):
    """`label: statement`."""

    label: str
    statement: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Return(Statement):
    """`return value`."""

    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """An operand of inline assembly: `[name] "constraint" (expression)`; `name` is empty where there is none."""

    constraint: str
    name: str
    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Assembly(Statement):
    """`asm(template : outputs : inputs)`; operands are numbered from the outputs on, as `%0`, `%1` in `template`."""

    template: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unanalysed(Statement):
    """A statement that the front end could not understand."""

    reason: str


# --- walking


Parts = tuple[Expression | Statement, ...]


def children(node: Expression | Statement) -> Parts:
    """The parts of a node, in the order of the source."""
    parts = _CHILDREN.get(type(node))
    return () if parts is None else parts(node)


def _present(*parts: Expression | Statement | None) -> Parts:
    return tuple(part for part in parts if part is not None)


def _of_switch(node: Switch) -> Parts:
    inside: list[Expression | Statement] = [node.subject]
    for case in node.cases:
        inside.extend((*case.values, *case.body))
    return tuple(inside)


# A table, since walks ask for the children of every node: a `match` would try one class after the other.
_CHILDREN: dict[type, Callable[[Any], Parts]] = {
    Unary: lambda node: (node.operand,),
    Cast: lambda node: (node.operand,),
    Dereference: lambda node: (node.pointer,),
    AddressOf: lambda node: (node.target,),
    Increment: lambda node: (node.target,),
    Member: lambda node: (node.object,),
    Evaluate: lambda node: (node.expression,),
    Binary: lambda node: (node.left, node.right),
    Subscript: lambda node: (node.base, node.index),
    Assign: lambda node: (node.target, node.value),
    Conditional: lambda node: (node.condition, node.then, node.otherwise),
    Call: lambda node: _present(node.callee, node.receiver, *node.arguments),
    Aggregate: lambda node: tuple(part for _, part in node.parts),
    Sequence: lambda node: _present(*node.statements, node.value),
    Launch: lambda node: _present(node.callee, node.grid, node.block, *node.arguments, node.packed),
    Unresolved: lambda node: node.parts,
    Declare: lambda node: _present(node.initializer),
    Return: lambda node: _present(node.value),
    Block: lambda node: node.statements,
    Labelled: lambda node: (node.statement,),
    If: lambda node: _present(node.condition, node.then, node.otherwise),
    Loop: lambda node: _present(*node.initializer, node.condition, node.body, node.step),
    Assembly: lambda node: tuple(operand.expression for operand in node.operands),
    Switch: _of_switch,
}


# --- functions and modules


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body; `receiver` is `this` where there is one. `bundled` marks coalint's own headers.

    A method that `is_const` does not change its object; `kept` are the positions of references to what is constant.
    """

    key: str
    name: str
    parameters: tuple[Variable, ...]
    body: Block
    result: Type
    span: Span
    receiver: Variable | None = None
    bundled: bool = False
    is_const: bool = False
    kept: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Declaration:
    """What several translation units know a kernel by.

    `symbol` tells it from all others, template arguments included; `file` holds its first declaration.
    """

    symbol: str
    file: str


@dataclass(frozen=True, slots=True)
class Kernel:
    """A `__global__` function, as instantiated.

    `bounds` is the block shape that `__launch_bounds__` (threads in x) or `__block_size__` gives; `assumptions` are
    the expressions of `// coalint: assume(...)` comments that belong to it; `guessed` names template parameters whose
    arguments no launch gave; `declaration` is what other translation units may know it by; `named` says that an
    explicit instantiation names it.
    """

    key: str
    name: str
    function: Function
    span: Span
    template_arguments: tuple[str, ...] = ()
    bounds: tuple[int, int, int] | None = None
    assumptions: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    declaration: Declaration | None = None
    named: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read: `translation-unit-error` (COA902) or `not-analysed` (COA903).

    `switches` are the macros that a build would define to have the kernel, where the source says which; `help` is what
    to do about it, where that is not what the kind alone suggests.
    """

    kind: str
    message: str
    span: Span
    kernel: str | None = None
    severe: bool = False
    switches: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Module:
    """One source file: its kernels, every function that they reach, and the host functions that launch them.

    `declared` are kernels that it launches and does not define: by their keys. `fragments` are the
    names of the files whose kernels were asked for beside its own, as far as it includes them.
    `stubs` are the names that no header declares; what comes through them is unknown.
    `guesses` maps the keys of host functions whose template arguments are guessed to these, as `name = value`;
    `globals` those of host variables outside of functions, which nothing assigns to, to their initializers.
    `supposed` are the macros that are defined on the supposition that a build does so.
    """

    path: str
    kernels: tuple[Kernel, ...]
    functions: Mapping[str, Function]
    hosts: tuple[Function, ...] = ()
    problems: tuple[Problem, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, Declaration] = field(default_factory=dict)
    fragments: tuple[str, ...] = ()
    stubs: tuple[str, ...] = ()
    guesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    globals: Mapping[str, Expression] = field(default_factory=dict)
    supposed: tuple[str, ...] = ()
