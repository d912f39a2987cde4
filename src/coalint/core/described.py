"""What a record whose methods are compiled has beside them: its fields for `dataclasses`, its text, and its pickles.

In a compiled build `describe` stands for `coalint.core.records.record`, see `packaging/compiled/`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, fields, make_dataclass
from typing import Any

from coalint.core.records import as_text

Described = tuple[str, str, dict[str, Any]]
"""A field: its name, its type, and what `dataclasses.field` is given."""

_plain: dict[type, Any] = {}  # the dataclass, without methods, that each record is described by


def describe(own: Any, declared: Sequence[Described], *, frozen: bool = False, eq: bool = True) -> None:
    """Make a class a dataclass to `fields` and `replace`, without the methods that a dataclass has."""
    parts = [(name, kind, field(**options)) for name, kind, options in declared]
    bases = tuple(_plain[base] for base in own.__bases__ if base in _plain)
    plain: Any = make_dataclass(own.__name__, parts, bases=bases, init=False, repr=False, eq=False)
    _plain[own] = plain
    own.__dataclass_fields__, own.__dataclass_params__ = plain.__dataclass_fields__, plain.__dataclass_params__
    own.__reduce__ = _reduction(own, [each.name for each in fields(plain) if each.init])
    if own.__repr__ is object.__repr__:
        own.__repr__ = as_text
    if eq and not frozen:
        own.__hash__ = None


def _reduction(own: type, names: Sequence[str]) -> Callable[[Any], Any]:
    def __reduce__(self: Any) -> Any:  # noqa: N807 (as the class has it)
        return own, tuple(getattr(self, name) for name in names)

    return __reduce__
