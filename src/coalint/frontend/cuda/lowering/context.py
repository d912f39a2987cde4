"""What the parts of the lowering see of one another: the state of a unit, and how to lower a piece of it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.objects.bases import Bases
from coalint.frontend.cuda.lowering.objects.layout import Layout
from coalint.frontend.cuda.lowering.sugar.range_calls import Ranges
from coalint.frontend.cuda.lowering.types import Types
from coalint.frontend.cuda.lowering.unknown_names import UnknownNames


class ExpressionLowering(Protocol):
    """Lowers expressions."""

    def lower(self, node: CursorNode) -> ir.Expression:
        """Lower one expression."""

    def parts(self, node: CursorNode) -> list[CursorNode]:
        """Return the children that are expressions."""

    def span(self, node: CursorNode) -> Span:
        """Return where a node is written."""

    def type(self, node: CursorNode) -> ir.Type:
        """Return a node's type."""

    def unknown(self, node: CursorNode) -> ir.Expression:
        """Return an expression that stands for a node which cannot be lowered, with the parts that can."""


class CallLowering(Protocol):
    """Lowers calls."""

    def lower(self, node: CursorNode) -> ir.Expression:
        """Lower a call, a construction or a launch."""

    def recovered(self, node: CursorNode, parts: list[CursorNode]) -> ir.Expression | None:
        """Lower a call that libclang keeps although it does not know which function is meant."""

    def default_argument(self, callee: Any, position: int) -> ir.Expression | None:
        """Return the default argument of a parameter; None where it has none."""


class Destructors(Protocol):
    """Calls the destructors of variables where their scopes end."""

    def scope(self, kind: str) -> AbstractContextManager[Any]:
        """Open a scope of variables: a block, the body of a loop."""

    def end(self, scope: Any) -> list[ir.Statement]:
        """Return what is run at the end of a scope, where control flow comes there."""


class StatementLowering(Protocol):
    """Lowers statements."""

    @property
    def ends(self) -> Destructors:
        """What calls destructors."""

    def body(self, node: CursorNode) -> ir.Statement:
        """Lower the body of a loop."""

    def lower(self, node: CursorNode) -> ir.Statement:
        """Lower one statement."""

    def initializer(self, node: CursorNode) -> ir.Expression | None:
        """Return the initializer of a variable's declaration; None where it has none."""

    def made(self, node: CursorNode, span: Span, value: ir.Expression) -> ir.Statement:
        """Return the declaration of a variable that is set to a value."""


class Context(Protocol):
    """Everything of one translation unit that the parts of the lowering share; `unit.Lowering` implements it.

    `this` is the receiver of the function at hand and `this_class` its class, `on_device` whether it runs on the GPU,
    `doubtful` why what it computes from its template's types is not known (empty where it is).
    """

    lib: Any
    locations: Locations
    unknown_names: UnknownNames | None
    marks_volatile: bool
    volatile: set[Span]
    types: Types
    layout: Layout
    plain_classes: set[int | None]  # those that give nothing a value by themselves
    bases: Bases
    ranges: Ranges
    this: ir.Variable | None
    this_class: Any
    on_device: bool
    doubtful: str

    @property
    def expressions(self) -> ExpressionLowering:
        """What lowers expressions."""

    @property
    def calls(self) -> CallLowering:
        """What lowers calls."""

    @property
    def statements(self) -> StatementLowering:
        """What lowers statements."""

    def variable(self, cursor: Any) -> ir.Variable:
        """Return the variable that a declaration declares."""

    def fresh(self, name: str, type_: ir.Type, span: Span) -> ir.Variable:
        """Return a variable that the source does not name."""

    def is_bundled(self, cursor: Any) -> bool:
        """Whether a declaration stands in coalint's own headers."""

    def of_constant(self, cursor: Any) -> str:
        """Return why the value that libclang gives a constant is not known; empty where it is."""

    def stub(self, cursor: Any) -> str:
        """Return why nothing is known of a declaration that only a stub gives; empty where there is a real one."""

    def evaluated(self, cursor: Any) -> int | None:
        """Return the integer that libclang evaluates an expression or initializer to; None where it does not."""

    def evaluated_float(self, cursor: Any) -> float | None:
        """Return the number of a floating-point literal; None where libclang gives none."""

    def within(self, owner: ir.Expression, of: Any, to: Any) -> ir.Expression:
        """Return an object of the class `of` as the class `to`, its base or derived from it; as it is if neither."""

    def function(self, cursor: Any) -> str | None:
        """Return the key of a function's body, which is lowered later; None when there is none."""

    def named_function(self, cursor: Any) -> str | None:
        """Return the key of a function whose address is taken."""

    def lambda_function(self, cursor: Any) -> str:
        """Return the key of a lambda's body."""

    def is_kernel(self, cursor: Any) -> bool:
        """Whether a function is a kernel."""

    def kernel_key(self, cursor: Any) -> str | None:
        """Return the key of a launched kernel."""

    def kernel_named(self, name: str) -> str | None:
        """Return the key of the one kernel of the file that a module's function of this name is."""
