"""The asm statements of a function as libclang prints them: what macros in macros make of them is only there."""

from __future__ import annotations

from typing import Any

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.pretty_printed import definition
from coalint.frontend.cuda.libclang.trees import descendants
from coalint.frontend.cuda.lowering.gpu.assembly import heads

_ASSEMBLY = frozenset({kinds.ASM_STMT, kinds.MS_ASM_STMT})


class PrintedAssembly:
    """The texts of asm statements, by function; each function is printed once."""

    def __init__(self) -> None:
        self._texts: dict[int, dict[int, str]] = {}

    def of(self, function: Any, statement: Any) -> str:
        """Return the text from an asm statement of a function on; empty where it is not clear which one it is."""
        texts = self._texts.get(function.data[0])
        if texts is None:
            texts = self._texts[function.data[0]] = _texts(function)
        return texts.get(statement.data[1], "")


def _texts(function: Any) -> dict[int, str]:
    """Return the texts by statement: they are printed in the order in which they stand in the tree."""
    statements = [cursor.data[1] for cursor in descendants(function, _ASSEMBLY)]
    text = definition(function)
    begins = heads(text)
    if len(begins) != len(statements):
        return {}
    return {statement: text[begin:] for statement, begin in zip(statements, begins, strict=True)}
