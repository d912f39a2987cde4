"""Cursors to IR: functions, kernels and what they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import StorageClass, TypeKind, conf

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang.bindings import Node, direct_children, library, tree
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.lowering.calls import Calls
from coalint.frontend.cuda.lowering.expressions import NUMBERS, Expressions
from coalint.frontend.cuda.lowering.objects import classes, constructors
from coalint.frontend.cuda.lowering.objects.bases import Bases
from coalint.frontend.cuda.lowering.objects.layout import Layout
from coalint.frontend.cuda.lowering.statements import Statements
from coalint.frontend.cuda.lowering.sugar.range_for import Ranges
from coalint.frontend.cuda.lowering.types import Types
from coalint.frontend.cuda.lowering.unknown_names import Doubts, not_declared
from coalint.frontend.cuda.repair import shared_constructors

_INT_RESULT = 1  # CXEval_Int


class Lowering:
    """Everything of one translation unit that has been lowered so far.

    Functions are lowered when something refers to them: `pending` holds those that still wait. Keys are the
    addresses of libclang's declarations, unique within the unit.
    """

    def __init__(self, locations: Locations, doubts: Doubts | None = None) -> None:
        self.lib = library()
        self.locations = locations
        self.doubts = doubts
        self.types = Types(doubts)
        self.layout = Layout(doubts)
        self.expressions = Expressions(self)
        self.calls = Calls(self)
        self.statements = Statements(self)
        self.functions: dict[str, ir.Function] = {}
        self.kernels_seen: dict[str, Any] = {}
        self.declared: dict[str, ir.Declaration] = {}
        self.globals: dict[str, ir.Expression] = {}
        self.kernels_defined: list[Any] = []
        self.templates_lowered: set[tuple[str, int]] = set()
        self.this: ir.Variable | None = None
        self.this_class: Any = None
        self.on_device = False  # the function at hand
        self.bases = Bases()
        self.ranges = Ranges()
        self.doubtful = ""  # why what the function at hand computes from its template's types is not known
        self._variables: dict[str, ir.Variable] = {}
        self._resolved: dict[str, str | None] = {}
        self._made = count()
        self._pending: dict[str, Any] = {}
        self._skipped: dict[str, Any] = {}
        self._bundled = str(INCLUDE)

    def close(self) -> None:
        """Part with what refers back to this: nothing more can be lowered, and nothing of libclang's is held."""
        del self.expressions, self.calls, self.statements

    # --- declarations

    def variable(self, cursor: Any) -> ir.Variable:
        """The variable that a declaration declares."""
        key = declaration_key(cursor)
        found = self._variables.get(key)
        if found is None:
            found = self._variables[key] = self._variable(cursor, key)
            if found.storage is ir.Storage.HOST and found.constant is None and self._keeps_its_value(cursor):
                value = self.statements.initializer(tree(cursor))
                if value is not None:
                    self.globals[key] = value
        return found

    def _keeps_its_value(self, cursor: Any) -> bool:
        """Whether a variable outside of functions is a constant, or one of this file alone that nothing assigns to."""
        if conf.lib.clang_getCursorType(cursor).is_const_qualified():
            return True
        span = self.locations.span(cursor)
        if span.file != self.locations.path:
            return False
        lines = self.locations.lines(span.file)
        rest = "\n".join((*lines[: span.line - 1], *lines[span.end_line :]))
        if cursor.storage_class != StorageClass.STATIC and not re.search(r"\bmain\s*\(", rest):
            return False
        name = rf"\b{re.escape(cursor.spelling)}\b"
        part = r"(?:\s*\.\s*\w+|\s*\[[^\]]*\])*\s*"
        changed = rf"{name}{part}(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:&|\+\+|--|>>)\s*{name}"
        return re.search(changed, rest) is None

    def _variable(self, cursor: Any, key: str) -> ir.Variable:
        type_ = self.types.of(cursor)
        if self.doubts is not None:
            reason = self.doubts.of_declaration(cursor)
            if reason:
                type_ = _unknown_type(type_, reason)
        kind = cursor._kind_id
        storage = ir.Storage.PARAMETER if kind == K.PARM_DECL.value else ir.Storage.LOCAL
        constant: int | None = None
        if kind == K.PARM_DECL.value and isinstance(type_, ir.Array):
            type_ = ir.Pointer(type_.element)
        if kind == K.VAR_DECL.value:
            children = direct_children(cursor)
            attributes = {child._kind_id for child in children}
            if K.CUDASHARED_ATTR.value in attributes or any(map(shared_constructors.is_mark, children)):
                storage = ir.Storage.SHARED
            elif K.CUDACONSTANT_ATTR.value in attributes:
                storage = ir.Storage.CONSTANT
            elif K.CUDADEVICE_ATTR.value in attributes:
                storage = ir.Storage.GLOBAL
            elif cursor.semantic_parent is not None and cursor.semantic_parent._kind_id not in (
                K.FUNCTION_DECL.value,
                K.CXX_METHOD.value,
                K.CONSTRUCTOR.value,
                K.CONVERSION_FUNCTION.value,
                K.FUNCTION_TEMPLATE.value,
            ):
                storage = ir.Storage.HOST
            elif (
                cursor.storage_class == StorageClass.STATIC
                and not conf.lib.clang_getCursorType(cursor).is_const_qualified()
            ):  # keeps what threads or calls before have left in it
                storage = ir.Storage.GLOBAL if _runs_on_device(cursor.semantic_parent) else ir.Storage.HOST
            if isinstance(type_, ir.Integer) and conf.lib.clang_getCursorType(cursor).is_const_qualified():
                constant = None if self.of_constant(cursor) else self.evaluated(cursor)
        elif kind != K.PARM_DECL.value:
            storage = ir.Storage.PARAMETER
        element = cursor.type.spelling.partition("[")[0].strip() if storage is ir.Storage.SHARED else ""
        return ir.Variable(key, cursor.spelling, type_, storage, self.locations.span(cursor), constant, element)

    def fresh(self, name: str, type_: ir.Type, span: Span) -> ir.Variable:
        """A variable that the source does not name."""
        return ir.Variable(f"{name}:{next(self._made)}:made", name, type_, ir.Storage.LOCAL, span)

    def is_bundled(self, cursor: Any) -> bool:
        """Whether a declaration stands in coalint's own headers."""
        return self.locations.span(cursor).file.startswith(self._bundled)

    def of_constant(self, cursor: Any) -> str:
        """Why the value that libclang gives a constant is not known; empty where it is."""
        return "" if self.doubts is None else self.doubts.of_constant(cursor)

    def stub(self, cursor: Any) -> str:
        """Why nothing is known of a declaration that only a stub gives; empty where there is a real one."""
        if self.doubts is None or not self.doubts.is_stub(cursor):
            return ""
        return not_declared(cursor.spelling)

    def evaluated(self, cursor: Any) -> int | None:
        """The integer that libclang evaluates an expression or initializer to."""
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

    def within(self, owner: ir.Expression, of: Any, to: Any) -> ir.Expression:
        """An object of the class `of` as the class `to`, its base or derived from it; as it is if neither."""
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
        """The key of a function's body, which is lowered later; None when there is none."""
        key = declaration_key(cursor)
        if key in self._resolved:
            known = self._resolved[key]
            if known is not None and known in self._skipped:
                self._pending[known] = self._skipped.pop(known)
            return known
        definition = cursor
        if not _has_body(cursor):
            definition = self.lib.clang_getCursorDefinition(cursor)
            if definition is None or not _has_body(definition):
                self._resolved[key] = None
                return None
        body_key = declaration_key(definition)
        self._resolved[key] = body_key
        if body_key not in self.functions:
            self._pending[body_key] = definition
        return body_key

    def named_function(self, cursor: Any) -> str | None:
        """The key of a function whose address is taken; a kernel's is remembered like a launched one's."""
        return self.kernel_key(cursor) if is_kernel(cursor) else self.function(cursor)

    def is_kernel(self, cursor: Any) -> bool:
        """Whether a function is a `__global__` one, and not one that gives a pointer to such."""
        return is_kernel(cursor)

    def kernel_key(self, cursor: Any) -> str | None:
        """The key of a launched kernel; remembers its cursor, since only launches name some specializations.

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
        """What other translation units know a kernel by."""
        template = self.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is not None:
            template._tu = cursor._tu
        first = (cursor if template is None else template).canonical
        return ir.Declaration(cursor.get_usr(), self.locations.span(first).file)

    def kernel_named(self, name: str) -> str | None:
        """The key of the one kernel of the file that a module's function of this name is."""
        found = {declaration_key(cursor): cursor for cursor in self.kernels_defined if name in _symbols(cursor)}
        return self.kernel_key(next(iter(found.values()))) if len(found) == 1 else None

    def lambda_function(self, cursor: Any) -> str:
        """The key of a lambda's body: what calls it calls the same function, unless its parameters are generic."""
        for member in direct_children(cursor.type.get_declaration()):
            if member._kind_id == K.CXX_METHOD.value and member.spelling == "operator()":
                key = self.function(member)
                if key is not None:
                    return key
        return self._lambda_function(tree(cursor))

    def _lambda_function(self, node: Node) -> str:
        key = f"lambda:{node.cursor.data[1]}"
        parameters = tuple(self.variable(c.cursor) for c in node.children if c.kind == K.PARM_DECL.value)
        body = next((c for c in node.children if c.kind == K.COMPOUND_STMT.value), None)
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
        """One function now, and whatever (of what is wanted) it reaches."""
        key = declaration_key(cursor)
        if wanted is None:  # what a short function called that a host function shares with kernels
            self._pending |= {key: skipped for key, skipped in self._skipped.items() if _runs_on_device(skipped)}
            self._skipped = {key: skipped for key, skipped in self._skipped.items() if key not in self._pending}
        if key not in self.functions:
            self.functions[key] = self._function(cursor, key)
        self.drain(wanted)
        return self.functions[key]

    def _parameters(self, node: Node) -> tuple[ir.Variable, ...]:
        """A function's parameters; those of a pack, which share a name, are called `a...[0]`, `a...[1]` (C++26)."""
        cursors = [child.cursor for child in node.children if child.kind == K.PARM_DECL.value]
        found = [self.variable(cursor) for cursor in cursors]
        often = Counter(variable.name for variable in found if variable.name)
        met = Counter[str]()
        for position, (cursor, variable) in enumerate(zip(cursors, found, strict=True)):
            if often[variable.name] > 1:
                named = replace(variable, name=f"{variable.name}...[{met[variable.name]}]")
                found[position] = self._variables[declaration_key(cursor)] = named
                met[variable.name] += 1
        return tuple(found)

    def _function(self, cursor: Any, key: str) -> ir.Function:
        node = tree(cursor)
        template = self.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is not None:
            self.templates_lowered.add((template.spelling, template.location.offset))
        method = _around_lambdas(cursor)
        outer, self.this, before = (self.this, self.this_class), self._receiver(method), (self.doubtful, self.on_device)
        self.on_device = _runs_on_device(cursor) or (method is not cursor and _runs_on_device(method))
        self.this_class = method.semantic_parent
        if self.doubts is not None:
            self.doubtful = self.doubts.of_instance(cursor)
        try:
            parameters = self._parameters(node)
            span = self.locations.span(cursor)
            body = self._body(node, span)
            result = self.types.lower(cursor.result_type)
            bundled = span.file.startswith(self._bundled)
            receiver = self.this if method is cursor else None  # a lambda finds the object in what it captured
            const = cursor._kind_id == K.CXX_METHOD.value and bool(cursor.is_const_method())
            kept = frozenset(n for n, c in enumerate(cursor.get_arguments()) if _is_constant_reference(c.type))
            return ir.Function(key, cursor.spelling, parameters, body, result, span, receiver, bundled, const, kept)
        finally:
            (self.this, self.this_class), (self.doubtful, self.on_device) = outer, before

    def _receiver(self, cursor: Any) -> ir.Variable | None:
        kinds = (K.CXX_METHOD.value, K.CONSTRUCTOR.value, K.CONVERSION_FUNCTION.value, K.DESTRUCTOR.value)
        if cursor._kind_id not in kinds or cursor.is_static_method():
            return None
        owner = self.types.of(cursor.semantic_parent)
        span = self.locations.span(cursor)
        return ir.Variable(f"this:{declaration_key(cursor)}", "this", ir.Pointer(owner), ir.Storage.PARAMETER, span)

    def _body(self, node: Node, span: Any) -> ir.Block:
        statements: list[ir.Statement] = []
        if node.kind == K.CONSTRUCTOR.value:
            statements.extend(constructors.before_body(self, node))
        for child in node.children:
            if child.kind == K.COMPOUND_STMT.value:
                with self.statements.ends.scope("function"):
                    lowered = self.statements.lower(child)
                statements.extend(lowered.statements if isinstance(lowered, ir.Block) else (lowered,))
        return ir.Block(span, tuple(statements))


