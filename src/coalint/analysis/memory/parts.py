"""What the parts of variables are called in the source: `p.s`, `w.p.a`, `a[1]`."""

from __future__ import annotations

from collections.abc import Mapping

from coalint import ir
from coalint.analysis.memory.extents import WHOLE

Field = tuple[int, str, ir.Type]
"""Its offset in bytes, its name and its type."""


class Parts:
    """The members of structs that the functions of a module name, read off these when first asked for."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self._functions = functions
        self._fields: dict[tuple[str, int], set[Field]] | None = None

    def path(self, type_: ir.Type, at: int, size: int, *, struct: bool = False) -> str:
        """What is written behind a variable's name for `size` bytes at an offset; as far as that is known.

        `struct` says that a struct or array is meant, which may be the first part of a larger one of its size.
        """
        if at == WHOLE or (struct and at == 0 and size == type_.size):
            return ""
        match type_:
            case ir.Array(element=element) if element.size:
                index, rest = divmod(at, element.size)
                if rest + size > element.size:
                    return ""
                return f"[{index}]{self.path(element, rest, size, struct=struct)}"
            case ir.Record():
                found = [f for f in self._of(type_) if f[0] <= at and at + size <= f[0] + f[2].size]
                if len(found) != 1:  # not named anywhere, or members of a union
                    return ""
                begin, name, inner = found[0]
                own = "" if isinstance(inner, ir.Record) and inner.name == name else f".{name}"  # a base has no name
                return own + self.path(inner, at - begin, size, struct=struct)
        return ""

    def _of(self, record: ir.Record) -> set[Field]:
        if self._fields is None:
            self._fields = {}
            for function in self._functions.values():
                self._read(function.body)
        return self._fields.get((record.name, record.size), set())

    def _read(self, body: ir.Statement) -> None:
        assert self._fields is not None
        pending: list[ir.Expression | ir.Statement] = [body]
        while pending:
            node = pending.pop()
            match node:
                case ir.Member(object=ir.Expression(type=ir.Record() as record), offset=int(at)):
                    self._fields.setdefault((record.name, record.size), set()).add((at, node.field, node.type))
                case ir.Cast(operand=ir.Expression(type=ir.Record() as record), type=ir.Record() as base):
                    if base.size < record.size:  # the first base, which stands at the beginning
                        self._fields.setdefault((record.name, record.size), set()).add((0, base.name, base))
            pending += ir.children(node)
