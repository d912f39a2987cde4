"""What first results leave to check: fragments that no includer gave, kernels switched off or launched elsewhere."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_text
from coalint.engine.check.records import FileResult, Source
from coalint.frontend.registry import front_end_of
from coalint.rules.own.not_analysed import NotAnalysed

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.facts.launch import LaunchRecord

Checked = Sequence[tuple[Source, FileResult]]


def left_alone(checked: Checked, given: Mapping[str, Source]) -> list[Source]:
    """Return the fragments to check by themselves: those that the unit does not include after all, and kernels it lost.

    A fragment that no unit includes and that holds no kernel has nothing to be checked, unless only it was asked for.
    `given` are the files of the run by their real paths.
    """
    defined = {(name, os.path.realpath(span.file)) for _, result in checked for name, span in result.kernels}
    sources: list[Source] = []
    for unit, result in checked:
        lost = {
            (finding.kernel, os.path.realpath(finding.span.file))
            for finding in result.problems
            if finding.code == NotAnalysed.code and finding.kernel is not None
        }
        for fragment in unit.fragments:
            names = {name for name, file in lost - defined if name is not None and file == fragment}
            is_read = fragment in result.fragments
            if names or not (is_read or (unit.itself and not _may_hold_kernels(fragment))):
                alone = given.get(fragment) or replace(unit, path=fragment, fragments=(), itself=True)
                sources.append(replace(alone, only=tuple(sorted(names)) if is_read else (), included=True))
    return sorted(sources, key=lambda source: source.path)


def _may_hold_kernels(path: str) -> bool:
    try:
        return front_end_of(path).may_hold_kernels(read_text(path, FileKind.SOURCE))
    except OSError:
        return True


def switched_off(checked: Checked) -> list[Source]:
    """Return the units once more for kernels that only a macro of the build gives, with that macro defined.

    Not where a command or the flags themselves say that the macro is undefined.
    """
    defined = {(name, os.path.realpath(span.file)) for _, result in checked for name, span in result.kernels}
    by_unit: dict[Source, dict[str, None]] = {}
    for unit, result in checked:
        for name, file, macros in result.switched if unit.supposing and not unit.supposed else ():
            if (name, os.path.realpath(file)) not in defined and not any(
                f"-U{macro}" in unit.flags for macro in macros
            ):
                values = {macro.name: macro.definition for macro in unit.built}
                supposed = tuple(values.get(macro, macro) for macro in macros)
                by_unit.setdefault(replace(unit, only=(), supposed=supposed), {})[name] = None
    again = [replace(unit, only=tuple(sorted(names))) for unit, names in by_unit.items()]
    return sorted(again, key=lambda source: (source.path, source.supposed))


def launched_elsewhere(checked: Checked) -> list[Source]:
    """Return the units whose kernels other files launch with a constant block shape, with these launches."""
    definitions: dict[str, list[_Definition]] = defaultdict(list)
    for unit, result in checked:
        for declaration, file in result.definitions:
            definitions[declaration.symbol].append(_Definition(unit, file, declaration.file))
    launches: dict[Source, dict[tuple[object, ...], LaunchRecord]] = defaultdict(dict)
    for unit, result in checked:
        for declaration, launch in result.launches:
            if None in launch.block:
                continue
            definition = _meant(unit, declaration, definitions[declaration.symbol])
            if definition is not None:
                identity = (
                    launch.kernel,
                    launch.block,
                    launch.grid,
                    launch.arguments,
                    launch.members,
                    launch.shifts,
                    launch.floats,
                )
                launches[definition.unit].setdefault(identity, launch)
    again = [replace(unit, launches=tuple(records.values())) for unit, records in launches.items()]
    return sorted(again, key=lambda source: source.path)


@record(frozen=True, slots=True)
class _Definition:
    """A kernel in a unit, the file that holds it and the one that declares it first."""

    unit: Source
    file: str
    declared: str

    @property
    def is_own(self) -> bool:
        return self.file in self.unit.fragments or self.file == os.path.realpath(self.unit.path)


def _meant(launching: Source, declaration: ir.Declaration, definitions: Sequence[_Definition]) -> _Definition | None:
    """Return the definition that a launch means; None where that is not sure.

    A folder of many programs defines many kernels of one name: the declaration must be the same one, or the definition
    must be the only one and stand in the same folder.
    """
    folder = os.path.dirname(os.path.realpath(launching.path))
    same = [definition for definition in definitions if definition.declared == declaration.file]
    meant = same or [definition for definition in definitions if os.path.dirname(definition.file) == folder]
    if len({definition.file for definition in meant}) > 1:
        meant = [definition for definition in meant if os.path.dirname(definition.file) == folder]
    if len({definition.file for definition in meant}) != 1:
        return None
    return min(meant, key=lambda definition: (not definition.is_own, definition.unit.path))
