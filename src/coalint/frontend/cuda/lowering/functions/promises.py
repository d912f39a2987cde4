"""What the declaration of a function says of its arguments."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds

_REFERENCES = frozenset({type_kinds.LVALUEREFERENCE, type_kinds.RVALUEREFERENCE})


class Promises:
    """What the declarations of one unit say, found once for each."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[frozenset[int], frozenset[int]]] = {}

    def of(self, callee: Any) -> tuple[frozenset[int], frozenset[int]]:
        """Return the positions of arguments that the function may change, and of those that point to const."""
        promises = self._known.get(callee.hash)
        if promises is not None:
            return promises
        changes, keeps = set[int](), set[int]()
        for position, parameter in enumerate(callee.get_arguments()):
            type_ = parameter.type.get_canonical()
            is_const = bool(type_.get_pointee().is_const_qualified())
            if type_._kind_id in _REFERENCES and not is_const:
                changes.add(position)
            elif type_._kind_id == type_kinds.POINTER and is_const:
                keeps.add(position)
        if callee._kind_id == kinds.CXX_METHOD and not callee.is_const_method():
            changes.add(ir.RECEIVER)
        promises = self._known[callee.hash] = frozenset(changes), frozenset(keeps)
        return promises
