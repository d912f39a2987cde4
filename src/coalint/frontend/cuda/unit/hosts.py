"""The host functions that launch kernels, lowered; what cannot be is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.lowering.kernels import UNREADABLE
from coalint.frontend.cuda.lowering.launches import LaunchFinder
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.unit.launched_instances import MAX_INSTANCES, LaunchedInstances
from coalint.frontend.cuda.unit.scan import Scan, place

_HELP_HOST = "please report it with the function; its kernels are analysed as if nothing launched them there"
SHORT = 12  # lines of a host function that is read although it launches nothing


class Hosts:
    """The host functions lowered so far, and by place those that could not be.

    `kernels` are those that the unit names itself. `launched` tells which instances of host templates are not lowered,
    where there are very many of one.
    """

    def __init__(self, low: Lowering, kernels: Mapping[str, Any], is_profiled: Callable[[Any], bool]) -> None:
        self.low = low
        self.kernels = kernels
        self.launched: LaunchedInstances | None = None
        self._is_profiled = is_profiled
        self._instances = Counter[tuple[str, int]]()
        self._roots: list[Any] = []
        self.locations = low.locations
        self.finder = LaunchFinder(low)
        self.functions: dict[str, ir.Function] = {}
        self.unread: dict[Span, ir.Problem] = {}

    def lower(self, hosts: Mapping[str, Any]) -> None:
        """Lower the functions that launch kernels; what was lowered before is not lowered again."""
        self._roots.extend(hosts.values())
        for cursor in hosts.values():
            if not self.finder.reaches_launch(cursor):
                continue
            try:
                function = self.low.lower_function(cursor, self._shapes_launches)
            except UNREADABLE as error:
                self._not_read(cursor, error)
                continue
            self.functions[function.key] = function

    def _not_read(self, cursor: Any, error: BaseException) -> None:
        """Report, once, that the launches of a host function are not known."""
        span = self.locations.span(cursor)
        reason = f"the launches in {cursor.spelling} could not be read: {type(error).__name__}: {error}"
        self.unread.setdefault(
            span, ir.Problem(kind=ir.ProblemKind.NOT_ANALYSED, message=reason, span=span, help=_HELP_HOST)
        )

    def _shapes_launches(self, cursor: Any) -> bool:
        """Whether a host function matters to launches: it leads to one, or is short enough to compute a size."""
        span = self.locations.span(cursor)
        if self.finder.reaches_launch(cursor):
            return not self._is_left_out(cursor)
        return span.end_line - span.line < SHORT

    def _is_left_out(self, cursor: Any) -> bool:
        """Whether a function is one of very many instances of a template, and launches nothing that is analysed."""
        template = self.low.lib.clang_getSpecializedCursorTemplate(cursor)
        if template is None:
            return False
        self._instances[place(template)] += 1
        if self.launched is None:
            if self._instances[place(template)] <= MAX_INSTANCES:
                return False
            roots = [host for host in self._roots if self.finder.reaches_launch(host)]
            known = {**self.kernels, **self.low.kernels_seen}
            self.launched = LaunchedInstances(self.finder, known, roots, self._is_profiled)
        return self.launched.launches_others_alone(cursor)

    def without_instance(self, scan: Scan) -> list[tuple[Any, str | None]]:
        """Return host templates that launch kernels and are never called, with their class if it is instantiated."""
        launching = [cursor for cursor in scan.host_templates.values() if self.finder.reaches_launch(cursor)]
        called = self.low.templates_lowered | {
            place(target) for cursor in launching for target in self.finder.called(cursor)
        }
        wanted: list[tuple[Any, str | None]] = []
        for cursor in launching:
            owners = scan.visible.instances.get(place(cursor.semantic_parent), [])
            wanted.extend((cursor, owner) for owner in owners)
            if not owners and place(cursor) not in called:
                wanted.append((cursor, None))
        return wanted
