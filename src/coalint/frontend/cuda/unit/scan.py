"""The kernels, host functions and templates of a translation unit's own files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.outermost import own_declarations
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering.cursors import SCOPES, declaration_key, is_kernel
from coalint.frontend.cuda.lowering.sugar import range_calls
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.repair import prologue
from coalint.frontend.cuda.templates import instances
from coalint.frontend.cuda.templates.representative_arguments import Visible
from coalint.frontend.cuda.unit.header_hosts import hosts_of_headers

_RECORDS = frozenset({kinds.STRUCT_DECL, kinds.CLASS_DECL})
_CLASSES = frozenset({*_RECORDS, kinds.CLASS_TEMPLATE})
_FUNCTIONS = frozenset({kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.CONSTRUCTOR, kinds.FUNCTION_TEMPLATE})


class Scan:
    """What a unit declares, by the keys of the declarations.

    `kernels` and `templates` (of kernels), `hosts` and `host_templates` are cursors of definitions; `visible` are the
    classes that may be arguments of templates, `named` the keys of the kernels that explicit instantiations name, `top`
    the declarations of the unit's own files outside of scopes.
    """

    def __init__(self, unit: TranslationUnit, low: Lowering) -> None:
        self.unit = unit
        self.low = low
        self.lib = library()
        self.locations = low.locations
        self.kernels: dict[str, Any] = {}
        self.templates: dict[str, Any] = {}
        self.host_templates: dict[str, Any] = {}
        self.hosts: dict[str, Any] = {}
        self.visible = Visible()
        self.named: set[str] = set()
        self.top = own_declarations(unit, low.locations)
        self._scan(self.top)
        of_headers = hosts_of_headers(unit, low.locations)
        self.hosts.update((declaration_key(cursor), cursor) for cursor in of_headers)

    def _scan(self, cursors: Iterable[Any]) -> None:
        for cursor in cursors:
            if not self.locations.is_own(cursor):
                continue
            kind = cursor._kind_id
            if kind in SCOPES or kind in _RECORDS:
                if kind in _RECORDS:
                    self.visible.add(cursor)
                self._scan(direct_children(cursor))
            elif kind == kinds.CLASS_TEMPLATE:
                self.visible.add(cursor)
                self._scan(direct_children(cursor))
            elif kind == kinds.VAR_DECL and cursor.spelling.startswith(prologue.PREFIX):
                self._explicit(cursor)
            elif kind == kinds.FUNCTION_DECL and cursor.spelling.startswith(range_calls.PREFIX):
                self.low.ranges.take(cursor)
            elif kind in _FUNCTIONS and self.lib.clang_isCursorDefinition(cursor) and not self._is_instance(cursor):
                self._function(cursor, {child._kind_id for child in direct_children(cursor)})

    def _is_instance(self, cursor: Any) -> bool:
        """Whether a function is what libclang made of a template: it stands where that does."""
        template = self.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is None:
            return False
        definition = self.lib.clang_getCursorDefinition(template)
        patterns = (template, template.canonical, *(() if definition is None else (definition,)))
        return place(cursor) in map(place, patterns)

    def _function(self, cursor: Any, attributes: set[int]) -> None:
        key = declaration_key(cursor)
        is_template = cursor._kind_id == kinds.FUNCTION_TEMPLATE or _of_class_template(cursor)
        if kinds.CUDAGLOBAL_ATTR in attributes:
            (self.templates if is_template else self.kernels)[key] = cursor
            if not is_template:
                self.low.kernels_defined.append(cursor)
        elif kinds.CUDADEVICE_ATTR not in attributes or kinds.CUDAHOST_ATTR in attributes:
            (self.host_templates if is_template else self.hosts)[key] = cursor

    def _explicit(self, variable: Any) -> None:
        """Collect what an explicit instantiation names: a kernel, a host function, or a class with host functions."""
        target = instances.target_of(variable)
        if target is not None:
            self.instance(target, self.hosts)
            return
        pointee = variable.type.get_pointee()
        template = self.lib.clang_getSpecializedCursorTemplate(pointee.get_declaration())
        if template is not None:
            self.visible.instances.setdefault(place(template), []).append(pointee.get_canonical().spelling)

    def instance(self, target: Any, hosts: dict[str, Any]) -> None:
        """Take note of an instance of a kernel or host template."""
        if is_kernel(target):
            key = self.low.kernel_key(target)
            self.named.update(() if key is None else (key,))
            return
        definition = self.lib.clang_getCursorDefinition(target)
        if definition is not None and not self.low.is_bundled(definition):
            definition._tu = self.unit
            hosts[declaration_key(definition)] = definition


def _of_class_template(cursor: Any) -> bool:
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id in _CLASSES:
        if parent._kind_id == kinds.CLASS_TEMPLATE:
            return True
        parent = parent.semantic_parent
    return False


def place(cursor: Any) -> tuple[str, int]:
    """Return what tells the place of a template's definition from others."""
    return cursor.spelling, cursor.location.offset
