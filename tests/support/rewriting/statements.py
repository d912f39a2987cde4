"""Rewrites of statements: other loops, `switch` for `if`, early returns, lambdas, another order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, pairwise

from clang.cindex import CursorKind

from rewriting.edits import Edit, Site
from rewriting.unit import LOOPS, Node, Unit, body_of, is_pure, tokens

_JUMPS = (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT, CursorKind.RETURN_STMT, CursorKind.GOTO_STMT)


def _statements(unit: Unit, *kinds: CursorKind) -> Iterator[Node]:
    for function in unit.functions:
        for node in body_of(function).walk():
            if node.kind in kinds:
                yield node


def _header(unit: Unit, node: Node) -> tuple[int, int, list[int]] | None:
    """Where the parentheses behind a statement's keyword open and close, and the semicolons right in them."""
    breaks: list[int] = []
    depth, opened = 0, -1
    for token in tokens(unit.text, node.begin, node.end):
        if token.text in "([{":
            opened = token.begin if depth == 0 and token.text == "(" and opened < 0 else opened
            depth += 1
        elif token.text in ")]}":
            depth -= 1
            if depth == 0 and opened >= 0:
                return opened, token.begin, breaks
        elif token.text == ";" and depth == 1:
            breaks.append(token.begin)
    return None


def _end(unit: Unit, node: Node) -> int:
    """Just behind a statement, its semicolon included."""
    if node.kind == CursorKind.COMPOUND_STMT or unit.text[node.end - 1] in ";}":
        return node.end
    if node.kind in (*LOOPS[:2], CursorKind.IF_STMT, CursorKind.SWITCH_STMT) and node.children:
        return _end(unit, node.children[-1])
    return unit.text.index(";", node.end) + 1


def _is_asked_for(unit: Unit, node: Node) -> bool:
    """Whether a pragma, a label or another statement's head stands before it."""
    before = re.sub(r"/\*.*?\*/|//[^\n]*", "", unit.text[max(0, node.begin - 400) : node.begin], flags=re.DOTALL)
    last = before.rstrip().rpartition("\n")[2]
    return bool(re.match(r"\s*(#|_Pragma)", last)) or before.rstrip()[-1:] not in ("{", "}", ";")


def while_for_for(unit: Unit) -> Iterator[Site]:
    """`for (a; b; c) d` as `{ a; while (b) { d c; } }`."""
    for node in _statements(unit, CursorKind.FOR_STMT):
        body, header = node.children[-1], _header(unit, node)
        if header is None or len(header[2]) != 2 or not _is_clear(unit, node, header[1]) or _is_asked_for(unit, node):
            continue
        if any(inner.kind in (CursorKind.CONTINUE_STMT, CursorKind.LABEL_STMT) for inner in body.walk()):
            continue
        opened, closed, (first, second) = header
        start, test, step = unit.text[opened + 1 : first], unit.text[first + 1 : second], unit.text[second + 1 : closed]
        head = f"{{ {start.strip()}; while ({test.strip() or 'true'}) {{ "
        end = _end(unit, body)
        yield Edit(node.begin, closed + 1, _on_one_line(head)), Edit(end, end, f" {_on_one_line(step)}; }} }}")


def for_for_while(unit: Unit) -> Iterator[Site]:
    """`while (a) b` as `for (; a;) b`."""
    for node in _statements(unit, CursorKind.WHILE_STMT):
        header = _header(unit, node)
        if header is not None and _is_clear(unit, node, header[1]):
            yield (
                Edit(node.begin, header[0] + 1, "for (; "),
                Edit(header[1], header[1], ";"),
            )


def _is_clear(unit: Unit, node: Node, end: int) -> bool:
    """Whether no macro, comment or line of the preprocessor stands from the start of a node up to `end`."""
    text = unit.text[node.begin : end]
    return not any(
        begin < end and node.begin < stop for begin, stop in unit.macros if "(" in unit.text[begin:stop]
    ) and ("#" not in text and "//" not in text)


def _on_one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text)


def switches(unit: Unit) -> Iterator[Site]:
    """`if (a) b else c` as `switch ((a) ? 1 : 0) { case 1: { b } break; default: { c } }`."""
    for node in _statements(unit, CursorKind.IF_STMT):
        header = _header(unit, node)
        branches = node.children[1:]
        if header is None or not 1 <= len(branches) <= 2 or not _is_clear(unit, node, header[1]):
            continue
        if re.match(r"if\s+constexpr", unit.source(node)) or node.children[0].kind == CursorKind.VAR_DECL:
            continue
        barred = (CursorKind.BREAK_STMT, CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT, CursorKind.LABEL_STMT)
        if any(inner.kind in barred for branch in branches for inner in branch.walk()):
            continue
        end = _end(unit, branches[0])
        test = _on_one_line(unit.text[header[0] + 1 : header[1]])
        if any(branch.begin < header[1] for branch in branches):  # a branch that a macro writes
            continue
        head = Edit(node.begin, header[1] + 1, f"switch (({test}) ? 1 : 0) {{ case 1: {{")
        if len(branches) == 1:
            yield head, Edit(end, end, " } break; default: break; }")
            continue
        between = unit.text[end : branches[1].begin]
        if between.strip() != "else":
            continue
        last = _end(unit, branches[1])
        gap = between.replace("else", "")
        yield (
            head,
            Edit(end, branches[1].begin, f" }} break; default: {{ {gap}"),
            Edit(last, last, " } break; }"),
        )


