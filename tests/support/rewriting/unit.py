"""A source as libclang reads it, for rewriting: device functions, statements, expressions and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from clang.cindex import CursorKind

from coalint.frontend.cuda.libclang.bindings import BINARY, UNARY, library
from coalint.frontend.cuda.libclang.parse import parse

_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|->|::|\S", re.DOTALL)
_NUMBER = re.compile(r"\d[\w.]*")
_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE)
_SCOPES = (
    *(CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL),
    *(CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.CLASS_TEMPLATE),
)
_DEVICE = (CursorKind.CUDAGLOBAL_ATTR, CursorKind.CUDADEVICE_ATTR)
LOOPS = (CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT)
STEPS = ("p++", "p--", "++p", "--p")


@dataclass(eq=False, slots=True)
class Node:
    """A cursor of the main file with its place in the text."""

    cursor: Any
    kind: Any
    begin: int
    end: int
    parent: Node | None
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it, in the order of the source."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def operator(self) -> str:
        """The operator of a unary or binary expression, as the bindings spell it; empty for another node."""
        if self.kind == CursorKind.UNARY_OPERATOR:
            return str(UNARY[library().clang_getCursorUnaryOperatorKind(self.cursor)])
        if self.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR):
            return str(BINARY[library().clang_getCursorBinaryOperatorKind(self.cursor)])
        return ""

    def refers_to(self, declaration: Node) -> bool:
        """Whether it names what is declared there."""
        referenced = self.cursor.referenced
        return referenced is not None and bool(referenced == declaration.cursor)

    @property
    def writes(self) -> bool:
        """Whether it is an assignment or a step."""
        return self.kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR or self.operator in ("=", *STEPS)


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign of the text; comments and strings are one each."""

    begin: int
    text: str

    @property
    def end(self) -> int:
        """Just behind it."""
        return self.begin + len(self.text)


def tokens(text: str, begin: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a stretch of text."""
    return [Token(m.start(), m[0]) for m in _TOKEN.finditer(text, begin, len(text) if end is None else end)]


class Unit:
    """One source. `text` has a character per byte, as libclang counts."""

    def __init__(self, path: str, flags: Sequence[str], text: str, headers: str | None) -> None:
        self.path, self.text = path, text
        self.unit = parse(path, flags, text.encode("latin-1").decode("utf-8", "surrogateescape"), headers=headers)
        self.functions = list(self._functions(self.unit.cursor))

    @property
    def errors(self) -> int:
        """How many errors libclang has to say of it."""
        return sum(1 for said in self.unit.diagnostics if said.severity >= 3)

    def source(self, node: Node) -> str:
        """The text of a node."""
        return self.text[node.begin : node.end]

    def line(self, offset: int) -> int:
        """The line that an offset lies in, from 1."""
        return self.text.count("\n", 0, offset) + 1

    @cached_property
    def macros(self) -> list[tuple[int, int]]:
        """Where macros are used."""
        return [
            (cursor.extent.start.offset, cursor.extent.end.offset)
            for cursor in self.unit.cursor.get_children()
            if cursor.kind == CursorKind.MACRO_INSTANTIATION and self._is_own(cursor)
        ]

    @cached_property
    def macro_words(self) -> set[str]:
        """The words of the lines of the preprocessor, in which a name may be used out of sight."""
        lines = re.findall(r"^[ \t]*#[ \t]*(?!pragma)(?:[^\n\\]|\\.|\\\n)*", self.text, re.MULTILINE)
        return {word for line in lines for word in re.findall(r"\w+", line)}

    def is_plain(self, node: Node) -> bool:
        """Whether its text can be moved: no macro begins or ends in it but such as lie inside of it whole."""
        text = self.source(node)
        if not text.strip() or re.search(r"^[ \t]*#", text, re.MULTILINE):
            return False
        for begin, end in self.macros:
            if begin < node.end and node.begin < end:
                inside = node.begin <= begin and end <= node.end and (begin, end) != (node.begin, node.end)
                if not inside or "(" in self.text[begin:end] or end == node.end or begin == node.begin:
                    return False
        return True

    def _is_own(self, cursor: Any) -> bool:
        return cursor.location.file is not None and cursor.location.file.name == self.path

    def _functions(self, scope: Any) -> Iterator[Node]:
        for cursor in scope.get_children():
            if not self._is_own(cursor):
                continue
            if cursor.kind in _FUNCTIONS:
                children = list(cursor.get_children())
                has_body = any(child.kind == CursorKind.COMPOUND_STMT for child in children)
                if has_body and any(child.kind in _DEVICE for child in children):
                    yield self._node(cursor, None)
            elif cursor.kind in _SCOPES:
                yield from self._functions(cursor)

    def _node(self, cursor: Any, parent: Node | None) -> Node:
        extent = cursor.extent
        node = Node(cursor, cursor.kind, extent.start.offset, extent.end.offset, parent)
        for child in cursor.get_children():
            of_children = self._node(child, node)
            node.children.append(of_children)
        return node


def body_of(function: Node) -> Node:
    """The compound statement of a function."""
    return next(child for child in function.children if child.kind == CursorKind.COMPOUND_STMT)


def is_pure(node: Node) -> bool:
    """Whether evaluating it changes nothing that is in sight: no assignment, step, call or lambda."""
    forbidden = (CursorKind.CALL_EXPR, CursorKind.LAMBDA_EXPR, CursorKind.CXX_NEW_EXPR, CursorKind.UNEXPOSED_STMT)
    return not any(inner.writes or inner.kind in forbidden for inner in node.walk())


def statement_of(node: Node) -> Node | None:
    """The statement of a block that always evaluates this expression once; None where there is none."""
    inner = node
    while inner.parent is not None:
        parent = inner.parent
        if parent.kind == CursorKind.COMPOUND_STMT:
            return inner
        conditional = parent.kind == CursorKind.CONDITIONAL_OPERATOR or parent.operator in ("&&", "||")
        if conditional or (parent.kind.is_statement() and parent.kind != CursorKind.DECL_STMT):
            return None
        if parent.kind == CursorKind.LAMBDA_EXPR:
            return None
        inner = parent
    return None


def wrapped(text: str) -> str:
    """The text in parentheses, unless it is a name or a number."""
    return text if re.fullmatch(r"\w+", text) or _NUMBER.fullmatch(text) else f"({text})"
