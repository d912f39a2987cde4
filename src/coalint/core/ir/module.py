"""Functions, kernels, problems and modules of the IR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from coalint.core.facts.causes import Cause
from coalint.core.ir.declaration import Declaration
from coalint.core.ir.nodes import Expression, Variable
from coalint.core.ir.spelling import Spelling
from coalint.core.ir.statements import Block
from coalint.core.ir.types import Type
from coalint.core.records import record
from coalint.core.source.installed_headers import InstalledHeader
from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
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


@record(frozen=True, slots=True)
class Kernel:
    """A `__global__` function, as instantiated.

    `bounds` is the block shape that `__launch_bounds__` (threads in x) or `__block_size__` gives, `thread_bound` the
    number of threads where calls of functions compute it; `assumptions` are the expressions of
    `// coalint: assume(...)` comments that belong to it; `template_parameters` are the names of its template's
    parameters, `guessed` those whose arguments no launch gave; `declaration` is what other translation units may know
    it by; `named` says that an explicit instantiation names it.
    """

    key: str
    name: str
    function: Function
    span: Span
    template_arguments: tuple[str, ...] = ()
    template_parameters: tuple[str, ...] = ()
    bounds: tuple[int, int, int] | None = None
    thread_bound: Expression | None = None
    assumptions: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    declaration: Declaration | None = None
    named: bool = False


class ProblemKind(Enum):
    """Which of coalint's own rules reports a problem: COA902 or COA903."""

    TRANSLATION_UNIT_ERROR = "translation-unit-error"
    NOT_ANALYSED = "not-analysed"


@record(frozen=True, slots=True)
class Problem:
    """What could not be read.

    `switches` are the macros that a build would define to have the kernel, where the source says which; `help` is what
    to do about it, where that is not what the kind alone suggests. `in_part` are the kernels of the file that were
    read, but for what could not be parsed of them. `is_missing_include` says that an include was not found. Problems
    of several files that have one `cause` are reported together.
    """

    kind: ProblemKind
    message: str
    span: Span
    kernel: str | None = None
    severe: bool = False
    switches: tuple[str, ...] = ()
    help: str = ""
    in_part: tuple[str, ...] = ()
    is_missing_include: bool = False
    cause: Cause | None = None


@record(frozen=True, slots=True, weakref_slot=True)
class Module:
    """One source file: its kernels, every function that they reach, and the host functions that launch them.

    `declared` are kernels that it launches and does not define: by their keys. `fragments` are the
    names of the files whose kernels were asked for beside its own, as far as it includes them.
    `stubs` are the names that no header declares; what comes through them is unknown.
    `guesses` maps the keys of host functions whose template arguments are guessed to these, as `name = value`;
    `globals` those of host variables outside of functions, which nothing assigns to, to their initializers, and
    `linked` are those of them that other files may assign to. `initial` are host variables outside of functions that
    are assigned to, each with its initializer: what they hold when the program starts.
    `supposed` are the macros that are defined on the supposition that a build does so. `spelling` is how its language
    spells things in messages. `volatile` are the places of expressions that the compiler reads and writes as they are
    written, `has_volatile_assembly` says that inline assembly asks that of what is around it. `installed` are the
    headers that come from this machine: elsewhere results may differ. `macro_uses` are the places of what macros make.
    """

    path: str
    spelling: Spelling
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
    linked: frozenset[str] = frozenset()
    initial: tuple[tuple[Variable, Expression], ...] = ()
    supposed: tuple[str, ...] = ()
    installed: tuple[InstalledHeader, ...] = ()
    volatile: frozenset[Span] = frozenset()
    has_volatile_assembly: bool = False
    macro_uses: frozenset[Span] = frozenset()
