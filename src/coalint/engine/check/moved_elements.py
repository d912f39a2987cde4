"""The elements that code names, and how wide they are: a float at a time, or a vector of four."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.engine.check.pointer_roots import PointerRoots

Node = ir.Expression | ir.Statement
Sizes = dict[str, int]
"""The bytes of the widest element that each variable is read or written through, by a key of the variable."""

_WIDEST = 32  # bytes that a lane moves in one instruction
_DEPTH = 3  # calls that are followed


class Keys:
    """Where addresses in a function begin, by keys of their variables or, over several functions, by names."""

    def __init__(self, body: ir.Statement, by_name: bool = False) -> None:
        self._roots, self._by_name = PointerRoots(body), by_name

    def of(self, node: Node) -> str:
        """Return the variable that an address begins at; empty where there is none."""
        variable = self._roots.of(node)
        if variable is None:
            return ""
        return variable.name if self._by_name else variable.key


def elements(body: Node, roots: Keys) -> Iterator[tuple[Span, str, int]]:
    """Yield the elements that a statement names, each with where its address begins and its bytes."""
    waiting: list[tuple[Node, bool]] = [(body, True)]
    while waiting:
        node, is_moved = waiting.pop()
        if is_moved and isinstance(node, ir.Subscript | ir.Dereference):
            size, root = node.type.size, roots.of(node.base if isinstance(node, ir.Subscript) else node.pointer)
            if root and size and size <= _WIDEST:
                yield node.span, root, size
        waiting.extend((part, not isinstance(node, ir.AddressOf)) for part in ir.children(node))


class WidestElements:
    """The widest elements that code moves, with what it calls; each of the functions is looked through once."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Take the functions that have a body, by key."""
        self._functions = functions
        self._known: dict[tuple[str, int], Sizes] = {}

    def of(self, body: Node, roots: Keys, depth: int = _DEPTH) -> Sizes:
        """Return the widest elements that a statement moves, by what is called with a pointer too."""
        widest: Sizes = {}
        for _, root, size in elements(body, roots):
            widest[root] = max(size, widest.get(root, 0))
        for node in ir.nodes(body) if depth else ():
            function = self._functions.get(node.function or "") if isinstance(node, ir.Call) else None
            if not isinstance(node, ir.Call) or function is None:
                continue
            inside = self._inside(function, depth - 1)
            for argument, parameter in zip(node.arguments, function.parameters, strict=False):
                root = roots.of(argument) if parameter.key in inside else ""
                if root:
                    widest[root] = max(inside[parameter.key], widest.get(root, 0))
        return widest

    def _inside(self, function: ir.Function, depth: int) -> Sizes:
        known = self._known.get((function.key, depth))
        if known is None:
            known = self._known[function.key, depth] = self.of(function.body, Keys(function.body), depth)
        return known
