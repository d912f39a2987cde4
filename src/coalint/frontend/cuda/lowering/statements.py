"""Cursors of statements to IR."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clang.cindex import CursorKind as K

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.bindings import Node, library, tree
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.expressions import is_expression
from coalint.frontend.cuda.lowering.gpu.assembly import parse_assembly
from coalint.frontend.cuda.lowering.objects.destructors import Destruction, together
from coalint.frontend.cuda.lowering.sugar import range_for, structured_bindings
from coalint.frontend.cuda.lowering.unrolling import requested_unroll, with_unroll

MOST_CASES = 64  # of a range that are told apart
_SCOPES = {
    K.COMPOUND_STMT.value: "block",
    K.IF_STMT.value: "block",
    K.FOR_STMT.value: "block",
    K.WHILE_STMT.value: "block",
    K.DO_STMT.value: "block",
    K.SWITCH_STMT.value: "switch",
    K.CXX_FOR_RANGE_STMT.value: "block",
}
_DECLARATIONS = frozenset({K.DECL_STMT.value, K.VAR_DECL.value})


def declares(node: Node) -> bool:
    """Whether a node declares a variable, or names for the parts of an object."""
    return node.kind == K.VAR_DECL.value or structured_bindings.is_declared(node)


class Statements:
    """Lowers statements; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()
        self.ends = Destruction(low)

    def lower(self, node: Node) -> ir.Statement:
        """One statement."""
        kind = node.kind
        span = self.low.locations.span(node.cursor)
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

    def _in_scope(self, node: Node, span: Span) -> ir.Statement:
        """A statement that variables can be declared in."""
        match node.kind:
            case K.COMPOUND_STMT.value:
                return ir.Block(span, tuple(self.lower(child) for child in node.children))
            case K.IF_STMT.value:
                return self._if(node, span)
            case K.FOR_STMT.value:
                return self._for(node, span)
            case K.WHILE_STMT.value:
                return self._while(node, span)
            case K.SWITCH_STMT.value:
                return self._switch(node, span)
            case K.CXX_FOR_RANGE_STMT.value:
                return self._range_for(node, span)
        body, condition = node.children[0], node.children[-1]
        test = self.low.expressions.lower(condition)
        return ir.Loop(span, (), test, None, self._body(body), test_first=False)

    def _body(self, node: Node) -> ir.Statement:
        """The body of a loop."""
        with self.ends.scope("loop"):
            return self.lower(node)

    def _simple(self, node: Node, span: Span) -> ir.Statement:
        match node.kind:
            case K.DECL_STMT.value:
                return self._declarations(node, span)
            case K.VAR_DECL.value:
                return self._variable(node)
            case K.RETURN_STMT.value:
                return self._return(node, span)
            case K.BREAK_STMT.value:
                return together([*self.ends.before_jump("break"), ir.Jump(span, ir.JumpKind.BREAK)], span)
            case K.CONTINUE_STMT.value:
                return together([*self.ends.before_jump("continue"), ir.Jump(span, ir.JumpKind.CONTINUE)], span)
            case K.GOTO_STMT.value | K.INDIRECT_GOTO_STMT.value:
                label = node.children[0].cursor.spelling if node.kind == K.GOTO_STMT.value and node.children else ""
                return ir.Jump(span, ir.JumpKind.GOTO, label)
            case K.LABEL_STMT.value:
                return ir.Labelled(span, node.cursor.spelling, self.lower(node.children[-1]))
            case K.NULL_STMT.value:
                return ir.Block(span, ())
            case K.ASM_STMT.value:
                return self._assembly(node, span)
        if node.kind < 100:  # type aliases, static assertions, local structs
            return ir.Block(span, ())
        inner = tuple(self.lower(child) for child in node.children)
        if len(inner) == 1 and node.kind == K.UNEXPOSED_STMT.value:  # a statement with attributes
            return with_unroll(inner[0], requested_unroll(self.low.locations.spelled(node.cursor)))
        return ir.Block(span, inner) if inner else ir.Unanalysed(span, f"a {node.cursor.kind.name} is not analysed")

    def _return(self, node: Node, span: Span) -> ir.Statement:
        value = self.low.expressions.lower(node.children[0]) if node.children else None
        ends = self.ends.before_jump("return", value)
        if not ends or value is None:
            return together([*ends, ir.Return(span, value)], span)
        held = self.low.fresh("returned", value.type, span)  # the value is made before the objects end
        return ir.Block(span, (ir.Declare(span, held, value), *ends, ir.Return(span, ir.Name(span, value.type, held))))

    def _declarations(self, node: Node, span: Span) -> ir.Statement:
        declared = [self._variable(child) for child in node.children if declares(child)]
        return declared[0] if len(declared) == 1 else ir.Block(span, tuple(declared))

    def _variable(self, node: Node) -> ir.Statement:
        if structured_bindings.is_declared(node):
            return structured_bindings.declared(self.low, node, self.initializer(node))
        variable = self.low.variable(node.cursor)
        declared = ir.Declare(self.low.locations.span(node.cursor), variable, self.initializer(node))
        if isinstance(variable.type, ir.Record | ir.Array):
            self.ends.made(variable, node.cursor.type)
        return declared

    def made(self, node: Node, span: Span, value: ir.Expression) -> ir.Statement:
        """The declaration of a variable, or of structured bindings, with a value from elsewhere."""
        if structured_bindings.is_declared(node):
            return structured_bindings.declared(self.low, node, value)
        return ir.Declare(span, self.low.variable(node.cursor), value)

    def initializer(self, node: Node) -> ir.Expression | None:
        """What a variable is initialized with."""
        initializer = self.lib.clang_Cursor_getVarDeclInitializer(node.cursor)
        if initializer is None or not is_expression(initializer._kind_id):
            return None
        return self.low.expressions.lower(self._child(node, initializer))

    def _child(self, node: Node, cursor: Any) -> Node:
        cursor._tu = node.cursor._tu
        for child in node.children:
            if child.cursor.data[1] == cursor.data[1] and child.kind == cursor._kind_id:
                return child
        return tree(cursor)

    def _if(self, node: Node, span: Span) -> ir.Statement:
        children = list(node.children)
        before: list[ir.Statement] = []
        while children and children[0].kind in _DECLARATIONS:
            before.append(self.lower(children.pop(0)))
        condition = self.low.expressions.lower(children[0])
        then = self.lower(children[1]) if len(children) > 1 else ir.Block(span, ())
        otherwise = self.lower(children[2]) if len(children) > 2 else None
        statement = ir.If(span, condition, then, otherwise)
        return ir.Block(span, (*before, statement)) if before else statement

    def _for(self, node: Node, span: Span) -> ir.Statement:
        *header, last = node.children
        declared = [part for position, part in enumerate(header) if position and part.kind in _DECLARATIONS]
        header = [part for part in header if part not in declared]
        initializer, condition, step = self._header(header, span, last)
        test = None if condition is None else self.low.expressions.lower(condition)
        test, body = self._tested(declared, test, last, span)
        return ir.Loop(
            span,
            () if initializer is None else (self.lower(initializer),),
            test,
            None if step is None else self.low.expressions.lower(step),
            body,
            test_first=True,
        )

    def _tested(
        self, declared: list[Node], test: ir.Expression | None, body: Node, span: Span
    ) -> tuple[ir.Expression | None, ir.Statement]:
        """The condition and body of a loop that declares a variable in its condition: anew in each iteration."""
        if not declared or test is None:
            return test, self._body(body)
        with self.ends.scope("loop") as scope:
            declarations = [self.lower(part) for part in declared]
            inner = self.lower(body)
            ends = self.ends.end(scope)
        leave = ir.If(span, test, ir.Block(span, ()), together([*ends, ir.Jump(span, ir.JumpKind.BREAK)], span))
        first = declarations[0]
        value = first.initializer if isinstance(first, ir.Declare) and len(declared) == 1 else None
        is_same = value is not None and isinstance(first, ir.Declare) and value.type == first.variable.type
        if value is None or not is_same or ends or not (isinstance(value.type, ir.Integer) and _costs_nothing(value)):
            return None, ir.Block(span, (*declarations, leave, inner, *ends))
        zero = ir.Literal(value.span, ir.Integer(32, True), 0)
        again = ir.Binary(value.span, ir.Integer(1, False), "!=", value, zero)
        return again, ir.Block(span, (*declarations, inner))

    def _hidden(self, node: Node, span: Span) -> list[ir.Statement]:
        """What stands before the first semicolon in the head of a `switch` or range-based `for`.

        libclang does not show it, but what it declares is seen where it is used.
        """
        semicolons = self._semicolons(span)
        if not semicolons:
            return []
        found: dict[tuple[int, int], Any] = {}
        pending = [node]
        while pending:
            used = pending.pop()
            pending.extend(used.children)
            referenced = used.cursor.referenced if used.kind == K.DECL_REF_EXPR.value else None
            if referenced is None or referenced._kind_id != K.VAR_DECL.value:
                continue
            at = self.low.locations.span(referenced)
            place = at.line, at.column
            if at.file == span.file and (span.line, span.column) < place < semicolons[0]:
                found[place] = referenced
        if not found:
            return [ir.Unanalysed(span, "what stands before the semicolon in its head is not analysed")]
        return [self.lower(tree(found[place])) for place in sorted(found)]

    def _header(self, header: list[Node], span: Span, body: Node) -> tuple[Node | None, Node | None, Node | None]:
        """Which of a `for`'s parts are there: libclang leaves the empty ones out, the semicolons tell."""
        if len(header) == 3:
            return header[0], header[1], header[2]
        found: list[Node | None] = [None, None, None]
        semicolons = self._semicolons(span)
        for part in header:
            at = self.low.locations.span(part.cursor)
            if len(semicolons) == 2:
                found[sum((at.line, at.column) > place for place in semicolons)] = part
            elif part.kind in _DECLARATIONS:
                found[0] = part
            else:
                boolean = ir.Integer(1, False)
                found[1 if self.low.types.of(part.cursor) == boolean else 2] = part
        return found[0], found[1], found[2]

    def _semicolons(self, span: Span) -> list[tuple[int, int]]:
        lines = self.low.locations.lines(span.file)
        depth, found = 0, list[tuple[int, int]]()
        for line in range(span.line, min(span.end_line, span.line + 20) + 1):
            text = lines[line - 1] if line <= len(lines) else ""
            start = span.column - 1 if line == span.line else 0
            for column in range(start, len(text)):
                character = text[column]
                if character in "([{":
                    depth += 1
                elif character in ")]}":
                    depth -= 1
                    if depth == 0:
                        return found
                elif character == ";" and depth == 1:
                    found.append((line, column + 1))
        return found

    def _while(self, node: Node, span: Span) -> ir.Statement:
        children = list(node.children)
        declared: list[Node] = []
        while len(children) > 2 and children[0].kind in _DECLARATIONS:
            declared.append(children.pop(0))
        test, body = self._tested(declared, self.low.expressions.lower(children[0]), children[-1], span)
        return ir.Loop(span, (), test, None, body, test_first=True)

    def _switch(self, node: Node, span: Span) -> ir.Statement:
        children = list(node.children)
        before = self._hidden(node, span)
        while len(children) > 2 and children[0].kind in _DECLARATIONS:
            before.append(self.lower(children.pop(0)))
        subject = self.low.expressions.lower(children[0])
        cases: list[ir.Case] = []
        body = children[-1]
        for child in body.children if body.kind == K.COMPOUND_STMT.value else [body]:
            self._section(child, cases)
        statement = ir.Switch(span, subject, tuple(cases))
        return ir.Block(span, (*before, statement)) if before else statement

    def _section(self, node: Node, cases: list[ir.Case]) -> None:
        values: list[ir.Expression] = []
        default = labelled = False
        while node.kind in (K.CASE_STMT.value, K.DEFAULT_STMT.value):
            labelled = True
            if node.kind == K.DEFAULT_STMT.value:
                default = True
            elif len(node.children) == 3:  # GNU's `case 1 ... 4:`
                values.extend(self._range(node.children[0], node.children[1]))
            else:
                values.append(self.low.expressions.lower(node.children[0]))
            node = node.children[-1]
        statement = self.lower(node)
        if labelled:
            cases.append(ir.Case(tuple(values), default, (statement,)))
        elif cases:
            last = cases[-1]
            cases[-1] = ir.Case(last.values, last.default, (*last.body, statement))

    def _range(self, first: Node, last: Node) -> list[ir.Expression]:
        """The values of a range of cases, each where they are few."""
        span, type_ = self.low.locations.span(first.cursor), self.low.types.of(first.cursor)
        low, high = self.low.evaluated(first.cursor), self.low.evaluated(last.cursor)
        if low is None or high is None or high - low > MOST_CASES:
            return [ir.Unresolved(span, type_, "a range of cases")]
        return [ir.Literal(span, type_, value) for value in range(low, high + 1)]

    def _range_for(self, node: Node, span: Span) -> ir.Statement:
        """A loop over an array as one over its positions, over an object as one from its begin() to its end()."""
        hidden = self._hidden(node, span)
        statement = self._over_range(node, span)
        return ir.Block(span, (*hidden, statement)) if hidden else statement

    def _over_range(self, node: Node, span: Span) -> ir.Statement:
        body = self._body(node.children[-1])
        if len(node.children) == 3 and declares(node.children[0]):
            counted = self._over_array(node, span, body)
            if counted is not None:
                return counted
        stepped = range_for.over_object(self.low, node, span, body)
        if stepped is not None:
            return stepped
        before: list[ir.Statement] = []
        for child in filter(declares, node.children):
            if structured_bindings.is_declared(child):
                before.append(structured_bindings.declared(self.low, child, None))
                continue
            variable = self.low.variable(child.cursor)
            before.append(ir.Declare(span, variable, self._unknown_element(node, variable, span)))
        condition = ir.Unresolved(span, ir.Integer(1, False), "a range-based for is not followed")
        return ir.Loop(span, (), condition, None, ir.Block(span, (*before, body)), test_first=True)

    def _unknown_element(self, node: Node, variable: ir.Variable, span: Span) -> ir.Expression:
        """What a loop goes over that is not followed; through a reference to it the object may change."""
        reason = "the elements of a range-based for are not followed"
        over = [child for child in node.children[:-1] if is_expression(child.kind)]
        if not isinstance(variable.type, ir.Reference) or not over:
            return ir.Unresolved(span, variable.type, reason)
        range_, type_ = self.low.expressions.lower(over[-1]), variable.type.target
        pointer = ir.Pointer(type_)
        address = ir.AddressOf(range_.span, ir.Pointer(range_.type), range_)
        return ir.Dereference(span, type_, ir.Unresolved(span, pointer, reason, (address,)))

    def _over_array(self, node: Node, span: Span, body: ir.Statement) -> ir.Statement | None:
        over = node.children[1]
        while over.kind == K.UNEXPOSED_EXPR.value and len(over.children) == 1:
            over = over.children[0]
        if not is_expression(over.kind):
            return None
        array = self.low.expressions.lower(over)
        if not isinstance(array.type, ir.Array) or not array.type.count:
            return None
        integer, before = ir.Integer(64, True), list[ir.Statement]()
        if not isinstance(array, ir.Name | ir.Member | ir.Subscript | ir.Dereference):
            held = ir.Variable(f"{span.line}:{span.column}:range", "range", array.type, ir.Storage.LOCAL, span)
            before.append(ir.Declare(span, held, array))
            array = ir.Name(span, array.type, held)
        index = ir.Variable(f"{span.line}:{span.column}:position", "position", integer, ir.Storage.LOCAL, span)
        at = ir.Name(span, integer, index)
        one = node.children[0]
        type_ = self.low.types.of(one.cursor)
        assert isinstance(array.type, ir.Array)
        element: ir.Expression = ir.Subscript(array.span, array.type.element, array, at)
        if not isinstance(type_, ir.Reference) and type_ != element.type:
            element = ir.Cast(array.span, type_, element)
        before.append(ir.Declare(span, index, ir.Literal(span, integer, 0)))
        end = ir.Literal(span, integer, array.type.count)
        condition = ir.Binary(span, ir.Integer(1, False), "<", at, end)
        inside = ir.Block(span, (self.made(one, span, element), body))
        return ir.Loop(
            span, tuple(before), condition, ir.Increment(span, integer, at, 1, True), inside, test_first=True
        )

    def _assembly(self, node: Node, span: Span) -> ir.Statement:
        """Inline PTX: its template and operands; what cannot be read leaves its operands unknown."""
        expressions = [self.low.expressions.lower(child) for child in node.children if is_expression(child.kind)]
        written = parse_assembly(self.low.locations.spelled(node.cursor))
        if written is not None and len(written.operands) == len(expressions):
            operands = zip(written.operands, expressions, strict=True)
            return ir.Assembly(span, written.template, tuple(ir.Operand(c, name, e) for (name, c), e in operands))
        return ir.Assembly(span, "", tuple(ir.Operand("+", "", e) for e in expressions))


def _for_its_effect(e: ir.Expression) -> ir.Expression:
    """A call as a statement: a function that nobody declares, and that gets no pointers, gets variables to change."""
    if not (isinstance(e, ir.Call) and e.reason and e.changes is None and not e.constructor):
        return e
    if any(isinstance(argument.type, ir.Pointer | ir.Array | ir.Other) for argument in e.arguments):
        return e
    return replace(e, changes=frozenset((*range(len(e.arguments)), ir.RECEIVER)))


def _costs_nothing(e: ir.Expression) -> bool:
    """Whether an expression can be evaluated twice: it changes nothing and reads no memory."""
    match e:
        case ir.Literal() | ir.Builtin():
            return True
        case ir.Name(variable=variable):
            return variable.storage in (ir.Storage.LOCAL, ir.Storage.PARAMETER)
        case ir.Unary() | ir.Binary() | ir.Conditional() | ir.Cast():
            return all(isinstance(part, ir.Expression) and _costs_nothing(part) for part in ir.children(e))
    return False
