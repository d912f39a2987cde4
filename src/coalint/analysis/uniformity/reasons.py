"""Why a condition differs between threads, in words that a person can check against the source."""

from __future__ import annotations

import os
from collections.abc import Sequence

from coalint.analysis.domain.algebra.atoms import Atom, AtomKind
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.guards import Guard, GuardKind

WORDS = {
    GuardKind.BRANCH: "`{0}` can differ between {1}",
    GuardKind.LOOP: "the loop's condition `{0}` can differ between {1}, so some leave it earlier",
    GuardKind.BREAK: "{2} leave the loop by `break` when `{0}`, which can differ between {1}",
    GuardKind.CONTINUE: "{2} skip ahead by `continue` when `{0}`, which can differ between {1}",
    GuardKind.JUMP: "{2} jump ahead by `goto` when `{0}`, which can differ between {1}",
    GuardKind.RETURN: "{2} return early when `{0}`, which can differ between {1}",
    GuardKind.LEAVE: "{2} return early when `{0}`, which can differ between {1}",
}

LONGEST = 90  # characters of source that a reason quotes
MOST = 2  # causes that a reason names
LONGEST_CHAIN = 12  # definitions


def written(guard: Guard) -> str:
    """Return the condition as the user wrote it."""
    text = guard.condition.text
    if guard.kind not in (GuardKind.BRANCH, GuardKind.LOOP) and text.startswith("!("):
        text = text.removeprefix("!(").removesuffix(")")
    return text


def parts_ways(guard: Guard, sources: Sequence[Atom], who: str) -> str:
    """Return how threads part at a guard, and where the difference comes from."""
    said = WORDS[guard.kind].format(written(guard), who, who.split()[0])
    causes = list(dict.fromkeys([*_by_memory(guard, sources), *_by_definition(guard)]))[:MOST]
    return f"{said}: {' and '.join(causes)}" if causes else said


def besides(guard: Guard, others: Sequence[Guard]) -> str:
    """Return the other conditions at which threads part, in the order of the source."""
    texts = dict.fromkeys(f"`{written(other)}`" for other in others if len(written(other)) <= LONGEST)
    texts.pop(f"`{written(guard)}`", None)
    if not texts:
        return ""
    named = [*texts][:MOST]
    more = f" and {len(texts) - MOST} more" if len(texts) > MOST else ""
    return f"; so can {' and '.join(named)}{more}"


def alike(alone: Sequence[Guard], together: Sequence[Guard] = ()) -> str:
    """Return why conditions part nobody on the way to a barrier, the innermost first.

    That there is none, where there is.
    """
    texts, weighed = _quoted(alone), _quoted(together)
    said = [f"{' and '.join(texts)} {'is' if len(texts) == 1 else 'are'} the same for all of them"] if texts else []
    said += [f"{' and '.join(weighed)} together let all of them pass or none"] if weighed else []
    return " and ".join(said) or "no condition before it can separate them"


def fulfilled(guards: Sequence[Guard]) -> str:
    """Return that the lanes which a mask names are those for which conditions hold."""
    return f"its mask names only lanes for which {' and '.join(_quoted(guards, as_held=True))}"


def _quoted(guards: Sequence[Guard], as_held: bool = False) -> list[str]:
    """Return the conditions as they are written, or (where they hold) as they hold."""
    texts = [guard.condition.text if as_held else written(guard) for guard in reversed(guards)]
    return [_shortened(f"`{text}`") for text in dict.fromkeys(texts)][:MOST]


def _by_memory(guard: Guard, sources: Sequence[Atom]) -> list[str]:
    """Return what cannot be read off the variables' definitions: other sources than threadIdx."""
    causes = []
    for atom in sources:
        if atom.varies:
            causes.append(atom.varies)
        elif atom.kind is AtomKind.LOAD and atom.name not in written(guard):
            causes.append(f"`{atom.name}` is read from memory")
    return causes


def _by_definition(guard: Guard) -> list[str]:
    causes = []
    for definition in guard.trace:
        if _inside(definition, guard):
            continue
        cause = f"{_shortened(definition.note.message)} at {_place(definition, guard)}"
        first = _first(definition)
        if first is not definition and not _inside(first, guard):
            cause += f", which is computed from {_shortened(first.note.message)} at {_place(first, guard)}"
        causes.append(cause)
    return causes


def _first(definition: Definition) -> Definition:
    """Return the definition at the beginning of a chain: the one that reads threadIdx."""
    for _ in range(LONGEST_CHAIN):
        further = [parent for parent in definition.parents if parent.parents]
        if not further or any(not parent.parents for parent in definition.parents):
            break
        definition = further[0]
    return definition


def _inside(definition: Definition, guard: Guard) -> bool:
    """Whether a definition is part of the condition itself, as in `if ((i = next()) < n)`."""
    inner, outer = definition.span, guard.span
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return (
        inner.file == outer.file and starts and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}...`"


def _place(definition: Definition, guard: Guard) -> str:
    span = definition.span
    return f"line {span.line}" if span.file == guard.span.file else f"{os.path.basename(span.file)}:{span.line}"
