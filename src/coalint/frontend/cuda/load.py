"""One source file to an IR module: its kernels, the functions that they reach, the hosts that launch them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from clang.cindex import TranslationUnit

from coalint.core import ir
from coalint.frontend.cuda.libclang.bindings import ast_bytes
from coalint.frontend.cuda.repair import prologue
from coalint.frontend.cuda.repair.attempts import best
from coalint.frontend.cuda.repair.relevant_errors import count_lines
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.repair.strategies.build_macros import switches_asked_for
from coalint.frontend.cuda.repair.strategies.declared_names import improve
from coalint.frontend.cuda.source_text import read_source
from coalint.frontend.cuda.templates import instances
from coalint.frontend.cuda.unit.translation_unit import LoweredUnit
from coalint.frontend.interface import WHOLE, BuildMacro, FrontendError, LoadRequest, Scope

LARGEST_TREE = 256 << 20  # bytes of a translation unit's syntax tree; kernels alone have 2 to 20 MB


def requested(request: LoadRequest) -> ir.Module:
    """Parse and lower one file as it is asked for. Raises FrontendError, as `load` does."""
    return load(
        request.path,
        request.arguments,
        request.headers,
        request.scope,
        request.supposing,
        request.built,
        request.installed,
    )


def load(
    path: str,
    flags: Sequence[str] = (),
    headers: str | None = None,
    scope: Scope = WHOLE,
    supposing: bool = False,
    built: Sequence[BuildMacro] = (),
    installed: tuple[str, ...] = (),
) -> ir.Module:
    """Parse and lower one file. Raises FrontendError for what is no readable source file.

    `headers` is a folder for precompiled headers; without one each file parses them anew. `supposing` allows to suppose
    that the build defines the macros with which the file's headers declare what it lacks; `built` are macros to which
    some build gives a value. `installed` are folders with headers of CUDA's, for what coalint's lack.
    """
    text = read_source(path)
    marked = prologue.marked(text)
    file = RepairedFile(path, flags, marked.text, headers, scope.fragments, supposing, built=built, installed=installed)
    lowered = _instantiated(file, best(file), scope, marked)
    module = lowered.module(path)
    wanted = lowered.low.ranges.text()
    if wanted and ast_bytes(lowered.unit) <= LARGEST_TREE:
        file.ranges, probe = wanted, lowered.probe
        lowered.close()
        lowered = LoweredUnit(file.unit(probe.text), file, scope, marked, probe)
        module = lowered.module(path)
    if lowered.wrong(lowered.unit) and supposing:
        lowered, module = _switched(lowered, module, scope, marked)
    if lowered.wrong(lowered.unit):
        before = file.known.text()
        unit = improve(file, lowered.unit, lowered.wrong, lowered.probe.text)
        if file.known.text() != before:
            again = _instantiated_as(lowered.probe, file, unit, scope, marked)
            if len(again.kernels()) >= len(module.kernels):
                module = again.module(path)
            again.close()
    lowered.close()
    return module


def _switched(
    lowered: LoweredUnit, module: ir.Module, scope: Scope, marked: prologue.Marked
) -> tuple[LoweredUnit, ir.Module]:
    """Return the unit with what some build defines and its headers ask for, if that leaves fewer errors in kernels.

    Which errors these are is known when the kernels are lowered, with what they reach in headers.
    """
    file = lowered.file
    macros = switches_asked_for(file, lowered.unit)
    if not macros:
        return lowered, module
    saved, wrong = file.saved(), count_lines(lowered.wrong(lowered.unit))
    file.define(macros)
    with suppress(FrontendError):
        again = _instantiated(file, file.unit(), scope, marked)
        switched = again.module(module.path)
        if len(switched.kernels) >= len(module.kernels) and count_lines(again.wrong(again.unit)) < wrong:
            lowered.close()
            return again, switched
        again.close()
    file.restore(saved)
    return lowered, module


def _instantiated(file: RepairedFile, unit: TranslationUnit, scope: Scope, marked: prologue.Marked) -> LoweredUnit:
    """Return the unit with an instance of every kernel template, and host template that launches, that can have one.

    What includes a library of templates as large as CUTLASS is not tried with arguments that nobody gave: the parse may
    then take any time and memory.
    """
    lowered = LoweredUnit(unit, file, scope, marked)
    probe = instances.probe(lowered.without_instance(), lowered.scan.visible, file.known)
    if not _is_worth_a_parse(probe, lowered):
        return lowered
    number, _ = lowered.unprobed
    lowered.close()
    del lowered, unit  # of a file with all of a library's templates there is no room for two
    with suppress(FrontendError):
        again = LoweredUnit(file.unit(probe.text), file, scope, marked, probe)
        if len(again.kernels()) >= number:
            return again
        again.close()
    return LoweredUnit(file.unit(), file, scope, marked)


def _is_worth_a_parse(probe: instances.Probe, lowered: LoweredUnit) -> bool:
    return bool(probe.lines) and ast_bytes(lowered.unit) <= LARGEST_TREE


def _instantiated_as(
    probe: instances.Probe, file: RepairedFile, unit: TranslationUnit, scope: Scope, marked: prologue.Marked
) -> LoweredUnit:
    """Return what `_instantiated` does, from a unit that was parsed with a probe where it still is the right one."""
    lowered = LoweredUnit(unit, file, scope, marked, probe)
    number, wanted = lowered.unprobed
    known = file.known.text()
    again = instances.probe(wanted, lowered.scan.visible, file.known)
    same = file.known.text() == known
    if same and again == probe and len(lowered.kernels()) >= number:
        return lowered
    if same and probe == instances.NO_PROBE and not _is_worth_a_parse(again, lowered):
        return lowered  # what `_instantiated` would make of it
    lowered.close()
    return _instantiated(file, file.unit(), scope, marked)
