"""One source file to an IR module: its kernels, the functions that they reach, the hosts that launch them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import TranslationUnit

from coalint.core import ir
from coalint.core.source.overlay import text_of
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.bindings import ast_bytes, direct_children, errors, library
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.parse import STUBS
from coalint.frontend.cuda.lowering.cursors import declaration_key, is_kernel
from coalint.frontend.cuda.lowering.kernels import UNREADABLE, kernel, pattern
from coalint.frontend.cuda.lowering.launches import LaunchFinder
from coalint.frontend.cuda.lowering.sugar import range_calls
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.lowering.unknown_names import UnknownNames
from coalint.frontend.cuda.repair import prologue
from coalint.frontend.cuda.repair.attempts import Attempts
from coalint.frontend.cuda.repair.missing_kernels import defined_kernels, kernels_in_strings
from coalint.frontend.cuda.repair.problems import Probes, Tried, diagnose
from coalint.frontend.cuda.repair.switches import switches
from coalint.frontend.cuda.spelling import CUDA
from coalint.frontend.cuda.templates import instances
from coalint.frontend.cuda.templates.constant_expressions import Constants
from coalint.frontend.cuda.templates.representative_arguments import Visible
from coalint.frontend.interface import WHOLE, FrontendError, Scope

_HELP_STRING = "keep the source in a file of its own, which the program reads or embeds: that file can be checked"
_HELP_HOST = "please report it with the function; its kernels are analysed as if nothing launched them there"
_SCOPES = frozenset({K.NAMESPACE.value, K.LINKAGE_SPEC.value, K.UNEXPOSED_DECL.value})
_RECORDS = frozenset({K.STRUCT_DECL.value, K.CLASS_DECL.value})
_FUNCTIONS = frozenset({K.FUNCTION_DECL.value, K.CXX_METHOD.value, K.CONSTRUCTOR.value, K.FUNCTION_TEMPLATE.value})
SHORT = 12  # lines of a host function that is read although it launches nothing
LARGEST_TREE = 256 << 20  # bytes of a translation unit's syntax tree; kernels alone have 2 to 20 MB
MAX_INSTANCES = 24  # of one kernel template in one file


def load(
    path: str,
    flags: Sequence[str] = (),
    headers: str | None = None,
    scope: Scope = WHOLE,
    supposing: bool = False,
) -> ir.Module:
    """Parse and lower one file. Raises FrontendError for what is no readable source file.

    `headers` is a folder for precompiled headers; without one each file parses them anew. `supposing` allows to suppose
    that the build defines the macros with which the file's headers declare what it lacks.
    """
    text = read(path)
    marked = prologue.marked(text)
    attempts = Attempts(path, flags, marked.text, headers, scope.fragments, supposing)
    found = _instantiated(attempts, attempts.best(), scope, marked)
    module = found.module(path)
    wanted = found.low.ranges.text()
    if wanted and ast_bytes(found.unit) <= LARGEST_TREE:
        attempts.ranges, probe = wanted, found.probe
        found.close()
        found = _Unit(attempts.unit(probe.text), attempts, scope, marked, probe)
        module = found.module(path)
    if found.wrong(found.unit):
        before = attempts.known.text()
        attempts.improve(found.unit, found.wrong, found.probe.text)
        if attempts.known.text() != before:
            again = _instantiated(attempts, attempts.unit(), scope, marked)
            if len(again.kernels()) >= len(module.kernels):
                module = again.module(path)
            again.close()
    found.close()
    return module


def _instantiated(attempts: Attempts, unit: TranslationUnit, scope: Scope, marked: prologue.Marked) -> _Unit:
    """The unit with an instance of every kernel template, and host template that launches, that can have one.

    What includes a library of templates as large as CUTLASS is not tried with arguments that nobody gave: the parse may
    then take any time and memory.
    """
    found = _Unit(unit, attempts, scope, marked)
    probe = instances.probe(found.without_instance(), found.visible, attempts.known)
    if not probe.lines or ast_bytes(unit) > LARGEST_TREE:
        return found
    number = len(found.kernels())
    found.close()
    del found, unit  # of a file with all of a library's templates there is no room for two
    with suppress(FrontendError):
        again = _Unit(attempts.unit(probe.text), attempts, scope, marked, probe)
        if len(again.kernels()) >= number:
            return again
        again.close()
    return _Unit(attempts.unit(), attempts, scope, marked)


def read(path: str) -> str:
    """The text of a source file, undecodable bytes replaced."""
    if (changed := text_of(path)) is not None:
        return changed
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

    def __init__(
        self,
        unit: TranslationUnit,
        attempts: Attempts,
        scope: Scope,
        marked: prologue.Marked,
        probe: instances.Probe = instances.NO_PROBE,
    ) -> None:
        self.unit = unit
        self.attempts = attempts
        self.marked = marked
        self.probe = probe
        self.lib = library()
        self.locations = Locations(attempts.path, marked.source)
        self.scope = scope
        self.locations.take(scope.fragments, unit)
        self.low = Lowering(self.locations, self._unknown_names())
        self.constants = Constants(unit)
        self.kernel_cursors: dict[str, Any] = {}
        self.templates: dict[str, Any] = {}
        self.host_templates: dict[str, Any] = {}
        self.visible = Visible()
        self.hosts: dict[str, Any] = {}
        self.problems: list[ir.Problem] = []
        self.probed: set[str] = set()
        self.named: set[str] = set()
        self.guesses: dict[str, tuple[str, ...]] = {}
        self.unused_lines = self._lines_of_ranges()
        self.tried: dict[int, Tried] = {}
        self._scan(unit.cursor)
        self.finder = LaunchFinder(self.low)
        self.host_functions: dict[str, ir.Function] = {}
        self.unread_hosts: dict[Span, ir.Problem] = {}
        self._lower_hosts(self.hosts)
        if probe.lines:
            self._probes(probe)

    def close(self) -> None:
        """Let go of libclang's tree at once: it takes far more memory than Python's collector knows of."""
        self.low.close()

    def _unknown_names(self) -> UnknownNames | None:
        wrong = errors(self.unit)
        declared = not self.attempts.known.is_empty
        return UnknownNames(self.locations.span, STUBS, wrong) if wrong or declared else None

    def wrong(self, unit: TranslationUnit) -> list[Any]:
        """The errors of a parse that matter to what kernels reach; not those of probes that came to nothing."""
        functions = [function.span for function in self.low.functions.values() if not function.bundled]
        found = self.attempts.inside(unit, [(span.file, span.line, span.end_line) for span in functions])
        return [e for e in found if not self.unused_lines & instances.lines_behind(e, self.attempts.path)]

    # --- finding

    def _scan(self, scope: Any) -> None:
        for cursor in direct_children(scope):
            if not self.locations.is_own(cursor):
                continue
            kind = cursor._kind_id
            if kind in _SCOPES or kind in _RECORDS:
                if kind in _RECORDS:
                    self.visible.add(cursor)
                self._scan(cursor)
            elif kind == K.CLASS_TEMPLATE.value:
                self.visible.add(cursor)
                self._scan(cursor)
            elif kind == K.VAR_DECL.value and cursor.spelling.startswith(prologue.PREFIX):
                self._explicit(cursor)
            elif kind == K.FUNCTION_DECL.value and cursor.spelling.startswith(range_calls.PREFIX):
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
        return _place(cursor) in map(_place, patterns)

    def _function(self, cursor: Any, attributes: set[int]) -> None:
        key = declaration_key(cursor)
        is_template = cursor._kind_id == K.FUNCTION_TEMPLATE.value or _of_class_template(cursor)
        if K.CUDAGLOBAL_ATTR.value in attributes:
            (self.templates if is_template else self.kernel_cursors)[key] = cursor
            if not is_template:
                self.low.kernels_defined.append(cursor)
        elif K.CUDADEVICE_ATTR.value not in attributes or K.CUDAHOST_ATTR.value in attributes:
            (self.host_templates if is_template else self.hosts)[key] = cursor

    def _explicit(self, variable: Any) -> None:
        """What an explicit instantiation names: a kernel, a host function, or a class with host functions."""
        target = instances.target_of(variable)
        if target is not None:
            self._instance(target, self.hosts)
            return
        pointee = variable.type.get_pointee()
        template = self.lib.clang_getSpecializedCursorTemplate(pointee.get_declaration())
        if template is not None:
            self.visible.instances.setdefault(_place(template), []).append(pointee.get_canonical().spelling)

    def _instance(self, target: Any, hosts: dict[str, Any]) -> None:
        if is_kernel(target):
            key = self.low.kernel_key(target)
            self.named.update(() if key is None else (key,))
            return
        definition = self.lib.clang_getCursorDefinition(target)
        if definition is not None and not self.low.is_bundled(definition):
            definition._tu = self.unit
            hosts[declaration_key(definition)] = definition

    def _lower_hosts(self, hosts: Mapping[str, Any]) -> None:
        """The functions that launch kernels; what was lowered before is not lowered again."""
        for cursor in hosts.values():
            if not self.finder.reaches_launch(cursor):
                continue
            try:
                function = self.low.lower_function(cursor, self._shapes_launches)
            except UNREADABLE as error:
                self._unread_host(cursor, error)
                continue
            self.host_functions[function.key] = function

    def _unread_host(self, cursor: Any, error: BaseException) -> None:
        """Report, once, that the launches of a host function are not known."""
        span = self.locations.span(cursor)
        reason = f"the launches in {cursor.spelling} could not be read: {type(error).__name__}: {error}"
        self.unread_hosts.setdefault(
            span, ir.Problem(kind=ir.ProblemKind.NOT_ANALYSED, message=reason, span=span, help=_HELP_HOST)
        )

    def _shapes_launches(self, cursor: Any) -> bool:
        """Whether a host function matters to launches: it leads to one, or is short enough to compute a size."""
        span = self.locations.span(cursor)
        return span.end_line - span.line < SHORT or self.finder.reaches_launch(cursor)

    def _probes(self, probe: instances.Probe) -> None:
        """The instances that the probes at the end of the text name; kernels that only they reach are guessed."""
        first_line = len(self.locations.lines(self.locations.path)) + 1
        probed = instances.probed(self.unit, first_line, probe)
        hosts: dict[str, Any] = {}
        for number, cursor in probed.instances.items():
            if not is_kernel(cursor):
                self._instance(cursor, self.hosts if number in probe.known else hosts)
        self._lower_hosts(self.hosts)
        launched = self._places_seen()
        self.guesses = {key: instances.guessed(cursor) for key, cursor in hosts.items()}
        seen = set(self.low.kernels_seen)
        self._lower_hosts(hosts)
        for key in [key for key in self.low.kernels_seen if key not in seen]:
            template = self.lib.clang_getSpecializedCursorTemplate(self.low.kernels_seen[key])
            if template is not None and _place(template) in launched:
                del self.low.kernels_seen[key]
            elif key not in self.kernel_cursors:
                self.probed.add(key)
        launched |= self._places_seen()
        for number, cursor in probed.instances.items():
            template = self.lib.clang_getSpecializedCursorTemplate(cursor)
            if is_kernel(cursor) and template is not None and _place(template) not in launched:
                arguments = instances.guessed(cursor)
                self.tried[probed.lines[number]] = Tried(cursor.spelling, arguments, self.locations.span(cursor))
                named = self.low.kernel_key(cursor)
                self.probed.update(() if named is None else (named,))
        last_line = first_line + len(probe.lines)
        self.unused_lines |= {line for line in range(first_line, last_line) if line not in self.tried}

    def _lines_of_ranges(self) -> frozenset[int]:
        """The lines behind the probes' with functions for loops over objects."""
        first = len(self.locations.lines(self.locations.path)) + 1 + len(self.probe.lines)
        return frozenset(range(first, first + len(self.attempts.ranges.splitlines())))

    def _places_seen(self) -> set[tuple[str, int]]:
        """The kernel templates that something has instantiated so far."""
        templates = map(self.lib.clang_getSpecializedCursorTemplate, self.low.kernels_seen.values())
        return {_place(template) for template in templates if template is not None}

    def templates_without_instance(self) -> list[Any]:
        """Kernel templates of the file that no launch instantiates."""
        reached = self._places_seen()
        templates = [cursor for cursor in self.templates.values() if _place(cursor) not in reached]
        return [cursor for cursor in templates if self._is_wanted(cursor)]

    def without_instance(self) -> list[tuple[Any, str | None]]:
        """The templates that a probe is to instantiate."""
        return [*((cursor, None) for cursor in self.templates_without_instance()), *self._hosts_without_instance()]

    def _hosts_without_instance(self) -> list[tuple[Any, str | None]]:
        """Host templates that launch kernels and that nothing calls, with their class where that is instantiated."""
        launching = [cursor for cursor in self.host_templates.values() if self.finder.reaches_launch(cursor)]
        called = self.low.templates_lowered | {
            _place(target) for cursor in launching for target in self.finder.called(cursor)
        }
        wanted: list[tuple[Any, str | None]] = []
        for cursor in launching:
            owners = self.visible.instances.get(_place(cursor.semantic_parent), [])
            wanted.extend((cursor, owner) for owner in owners)
            if not owners and _place(cursor) not in called:
                wanted.append((cursor, None))
        return wanted

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
                self.problems.append(ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, self.locations.span(cursor)))
            for key in left_out:
                del kept[key]
        return kept

    # --- the module

    def module(self, path: str) -> ir.Module:
        """Everything lowered."""
        kernels = []
        for key, cursor in self._limited(self.kernels()).items():
            probed, named = key in self.probed, key in self.named
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
        known, places = self.attempts.known, self.attempts.places
        probes = Probes(self.unused_lines, self.tried)
        supposed = self.attempts.supposed
        self.problems.extend(diagnose(self.unit, self.locations, kernels, self.marked, probes, known, places, supposed))
        self.problems.extend(self.unread_hosts.values())
        self._missing(kernels)
        kernels.sort(key=lambda kernel: (kernel.span.file != path, kernel.span, kernel.template_arguments))
        fragments = tuple(self.locations.own[1:])
        return ir.Module(
            path=path,
            spelling=CUDA,
            kernels=tuple(kernels),
            functions=self.low.functions,
            hosts=tuple(self.host_functions.values()),
            problems=tuple(p for p in self.problems if self.scope.itself or p.span.file in fragments),
            sources=dict(self.locations.texts),
            declared=self.low.declared,
            fragments=fragments,
            stubs=self.attempts.known.names(),
            guesses=self.guesses,
            globals=self.low.globals,
            supposed=self.attempts.supposed,
        )

    # --- what went wrong

    def _missing(self, kernels: list[ir.Kernel]) -> None:
        """Templates that could not be instantiated at all, and kernels that libclang did not give."""
        names = {kernel.name for kernel in kernels}
        known = names | {cursor.spelling for cursor in self.templates.values()}
        broken = any(
            problem.severe and problem.kind is ir.ProblemKind.TRANSLATION_UNIT_ERROR for problem in self.problems
        )
        written = [place for file in self.locations.own for place in defined_kernels(self.locations.texts[file], file)]
        for name, span in written:
            if self.scope.only and name not in self.scope.only:
                continue
            if name not in known and name not in {problem.kernel for problem in self.problems}:
                why = "an error before it" if broken else "the preprocessor switches it off or renames it"
                message = f"the kernel {name} was not analysed: libclang did not see it ({why})"
                off = switches(self.locations.texts[span.file], span.line)
                self.problems.append(
                    ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, span, name, severe=broken, switches=off)
                )
        for file in self.locations.own:
            for name, span in kernels_in_strings(self.locations.texts[file], file):
                message = f"the kernel {name} was not analysed: it stands in a string, which is compiled at run time"
                self.problems.append(ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, span, name, help=_HELP_STRING))
        for cursor in self.templates_without_instance():
            if cursor.spelling not in names:
                reason = "no launch instantiates this kernel template, and no representative arguments fit"
                self.problems.append(
                    ir.Problem(ir.ProblemKind.NOT_ANALYSED, reason, self.locations.span(cursor), cursor.spelling)
                )


def _of_class_template(cursor: Any) -> bool:
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id in (*_RECORDS, K.CLASS_TEMPLATE.value):
        if parent._kind_id == K.CLASS_TEMPLATE.value:
            return True
        parent = parent.semantic_parent
    return False


def _place(cursor: Any) -> tuple[str, int]:
    return cursor.spelling, cursor.location.offset