def _is_constant_reference(type_: Any) -> bool:
    canonical = type_.get_canonical()
    is_reference = canonical._kind_id in (TypeKind.LVALUEREFERENCE.value, TypeKind.RVALUEREFERENCE.value)
    return is_reference and bool(canonical.get_pointee().is_const_qualified())


def _unknown_type(type_: ir.Type, reason: str) -> ir.Type:
    """A type that libclang made of an unknown one: pointers and arrays of it stay what they are."""
    match type_:
        case ir.Pointer(pointee=inner):
            return ir.Pointer(_unknown_type(inner, reason))
        case ir.Reference(target=inner):
            return ir.Reference(_unknown_type(inner, reason))
        case ir.Array(element=inner, count=count):
            return ir.Array(_unknown_type(inner, reason), count)
    return ir.Other("an unknown type", reason=reason)


def declaration_key(cursor: Any) -> str:
    """What tells one declaration of the unit from all others."""
    return str(cursor.data[0])


def _around_lambdas(cursor: Any) -> Any:
    """The function that a lambda's body is part of: `this` in it is that function's. Other functions as they are."""
    while cursor.spelling == "operator()" and classes.is_lambda(cursor.semantic_parent):
        cursor = cursor.semantic_parent.semantic_parent
    return cursor


def _runs_on_device(cursor: Any) -> bool:
    kinds = {child._kind_id for child in direct_children(cursor)}
    return bool(kinds & {K.CUDADEVICE_ATTR.value, K.CUDAGLOBAL_ATTR.value})


def is_kernel(cursor: Any) -> bool:
    """Whether a function is a `__global__` one, however the source spells it."""
    return any(child._kind_id == K.CUDAGLOBAL_ATTR.value for child in direct_children(cursor))


def _symbols(cursor: Any) -> tuple[str, str]:
    return cursor.spelling, cursor.mangled_name


def _has_body(cursor: Any) -> bool:
    return any(child._kind_id == K.COMPOUND_STMT.value for child in direct_children(cursor))
