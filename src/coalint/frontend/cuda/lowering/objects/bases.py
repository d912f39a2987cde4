"""Where the base classes of a class lie in it, which libclang does not say.

The rules are the Itanium C++ ABI's, section 2.4, which nvcc follows on both sides: the first base with virtual
functions comes first, then the others in the order of their declaration, each at the next multiple of its alignment
after what was laid out before. Whether a base lends its padding to what follows hinges on more than is asked here;
where that matters, and where a base is virtual, the offset is not known.

Of an instance of a class template libclang names no bases, only of the template; what such a base is is then known only
by its template, its size not at all.
"""

from __future__ import annotations

import re
from ctypes import byref, c_size_t, string_at
from dataclasses import field
from typing import Any, NamedTuple

from clang.cindex import conf

from coalint.core.records import record
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import direct_children

_BASE = kinds.CXX_BASE_SPECIFIER
_TEMPLATE_REF = kinds.TEMPLATE_REF
_CLASS_TEMPLATE = kinds.CLASS_TEMPLATE
_PARTIAL = kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION
_RECORD = type_kinds.RECORD
_METHODS = frozenset({kinds.CXX_METHOD, kinds.DESTRUCTOR, kinds.CONVERSION_FUNCTION})
_NAME = re.compile(r"[A-Za-z_]\w*")
_POINTER = 8  # bytes of the pointer to a table of virtual functions


class _Parent(NamedTuple):
    """A base: its class or its template (neither where it is a template's parameter), and where it begins.

    It begins at the next multiple of its alignment from `least` bytes on, or from `most`, or anywhere (None).
    """

    declaration: Any
    template: Any
    least: int
    most: int | None

    def begin(self, base: Any) -> int | None:
        """Return its offset in bytes, as the class `base`."""
        if self.most is None:
            return None
        if self.most == 0:
            return 0
        align = base.type.get_align()
        if align <= 0 or _up(self.least, align) != _up(self.most, align):
            return None
        return _up(self.least, align)


class _Layout(NamedTuple):
    """A class: its bases, and where its data end, at least and at most (None: not known)."""

    parents: tuple[_Parent, ...]
    least: int
    most: int | None
    dynamic: bool
    empty: bool


_UNKNOWN = _Layout((), 0, None, False, False)


@record
class Bases:
    """The layouts of the classes of one translation unit, by the places of their declarations."""

    _known: dict[int, _Layout] = field(default_factory=dict)

    def offset(self, derived: Any, base: Any) -> tuple[bool, int | None]:
        """Whether the one class (a declaration) may derive from the other, and at how many bytes the base lies in it.

        None where that is not known, or where there are several such bases. Of the instances of one template that
        derive from one another libclang tells only the next ones apart.
        """
        offsets = self._offsets(derived, base, _template(base), frozenset())
        return bool(offsets), offsets[0] if len(offsets) == 1 else None

    def parents(self, derived: Any) -> list[tuple[Any, int | None]]:
        """Return the declarations of a class's own bases with their offsets in bytes; None for what is not known."""
        parents = self._layout(derived).parents
        return [(p.declaration, None if p.declaration is None else p.begin(p.declaration)) for p in parents]

    def _offsets(self, derived: Any, base: Any, template: Any, around: frozenset[int]) -> list[int | None]:
        offsets: list[int | None] = []
        unnamed: list[int | None] = []
        if derived.hash in around:
            return [None]
        around |= {derived.hash}
        for parent in self._layout(derived).parents:
            declared = parent.declaration is not None
            if parent.declaration == base if declared else _same(parent.template, template):
                sure = declared or not _same(_template(derived), template) or _is_next(derived, base)
                offsets.append(parent.begin(base) if sure else None)
            elif not declared and parent.template is None:
                unnamed.append(parent.begin(base))
            else:
                inside = self._offsets(parent.declaration if declared else parent.template, base, template, around)
                at = parent.begin(parent.declaration) if declared or parent.most == 0 else None
                offsets.extend(None if at is None or further is None else at + further for further in inside)
        return offsets or unnamed

    def _layout(self, declaration: Any) -> _Layout:
        key = declaration.hash
        if key not in self._known:
            self._known[key] = _UNKNOWN  # should a class be found inside of itself
            self._known[key] = self._laid_out(declaration)
        return self._known[key]

    def _laid_out(self, declaration: Any) -> _Layout:
        members = direct_children(declaration) or _of_template(declaration)
        specifiers = [member for member in members if member._kind_id == _BASE]
        virtual = any(conf.lib.clang_isVirtualBase(specifier) for specifier in specifiers)
        classes = [_class(specifier) for specifier in specifiers]
        named = [of if of is not None else template for of, template in classes]
        layouts = [_UNKNOWN if name is None else self._layout(name) for name in named]
        primary = next((i for i, layout in enumerate(layouts) if layout.dynamic), None)
        dynamic = primary is not None or any(m._kind_id in _METHODS and m.is_virtual_method() for m in members)
        least = _POINTER if dynamic and primary is None else 0
        most: int | None = None if virtual else least
        begins: dict[int, tuple[int, int | None]] = {}
        for i in [*([primary] if primary is not None else []), *(i for i in range(len(classes)) if i != primary)]:
            if layouts[i].empty and not _is_expanded(specifiers[i]):
                begins[i] = (0, None if virtual else 0)
                continue
            if _is_expanded(specifiers[i]):  # there are as many of it as the instance has arguments
                most = None
            begins[i] = (least, most)
            own, behind = classes[i][0], layouts[i].most
            at = _Parent(*classes[i], least, most).begin(own) if own is not None else None
            known = at is not None and behind is not None
            least, most = (at or 0) + layouts[i].least, (at or 0) + (behind or 0) if known else None
        is_template = declaration._kind_id == _CLASS_TEMPLATE
        fields = [] if is_template else list(declaration.type.get_fields())
        size = -1 if is_template else declaration.type.get_size()
        return _Layout(
            tuple(_Parent(*which, *begins[i]) for i, which in enumerate(classes)),
            max([least, *map(_end, fields)]),
            None if size < 0 else size,
            dynamic or virtual,
            size >= 0 and not fields and not dynamic and not virtual and all(layout.empty for layout in layouts),
        )


