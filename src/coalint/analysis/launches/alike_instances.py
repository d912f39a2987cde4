"""Instances of a kernel template that differ in nothing but their floating-point types, of equal sizes: evaluated once.

A library that takes two types of 16 bits has two instances of each kernel, which cost the same.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from coalint.analysis.domain.store.part_names import named_members
from coalint.core import ir
from coalint.core.ir.canonical import CanonicalForms
from coalint.core.ir.intrinsics import ATOMICS


class AlikeInstances:
    """Tells which instances of a module's kernels are the same program but for such types."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._sizes = module.spelling.float_names
        words = "|".join(sorted(map(re.escape, self._sizes), key=len, reverse=True))
        self._type = re.compile(rf"(?<![\w:])(?:{words})(?!\w)") if words else None
        self._keys: dict[str, object] = {}

    def arguments(self, kernel: ir.Kernel) -> tuple[str, ...]:
        """Return the template arguments of a kernel, in which such types of one size are the same."""
        return tuple(map(self._plain, kernel.template_arguments))

    def key(self, kernel: ir.Kernel) -> object:
        """Return what is equal for two instances that are alike; the kernel's own key where there is no other one.

        Alike ones reach the same places: findings in the overload of a helper stand where that does.
        """
        known = self._keys.get(kernel.key)
        if known is None:
            known = self._keys[kernel.key] = self._key(kernel)
        return known

    def _key(self, kernel: ir.Kernel) -> object:
        if self._number[self._instance(kernel)] < 2:
            return kernel.key
        reach = self._forms.reach([kernel.function])
        if any(map(self._tells_types_apart, reach.functions)):
            return kernel.key
        places = (*(function.span for function in reach.functions if not function.bundled), *reach.elsewhere)
        members = self._plain(repr(named_members(self._module, reach.records)))
        return self._instance(kernel), kernel.bounds, kernel.guessed, reach.digest, places, members

    @cached_property
    def _number(self) -> Counter[tuple[object, ...]]:
        """How many instances there are with the same arguments but for types."""
        return Counter(map(self._instance, self._module.kernels))

    @cached_property
    def _forms(self) -> CanonicalForms:
        kernels = {kernel.function.key: kernel.function for kernel in self._module.kernels}
        functions = {**self._module.functions, **kernels}
        return CanonicalForms(functions, self._module.sources, plain=self._plain)

    def _instance(self, kernel: ir.Kernel) -> tuple[object, ...]:
        return kernel.span, kernel.name, self.arguments(kernel)

    def _plain(self, text: str) -> str:
        """Return a text with sizes for the names of floating-point types."""
        if self._type is None:
            return text
        return self._type.sub(lambda name: f"float of {self._sizes[name[0]]} bytes", text)

    def _tells_types_apart(self, function: ir.Function) -> bool:
        """Whether it matters what a type is called: not every one has atomics, and arrays are named with their type."""
        for node in ir.nodes(function.body):
            match node:
                case ir.Call(intrinsic=intrinsic) if intrinsic in ATOMICS:
                    return True
                case ir.Name(variable=variable) | ir.Declare(variable=variable) if self._names_type(variable):
                    return True
        return False

    def _names_type(self, variable: ir.Variable) -> bool:
        return self._plain(variable.type_name) != variable.type_name
