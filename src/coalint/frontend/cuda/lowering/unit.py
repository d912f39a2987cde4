"""Cursors to IR: functions, kernels and what they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.trees import CursorNode, direct_children, tree
from coalint.frontend.cuda.lowering.constant_globals import is_linked, keeps_its_value
from coalint.frontend.cuda.lowering.cursors import (
    around_lambdas,
    declaration_key,
    has_body,
    is_constant_reference,
    is_host_only,
    is_kernel,
    runs_on_device,
    symbols,
)
from coalint.frontend.cuda.lowering.expressions import NUMBERS, Expressions
from coalint.frontend.cuda.lowering.functions.calls import Calls
from coalint.frontend.cuda.lowering.objects import constructors
from coalint.frontend.cuda.lowering.objects.bases import Bases
from coalint.frontend.cuda.lowering.objects.layout import Layout
from coalint.frontend.cuda.lowering.statements import Statements
from coalint.frontend.cuda.lowering.sugar.range_calls import Ranges
from coalint.frontend.cuda.lowering.types import Types
from coalint.frontend.cuda.lowering.unknown_names import UnknownNames, not_declared
from coalint.frontend.cuda.lowering.variables import declared_variable

_INT_RESULT, _FLOAT_RESULT = 1, 2  # CXEval_Int, CXEval_Float


class Lowering:
    """Everything of one translation unit that has been lowered so far.

    Functions are lowered when something refers to them: `pending` holds those that still wait. Keys are the
    addresses of libclang's declarations, unique within the unit.
    """

    __deletable__ = ["calls", "expressions", "statements"]  # noqa: RUF012 (what a compiled class may delete)

    def __init__(
        self, locations: Locations, unknown_names: UnknownNames | None = None, marks_volatile: bool = False
    ) -> None:
        self.lib = library()
        self.locations = locations
        self.unknown_names = unknown_names
        self.marks_volatile = marks_volatile
        self.volatile: set[Span] = set()  # what is volatile, where `marks_volatile` says that something may be
        self.types = Types(unknown_names)
        self.layout = Layout(unknown_names)
        self.expressions = Expressions(self)
        self.calls = Calls(self)
        self.statements = Statements(self)
        self.functions: dict[str, ir.Function] = {}
        self.kernels_seen: dict[str, Any] = {}
        self.declared: dict[str, ir.Declaration] = {}
        self.globals: dict[str, ir.Expression] = {}
        self.linked: set[str] = set()
        self.initial: dict[str, tuple[ir.Variable, ir.Expression]] = {}
        self.kernels_defined: list[Any] = []
        self.templates_lowered: set[tuple[str, int]] = set()
        self.this: ir.Variable | None = None
        self.this_class: Any = None
        self.on_device = False  # the function at hand
        self.bases = Bases()
        self.plain_classes: set[int | None] = set()
        self.ranges = Ranges()
        self.doubtful = ""  # why what the function at hand computes from its template's types is not known
        self._variables: dict[str, ir.Variable] = {}
        self._resolved: dict[str, str | None] = {}
        self._made = count()
        self._pending: dict[str, Any] = {}
        self._skipped: dict[str, Any] = {}
        self._bundled = str(INCLUDE)
        self._is_bundled: dict[int | None, bool] = {}

    def close(self) -> None:
        """Drop what refers back to this: nothing more can be lowered, and nothing of libclang's is held."""
        del self.expressions, self.calls, self.statements

    # --- declarations

    def variable(self, cursor: Any) -> ir.Variable:
        """Return the variable that a declaration declares."""
        key = declaration_key(cursor)
        return self._variables.get(key) or self._declared(cursor, key)

    def _declared(self, cursor: Any, key: str) -> ir.Variable:
        """Return a variable that is met for the first time; what is declared outside of functions rests on no doubt."""
        before = self.doubtful
        if self.unknown_names is not None and before:
            self.doubtful = self.unknown_names.of_surroundings(cursor, before)
        try:
            variable = self._variables[key] = declared_variable(self, cursor, key)
            if variable.storage is ir.Storage.HOST and variable.constant is None and not self.is_bundled(cursor):
                self._initialized(cursor, key, variable)
        finally:
            self.doubtful = before
        return variable

    def _initialized(self, cursor: Any, key: str, variable: ir.Variable) -> None:
        value = self.statements.initializer(tree(cursor))
        if value is not None and keeps_its_value(self.locations, cursor):
            self.globals[key] = value
            if is_linked(cursor):
                self.linked.add(key)
        elif value is not None:
            self.initial[key] = variable, value

    def fresh(self, name: str, type_: ir.Type, span: Span) -> ir.Variable:
        """Return a variable that the source does not name."""
        return ir.Variable(f"{name}:{next(self._made)}:made", name, type_, ir.Storage.LOCAL, span)

    def is_bundled(self, cursor: Any) -> bool:
        """Whether a declaration stands in coalint's own headers."""
        declaration = cursor.data[0]
        known = self._is_bundled.get(declaration)
        if known is None:
            known = self._is_bundled[declaration] = self.locations.span(cursor).file.startswith(self._bundled)
        return known

    def of_constant(self, cursor: Any) -> str:
        """Return why the value that libclang gives a constant is not known; empty where it is."""
        return "" if self.unknown_names is None else self.unknown_names.of_constant(cursor)

    def stub(self, cursor: Any) -> str:
        """Return why nothing is known of a declaration that only a stub gives; empty where there is a real one."""
        if self.unknown_names is None or not self.unknown_names.is_stub(cursor):
            return ""
        return not_declared(cursor.spelling)

    def evaluated(self, cursor: Any) -> int | None:
        """Return the integer that libclang evaluates an expression or initializer to."""
        if self.doubtful and cursor._kind_id not in NUMBERS:
            return None
        result = self.lib.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            if self.lib.clang_EvalResult_getKind(result) != _INT_RESULT:
                return None
            if self.lib.clang_EvalResult_isUnsignedInt(result):
                return int(self.lib.clang_EvalResult_getAsUnsigned(result))
            return int(self.lib.clang_EvalResult_getAsLongLong(result))
        finally:
            self.lib.clang_EvalResult_dispose(result)

    def evaluated_float(self, cursor: Any) -> float | None:
        """Return the number of a floating-point literal; None where libclang gives none."""
        result = self.lib.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            is_float = self.lib.clang_EvalResult_getKind(result) == _FLOAT_RESULT
            return float(self.lib.clang_EvalResult_getAsDouble(result)) if is_float else None
        finally:
            self.lib.clang_EvalResult_dispose(result)

    def within(self, owner: ir.Expression, of: Any, to: Any) -> ir.Expression:
        """Return an object of the class `of` as the class `to`, its base or derived from it; as it is if neither."""
        if of is None or to is None or of == to:
            return owner
        type_ = self.types.of(to)
        is_base, at = self.bases.offset(of, to)
        if not is_base:
            is_derived, at = self.bases.offset(to, of)
            if not is_derived or at == 0:
                return owner
            at = None if at is None else -at
        if at == 0:
            return owner
        if at is None:
            reason = f"where `{to.spelling}` and `{of.spelling}` lie in one another is not known"
            return ir.Unresolved(owner.span, type_, reason, (owner,))
        return ir.Member(owner.span, type_, owner, to.spelling, at)

    # --- functions

    def function(self, cursor: Any) -> str | None:
        """Return the key of a function's body, which is lowered later; None when there is none."""
        key = declaration_key(cursor)
        if key in self._resolved:
            known = self._resolved[key]
            if known is not None and known in self._skipped:
                self._pending[known] = self._skipped.pop(known)
            return known
        definition = cursor
        if not has_body(cursor):
            definition = self.lib.clang_getCursorDefinition(cursor)
            if definition is None or not has_body(definition):
                self._resolved[key] = None
                return None
        if self.is_bundled(definition) and is_host_only(definition):
            self._resolved[key] = None
            return None
        body_key = declaration_key(definition)
        self._resolved[key] = body_key
        if body_key not in self.functions:
            self._pending[body_key] = definition
        return body_key

    def named_function(self, cursor: Any) -> str | None:
        """Return the key of a function whose address is taken; a kernel's is remembered like a launched one's."""
        return self.kernel_key(cursor) if is_kernel(cursor) else self.function(cursor)

    def is_kernel(self, cursor: Any) -> bool:
        """Whether a function is a `__global__` one, and not one that gives a pointer to such."""
        return is_kernel(cursor)

    def kernel_key(self, cursor: Any) -> str | None:
        """Return the key of a launched kernel; remembers its cursor, since only launches name some specializations.

        A kernel that this unit only declares has a key too, for the launch to be told to the file that defines it.
        """
        key = self.function(cursor)
        if key is not None:
            self.kernels_seen.setdefault(key, cursor)
        elif cursor.get_usr():
            key = declaration_key(cursor.canonical)
            self.declared[key] = self.declaration(cursor)
        return key

    def declaration(self, cursor: Any) -> ir.Declaration:
        """Return what other translation units know a kernel by."""
        template = self.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is not None:
            template._tu = cursor._tu
        first = (cursor if template is None else template).canonical
        return ir.Declaration(cursor.get_usr(), self.locations.span(first).file)

    def kernel_named(self, name: str) -> str | None:
        """Return the key of the one kernel of the file that a module's function of this name is."""
        kernels = {declaration_key(cursor): cursor for cursor in self.kernels_defined if name in symbols(cursor)}
        return self.kernel_key(next(iter(kernels.values()))) if len(kernels) == 1 else None

    def lambda_function(self, cursor: Any) -> str:
        """Return the key of a lambda's body.

        What calls it calls the same function, unless its parameters are generic.
        """
        for member in direct_children(cursor.type.get_declaration()):
            if member._kind_id == kinds.CXX_METHOD and member.spelling == "operator()":
                key = self.function(member)
                if key is not None:
                    return key
        return self._lambda_function(tree(cursor))

    def _lambda_function(self, node: CursorNode) -> str:
        key = f"lambda:{node.cursor.data[1]}"
        parameters = tuple(self.variable(c.cursor) for c in node.children if c.kind == kinds.PARM_DECL)
        body = next((c for c in node.children if c.kind == kinds.COMPOUND_STMT), None)
        span = self.locations.span(node.cursor)
        with self.statements.ends.scope("function"):
            lowered = self.statements.lower(body) if body is not None else ir.Block(span, ())
        assert isinstance(lowered, ir.Block)
        self.functions[key] = ir.Function(key, "lambda", parameters, lowered, ir.Other("auto"), span)
        return key

    def drain(self, wanted: Callable[[Any], bool] | None = None) -> None:
        """Lower every function that something refers to; those that are not `wanted` when something else asks.

        Kernels are lowered by themselves: of hundreds of instances that are launched only a part is analysed.
        """
        while self._pending:
            key, cursor = self._pending.popitem()
            if key in self.functions or key in self.kernels_seen:
                continue
            if wanted is not None and not wanted(cursor):
                self._skipped[key] = cursor
            else:
                self.functions[key] = self._function(cursor, key)

    def lower_function(self, cursor: Any, wanted: Callable[[Any], bool] | None = None) -> ir.Function:
        """Return one function now, and whatever (of what is wanted) it reaches."""
        key = declaration_key(cursor)
        if wanted is None:  # what a short function called that a host function shares with kernels
            self._pending |= {key: skipped for key, skipped in self._skipped.items() if runs_on_device(skipped)}
            self._skipped = {key: skipped for key, skipped in self._skipped.items() if key not in self._pending}
        if key not in self.functions:
            self.functions[key] = self._function(cursor, key)
        self.drain(wanted)
        return self.functions[key]

    def _parameters(self, node: CursorNode) -> tuple[ir.Variable, ...]:
        """Return a function's parameters.

        Those of a pack, which share a name, are called `a...[0]`, `a...[1]` (C++26).
        """
        cursors = [child.cursor for child in node.children if child.kind == kinds.PARM_DECL]
        parameters = [self.variable(cursor) for cursor in cursors]
        often = Counter(variable.name for variable in parameters if variable.name)
        met = Counter[str]()
        for position, (cursor, variable) in enumerate(zip(cursors, parameters, strict=True)):
            if often[variable.name] > 1:
                named = replace(variable, name=f"{variable.name}...[{met[variable.name]}]")
                parameters[position] = self._variables[declaration_key(cursor)] = named
                met[variable.name] += 1
        return tuple(parameters)

    def _function(self, cursor: Any, key: str) -> ir.Function:
        node = tree(cursor)
        template = self.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is not None:
            self.templates_lowered.add((template.spelling, template.location.offset))
        method = around_lambdas(cursor)
        outer, self.this, before = (self.this, self.this_class), self._receiver(method), (self.doubtful, self.on_device)
        self.on_device = runs_on_device(cursor) or (method is not cursor and runs_on_device(method))
        self.this_class = method.semantic_parent
        around, self.statements.function = self.statements.function, cursor
        if self.unknown_names is not None:
            self.doubtful = self.unknown_names.of_instance(cursor)
        try:
            parameters = self._parameters(node)
            span = self.locations.span(cursor)
            body = self._body(node, span)
            result = self.types.lower(cursor.result_type)
            receiver = self.this if method is cursor else None  # a lambda finds the object in what it captured
            const = cursor._kind_id == kinds.CXX_METHOD and bool(cursor.is_const_method())
            kept = frozenset(n for n, c in enumerate(cursor.get_arguments()) if is_constant_reference(c.type))
            return ir.Function(
                key, cursor.spelling, parameters, body, result, span, receiver, span.bundled, const, kept
            )
        finally:
            (self.this, self.this_class), (self.doubtful, self.on_device) = outer, before
            self.statements.function = around

    def _receiver(self, cursor: Any) -> ir.Variable | None:
        members = (kinds.CXX_METHOD, kinds.CONSTRUCTOR, kinds.CONVERSION_FUNCTION, kinds.DESTRUCTOR)
        if cursor._kind_id not in members or cursor.is_static_method():
            return None
        owner = self.types.of(cursor.semantic_parent)
        span = self.locations.span(cursor)
        return ir.Variable(f"this:{declaration_key(cursor)}", "this", ir.Pointer(owner), ir.Storage.PARAMETER, span)

    def _body(self, node: CursorNode, span: Any) -> ir.Block:
        statements: list[ir.Statement] = []
        if node.kind == kinds.CONSTRUCTOR:
            statements.extend(constructors.before_body(self, node))
        for child in node.children:
            if child.kind == kinds.COMPOUND_STMT:
                with self.statements.ends.scope("function"):
                    lowered = self.statements.lower(child)
                statements.extend(lowered.statements if isinstance(lowered, ir.Block) else (lowered,))
        return ir.Block(span, tuple(statements))
