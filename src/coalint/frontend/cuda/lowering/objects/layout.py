"""Where the fields of classes lie."""

from __future__ import annotations

from typing import Any

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.lowering.unknown_names import UnknownNames


class Layout:
    """Offsets of fields in bytes; None where a type that the field or its class needs is not known."""

    def __init__(self, unknown_names: UnknownNames | None) -> None:
        self._unknown_names = unknown_names
        self._offsets: dict[int, int | None] = {}

    def offset(self, field: Any) -> int | None:
        """Return a field's offset from the start of the struct or union that declares it."""
        if field is None or field._kind_id != kinds.FIELD_DECL:
            return None
        key = field.data[0]
        if key not in self._offsets:
            bits = field.get_field_offsetof()
            known = bits >= 0 and (
                self._unknown_names is None or not self._unknown_names.of_type(field.semantic_parent.type)
            )
            self._offsets[key] = bits // 8 if known else None
        return self._offsets[key]

    def offset_in(self, owner: Any, field: Any) -> int | None:
        """Return a field's offset from the start of the class `owner`, which may hold it in a nameless union."""
        offset = self.offset(field)
        if offset is None or owner is None or not field.semantic_parent.is_anonymous():
            return offset
        around = 0 if owner == field.semantic_parent else self._nameless(owner, field.semantic_parent)
        return None if around is None else around + offset

    def bit_bytes(self, field: Any) -> int:
        """Return in how many bytes a bit-field lies that does not fill its type.

        0 for one that does, and other fields.
        """
        if field is None or not field.is_bitfield() or field.get_bitfield_width() == 8 * field.type.get_size():
            return 0
        return int(-(-(field.get_field_offsetof() % 8 + field.get_bitfield_width()) // 8))

    def _nameless(self, owner: Any, wanted: Any) -> int | None:
        """Return the offset of a nameless struct or union within a class, through others of its kind."""
        for field in owner.type.get_fields():
            record = field.type.get_declaration()
            if not record.is_anonymous():
                continue
            inside = 0 if record == wanted else self._nameless(record, wanted)
            at = self.offset(field)
            if inside is not None and at is not None:
                return at + inside
        return None
