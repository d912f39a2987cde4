"""Cursors of expressions to IR."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clang.cindex import CursorKind as K
from clang.cindex import TypeKind

from coalint import ir
from coalint.diagnostics import Span
from coalint.frontend import initialization, launchcalls
from coalint.frontend.clang import BINARY, UNARY, Node, direct_children, library, tree
from coalint.frontend.doubts import why_unknown

if TYPE_CHECKING:
    from coalint.frontend.lower import Lowering

REGISTERS = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})

_CASTS = frozenset(
    kind.value
    for kind in (
        K.CSTYLE_CAST_EXPR,
        K.CXX_STATIC_CAST_EXPR,
        K.CXX_REINTERPRET_CAST_EXPR,
        K.CXX_CONST_CAST_EXPR,
        K.CXX_FUNCTIONAL_CAST_EXPR,
        K.CXX_DYNAMIC_CAST_EXPR,
    )
)
NUMBERS = frozenset({K.INTEGER_LITERAL.value, K.CHARACTER_LITERAL.value, K.CXX_BOOL_LITERAL_EXPR.value})
_EVALUATED = frozenset({K.CXX_UNARY_EXPR.value, K.SIZE_OF_PACK_EXPR.value})
_FUNCTIONS = frozenset(
    kind.value
    for kind in (K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE, K.DESTRUCTOR)
)
_REFERENCES = frozenset({TypeKind.LVALUEREFERENCE.value, TypeKind.RVALUEREFERENCE.value})
ADDRSPACE_CAST = 152


def is_expression(kind: int) -> bool:
    """Whether a cursor kind is an expression's (clang-c/Index.h numbers them 100 to 199)."""
    return 100 <= kind < 200


