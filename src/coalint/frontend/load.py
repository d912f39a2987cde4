"""One source file to an IR module: its kernels, the functions that they reach, the hosts that launch them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import TranslationUnit

from coalint import ir
from coalint.diagnostics import Span
from coalint.frontend import instantiate
from coalint.frontend.attempts import Attempts
from coalint.frontend.clang import FrontendError, direct_children, errors, library
from coalint.frontend.diagnose import diagnose, undeclared
from coalint.frontend.doubts import Doubts
from coalint.frontend.launches import LaunchFinder
from coalint.frontend.locations import Locations
from coalint.frontend.lower import Lowering, declaration_key, is_kernel
from coalint.frontend.missing import defined_kernels
from coalint.frontend.parse import STUBS

_SCOPES = frozenset({K.NAMESPACE.value, K.LINKAGE_SPEC.value, K.UNEXPOSED_DECL.value})
_RECORDS = frozenset({K.STRUCT_DECL.value, K.CLASS_DECL.value})
SHORT = 12  # lines of a host function that is read although it launches nothing
MAX_INSTANCES = 24  # of one kernel template in one file
_ASSUME = re.compile(r"//\s*coalint:\s*assume\((.*)\)\s*$")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose kernels are wanted of a translation unit.

    Those of the file itself, of the `fragments` (real paths) that it includes, and those that it launches; only those
    of the fragments where it is not wanted `itself`; only those of the names in `only` where there are any.
    """

    fragments: tuple[str, ...] = ()
    itself: bool = True
    only: tuple[str, ...] = ()


WHOLE = Scope()


def load(path: str, flags: Sequence[str] = (), headers: str | None = None, scope: Scope = WHOLE) -> ir.Module:
    """Parse and lower one file. Raises FrontendError for what is no readable source file.

    `headers` is a folder for precompiled headers; without one each file parses them anew.
    """
    text = read(path)
    attempts = Attempts(path, flags, text, headers, scope.fragments)
    unit = attempts.best()
    found = _instantiated(attempts, unit, scope)
    module = found.module(path)
    if attempts.inside(found.unit, found.extents()):
        before = attempts.known.names()
        attempts.improve(found.unit, lambda unit: attempts.inside(unit, found.extents()), found.probe)
        if attempts.known.names() != before:
            again = _instantiated(attempts, attempts.unit(), scope)
            if len(again.kernels()) >= len(module.kernels):
                module = again.module(path)
    return module


def _instantiated(attempts: Attempts, unit: TranslationUnit, scope: Scope) -> _Unit:
    """The unit with an instance of every kernel template that can have one."""
    found = _Unit(unit, attempts, scope)
    templates = found.templates_without_instance()
    probe = instantiate.probe_text(templates) if templates else ""
    if probe:
        try:
            again = _Unit(attempts.unit(probe), attempts, scope, probe)
        except FrontendError:
            return found
        if len(again.kernels()) >= len(found.kernels()):
            return again
    return found


