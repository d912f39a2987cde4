"""What coalint finds in a text and in its rewrite, side by side."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coalint.core.facts.access import Space
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from rewriting.edits import Rewritten, Site, apply, disjoint
from rewriting.kinds import KINDS
from rewriting.unit import Unit

Row = tuple[object, ...]
"""One access: kernel, which of its specializations, line, space, operation, bytes, numbers."""
_COUNTED = (Space.GLOBAL, Space.SHARED, Space.GENERIC)


@dataclass(frozen=True)
class Difference:
    """What one rewrite changes: rows that only one text has. `sites` are the places that suffice for it."""

    path: str
    kind: str
    sites: tuple[Site, ...]
    text: str
    lost: tuple[Row, ...]
    new: tuple[Row, ...]


@dataclass
class Tally:
    """What was tried: rewritten texts, places in them, texts that were refused by the parser."""

    texts: int = 0
    places: int = 0
    refused: int = 0


class Original:
    """A source with its accesses, to which rewrites are held."""

    def __init__(self, source: Source, job: Job) -> None:
        self.source, self.job = source, job
        self.path = os.path.realpath(source.path)
        with open(self.path, "rb") as file:
            self.bytes = file.read().decode("latin-1")
        self.unit = Unit(self.path, source.arguments, self.bytes, job.headers)
        self.rows, self.problems = self._rows(check_file(source, job), None)

    def sites(self, kind: str) -> list[Site]:
        """Where a kind of rewrite can be made."""
        return list(KINDS[kind](self.unit))

    def held(self, kind: str, seed: int, tally: Tally) -> Difference | None:
        """Rewrite a random choice of the places of one kind, and return what that changes."""
        sites = self.sites(kind)
        random_ = random.Random(f"{self.path.rpartition('/')[2]} {kind} {seed}")
        random_.shuffle(sites)
        chosen = disjoint(sites[: max(1, random_.randint(len(sites) // 2, len(sites)))]) if sites else []
        if chosen and not self._is_sound(chosen):
            tally.refused += 1
            chosen = [site for site in chosen[:6] if self._is_sound([site])]
            chosen = chosen if chosen and self._is_sound(chosen) else chosen[:1]
        if not chosen:
            return None
        tally.texts += 1
        tally.places += len(chosen)
        found = self.difference(kind, chosen)
        if found is None:
            return None
        for site in chosen[:12]:
            single = self.difference(kind, [site]) if len(chosen) > 1 else None
            if single is not None:
                return single
        return found

    def _is_sound(self, sites: Sequence[Site]) -> bool:
        """Whether the rewritten text has no errors beyond those of the text."""
        text = apply(self.bytes, sites).text
        return Unit(self.path, self.source.arguments, text, self.job.headers).errors <= self.unit.errors

    def difference(self, kind: str, sites: Sequence[Site]) -> Difference | None:
        """What rewriting these places changes; None where it keeps all."""
        made = apply(self.bytes, sites)
        text = made.text.encode("latin-1").decode("utf-8", "surrogateescape")
        result = check_file(self.source, replace(self.job, overlay=((self.path, text),)))
        rows, problems = self._rows(result, made)
        if rows == self.rows and problems == self.problems:
            return None
        lost, new = (tuple((a - b).elements()) for a, b in ((self.rows, rows), (rows, self.rows)))
        lost = lost or tuple((p,) for p in (self.problems - problems).elements())
        new = new or tuple((p,) for p in (problems - self.problems).elements())
        return Difference(self.path, kind, tuple(sites), made.text, lost, new)

    def _rows(self, result: FileResult, made: Rewritten | None) -> tuple[Counter[Row], Counter[str]]:
        rows: Counter[Row] = Counter()
        of_name: Counter[str] = Counter()
        for kernel in result.checked:
            name = kernel.kernel.partition("<")[0]
            assert kernel.analysis is not None
            for instruction in kernel.instructions:
                access, cost = instruction.written, instruction.cost
                if access.space not in _COUNTED:
                    continue
                line = access.span.line
                if made is not None and os.path.realpath(access.span.file) == self.path:
                    line = made.lines[line]
                numbers = None if cost is None else (round(cost.count, 6), round(cost.ideal, 6), cost.bytes, cost.exact)
                place = (os.path.basename(access.span.file), line)
                rows[(name, of_name[name], *place, access.space.value, access.op.value, access.bytes, numbers)] += 1
            of_name[name] += 1
        problems = Counter(f"{problem.code}" for problem in result.problems)
        problems.update("failure" for _ in result.failures)
        return rows, problems
