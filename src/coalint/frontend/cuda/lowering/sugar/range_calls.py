"""What range-based `for` loops call, as functions after the file's text tell it."""

from __future__ import annotations

import re
from typing import Any

from coalint.core.records import record
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode, tree

PREFIX = "coalint_range_"


_FILE_LOCAL = "(anonymous namespace)::"


_NAMELESS = re.compile(r"\((?:lambda|anonymous|unnamed)\b")


@record(frozen=True, slots=True)
class RangeCalls:
    """What a function after the text declares and does: `auto b = begin, e = end; b != e; ++b;`."""

    range: Any
    begin: CursorNode
    end: CursorNode
    differs: CursorNode
    step: CursorNode


class Ranges:
    """The classes that loops of one unit go over: what is `wanted` of the next parse, and what this one has told."""

    def __init__(self) -> None:
        self.wanted: dict[str, None] = {}
        self._known: dict[tuple[int, Any], RangeCalls] = {}

    def text(self) -> str:
        """Return the source that goes after the file's own, a line for each class."""
        lines = (body.replace("NAME", f"{PREFIX}{number}") for number, body in enumerate(self.wanted))
        return "\n".join(lines)

    def take(self, function: Any) -> None:
        """Read one of those functions; one with mistakes tells nothing."""
        children = tree(function).children
        bodies = [child for child in children if child.kind == kinds.COMPOUND_STMT]
        ranges = [child for child in children if child.kind == kinds.PARM_DECL]
        if not ranges or not bodies or len(bodies[0].children) != 4:
            return
        begin, end, differs, step = bodies[0].children
        if all(len(held.children) == 1 and held.children[0].kind == kinds.VAR_DECL for held in (begin, end)):
            calls = RangeCalls(ranges[0].cursor, begin.children[0], end.children[0], differs, step)
            self._known[_identity(ranges[0].cursor.type)] = calls

    def calls(self, range_: Any, member: bool) -> RangeCalls | None:
        """Return what a loop calls for the declaration of its `__range`.

        None, and wanted, where it is not known yet.
        """
        known = self._known.get(_identity(range_.type))
        spelled = str(range_.type.get_pointee().get_canonical().spelling).replace(_FILE_LOCAL, "")
        if known is None and spelled and not _NAMELESS.search(spelled):
            begin, end = ("r.begin()", "r.end()") if member else ("begin(r)", "end(r)")
            body = f"{{ auto b = {begin}; auto e = {end}; b != e; ++b; }}"
            self.wanted[f"static __device__ void NAME({spelled} &r) {body}"] = None
        return known


def _identity(reference: Any) -> tuple[int, Any]:
    """Return what tells the class that is referred to, const or not, from all others of the unit."""
    canonical = reference.get_pointee().get_canonical()
    return canonical._kind_id, canonical.data[0]
