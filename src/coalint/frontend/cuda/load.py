"""One source file to an IR module: its kernels, the functions that they reach, the hosts that launch them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from clang.cindex import TranslationUnit

from coalint.core import ir
from coalint.frontend.cuda.libclang.bindings import ast_bytes
from coalint.frontend.cuda.repair import prologue
from coalint.frontend.cuda.repair.attempts import best
from coalint.frontend.cuda.repair.relevant_errors import count_lines
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.repair.strategies.build_macros import switches_asked_for
from coalint.frontend.cuda.repair.strategies.declared_names import improve
from coalint.frontend.cuda.repair.stubs import ROUNDS
from coalint.frontend.cuda.source_text import read_source
from coalint.frontend.cuda.templates import instances
from coalint.frontend.cuda.unit.translation_unit import LoweredUnit
from coalint.frontend.interface import WHOLE, BuildMacro, FrontendError, LoadRequest, Scope

PROBED = 2  # rounds of declarations more for what the instances of templates need
LARGEST_TREE = 256 << 20  # bytes of a translation unit's syntax tree; kernels alone have 2 to 20 MB
_TEMPLATE = re.compile(r"\btemplate\s*<")


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
        request.ahead,
    )


def load(
    path: str,
    flags: Sequence[str] = (),
    headers: str | None = None,
    scope: Scope = WHOLE,
    supposing: bool = False,
    built: Sequence[BuildMacro] = (),
    installed: tuple[str, ...] = (),
    ahead: tuple[str, ...] = (),
) -> ir.Module:
    """Parse and lower one file. Raises FrontendError for what is no readable source file.

    `headers` is a folder for precompiled headers; without one each file parses them anew. `supposing` allows to suppose
    that the build defines the macros with which the file's headers declare what it lacks; `built` are macros to which
    some build gives a value. `installed` are folders with headers of CUDA's, for what coalint's lack; `ahead` are
    headers of coalint's that come before the file's first line.
    """
    text = read_source(path)
    marked = prologue.marked(text)
    file = RepairedFile(
        path,
        flags,
        marked.text,
        headers,
        scope.fragments,
        supposing,
        built=built,
        installed=installed,
        ahead=ahead,
    )
    file.foresee = partial(_instances_to_name, scope=scope, marked=marked)
    lowered = _instantiated(file, best(file), scope, marked)
    module = lowered.module(path)
    wanted = lowered.low.ranges.text()
    if wanted and ast_bytes(lowered.unit) <= LARGEST_TREE:
        file.ranges = wanted
        lowered.close()
        lowered = LoweredUnit(file.unit(), file, scope, marked)
        module = lowered.module(path)
    if lowered.wrong(lowered.unit) and supposing:
        lowered, module = _switched(lowered, module, scope, marked)
    if lowered.wrong(lowered.unit):
        before = file.known.text()
        rounds = ROUNDS + PROBED if lowered.probe.lines else ROUNDS
        if file.foresee is not None and not lowered.probe.lines:
            file.foresee = partial(_instances_to_name, scope=scope, marked=marked, known=lowered)
        unit = improve(file, lowered.unit, lowered.wrong, rounds)
        if file.known.text() != before:
            again = _instantiated(file, unit, scope, marked)
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
    file.probe = lowered.probe
    return lowered, module


def _instances_to_name(
    file: RepairedFile,
    unit: TranslationUnit,
    scope: Scope,
    marked: prologue.Marked,
    known: LoweredUnit | None = None,
) -> instances.Probe:
    """Return the probe that a first parse, with errors, asks for: mostly what the next one needs, too.

    `known` is a parse without a probe that has been lowered.
    """
    own = (file.text, *map(file.text_of, file.fragments))
    if not any(map(_TEMPLATE.search, own)) or ast_bytes(unit) > LARGEST_TREE:
        return instances.NO_PROBE
    lowered = known if known is not None and known.unit is unit else LoweredUnit(unit, file, scope, marked)
    return instances.probe(lowered.unprobed[1], lowered.scan.visible, file.known)


def _instantiated(file: RepairedFile, unit: TranslationUnit, scope: Scope, marked: prologue.Marked) -> LoweredUnit:
    """Return the unit with an instance of every kernel template, and host template that launches, that can have one.

    The unit may have been parsed with a probe; it is parsed again where that is not the one that it asks for itself.
    What includes a library of templates as large as CUTLASS is not tried with arguments that nobody gave: the parse may
    then take any time and memory.
    """
    lowered = LoweredUnit(unit, file, scope, marked)
    tried = lowered.probe
    number, wanted = lowered.unprobed
    known = file.known.text()
    probe = instances.probe(wanted, lowered.scan.visible, file.known)
    is_same = probe == tried and file.known.text() == known
    is_worth_a_parse = bool(probe.lines) and ast_bytes(lowered.unit) <= LARGEST_TREE
    if (is_same and lowered.count() >= number) or not (tried.lines or is_worth_a_parse):
        return lowered
    lowered.close()
    del lowered, unit  # of a file with all of a library's templates there is no room for two
    if is_worth_a_parse and not is_same:
        file.probe = probe
        with suppress(FrontendError):
            again = LoweredUnit(file.unit(), file, scope, marked)
            if again.count() >= number:
                return again
            again.close()
    file.probe = instances.NO_PROBE
    return LoweredUnit(file.unit(), file, scope, marked)
