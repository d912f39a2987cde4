"""The arguments of a call, by position and by name."""

from __future__ import annotations

import ast

from coalint.core.records import record
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.values import Number, TupleValue, Unknown, Value


@record(frozen=True, slots=True)
class Arguments:
    """What a call passes; `is_open` says that some of it is unpacked and not followed."""

    positional: tuple[Value, ...]
    named: dict[str, Value]
    is_open: bool = False

    def get(self, place: int, name: str = "") -> Value | None:
        """Return the argument at a place or of a name; None where it is not passed."""
        if name in self.named:
            return self.named[name]
        return self.positional[place] if 0 <= place < len(self.positional) else None

    def number(self, place: int, name: str = "") -> Number | None:
        """Return an argument that is a number."""
        value = self.get(place, name)
        return value if isinstance(value, Number) else None

    @property
    def all(self) -> tuple[Value, ...]:
        """All arguments."""
        return (*self.positional, *self.named.values())

    @property
    def unknown(self) -> Unknown | None:
        """The first argument that is not followed."""
        return next((value for value in self.all if isinstance(value, Unknown)), None)


def arguments(low: Lowering, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call."""
    positional: list[Value] = []
    is_open = False
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = low.value(argument.value)
            if isinstance(value, TupleValue):
                positional.extend(value.items)
            else:
                is_open = True
        else:
            positional.append(low.value(argument))
    named = {keyword.arg: low.value(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    is_open = is_open or any(keyword.arg is None for keyword in node.keywords)
    return Arguments(tuple(positional), named, is_open)