def early_returns(unit: Unit) -> Iterator[Site]:
    """`if (a) { b }` at the end of a kernel as `if (!(a)) return; { b }`."""
    for function in unit.functions:
        body = body_of(function)
        last = body.children[-1] if body.children else None
        if last is None or last.kind != CursorKind.IF_STMT or len(last.children) != 2:
            continue
        header = _header(unit, last)
        if header is None or not _is_clear(unit, last, header[1]) or "constexpr" in unit.text[last.begin : header[0]]:
            continue
        if function.cursor.result_type.spelling == "void" and last.children[0].kind != CursorKind.VAR_DECL:
            yield Edit(last.begin, header[0], "if (!"), Edit(header[1] + 1, header[1] + 1, ") return;")


def lambdas(unit: Unit) -> Iterator[Site]:
    """`a;` as `[&] { a; }();`."""
    for function in unit.functions:
        for block in body_of(function).walk():
            if block.kind != CursorKind.COMPOUND_STMT or _is_in_lambda(block):
                continue
            for node in block.children:
                if not (node.kind.is_expression() or node.kind in LOOPS) or not unit.is_plain(node):
                    continue
                if any(inner.kind in _JUMPS or inner.kind == CursorKind.LABEL_STMT for inner in node.walk()):
                    continue
                if not _is_asked_for(unit, node):
                    end = _end(unit, node)
                    yield Edit(node.begin, node.begin, "[&] { "), Edit(end, end, " }();")


def _is_in_lambda(node: Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if node.kind == CursorKind.LAMBDA_EXPR:
            return True
    return False


def reordered(unit: Unit) -> Iterator[Site]:
    """`int a = x; int b = y;` as `int b = y; int a = x;`, where neither reads the other."""
    for function in unit.functions:
        for block in body_of(function).walk():
            if block.kind != CursorKind.COMPOUND_STMT:
                continue
            for one, other in pairwise(block.children):
                if one.kind != CursorKind.DECL_STMT or other.kind != CursorKind.DECL_STMT:
                    continue
                if not (unit.is_plain(one) and unit.is_plain(other) and is_pure(one) and is_pure(other)):
                    continue
                names = {child.cursor.spelling for child in (*one.children, *other.children)}
                if unit.text[one.end : other.begin].strip() or _names_any(unit.source(other), one, names):
                    continue
                if any(_refers(child, one) for child in other.walk()) or unit.text[other.end - 1] != ";":
                    continue
                yield (
                    Edit(one.begin, one.begin, f"\n{unit.source(other)}\n", origin=unit.line(other.begin)),
                    Edit(other.begin, other.end, ""),
                )


def _names_any(text: str, one: Node, names: set[str]) -> bool:
    declared = {child.cursor.spelling for child in one.children}
    return "\n" in text or any(re.search(rf"\b{re.escape(name)}\b", text) for name in declared & names if name)


def _refers(node: Node, one: Node) -> bool:
    return any(node.refers_to(child) for child in one.children)


def stepped(unit: Unit) -> Iterator[Site]:
    """`for (int k = 0; ..; ++k) s += a[i + k];` with a pointer that steps: `auto p = &a[i + 0]; .. s += *p; ++p`."""
    numbers = count()
    for node in _statements(unit, CursorKind.FOR_STMT):
        body, header = node.children[-1], _header(unit, node)
        if header is None or len(header[2]) != 2 or not _is_clear(unit, node, header[1]) or _is_asked_for(unit, node):
            continue
        opened, closed, (first, second) = header
        start = re.fullmatch(
            r"\s*(?:int|unsigned|unsigned int)\s+(\w+)\s*=\s*([\w.]+)\s*", unit.text[opened + 1 : first]
        )
        step = re.fullmatch(r"\s*(?:\+\+(\w+)|(\w+)\+\+|(\w+)\s*\+=\s*(\d+))\s*", unit.text[second + 1 : closed])
        if start is None or step is None or start[1] not in step.groups():
            continue
        counter, by, written = start[1], int(step[4] or 1), _written(body)
        if counter in written or any(inner.kind in (CursorKind.LAMBDA_EXPR,) for inner in body.walk()):
            continue
        for inner in body.walk():
            if inner.kind != CursorKind.ARRAY_SUBSCRIPT_EXPR or len(inner.children) != 2 or not unit.is_plain(inner):
                continue
            base, index = inner.children
            terms = re.split(r"\s*\+\s*", unit.source(index).strip())
            if terms.count(counter) != 1 or not all(re.fullmatch(r"[\w.]+", term) for term in terms):
                continue
            words = set(re.findall(r"[A-Za-z_]\w*", unit.source(inner))) - {counter}
            if words & (written | _declared(body)) or not re.fullmatch(r"\w+", unit.source(base).strip()):
                continue
            name = f"step_{next(numbers)}"
            at = " + ".join(start[2] if term == counter else term for term in terms)
            end = _end(unit, body)
            yield (
                Edit(node.begin, node.begin, f"{{ auto {name} = {unit.source(base)} + ({at}); "),
                Edit(closed, closed, f", {name} += {by}"),
                Edit(inner.begin, inner.end, f"(*{name})"),
                Edit(end, end, " }"),
            )


def _written(body: Node) -> set[str]:
    """The names of what is assigned, stepped or has its address taken."""
    found = set()
    for node in body.walk():
        if (node.writes or node.operator == "&") and node.children:
            found |= {inner.cursor.spelling for inner in node.children[0].walk()}
        elif node.kind == CursorKind.CALL_EXPR:
            found |= {inner.cursor.spelling for child in node.children[1:] for inner in child.walk()}
    return found


def _declared(body: Node) -> set[str]:
    return {node.cursor.spelling for node in body.walk() if node.kind == CursorKind.VAR_DECL}
