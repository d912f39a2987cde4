"""What the parts of variables are called in the source: `p.s`, `w.p.a`, `a[1]`."""

from __future__ import annotations

import weakref
from collections.abc import Iterable

from coalint.analysis.domain.store.extents import WHOLE
from coalint.core import ir

Field = tuple[int, str, ir.Type]
"""Its offset in bytes, its name and its type."""
Fields = dict[tuple[str, int], set[Field]]
"""The members of structs, by their names and sizes."""

_latest: list[tuple[weakref.ref[ir.Module], Fields]] = []  # one at most: the kernels of a file come one after the other


class Parts:
    """The members of structs that the functions of a module name, read off these when first asked for."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._fields: Fields | None = None

    def path(
        self, type_: ir.Type, at: int, size: int, *, struct: bool = False, around: frozenset[ir.Type] = frozenset()
    ) -> str:
        """Return what is written after a variable's name for `size` bytes at an offset; as far as that is known.

        `struct` says that a struct or array is meant, which may be the first part of a larger one of its size. `around`
        are the structs that this one is in: of two that are cast to each other each seems to be a base of the other.
        """
        if at == WHOLE or (struct and at == 0 and size == type_.size):
            return ""
        match type_:
            case ir.Array(element=element) if element.size:
                index, rest = divmod(at, element.size)
                if rest + size > element.size:
                    return ""
                return f"[{index}]{self.path(element, rest, size, struct=struct, around=around)}"
            case ir.Record() if type_ not in around:
                members = [f for f in self._of(type_) if f[0] <= at and at + size <= f[0] + f[2].size]
                if len(members) != 1:  # not named anywhere, or members of a union
                    return ""
                begin, name, inner = members[0]
                own = "" if isinstance(inner, ir.Record) and inner.name == name else f".{name}"  # a base has no name
                return own + self.path(inner, at - begin, size, struct=struct, around=around | {type_})
        return ""

    def _of(self, record: ir.Record) -> set[Field]:
        if self._fields is None:
            self._fields = _fields(self._module)
        return self._fields.get((record.name, record.size), set())


def named_members(module: ir.Module, records: Iterable[str]) -> list[tuple[str, int, list[str]]]:
    """Return the members of structs, and of structs in them, as the functions of a module name them.

    Each struct is given by its name and size in bytes, each member by its offset, name and type.
    """
    by_name: dict[str, list[tuple[int, set[Field]]]] = {}
    for (name, size), members in _fields(module).items():
        by_name.setdefault(name, []).append((size, members))
    structs: list[tuple[str, int, list[str]]] = []
    pending = sorted(records)
    seen = set(pending)
    for name in pending:  # which grows meanwhile
        for size, members in sorted(by_name.get(name, ()), key=lambda item: item[0]):
            structs.append((name, size, sorted(map(repr, members))))
            inner = sorted({type_.name for _, _, type_ in members if isinstance(type_, ir.Record)} - seen)
            seen.update(inner)
            pending += inner
    return structs


def _fields(module: ir.Module) -> Fields:
    """Return the members that a module names: read once for all its kernels."""
    if _latest and _latest[0][0]() is module:
        return _latest[0][1]
    fields: Fields = {}
    as_large: Fields = {}
    for function in module.functions.values():
        _read(function.body, fields, as_large)
    _add_bases(fields, as_large)
    _latest[:] = [(weakref.ref(module), fields)]
    return fields


def _add_bases(fields: Fields, as_large: Fields) -> None:
    """Add the bases of structs that have no members but those; with others the cast is to a struct derived from it."""
    pending = True
    while pending:
        found = {
            struct: bases
            for struct, bases in as_large.items()
            if struct not in fields and all((name, base.size) in fields for _, name, base in bases)
        }
        fields |= found
        pending = bool(found)


def _read(body: ir.Statement, fields: Fields, as_large: Fields) -> None:
    """Read off members and bases; `as_large` gets the structs that are cast to another one of their size."""
    pending: list[ir.Expression | ir.Statement] = [body]
    while pending:
        node = pending.pop()
        match node:
            case ir.Member(object=ir.Expression(type=ir.Record() as record), offset=int(at)):
                fields.setdefault((record.name, record.size), set()).add((at, node.field, node.type))
            case ir.Cast(operand=ir.Expression(type=ir.Record() as record), type=ir.Record() as base):
                if base.size < record.size:  # the first base, which stands at the beginning
                    fields.setdefault((record.name, record.size), set()).add((0, base.name, base))
                elif base.size == record.size and base.name != record.name:
                    as_large.setdefault((record.name, record.size), set()).add((0, base.name, base))
        pending += ir.children(node)
