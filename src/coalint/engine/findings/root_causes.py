"""What findings have in common that say what could not be read, over all files of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coalint.core.facts.causes import Cause, CauseKind
from coalint.core.findings import Finding
from coalint.engine.report import Diagnostic

SHOWN = 8
_SPREADING = (CauseKind.UNDECLARED, CauseKind.NOT_FOUND)
"""Causes that are lists of names: that of the most files is the one that they have in common."""
_OF_A_RUN = frozenset({*_SPREADING, CauseKind.SWITCHED_OFF, CauseKind.UNUSED, CauseKind.UNGIVEN, CauseKind.BUILD})


def roots(diagnostics: Iterable[Diagnostic]) -> dict[int, tuple[object, ...]]:
    """Return what each of the diagnostics, by its number among them, has in common with others of its cause.

    A name that nothing declares and that most files lack stands for the others that they lack. What follows from it in
    a kernel belongs to its file's.
    """
    caused = [
        (number, d.finding, d.finding.cause)
        for number, d in enumerate(diagnostics)
        if d.finding.cause is not None and d.finding.cause.kind in _OF_A_RUN
    ]
    files: dict[tuple[CauseKind, str], set[str]] = {}
    for _, finding, cause in caused:
        for name in names_of(cause):
            files.setdefault((cause.kind, name), set()).add(finding.span.file)

    def widest(cause: Cause) -> str:
        return min(names_of(cause), key=lambda name: (-len(files[cause.kind, name]), name))

    of_file: dict[tuple[CauseKind, str, str], str] = {}
    for _, finding, cause in caused:
        if cause.kind in _SPREADING and finding.kernel is None:
            for name in names_of(cause):
                of_file.setdefault((cause.kind, finding.span.file, name), widest(cause))
    found: dict[int, tuple[object, ...]] = {}
    for number, finding, cause in caused:
        if cause.kind in _SPREADING:
            own = widest(cause)
            root: object = of_file.get((cause.kind, finding.span.file, own), own)
        else:
            root = cause.declared or cause.names
        found[number] = finding.code, cause.kind, root
    return found


def names_of(cause: Cause) -> list[str]:
    """Return the names that a cause consists of."""
    return dict(cause.names).get("names", "").split(", ")


def rank(finding: Finding) -> tuple[int, int]:
    """Return a sort key: what names the cause itself comes before what follows from it, most names first."""
    names = 0 if finding.cause is None else len(names_of(finding.cause))
    return finding.kernel is not None, -names


def beside(shown: Finding, others: Sequence[Finding]) -> str:
    """Return what the other findings of one cause lack that the one shown does not name, to follow its message."""
    if shown.cause is None or shown.cause.kind not in _SPREADING:
        return ""
    known = set(names_of(shown.cause))
    more = dict.fromkeys(
        name for other in others if other.cause is not None for name in names_of(other.cause) if name not in known
    )
    rest = f" and {len(more) - SHOWN} more" if len(more) > SHOWN else ""
    return f"; at the other places also {', '.join(list(more)[:SHOWN])}{rest}" if more else ""
