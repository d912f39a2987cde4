"""One parsed translation unit, lowered to a module."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import Any

from clang.cindex import TranslationUnit

from coalint.core import ir
from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.libclang.inclusions import names_of
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.parse import STUBS
from coalint.frontend.cuda.lowering.kernels import UNREADABLE, kernel, pattern
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.lowering.unknown_names import UNSIZED_HEADER, UnknownNames
from coalint.frontend.cuda.repair import prologue
from coalint.frontend.cuda.repair.problems import Probes, diagnose
from coalint.frontend.cuda.repair.relevant_errors import inside
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.spelling import CUDA
from coalint.frontend.cuda.templates import instances
from coalint.frontend.cuda.templates.constant_expressions import Constants
from coalint.frontend.cuda.unit.hosts import Hosts
from coalint.frontend.cuda.unit.probes import places_seen, read_probes
from coalint.frontend.cuda.unit.scan import Scan, place
from coalint.frontend.cuda.unit.unanalysed import is_profiled, limited, missing
from coalint.frontend.cuda.unit.volatile_texts import has_volatile_assembly, may_be_volatile
from coalint.frontend.interface import Scope


class LoweredUnit:
    """A translation unit whose host functions are lowered; `module` lowers the kernels.

    `unprobed` are the number of its kernels, and the templates without an instance, as they are without the `probe`.
    """

    def __init__(
        self,
        unit: TranslationUnit,
        file: RepairedFile,
        scope: Scope,
        marked: prologue.Marked,
    ) -> None:
        self.unit = unit
        self.file = file
        self.marked = marked
        self.probe = file.probe_of(unit)
        self.locations = Locations(file.path, marked.source)
        self.scope = scope
        self.locations.take(scope.fragments, unit)
        self.low = Lowering(self.locations, self._unknown_names(), marks_volatile=may_be_volatile(unit, file.text))
        self.constants = Constants(unit)
        self.problems: list[ir.Problem] = []
        self.scan = Scan(unit, self.low)
        self.hosts = Hosts(self.low, self.scan.kernels, partial(is_profiled, scope=scope))
        self.hosts.lower(self.scan.hosts)
        self.unprobed = self.count(), self.without_instance()
        self.probes = read_probes(self.probe, self.scan, self.hosts, self.low, self._lines_of_ranges())

    def close(self) -> None:
        """Let go of libclang's tree at once: it takes far more memory than Python's collector knows of."""
        self.low.close()

    def _unknown_names(self) -> UnknownNames | None:
        wrong = errors(self.unit)
        is_doubtful = wrong or not self.file.known.is_empty or self._includes_unsized()
        return UnknownNames(self.locations.span, STUBS, wrong) if is_doubtful else None

    def _includes_unsized(self) -> bool:
        """Whether a bundled header is included that stands for structs whose sizes it does not tell."""
        return any(name.endswith(UNSIZED_HEADER) for name in names_of(self.unit))

    def wrong(self, unit: TranslationUnit) -> list[Any]:
        """Return the errors of a parse that matter to what kernels reach; not those of probes that came to nothing."""
        functions = [function.span for function in self.low.functions.values() if not function.bundled]
        relevant = inside(self.file, unit, [(span.file, span.line, span.end_line) for span in functions])
        return [e for e in relevant if not self.probes.unused_lines & instances.lines_behind(e, self.file.path)]

    def _lines_of_ranges(self) -> frozenset[int]:
        """Return the lines after the probes' with functions for loops over objects."""
        first = len(self.locations.lines(self.locations.path)) + 1 + len(self.probe.lines)
        return frozenset(range(first, first + len(self.file.ranges.splitlines())))

    def templates_without_instance(self) -> list[Any]:
        """Return kernel templates of the file that no launch instantiates."""
        reached = places_seen(self.low)
        templates = [cursor for cursor in self.scan.templates.values() if place(cursor) not in reached]
        return [cursor for cursor in templates if self._is_wanted(cursor)]

    def without_instance(self) -> list[tuple[Any, str | None]]:
        """Return the templates that a probe is to instantiate."""
        return [
            *((cursor, None) for cursor in self.templates_without_instance()),
            *self.hosts.without_instance(self.scan),
        ]

    def kernels(self) -> dict[str, Any]:
        """Return the kernels to analyse: those of the file, and those of its headers that it launches."""
        kernels = dict(self.scan.kernels)
        for key, cursor in self.low.kernels_seen.items():
            if key not in kernels and not self._is_of_library(cursor):
                kernels[key] = cursor
        return {key: cursor for key, cursor in kernels.items() if self._is_wanted(cursor)}

    def count(self) -> int:
        """Return how many kernels there are, with those that only host functions launch which are not lowered."""
        launched = self.hosts.launched
        others = () if launched is None else launched.kernels.values()
        return len(self.kernels().keys() | {key for kernels in others for key in kernels})

    def _is_of_library(self, cursor: Any) -> bool:
        """Whether a kernel stands in coalint's own headers, or in installed ones that serve what these lack."""
        folders = tuple(os.path.join(header.folder, "") for header in self.file.served.headers)
        return self.low.is_bundled(cursor) or self.locations.span(cursor).file.startswith(folders)

    def _is_wanted(self, cursor: Any) -> bool:
        """Whether the scope asks for a kernel."""
        if self.scope.only and cursor.spelling not in self.scope.only:
            return False
        return self.scope.itself or self.locations.span(cursor).file in self.locations.own[1:]

    def module(self, path: str) -> ir.Module:
        """Return everything lowered."""
        kernels = []
        kernels_of_unit, launched = self.kernels(), self.hosts.launched
        for key, cursor in limited(kernels_of_unit, self.locations, self.scope, self.problems, launched).items():
            probed, named = key in self.probes.probed, key in self.scan.named
            try:
                kernels.append(kernel(self.low, self.constants, cursor, probed=probed, named=named))
            except UNREADABLE as error:
                reason = f"the kernel could not be read: {type(error).__name__}: {error}"
                self.problems.append(
                    ir.Problem(
                        ir.ProblemKind.NOT_ANALYSED, reason, self.locations.span(cursor), cursor.spelling, severe=True
                    )
                )
        names = {kernel.name for kernel in kernels}
        for cursor in self.templates_without_instance():
            if cursor.spelling not in names:
                with suppress(*UNREADABLE):
                    kernels.append(pattern(self.low, self.constants, cursor))
        known, places = self.file.known, self.file.places
        probes = Probes(self.probes.unused_lines, self.probes.tried)
        supposed, built = self.file.supposed, self.file.built
        self.problems.extend(
            diagnose(self.unit, self.locations, kernels, self.marked, probes, known, places, supposed, built)
        )
        self.problems.extend(self.hosts.unread.values())
        lone = self.templates_without_instance()
        wrong = {(e.location.file.name, e.location.line) for e in errors(self.unit) if e.location.file is not None}
        missing(kernels, self.scan, self.scope, self.problems, lone, wrong, {macro.name for macro in built})
        kernels.sort(key=lambda kernel: (kernel.span.file != path, kernel.span, kernel.template_arguments))
        fragments, sources = tuple(self.locations.own[1:]), self.locations.shown()
        return ir.Module(
            path=path,
            spelling=CUDA,
            kernels=tuple(kernels),
            functions=self.low.functions,
            hosts=tuple(self.hosts.functions.values()),
            problems=tuple(p for p in self.problems if self.scope.itself or p.span.file in fragments),
            sources=sources,
            declared=self.low.declared,
            fragments=fragments,
            stubs=self.file.known.names(),
            guesses=self.probes.guesses,
            globals=self.low.globals,
            linked=frozenset(self.low.linked),
            initial=tuple(self.low.initial.values()),
            supposed=self.file.supposed,
            installed=self.file.served.headers,
            volatile=frozenset(self.low.volatile),
            macro_uses=frozenset(self.locations.macro_uses),
            has_volatile_assembly=has_volatile_assembly(sources.values()),
        )
