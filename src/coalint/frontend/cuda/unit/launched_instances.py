"""Which instances of a kernel template are analysed where host functions launch very many, and who launches them.

A library has instances for each type, operator and layout: hundreds of a host template, each of which launches one or
two kernels. Of a kernel template at most MAX_INSTANCES are analysed, and host functions that launch only others are not
read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import gcd
from typing import Any

from coalint.frontend.cuda.lowering.cursors import declaration_key, is_kernel
from coalint.frontend.cuda.lowering.launches import MAX_DEPTH, LaunchFinder
from coalint.frontend.cuda.unit.scan import place

MAX_INSTANCES = 24  # of one kernel template in one file
_GOLDEN = 0.618  # steps of this part of a circle lie evenly on it, however many they are

Place = tuple[str, int]
"""A template's name, and where it begins in its file."""


class LaunchedInstances:
    """The kernels that host functions launch, found before these are lowered.

    `kernels` are cursors of those that are instances of templates of which there are too many, by place and key, and
    `chosen` the keys of those that are analysed.
    """

    def __init__(
        self,
        finder: LaunchFinder,
        known: Mapping[str, Any],
        hosts: Iterable[Any],
        is_profiled: Callable[[Any], bool],
    ) -> None:
        self._finder = finder
        self._is_kernel: dict[str, bool] = {}
        self._launched: dict[str, frozenset[str] | None] = {}
        self._met: dict[str, Any] = dict(known)
        for host in hosts:
            self._kernels_of(host, 0)
        by_place: dict[Place, dict[str, Any]] = {}
        for key, cursor in self._met.items():
            by_place.setdefault(place(cursor), {})[key] = cursor
        self.kernels = {at: kernels for at, kernels in by_place.items() if len(kernels) > MAX_INSTANCES}
        self.chosen: set[str] = set()
        self._left: set[str] = set()
        for kernels in self.kernels.values():
            chosen = {*spread(list(kernels)), *(key for key, cursor in kernels.items() if is_profiled(cursor))}
            self.chosen |= chosen
            self._left |= kernels.keys() - chosen

    def launches_others_alone(self, host: Any) -> bool:
        """Whether a host function launches kernels, and all of these are none that is analysed."""
        launched = self._launched.get(declaration_key(host)) or frozenset()
        return bool(launched) and launched <= self._left

    def of_template(self, at: Place) -> dict[str, Any]:
        """Return the instances of a template of which there are too many; none of another."""
        return self.kernels.get(at, {})

    def _kernels_of(self, host: Any, depth: int) -> frozenset[str] | None:
        """Return the keys of the kernels that a host function, and what it calls, launches; None where not all are."""
        key = declaration_key(host)
        if key in self._launched:
            return self._launched[key]
        self._launched[key] = None  # if it calls itself
        kernels: set[str] = set()
        is_known = depth < MAX_DEPTH
        for target, definition in self._finder.definitions(host) if is_known else ():
            if definition is None:
                is_known = is_known and not self._is_launched(target, declaration_key(target))  # another file has it
                continue
            its = declaration_key(definition)
            if self._is_launched(definition, its):
                self._met.setdefault(its, definition)
                kernels.add(its)
            elif self._finder.is_host_code(definition) and self._finder.reaches_launch(definition, depth + 1):
                inner = self._kernels_of(definition, depth + 1)
                is_known = is_known and inner is not None
                kernels |= inner or set()
        self._launched[key] = frozenset(kernels) if is_known else None
        return self._launched[key]

    def _is_launched(self, definition: Any, key: str) -> bool:
        known = self._is_kernel.get(key)
        if known is None:
            known = self._is_kernel[key] = is_kernel(definition)
        return known


def spread(keys: list[str]) -> set[str]:
    """Return MAX_INSTANCES of more keys, in steps that share no divisor with their number.

    Instances are often listed as a table of all arguments of each parameter: no step walks one row or column of it.
    """
    count = len(keys)
    step = next(n for n in range(round(count * _GOLDEN), 2 * count + 2) if gcd(n, count) == 1)
    return {keys[i * step % count] for i in range(MAX_INSTANCES)}
