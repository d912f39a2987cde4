"""Where the parts of classes and arrays lie, for objects whose initialization is followed."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.objects.classes import ARRAYS


class Unknown(Exception):
    """What an object is initialized with is not known, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class KnownLayout:
    """The layouts of the types of one translation unit."""

    def __init__(self, low: Context) -> None:
        self.low = low

    def leaves(self, type_: Any, most: int) -> int:
        """Return the scalars of an object, counted until they are more than `most`."""
        type_ = type_.get_canonical()
        if type_._kind_id in ARRAYS:
            count = int(type_.element_count)
            return min(most + 1, count) * self.leaves(type_.element_type, most) if count else 0
        declaration = classes.record_of(type_)
        if declaration is None:
            return 1
        scalars = 0
        bases = (base for base, _ in self.low.bases.parents(declaration) if base is not None)
        for part in (*bases, *classes.fields(declaration)):
            scalars += self.leaves(part.type, most)
            if scalars > most:
                break
        return scalars

    def declaration(self, type_: Any) -> Any:
        """Return the declaration of a class that is known as a whole."""
        declaration = classes.record_of(type_)
        lowered = self.low.types.lower(type_)
        if declaration is None or not isinstance(lowered, ir.Record):
            reason = lowered.reason if isinstance(lowered, ir.Other) else ""
            raise Unknown(reason or no_layout(type_))
        return declaration

    def size(self, element: Any) -> int:
        """Return bytes from one element of an array to the next."""
        size = self.low.types.lower(element).size
        if size <= 0:
            raise Unknown(no_layout(element))
        return size

    def offset(self, declaration: Any, field: Any) -> int:
        """Return bytes from the start of a class to one of its fields."""
        offset = self.low.layout.offset(field)
        if offset is None:
            raise Unknown(no_layout(declaration.type))
        return offset

    def bases(self, declaration: Any) -> list[tuple[Any, int]]:
        """Return the base classes that hold something, with their offsets."""
        bases: list[tuple[Any, int]] = []
        for base, offset in self.low.bases.parents(declaration):
            if base is not None and offset is not None:
                bases.append((base, offset))
            elif not self._only_own(declaration):
                raise Unknown(no_layout(declaration.type))
        return bases

    def _only_own(self, declaration: Any) -> bool:
        """Whether the bases of a class hold nothing, by its size and where its fields begin."""
        own = list(declaration.type.get_fields())
        return bool(own[0].get_field_offsetof() == 0 if own else declaration.type.get_size() <= 1)


def no_layout(type_: Any) -> str:
    """Return why nothing is known of an object of this type."""
    declaration = classes.record_of(type_)
    name = declaration.spelling if declaration is not None else type_.spelling
    return f"the layout of `{name}` is not known"