def read(path: str) -> str:
    """The text of a source file, undecodable bytes replaced."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise FrontendError(
            f"{path}: cannot be read: {reason}", "check that it exists and that you may read it"
        ) from None
    if b"\0" in data[:65536]:
        raise FrontendError(f"{path}: is a binary file", "give CUDA source files, or exclude this one with --exclude")
    return data.decode("utf-8", errors="replace")


class _Unit:
    """One parsed translation unit on its way to a module."""

    def __init__(self, unit: TranslationUnit, attempts: Attempts, scope: Scope, probe: str = "") -> None:
        self.unit = unit
        self.attempts = attempts
        self.probe = probe
        self.lib = library()
        self.locations = Locations(attempts.path, attempts.text)
        self.scope = scope
        self.locations.take(scope.fragments, unit)
        self.low = Lowering(self.locations, self._doubts())
        self.kernel_cursors: dict[str, Any] = {}
        self.templates: dict[str, Any] = {}
        self.hosts: list[Any] = []
        self.problems: list[ir.Problem] = []
        self.probed: set[str] = set()
        self._scan(unit.cursor)
        self.finder = LaunchFinder(self.low)
        self.host_functions = self._lower_hosts()
        self._probes()

    def _doubts(self) -> Doubts | None:
        wrong = errors(self.unit)
        stubs = self.attempts.known.names()
        return Doubts(self.locations.span, STUBS, wrong) if wrong or stubs else None

    def extents(self) -> list[tuple[str, int, int]]:
        """Where the functions that kernels reach stand."""
        return [(f.span.file, f.span.line, f.span.end_line) for f in self.low.functions.values() if not f.bundled]

    # --- finding

    def _scan(self, scope: Any) -> None:
        for cursor in direct_children(scope):
            if not self.locations.is_own(cursor):
                continue
            kind = cursor._kind_id
            if kind in _SCOPES or kind in _RECORDS:
                self._scan(cursor)
            elif kind == K.FUNCTION_TEMPLATE.value:
                if is_kernel(cursor) and _defines(cursor):
                    self.templates[declaration_key(cursor)] = cursor
            elif kind in (K.FUNCTION_DECL.value, K.CXX_METHOD.value, K.CONSTRUCTOR.value) and _defines(cursor):
                attributes = {child._kind_id for child in direct_children(cursor)}
                if K.CUDAGLOBAL_ATTR.value in attributes:
                    self.kernel_cursors[declaration_key(cursor)] = cursor
                elif K.CUDADEVICE_ATTR.value not in attributes or K.CUDAHOST_ATTR.value in attributes:
                    self.hosts.append(cursor)

    def _lower_hosts(self) -> tuple[ir.Function, ...]:
        lowered = []
        for cursor in self.hosts:
            if not self.finder.reaches_launch(cursor):
                continue
            try:
                lowered.append(self.low.lower_function(cursor, self._shapes_launches))
            except (RecursionError, ValueError, IndexError, AttributeError):
                continue
        return tuple(lowered)

    def _shapes_launches(self, cursor: Any) -> bool:
        """Whether a host function matters to launches: it leads to one, or is short enough to compute a size."""
        span = self.locations.span(cursor)
        return span.end_line - span.line < SHORT or self.finder.reaches_launch(cursor)

    def _probes(self) -> None:
        """Kernels that the probes at the end of the text name."""
        if self.probe:
            for cursor in instantiate.probed(self.unit):
                launched = set(self.low.kernels_seen)
                key = self.low.kernel_key(cursor)
                if key is not None and key not in launched:
                    self.probed.add(key)

    def templates_without_instance(self) -> list[Any]:
        """Kernel templates of the file that no launch instantiates."""
        reached = set()
        for cursor in self.low.kernels_seen.values():
            template = self.lib.clang_getSpecializedCursorTemplate(cursor)
            if template is not None:
                reached.add(_place(template))
        templates = [cursor for cursor in self.templates.values() if _place(cursor) not in reached]
        return [cursor for cursor in templates if self._is_wanted(cursor)]

    def kernels(self) -> dict[str, Any]:
        """The kernels to analyse: those of the file, and those of its headers that it launches."""
        found = dict(self.kernel_cursors)
        for key, cursor in self.low.kernels_seen.items():
            if key not in found and not self.low.is_bundled(cursor):
                found[key] = cursor
        return {key: cursor for key, cursor in found.items() if self._is_wanted(cursor)}

    def _is_wanted(self, cursor: Any) -> bool:
        """Whether the scope asks for a kernel."""
        if self.scope.only and cursor.spelling not in self.scope.only:
            return False
        return self.scope.itself or self.locations.span(cursor).file in self.locations.own[1:]

    def _limited(self, kernels: dict[str, Any]) -> dict[str, Any]:
        """At most MAX_INSTANCES of each template, spread over all of them; the rest is counted as a problem."""
        instances: dict[tuple[str, int], list[str]] = {}
        for key, cursor in kernels.items():
            instances.setdefault(_place(cursor), []).append(key)
        kept = dict(kernels)
        for keys in instances.values():
            chosen = {keys[i * len(keys) // MAX_INSTANCES] for i in range(MAX_INSTANCES)}
            left_out = [key for key in keys if key not in chosen] if len(keys) > MAX_INSTANCES else []
            if left_out:
                cursor = kernels[keys[0]]
                message = (
                    f"{len(left_out)} of the {len(keys)} instances of the kernel template {cursor.spelling} were not "
                    f"analysed: at most {MAX_INSTANCES} are, spread over all of them"
                )
                self.problems.append(ir.Problem("not-analysed", message, self.locations.span(cursor)))
            for key in left_out:
                del kept[key]
        return kept

    # --- the module

    def module(self, path: str) -> ir.Module:
        """Everything lowered."""
        kernels = []
        for key, cursor in self._limited(self.kernels()).items():
            try:
                kernels.append(self._kernel(cursor, key))
            except (RecursionError, ValueError, IndexError, AttributeError, AssertionError) as error:
                reason = f"the kernel could not be read: {type(error).__name__}: {error}"
                self.problems.append(
                    ir.Problem("not-analysed", reason, self.locations.span(cursor), cursor.spelling, severe=True)
                )
        self.problems.extend(diagnose(self.unit, self.locations, kernels))
        self.problems.extend(undeclared(self.attempts.known.names(), self.attempts.first))
        self._missing(kernels)
        kernels.sort(key=lambda kernel: (kernel.span.file != path, kernel.span, kernel.template_arguments))
        return ir.Module(
            path,
            tuple(kernels),
            self.low.functions,
            self.host_functions,
            tuple(
                problem for problem in self.problems if self.scope.itself or problem.span.file in self.locations.own[1:]
            ),
            dict(self.locations.texts),
            self.low.declared,
            tuple(self.locations.own[1:]),
            self.attempts.known.names(),
        )

    def _kernel(self, cursor: Any, key: str) -> ir.Kernel:
        function = self.low.lower_function(cursor)
        arguments = instantiate.arguments_of(cursor)
        return ir.Kernel(
            key=function.key,
            name=cursor.spelling,
            function=function,
            span=function.span,
            template_arguments=arguments,
            bounds=self._bounds(cursor),
            assumptions=self._assumptions(function.span),
            guessed=instantiate.guessed(cursor) if key in self.probed else (),
            declaration=self.low.declaration(cursor),
        )

    def _bounds(self, cursor: Any) -> tuple[int, int, int] | None:
        """The block shape of `__launch_bounds__(threads)` or `__block_size__((x, y, z))`."""
        span = self.locations.span(cursor)
        lines = self.locations.lines(span.file)
        head = "\n".join(lines[max(0, span.line - 6) : span.end_line])
        name = re.escape(cursor.spelling)
        match = re.search(
            rf"__(launch_bounds|block_size)__\s*\(((?:[^()]|\([^()]*\))*)\)(?:(?!__global__)[^;{{}}])*?\b{name}\s*\(",
            head,
        )
        if match is None:
            return None
        parts = [part.strip(" ()") for part in match.group(2).split(",")]
        numbers = [instantiate.integer(part, cursor, self.unit) for part in parts]
        if match.group(1) == "block_size":
            shape = [*numbers, 1, 1][:3]
            return (shape[0], shape[1], shape[2]) if all(shape) else None  # type: ignore[return-value]
        return (numbers[0], 1, 1) if numbers and numbers[0] else None

    def _assumptions(self, span: Span) -> tuple[str, ...]:
        """`// coalint: assume(...)` inside the kernel or in the comment lines directly above it."""
        lines = self.locations.lines(span.file)
        first = span.line - 1
        while first > 0 and _belongs_to_head(lines[first - 1]):
            first -= 1
        found = []
        for line in lines[first : span.end_line]:
            match = _ASSUME.search(line)
            if match is not None:
                found.append(match.group(1))
        return tuple(found)

    # --- what went wrong

    def _missing(self, kernels: list[ir.Kernel]) -> None:
        """Templates that could not be instantiated at all, and kernels that libclang did not give."""
        names = {kernel.name for kernel in kernels}
        known = names | {cursor.spelling for cursor in self.templates.values()}
        broken = any(problem.severe and problem.kind == "translation-unit-error" for problem in self.problems)
        written = [place for file in self.locations.own for place in defined_kernels(self.locations.texts[file], file)]
        for name, span in written:
            if self.scope.only and name not in self.scope.only:
                continue
            if name not in known and name not in {problem.kernel for problem in self.problems}:
                why = "an error before it" if broken else "the preprocessor switches it off or renames it"
                message = f"the kernel {name} was not analysed: libclang did not see it ({why})"
                self.problems.append(ir.Problem("not-analysed", message, span, name, severe=broken))
        for cursor in self.templates_without_instance():
            if cursor.spelling not in names:
                reason = "no launch instantiates this kernel template, and no representative arguments fit"
                self.problems.append(ir.Problem("not-analysed", reason, self.locations.span(cursor), cursor.spelling))


def _belongs_to_head(line: str) -> bool:
    """Whether a line above a kernel is a comment on it, or the beginning of its declaration."""
    text = line.strip()
    if text.startswith("//"):
        return True
    return text.startswith(("template", "__global__", "extern", "static")) and not text.endswith((";", "}", "{"))


def _defines(cursor: Any) -> bool:
    return bool(library().clang_isCursorDefinition(cursor))


def _place(cursor: Any) -> tuple[str, int]:
    return cursor.spelling, cursor.location.offset
