"""Results of single kernels: an edit of a file analyses anew what it changed, and files share what they both launch."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from coalint.core.facts.assumptions import NOTHING
from coalint.core.facts.launch import Specialization
from coalint.core.records import record
from coalint.core.serialization import as_data, from_data
from coalint.core.source.relocation import Relocation, texts
from coalint.core.source.source_lines import SourceLines
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, Job
from coalint.engine.execution.cache.entries import read_sealed, write_sealed
from coalint.engine.execution.cache.versions import code_digest

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.ir.canonical import Reach

Pair = tuple["ir.Kernel", Specialization]
LEAST = 0.02
"""Seconds that an analysis takes at least for its result to be stored."""
_NAMES_LINE = re.compile(r"\blines? \d|\.\w+:\d")


@record(frozen=True, slots=True)
class Entry:
    """What is stored: the result, and the places of the functions and variables that it rests on, the kernel's first.

    `names_lines` says that its words name lines, so that it holds only where these are the same, and those of the
    structs, which are `declared` there.
    """

    checked: CheckedKernel
    pieces: tuple[Span, ...]
    names_lines: bool
    declared: tuple[str, ...]


class KernelResults:
    """The results of the kernels of one module that earlier checks stored, and those that this one gives.

    What a result rests on names it: the functions that the kernel reaches, in a form that does not depend on where they
    stand, their text, the specialization, those of the same kernel before it, what the module calls the members of
    structs, the architecture, the rules and the code of coalint itself.
    """

    def __init__(self, job: Job, module: ir.Module, packages: Sequence[str], supposed: Sequence[str]) -> None:
        from coalint.core.ir.canonical import CanonicalForms

        self._folder = Path(job.kernels) if job.kernels is not None else None
        self._module = module
        kernels = {kernel.function.key: kernel.function for kernel in module.kernels}
        self._forms = CanonicalForms({**module.functions, **kernels}, module.sources)
        self._sources = SourceLines(module.sources)
        rules = [rule.name for rule in job.rules]
        self._common = [
            code_digest(tuple(packages)),
            repr(job.arch),
            rules,
            list(supposed),
            job.formulas,
            module.spelling.__class__.__name__,
        ]
        self._reaches: dict[str, Reach] = {}
        self._texts: dict[Span, str] = {}
        self._names: dict[tuple[object, ...], str] = {}

    def find(self, pairs: Mapping[tuple[object, ...], Pair]) -> dict[tuple[object, ...], CheckedKernel]:
        """Return the stored results by the keys of the pairs. All of one kernel's that have moved, or none of them."""
        results: dict[tuple[object, ...], CheckedKernel] = {}
        moved: dict[Span, list[tuple[object, ...]]] = {}
        lacking: set[Span] = set()
        latest: dict[Span, str] = {}
        for key, (kernel, specialization) in pairs.items():
            name = self._names[key] = self._name(kernel, specialization, latest.get(kernel.span, ""))
            latest[kernel.span] = name
            entry = self._read(name)
            reach = self._reach(kernel)
            if entry is None or len(entry.pieces) != len(reach.pieces):
                lacking.add(kernel.span)
                continue
            relocation = Relocation(entry.pieces, reach.pieces)
            if entry.names_lines and (relocation.moves or entry.declared != tuple(sorted(reach.declared))):
                lacking.add(kernel.span)
                continue
            if relocation.moves:
                moved.setdefault(kernel.span, []).append(key)
            results[key] = relocation.moved(entry.checked)
        for span in moved.keys() & lacking:
            for key in moved[span]:
                del results[key]
        return results

    def keep(self, key: tuple[object, ...], kernel: ir.Kernel, checked: CheckedKernel, seconds: float) -> None:
        """Store a result that took so many seconds."""
        name = self._names.get(key)
        if self._folder is None or name is None or seconds < LEAST or not checked.coverage.accesses:
            return
        reach = self._reach(kernel)
        entry = Entry(
            checked=checked,
            pieces=reach.pieces,
            names_lines=any(_NAMES_LINE.search(text) for text in texts(checked.findings)),
            declared=tuple(sorted(reach.declared)),
        )
        text = json.dumps(as_data(entry), separators=(",", ":"))
        write_sealed(self._path(name), name, text)

    def _read(self, name: str) -> Entry | None:
        try:
            entry: Entry = from_data(Entry, json.loads(read_sealed(self._path(name), name)))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        return entry

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / name[:2] / f"{name[2:]}.json"

    def _reach(self, kernel: ir.Kernel) -> Reach:
        if kernel.key not in self._reaches:
            self._reaches[kernel.key] = self._forms.reach([kernel.function])
        return self._reaches[kernel.key]

    def _name(self, kernel: ir.Kernel, specialization: Specialization, before: str) -> str:
        from coalint.analysis.domain.store.part_names import named_members

        reach = self._reach(kernel)
        own = [function.span for function in reach.functions if not function.bundled]
        parts = [
            *(self._common, before, reach.digest.hex(), named_members(self._module, reach.records)),
            *(kernel.name, kernel.template_arguments, kernel.template_parameters, kernel.bounds),
            *(kernel.assumptions, kernel.guessed, kernel.named),
            repr(replace(specialization, line=None, file=None, cell=None)),
            [self._text(span) for span in (*own, *reach.elsewhere)],
            (self._module.has_volatile_assembly, [self._volatile(function.span) for function in reach.functions]),
        ]
        return blake2b(repr(parts).encode(), digest_size=20).hexdigest()

    def _volatile(self, span: Span) -> list[tuple[int, int]]:
        """Return what is volatile in a function, by lines from its first one and columns."""
        inside = (
            one for one in self._module.volatile if one.file == span.file and span.line <= one.line <= span.end_line
        )
        return sorted((one.line - span.line, one.column) for one in inside)

    def _text(self, span: Span) -> str:
        """Return a digest of the lines of a place."""
        if span not in self._texts:
            text = self._sources.whole(span)
            self._texts[span] = blake2b(text.encode(errors="replace"), digest_size=16).hexdigest()
        return self._texts[span]


def stores_kernels(job: Job) -> bool:
    """Whether a job's results are of the kind that is stored: findings without analyses, of launches as they are."""
    plain = not (job.keep or job.models or job.forms or job.profiled)
    return job.kernels is not None and plain and job.inputs and job.given == NOTHING
