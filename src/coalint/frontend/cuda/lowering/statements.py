"""Cursors of statements to IR."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode, tree
from coalint.frontend.cuda.lowering import loops, switches
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.expressions import is_expression
from coalint.frontend.cuda.lowering.gpu.assembly import Written, parse_assembly
from coalint.frontend.cuda.lowering.gpu.printed_assembly import PrintedAssembly
from coalint.frontend.cuda.lowering.heads import DECLARATIONS
from coalint.frontend.cuda.lowering.objects.destructors import Destruction, together
from coalint.frontend.cuda.lowering.sugar import range_loops, structured_bindings
from coalint.frontend.cuda.lowering.unrolling import requested_unroll, with_unroll

_SCOPES = {
    kinds.COMPOUND_STMT: "block",
    kinds.IF_STMT: "block",
    kinds.FOR_STMT: "block",
    kinds.WHILE_STMT: "block",
    kinds.DO_STMT: "block",
    kinds.SWITCH_STMT: "switch",
    kinds.CXX_FOR_RANGE_STMT: "block",
}


class Statements:
    """Lowers statements; `low` holds what the whole module shares, `function` is the cursor that they are in."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.function: Any = None
        self._printed = PrintedAssembly()
        self.lib = library()
        self.ends = Destruction(low)

    def lower(self, node: CursorNode) -> ir.Statement:
        """Return one statement."""
        kind = node.kind
        span = self.low.locations.span(node.cursor)
        thrown = _thrown(node)
        if thrown is not None:
            return self._throw(thrown, span)
        if is_expression(kind):
            e = self.low.expressions.lower(node)
            made = self.ends.temporary(e, node.cursor.type) if isinstance(e, ir.Call) and e.constructor else []
            return together(made, span) if made else ir.Evaluate(span, _for_its_effect(e))
        if kind in _SCOPES:
            with self.ends.scope(_SCOPES[kind]) as scope:
                statement = self._in_scope(node, span)
            ends = self.ends.end(scope)
            return ir.Block(span, (statement, *ends)) if ends else statement
        return self._simple(node, span)

    def _in_scope(self, node: CursorNode, span: Span) -> ir.Statement:
        """Return a statement that variables can be declared in."""
        match node.kind:
            case kinds.COMPOUND_STMT:
                return ir.Block(span, tuple(self.lower(child) for child in node.children))
            case kinds.IF_STMT:
                return self._if(node, span)
            case kinds.FOR_STMT:
                return loops.for_loop(self.low, node, span)
            case kinds.WHILE_STMT:
                return loops.while_loop(self.low, node, span)
            case kinds.SWITCH_STMT:
                return switches.switch(self.low, node, span)
            case kinds.CXX_FOR_RANGE_STMT:
                return range_loops.range_loop(self.low, node, span)
        body, condition = node.children[0], node.children[-1]
        test = self.low.expressions.lower(condition)
        return ir.Loop(span, (), test, None, self.body(body), test_first=False)

    def body(self, node: CursorNode) -> ir.Statement:
        """Return the body of a loop."""
        with self.ends.scope("loop"):
            return self.lower(node)

    def _simple(self, node: CursorNode, span: Span) -> ir.Statement:
        match node.kind:
            case kinds.DECL_STMT:
                return self._declarations(node, span)
            case kinds.VAR_DECL:
                return self._variable(node)
            case kinds.RETURN_STMT:
                return self._return(node, span)
            case kinds.BREAK_STMT:
                return together([*self.ends.before_jump("break"), ir.Jump(span, ir.JumpKind.BREAK)], span)
            case kinds.CONTINUE_STMT:
                return together([*self.ends.before_jump("continue"), ir.Jump(span, ir.JumpKind.CONTINUE)], span)
            case kinds.GOTO_STMT | kinds.INDIRECT_GOTO_STMT:
                label = node.children[0].cursor.spelling if node.kind == kinds.GOTO_STMT and node.children else ""
                return ir.Jump(span, ir.JumpKind.GOTO, label)
            case kinds.LABEL_STMT:
                return ir.Labelled(span, node.cursor.spelling, self.lower(node.children[-1]))
            case kinds.CXX_TRY_STMT:
                handlers = [child for child in node.children if child.kind == kinds.CXX_CATCH_STMT]
                return ir.Try(span, self.lower(node.children[0]), tuple(self._handler(child) for child in handlers))
            case kinds.NULL_STMT:
                return ir.Block(span, ())
            case kinds.ASM_STMT:
                return self._assembly(node, span)
        if node.kind < 100:  # type aliases, static assertions, local structs
            return ir.Block(span, ())
        inner = tuple(self.lower(child) for child in node.children)
        if len(inner) == 1 and node.kind == kinds.UNEXPOSED_STMT:  # a statement with attributes
            return with_unroll(inner[0], requested_unroll(self.low.locations.spelled(node.cursor)))
        return ir.Block(span, inner) if inner else ir.Unanalysed(span, f"a {node.cursor.kind.name} is not analysed")

    def _return(self, node: CursorNode, span: Span) -> ir.Statement:
        value = self.low.expressions.lower(node.children[0]) if node.children else None
        ends = self.ends.before_jump("return", value)
        if not ends or value is None:
            return together([*ends, ir.Return(span, value)], span)
        held = self.low.fresh("returned", value.type, span)  # the value is made before the objects end
        return ir.Block(span, (ir.Declare(span, held, value), *ends, ir.Return(span, ir.Name(span, value.type, held))))

    def _throw(self, node: CursorNode, span: Span) -> ir.Statement:
        thrown = [ir.Evaluate(span, self.low.expressions.lower(child)) for child in node.children]
        return together([*thrown, ir.Jump(span, ir.JumpKind.THROW)], span)

    def _handler(self, node: CursorNode) -> ir.Statement:
        with self.ends.scope("block"):
            return ir.Block(
                self.low.locations.span(node.cursor),
                tuple(self.lower(child) for child in node.children),
            )

    def _declarations(self, node: CursorNode, span: Span) -> ir.Statement:
        declared = [self._variable(child) for child in node.children if structured_bindings.declares(child)]
        return declared[0] if len(declared) == 1 else ir.Block(span, tuple(declared))

    def _variable(self, node: CursorNode) -> ir.Statement:
        if structured_bindings.is_declared(node):
            return structured_bindings.declared(self.low, node, self.initializer(node))
        variable = self.low.variable(node.cursor)
        declared = ir.Declare(self.low.locations.span(node.cursor), variable, self.initializer(node))
        if isinstance(variable.type, ir.Record | ir.Array):
            self.ends.made(variable, node.cursor.type)
        return declared

    def made(self, node: CursorNode, span: Span, value: ir.Expression) -> ir.Statement:
        """Return the declaration of a variable, or of structured bindings, with a value from elsewhere."""
        if structured_bindings.is_declared(node):
            return structured_bindings.declared(self.low, node, value)
        return ir.Declare(span, self.low.variable(node.cursor), value)

    def initializer(self, node: CursorNode) -> ir.Expression | None:
        """Return what a variable is initialized with."""
        initializer = self.lib.clang_Cursor_getVarDeclInitializer(node.cursor)
        if initializer is None or not is_expression(initializer._kind_id):
            return None
        return self.low.expressions.lower(self._child(node, initializer))

    def _child(self, node: CursorNode, cursor: Any) -> CursorNode:
        cursor._tu = node.cursor._tu
        for child in node.children:
            if child.cursor.data[1] == cursor.data[1] and child.kind == cursor._kind_id:
                return child
        return tree(cursor)

    def _if(self, node: CursorNode, span: Span) -> ir.Statement:
        children = list(node.children)
        before: list[ir.Statement] = []
        while children and children[0].kind in DECLARATIONS:
            before.append(self.lower(children.pop(0)))
        condition = self.low.expressions.lower(children[0])
        then = self.lower(children[1]) if len(children) > 1 else ir.Block(span, ())
        otherwise = self.lower(children[2]) if len(children) > 2 else None
        statement = ir.If(span, condition, then, otherwise)
        return ir.Block(span, (*before, statement)) if before else statement

    def _assembly(self, node: CursorNode, span: Span) -> ir.Statement:
        """Inline PTX: its template and operands; what cannot be read leaves its operands unknown."""
        expressions = [self.low.expressions.lower(child) for child in node.children if is_expression(child.kind)]
        written = self._written(node.cursor)
        if written is not None and len(written.operands) == len(expressions):
            operands = zip(written.operands, expressions, strict=True)
            return ir.Assembly(span, written.template, tuple(ir.Operand(c, name, e) for (name, c), e in operands))
        return ir.Assembly(span, "", tuple(ir.Operand("+", "", e) for e in expressions))

    def _written(self, cursor: Any) -> Written | None:
        """Return an asm statement as it stands in the source, or as libclang prints it where that does not tell.

        So it is where a macro makes it, or a part of its template, and where `#if` chooses one.
        """
        locations = self.low.locations
        spelled = parse_assembly(locations.spelled(cursor))
        is_told = spelled is not None and "?" not in spelled.template
        if self.function is not None and (locations.in_macro(cursor) or not is_told):
            printed = parse_assembly(self._printed.of(self.function, cursor))
            if printed is not None:
                return printed
        return spelled or parse_assembly(locations.macro_use(cursor))


def _thrown(node: CursorNode) -> CursorNode | None:
    """Return the `throw` that a statement is; None for any other. One of an object with a destructor is wrapped."""
    while node.kind == kinds.UNEXPOSED_EXPR and len(node.children) == 1:
        node = node.children[0]
    return node if node.kind == kinds.CXX_THROW_EXPR else None


def _for_its_effect(e: ir.Expression) -> ir.Expression:
    """Return a call as a statement.

    A function that nobody declares, and that gets no pointers, gets variables to change.
    """
    if not (isinstance(e, ir.Call) and e.reason and e.changes is None and not e.constructor):
        return e
    if any(isinstance(argument.type, ir.Pointer | ir.Array | ir.Other) for argument in e.arguments):
        return e
    return replace(e, changes=frozenset((*range(len(e.arguments)), ir.RECEIVER)))