class Expressions:
    """Lowers expressions; `low` holds what the whole module shares."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.lib = library()
        self._promises: dict[int, tuple[frozenset[int], frozenset[int]]] = {}

    def parts(self, node: Node) -> list[Node]:
        """The children that are expressions."""
        return [child for child in node.children if is_expression(child.kind)]

    def lower(self, node: Node) -> ir.Expression:
        """One expression."""
        kind = node.kind
        if kind == K.UNEXPOSED_EXPR.value:
            return self._unexposed(node)
        if kind == K.DECL_REF_EXPR.value:
            return self._reference(node)
        if kind == K.PAREN_EXPR.value:
            return self.lower(self.parts(node)[0])
        if kind in _EVALUATED and self.low.doubts is not None:
            reason = self.low.doubts.of_size([child.cursor for child in node.children]) or self.low.doubtful
            if reason:
                return ir.Unresolved(self.span(node), self.type(node), reason)
        if kind in NUMBERS or kind in _EVALUATED:
            number = self.low.evaluated(node.cursor)
            if number is None and kind in _EVALUATED:
                return ir.Unresolved(self.span(node), self.type(node), "it depends on a template parameter")
            return ir.Literal(self.span(node), self.type(node), number)
        if kind == K.BINARY_OPERATOR.value or kind == K.COMPOUND_ASSIGNMENT_OPERATOR.value:
            return self._binary(node)
        if kind == K.UNARY_OPERATOR.value:
            return self._unary(node)
        if kind == K.ARRAY_SUBSCRIPT_EXPR.value:
            return self._subscript(node)
        if kind == K.MEMBER_REF_EXPR.value:
            return self._member(node)
        if kind == K.CALL_EXPR.value:
            return self._call(node)
        if kind in _CASTS or kind == ADDRSPACE_CAST:
            return self._cast(node)
        if kind == K.CONDITIONAL_OPERATOR.value:
            parts = self.parts(node)
            if len(parts) == 3:
                a, b, c = (self.lower(part) for part in parts)
                return ir.Conditional(self.span(node), self.type(node), a, b, c)
        if kind == K.CXX_THIS_EXPR.value and self.low.this is not None:
            return ir.Name(self.span(node), self.low.this.type, self.low.this)
        if kind in initialization.LISTS:
            return initialization.braced(self.low, node)
        if kind == K.COMPOUND_LITERAL_EXPR.value and self.parts(node):
            return self.lower(self.parts(node)[-1])
        if kind == K.LAMBDA_EXPR.value:
            return self._lambda(node)
        if kind == K.StmtExpr.value:
            return self._statement_expression(node)
        if kind in (K.FLOATING_LITERAL.value, K.STRING_LITERAL.value, K.CXX_NULL_PTR_LITERAL_EXPR.value):
            return ir.Literal(self.span(node), self.type(node), None)
        return self._unknown(node)

    def span(self, node: Node) -> Span:
        """Where a node is written."""
        return self.low.locations.span(node.cursor)

    def type(self, node: Node) -> ir.Type:
        """The type of a node's value."""
        return self.low.types.of(node.cursor)

    # --- leaves and wrappers

    def _unknown(self, node: Node) -> ir.Expression:
        value = self.low.evaluated(node.cursor)
        type_ = self.type(node)
        if value is not None and isinstance(type_, ir.Integer):
            return ir.Literal(self.span(node), type_, value)
        parts = tuple(self.lower(part) for part in self.parts(node))
        if len(parts) == 1 and not isinstance(type_, ir.Other):
            return ir.Cast(self.span(node), type_, parts[0])
        return ir.Unresolved(self.span(node), type_, "an expression that libclang could not resolve", parts)

    def _unexposed(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        type_ = self.type(node)
        if len(parts) != 1:
            return self._unknown(node)
        inner = self._converted(node, parts[0], self.lower(parts[0]))
        if inner.type == type_ or (isinstance(type_, ir.Reference) and inner.type == type_.target):
            return inner
        if isinstance(type_, ir.Other) and not type_.size:
            return inner
        if (
            (
                isinstance(inner, ir.Literal)
                and inner.value is not None
                and isinstance(type_, ir.Integer)
                and type_.bits > 1
            )
            and inner.value >= 0
            and inner.value < 1 << (type_.bits - 1)
        ):
            return ir.Literal(inner.span, type_, inner.value)
        return ir.Cast(inner.span, type_, inner)

    def _cast(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        if not parts:
            return self._unknown(node)
        inner = self._converted(node, parts[-1], self.lower(parts[-1]))
        type_ = self.type(node)
        if isinstance(type_, ir.Reference):
            type_ = type_.target
        is_made = isinstance(inner, ir.Aggregate | ir.Sequence) or (isinstance(inner, ir.Call) and inner.constructor)
        if is_made and inner.type == type_:
            return inner
        return ir.Cast(self.span(node), type_, inner)

    def _reference(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        target = self.lib.clang_getCursorReferenced(node.cursor)
        if target is None:
            substituted = [part for part in parts if part.kind != K.UNEXPOSED_EXPR.value]
            if not node.cursor.spelling and substituted:
                return self.lower(substituted[-1])
            return ir.Unresolved(self.span(node), self.type(node), f"`{node.cursor.spelling}` is not declared")
        kind = target._kind_id
        reason = self.low.stub(target) if kind == K.VAR_DECL.value else ""
        if reason:
            return ir.Unresolved(self.span(node), self.type(node), reason)
        if kind in (K.VAR_DECL.value, K.PARM_DECL.value, K.TEMPLATE_NON_TYPE_PARAMETER.value, K.UNEXPOSED_DECL.value):
            variable = self.low.variable(target)
            if variable.name == "warpSize" or (variable.name in REGISTERS and self.low.is_bundled(target)):
                return ir.Builtin(self.span(node), variable.type, variable.name, "")
            type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
            return self._function_held(target, variable) or ir.Name(self.span(node), type_, variable)
        if kind == K.ENUM_CONSTANT_DECL.value:
            return ir.Literal(self.span(node), self.type(node), int(self.lib.clang_getEnumConstantDeclValue(target)))
        if kind in _FUNCTIONS:
            return ir.FunctionName(self.span(node), self.type(node), self.low.named_function(target))
        return self._unknown(node)

    def _function_held(self, cursor: Any, variable: ir.Variable) -> ir.FunctionName | None:
        """The function that a constant pointer outside of functions holds, as members of traits do."""
        if variable.storage is not ir.Storage.HOST or not isinstance(variable.type, ir.Pointer):
            return None
        parts = self.parts(tree(cursor)) if self.lib.clang_getCursorType(cursor).is_const_qualified() else []
        held = self.lower(parts[-1]) if parts else None
        while isinstance(held, ir.AddressOf | ir.Cast):
            held = held.target if isinstance(held, ir.AddressOf) else held.operand
        return held if isinstance(held, ir.FunctionName) else None

    # --- operators

    def _binary(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        index = self.lib.clang_getCursorBinaryOperatorKind(node.cursor)
        if len(parts) != 2 or not 0 < index < len(BINARY):
            return self._unknown(node)
        operator = BINARY[index]
        left, right = self.lower(parts[0]), self.lower(parts[1])
        span, type_ = self.span(node), self.type(node)
        if operator in (".*", "->*"):
            at = ir.AddressOf(left.span, ir.Pointer(left.type), left) if operator == ".*" else left
            pointer = ir.Unresolved(span, ir.Pointer(type_), "a pointer to a member is not followed", (at, right))
            return ir.Dereference(span, type_, pointer)
        if operator == ",":
            return ir.Sequence(span, type_, (ir.Evaluate(left.span, left),), right)
        if operator == "=":
            return ir.Assign(span, left.type, None, left, right)
        if operator.endswith("=") and operator not in ("==", "!=", "<=", ">="):
            return ir.Assign(span, left.type, operator[:-1], left, right)
        return ir.Binary(span, type_, operator, left, right)

    def _unary(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        index = self.lib.clang_getCursorUnaryOperatorKind(node.cursor)
        if len(parts) != 1 or not 0 < index < len(UNARY):
            return self._unknown(node)
        operator = UNARY[index]
        operand = self.lower(parts[0])
        span, type_ = self.span(node), self.type(node)
        match operator:
            case "*":
                return ir.Dereference(span, type_, operand)
            case "&":
                return ir.AddressOf(span, type_, operand)
            case "p++" | "p--" | "++p" | "--p":
                return ir.Increment(span, operand.type, operand, 1 if "+" in operator else -1, operator.endswith("p"))
            case "+":
                return operand
        return ir.Unary(span, type_, operator, operand)

    def _subscript(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        if len(parts) != 2:
            return self._unknown(node)
        base, index = self.lower(parts[0]), self.lower(parts[1])
        if isinstance(base.type, ir.Integer) and not isinstance(index.type, ir.Integer):
            base, index = index, base
        type_ = self.type(node)
        if isinstance(type_, ir.Other) and not type_.size and isinstance(base.type, ir.Pointer | ir.Array):
            type_ = base.type.pointee if isinstance(base.type, ir.Pointer) else base.type.element
        return ir.Subscript(self.span(node), type_, base, index)

    def _member(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        field = self.lib.clang_getCursorReferenced(node.cursor)
        span, type_ = self.span(node), self.type(node)
        if field is not None and field._kind_id == K.VAR_DECL.value:  # a static member
            reason = self.low.stub(field)
            if reason:
                return ir.Unresolved(span, type_, reason, tuple(self.lower(part) for part in parts))
            variable = self.low.variable(field)
            return self._function_held(field, variable) or ir.Name(span, variable.type, variable)
        if field is not None and field._kind_id == K.ENUM_CONSTANT_DECL.value:
            return ir.Literal(span, type_, int(self.lib.clang_getEnumConstantDeclValue(field)))
        owner: ir.Expression
        of = _class_of(field)
        if parts:
            owner = self.lower(parts[0])
            if isinstance(owner, ir.Builtin) and owner.register in REGISTERS:
                return ir.Builtin(span, type_, owner.register, node.cursor.spelling)
            if field is not None and of != field.semantic_parent:
                of = _record(parts[0].cursor, isinstance(owner.type, ir.Pointer))
            if isinstance(owner.type, ir.Pointer):
                owner = ir.Dereference(owner.span, owner.type.pointee, owner)
        elif self.low.this is not None and isinstance(self.low.this.type, ir.Pointer):
            owner = self.low.within(self.this_object(span), self.low.this_class, of)
        else:
            return ir.Unresolved(span, type_, f"`{node.cursor.spelling}` is a member of what is not known")
        if field is not None and isinstance(self.low.types.of(field), ir.Reference):
            return self.field(field, of, owner, span)
        offset, bits = self.low.layout.offset_in(of, field), self.low.layout.bit_bytes(field)
        return ir.Member(span, type_, owner, node.cursor.spelling, offset, bits)

    def field(self, field: Any, of: Any, owner: ir.Expression, span: Span) -> ir.Expression:
        """A field of an object of the class `of`: a reference is what its pointer leads to."""
        offset, bits = self.low.layout.offset_in(of, field), self.low.layout.bit_bytes(field)
        type_ = self.low.types.of(field)
        if isinstance(type_, ir.Reference):
            pointer = ir.Member(span, ir.Pointer(type_.target), owner, field.spelling, offset)
            return ir.Dereference(span, type_.target, pointer)
        return ir.Member(span, type_, owner, field.spelling, offset, bits)

    # --- calls

    def _arguments(self, node: Node, callee: Any) -> list[ir.Expression]:
        count = self.lib.clang_Cursor_getNumArguments(node.cursor)
        arguments: list[ir.Expression] = []
        nodes = {_identity(child.cursor): child for child in node.children}
        for position in range(max(0, count)):
            cursor = self.lib.clang_Cursor_getArgument(node.cursor, position)
            cursor._tu = node.cursor._tu
            found = nodes.get(_identity(cursor)) or tree(cursor)
            if found.kind == K.UNEXPOSED_EXPR.value and not found.children:
                default = self.default_argument(callee, position)
                arguments.append(default if default is not None else self._unknown(found))
            else:
                arguments.append(self.lower(found))
        return arguments

    def default_argument(self, callee: Any, position: int) -> ir.Expression | None:
        """A default argument: the initializer of the parameter."""
        if callee is None:
            return None
        parameter = self.lib.clang_Cursor_getArgument(callee, position)
        if parameter is None:
            return None
        parameter._tu = callee._tu
        parts = self.parts(tree(parameter))
        return self.lower(parts[-1]) if parts else None

    def _call(self, node: Node) -> ir.Expression:
        callee = self.lib.clang_getCursorReferenced(node.cursor)
        span, type_ = self.span(node), self.type(node)
        parts = self.parts(node)
        if len(parts) >= 2 and parts[1].kind == K.CALL_EXPR.value and parts[1].cursor.spelling == "cudaConfigureCall":
            return self._launch(node, parts, span, type_)
        if callee is None or callee._kind_id not in _FUNCTIONS:
            return self._indirect(node, parts, callee, span, type_)
        kind, name = callee._kind_id, callee.spelling
        arguments = self._arguments(node, callee)
        if name in launchcalls.LAUNCHERS and kind == K.FUNCTION_DECL.value:
            launch = launchcalls.launch(name, arguments, span, type_)
            if launch is not None:
                return launch
        if name == "cuModuleGetFunction":
            named = self._named_kernel(node, arguments, span)
            if named is not None:
                return named
        if name in _SAME and len(arguments) == 1 and callee.semantic_parent.spelling == "std":
            same = arguments[0]
            return ir.AddressOf(span, type_, same) if name == "addressof" else same
        result = self.low.types.lower(callee.result_type) if kind != K.CONSTRUCTOR.value else type_
        if kind == K.CONSTRUCTOR.value:
            copies = callee.is_copy_constructor() or callee.is_move_constructor()
            if copies and arguments and _is_memberwise(callee):
                return arguments[0]
            if name.partition("<")[0] != callee.semantic_parent.spelling.partition("<")[0]:
                return ir.Unresolved(span, type_, "an inherited constructor is not followed", tuple(arguments))
            made = None
            if not arguments and callee.is_default_method() and callee.is_default_constructor():
                made = initialization.made_by_compiler(self.low, node)
            if made is not None:
                return made
            key = self.low.function(callee)
            reason = self.low.stub(callee) if key is None else ""
            changes, keeps = self._promised(callee) if key is None and not reason else (None, frozenset[int]())
            call = ir.Call(span, type_, name, key, tuple(arguments), None, True, None, reason, changes, keeps)
            return initialization.of_each_element(call)
        value_type = result.target if isinstance(result, ir.Reference) else type_
        virtual = kind == K.CXX_METHOD.value and bool(self.lib.clang_Cursor_isDynamicCall(node.cursor))
        key = None if virtual else self.low.function(callee)
        receiver: ir.Expression | None = None
        if kind in (K.CXX_METHOD.value, K.CONVERSION_FUNCTION.value) and not callee.is_static_method():
            called = parts[0] if parts else None
            declared = self.lib.clang_Cursor_getNumArguments(callee)
            if name.startswith("operator") and len(arguments) == declared + 1:
                receiver, arguments = arguments[0], arguments[1:]
            elif called is not None and called.kind == K.MEMBER_REF_EXPR.value:
                receiver = self._owner(called, span)
            elif called is not None and called.children and called.kind == K.UNEXPOSED_EXPR.value:
                receiver = self._owner(called.children[0], span)
        if kind == K.CONVERSION_FUNCTION.value and receiver is not None and is_lambda(callee.semantic_parent):
            return receiver  # as a pointer to a function: calls through it call the lambda
        if (
            name == "operator="
            and receiver is not None
            and len(arguments) == 1
            and (key is None or _is_memberwise(callee))
        ):
            return ir.Assign(span, receiver.type, None, receiver, arguments[0])
        if virtual and receiver is not None and _is_exactly(receiver):
            key = self.low.function(callee)
        reason = self.low.stub(callee) if key is None else ""
        if virtual and key is None and not reason:
            reason = f"which `{name}` is called is not known: it is virtual"
        if reason and name.startswith("operator"):
            operands = (receiver, *arguments) if receiver is not None else arguments
            reason = next(filter(None, map(why_unknown, operands)), reason)
        changes, keeps = self._promised(callee) if key is None and not reason else (None, frozenset[int]())
        return ir.Call(span, value_type, name, key, tuple(arguments), receiver, False, None, reason, changes, keeps)

    def _promised(self, callee: Any) -> tuple[frozenset[int], frozenset[int]]:
        """What a declaration says of the arguments: which the function may change, and which point to what is const."""
        found = self._promises.get(callee.hash)
        if found is not None:
            return found
        changes, keeps = set[int](), set[int]()
        for position, parameter in enumerate(callee.get_arguments()):
            type_ = parameter.type.get_canonical()
            is_const = bool(type_.get_pointee().is_const_qualified())
            if type_._kind_id in _REFERENCES and not is_const:
                changes.add(position)
            elif type_._kind_id == TypeKind.POINTER.value and is_const:
                keeps.add(position)
        if callee._kind_id == K.CXX_METHOD.value and not callee.is_const_method():
            changes.add(ir.RECEIVER)
        found = self._promises[callee.hash] = frozenset(changes), frozenset(keeps)
        return found

    def _owner(self, called: Node, span: Span) -> ir.Expression | None:
        """The object of `object.method` or `pointer->method`; `*this` when it is left out."""
        parts = self.parts(called)
        if parts:
            owner = self.lower(parts[0])
            if isinstance(owner.type, ir.Pointer):
                return ir.Dereference(owner.span, owner.type.pointee, owner)
            return owner
        if self.low.this is not None and isinstance(self.low.this.type, ir.Pointer):
            method = self.lib.clang_getCursorReferenced(called.cursor)
            return self.low.within(self.this_object(span), self.low.this_class, _class_of(method))
        return None

    def this_object(self, span: Span) -> ir.Expression:
        """The object of a method: `*this`."""
        this = self.low.this
        assert this is not None
        assert isinstance(this.type, ir.Pointer)
        return ir.Dereference(span, this.type.pointee, ir.Name(span, this.type, this))

    def _converted(self, node: Node, part: Node, inner: ir.Expression) -> ir.Expression:
        """An object, or a pointer to one, that a cast takes for one of its base classes, or for one derived from it."""
        pointer = inner.type if isinstance(inner.type, ir.Pointer) else None
        if not isinstance(pointer.pointee if pointer is not None else inner.type, ir.Record):
            return inner
        of, to = _record(part.cursor, pointer is not None), _record(node.cursor, pointer is not None)
        if of is None or to is None or of == to:
            return inner
        if pointer is None:
            return self.low.within(inner, of, to)
        target = ir.Dereference(inner.span, pointer.pointee, inner)
        found = self.low.within(target, of, to)
        if isinstance(found, ir.Unresolved):
            return replace(found, type=ir.Pointer(found.type))
        return inner if found is target else ir.AddressOf(inner.span, ir.Pointer(found.type), found)

    def _indirect(self, node: Node, parts: list[Node], callee: Any, span: Span, type_: ir.Type) -> ir.Expression:
        name = node.cursor.spelling or (parts[0].cursor.spelling if parts else "") or self._callee_text(node)
        arguments = tuple(self.lower(part) for part in parts[1:])
        if callee is None and parts:
            called = self.lower(parts[0])
            while isinstance(called, ir.AddressOf | ir.Cast):
                called = called.target if isinstance(called, ir.AddressOf) else called.operand
            if isinstance(called, ir.FunctionName) and called.function is not None:
                return ir.Call(span, type_, name, called.function, arguments)
        if callee is None or not parts:
            if len(parts) == 1 and not self.lib.clang_Cursor_getNumArguments(node.cursor) and not name:
                return self.lower(parts[0])
            return ir.Call(span, type_, name, None, arguments)
        return ir.Call(span, type_, name, None, arguments, callee=self.lower(parts[0]))

    def _callee_text(self, node: Node) -> str:
        """What is called as written, for a call that libclang could not resolve."""
        written = re.match(r"[\w:.]+|->", self.low.locations.spelled(node.cursor))
        return written.group() if written is not None else "?"

    def _launch(self, node: Node, parts: list[Node], span: Span, type_: ir.Type) -> ir.Expression:
        configuration = self._arguments(parts[1], self.lib.clang_getCursorReferenced(parts[1].cursor))
        callee = self.lib.clang_getCursorReferenced(node.cursor)
        kernel: str | None = None
        pointer: ir.Expression | None = None
        if callee is not None and callee._kind_id in _FUNCTIONS and self.low.is_kernel(callee):
            kernel = self.low.kernel_key(callee)
        else:
            pointer = self.lower(parts[0])
        arguments = tuple(self.lower(part) for part in parts[2:])
        if len(configuration) < 2:
            return ir.Unresolved(span, type_, "a launch whose configuration libclang could not resolve", arguments)
        return ir.Launch(span, type_, kernel, pointer, configuration[0], configuration[1], arguments)

    def _named_kernel(self, node: Node, arguments: list[ir.Expression], span: Span) -> ir.Expression | None:
        """`cuModuleGetFunction(&function, module, "name")`: the kernel of the file that has this name."""
        last = self.parts(node)[-1]
        while last.kind == K.UNEXPOSED_EXPR.value and last.children:
            last = last.children[0]
        if last.kind != K.STRING_LITERAL.value:
            return None
        key = self.low.kernel_named(last.cursor.spelling.strip('"'))
        return None if key is None else launchcalls.handle(arguments[0], key, span)

    # --- lambdas, statement expressions

    def _lambda(self, node: Node) -> ir.Expression:
        written = re.match(r"\[([^\]]*)\]", self.low.locations.spelled(node.cursor))
        captures = [part.strip() for part in written.group(1).split(",")] if written is not None else []
        by_value = "=" in captures
        others = (part for part in captures if part not in ("=", "&") and part.startswith("&") is by_value)
        names = (re.match(r"[&.\s]*(\w*)", part) for part in others)
        own = frozenset(name.group(1) for name in names if name is not None and name.group(1))
        function = self.low.lambda_function(node.cursor)
        made = ir.Lambda(self.span(node), self.type(node), function, by_value, own, "*this" in captures)
        named = (child for child in direct_children(node.cursor) if child._kind_id == K.VARIABLE_REF.value)
        new = tuple(filter(None, map(self._capture, named)))
        return ir.Sequence(made.span, made.type, new, made) if new else made

    def _capture(self, reference: Any) -> ir.Statement | None:
        """The declaration of what a lambda captures as `name = value`; None for a variable around it."""
        variable = self.lib.clang_getCursorReferenced(reference)
        if variable is None or variable._kind_id != K.VAR_DECL.value:
            return None
        if variable.semantic_parent.spelling != "operator()":
            return None
        declared = self.low.variable(variable)
        value = self.low.statements.initializer(tree(variable))
        if value is None:
            type_ = declared.type.target if isinstance(declared.type, ir.Reference) else declared.type
            value = ir.Unresolved(declared.span, type_, f"what the lambda captures as `{declared.name}` is not known")
        return ir.Declare(declared.span, declared, value)

    def _statement_expression(self, node: Node) -> ir.Expression:
        body = self.low.statements.lower(node.children[0])
        statements = body.statements if isinstance(body, ir.Block) else (body,)
        value = None
        if statements and isinstance(statements[-1], ir.Evaluate):
            value, statements = statements[-1].expression, statements[:-1]
        return ir.Sequence(self.span(node), self.type(node), tuple(statements), value)


# Functions of std that clang takes for its own, so that it gives their templates no body: each yields its argument.
_SAME = frozenset("move forward forward_like as_const move_if_noexcept addressof __addressof".split())


def is_lambda(class_: Any) -> bool:
    """Whether a class is what a lambda's value is an object of."""
    return str(class_.spelling).startswith("(lambda at")


def _is_exactly(receiver: ir.Expression) -> bool:
    """Whether an object is of its static type: one that a variable or member holds by value."""
    while isinstance(receiver, ir.Member | ir.Subscript):
        receiver = receiver.object if isinstance(receiver, ir.Member) else receiver.base
    return isinstance(receiver, ir.Name) and not isinstance(receiver.variable.type, ir.Reference | ir.Pointer)


def _is_memberwise(method: Any) -> bool:
    """Whether a copy constructor or assignment is the compiler's own: it then stands where its class does."""
    return bool(method.is_default_method() or method.location == method.semantic_parent.location)


def _identity(cursor: Any) -> tuple[Any, ...]:
    return cursor._kind_id, cursor.data[0], cursor.data[1], cursor.data[2]


def _record(cursor: Any, pointer: bool) -> Any:
    """The class that an expression's value has, or points to; None where it is none."""
    type_ = cursor.type.get_canonical()
    if pointer:
        type_ = type_.get_pointee().get_canonical()
    return type_.get_declaration() if type_._kind_id == TypeKind.RECORD.value else None


def _class_of(member: Any) -> Any:
    """The class that a member is declared in, nameless ones inside of it looked through."""
    owner = member.semantic_parent if member is not None else None
    while owner is not None and owner.is_anonymous():
        owner = owner.semantic_parent
    return owner
