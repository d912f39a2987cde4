"""Which values that nothing uses are not loaded: those that change nothing and hold nothing volatile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from coalint.analysis.interpreter.host.effects import Effects
from coalint.core import ir


class DroppedValues:
    """What may be left out of a module where nothing uses it, found once for each expression."""

    def __init__(self, module: ir.Module, effects: Effects) -> None:
        self._module = module
        self._effects = effects
        self._known: dict[int, tuple[ir.Expression, bool]] = {}
        self._declares_volatile: bool | None = None

    def is_left_out(self, value: ir.Expression, function: str) -> bool:
        """Whether the compiler makes nothing of a value that a function returns and its caller does not use."""
        known = self._known.get(id(value))
        if known is None:
            is_idle = self._effects.changes_nothing(value) and not self._may_be_volatile(value, function)
            known = self._known[id(value)] = value, is_idle
        return known[1]

    def _may_be_volatile(self, value: ir.Expression, function: str) -> bool:
        """Whether a load may be one that is made as it is written: as its variable or a function's text says."""
        word = self._module.spelling.volatile
        if not self._names_volatile:
            return False
        if self._declares_volatile is None:
            declared = re.compile(rf"\b{word}\b[^(){{}};]*;")
            self._declares_volatile = any(declared.search(text) for text in self._module.sources.values())
        return self._declares_volatile or any(word in self._text(key) for key in self._called(value, function))

    @cached_property
    def _names_volatile(self) -> bool:
        """Whether the word for what is volatile stands anywhere in the sources."""
        word = self._module.spelling.volatile
        return bool(word) and any(word in text for text in self._module.sources.values())

    def _called(self, value: ir.Expression, function: str) -> Iterator[str]:
        """Yield the functions that the evaluation runs through."""
        yield function
        seen: set[str] = set()
        pending: list[ir.Expression | ir.Statement] = [value]
        while pending:
            calls = (node for node in ir.nodes(pending.pop()) if isinstance(node, ir.Call))
            called = {call.function for call in calls if call.function is not None}
            for key in called & self._module.functions.keys() - seen:
                yield key
                seen.add(key)
                pending.append(self._module.functions[key].body)

    def _text(self, key: str) -> str:
        """Return the lines of a function."""
        function = self._module.functions[key]
        lines = self._module.sources.get(function.span.file, "").splitlines()
        return "\n".join(lines[function.span.line - 1 : function.body.span.end_line])