def _same(a: Any, b: Any) -> bool:
    """Whether two cursors, or neither, declare one thing, be it before or where it is defined."""
    return a is not None and b is not None and bool(a == b or a.canonical == b.canonical)


def _template(declaration: Any) -> Any:
    """Return the template that a class is an instance of, or None."""
    template = conf.lib.clang_getSpecializedCursorTemplate(declaration)
    if template is not None and template._kind_id == _PARTIAL:
        template = conf.lib.clang_getSpecializedCursorTemplate(template)
    return None if template is None or template._kind_id != _CLASS_TEMPLATE else template


def _is_next(derived: Any, base: Any) -> bool:
    """Whether one instance of a template is what the other one, put into its pattern, names as a base."""
    pattern = conf.lib.clang_getSpecializedCursorTemplate(derived)
    known = _bound(_arguments(pattern.displayname), _arguments(derived.type.get_canonical().spelling))
    wanted = _arguments(base.type.get_canonical().spelling)
    specifiers = (member for member in direct_children(pattern) if member._kind_id == _BASE)
    return known is not None and any(
        [put for name in _arguments(member.type.spelling) for put in _put(name, known)] == wanted
        for member in specifiers
    )


def _bound(names: list[str], values: list[str]) -> dict[str, list[str]] | None:
    """Return what the parameters of a pattern, the last of which may be a pack, stand for."""
    last = len(names) - 1
    if last < 0 or len(values) < last:
        return None
    known = {name: [value] for name, value in zip(names, values[:last], strict=False)}
    return known | {names[last].removesuffix("..."): values[last:]}


def _put(argument: str, known: dict[str, list[str]]) -> list[str]:
    """Return a template argument of a pattern as an instance has it: `const T` as `const float`, `N...` as `1`, `2`."""
    pack = known.get(argument.removesuffix("...").strip()) if argument.endswith("...") else None
    if pack is not None:
        return pack
    return [_NAME.sub(lambda name: ", ".join(known.get(name.group(), [name.group()])), argument)]


def _arguments(spelled: str) -> list[str]:
    """Return the template arguments of `a<b, c<d>>`, as text."""
    arguments, depth = [""], 0
    for sign in spelled.partition("<")[2].rpartition(">")[0]:
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "," and not depth:
            arguments.append("")
        else:
            arguments[-1] += sign
    return [argument.strip() for argument in arguments]


def _of_template(declaration: Any) -> list[Any]:
    pattern = conf.lib.clang_getSpecializedCursorTemplate(declaration)
    return [] if pattern is None else direct_children(pattern)


def _is_expanded(specifier: Any) -> bool:
    """Whether a base of a template is a pack: `T...`."""
    end = specifier.extent.end
    if end.file is None:
        return False
    size = c_size_t()
    contents = library().clang_getFileContents(specifier.translation_unit, end.file, byref(size))
    behind = string_at(contents + end.offset, min(16, size.value - end.offset)) if contents else b""
    return behind.lstrip().startswith(b"...")


def _class(specifier: Any) -> tuple[Any, Any]:
    """Return the class that a base specifier names, or the template that it is an instance of."""
    type_ = specifier.type.get_canonical()
    if type_._kind_id == _RECORD:
        return type_.get_declaration(), None
    for child in direct_children(specifier):
        if child._kind_id == _TEMPLATE_REF:
            return None, child.referenced
    return None, None


def _up(size: int, align: int) -> int:
    return -(-size // align) * align


def _end(member: Any) -> int:
    """Return the first byte after a field's data, at least."""
    bits = max(0, member.get_field_offsetof())
    if member.is_bitfield():
        return int(-(-(bits + member.get_bitfield_width()) // 8))
    return int(bits // 8 + max(0, member.type.get_size()))
