"""What the parser will complain of once undeclared names are declared, read off the text: a parse less for each.

Of `lib::Matrix m; m.rows()` libclang misses `lib` alone. When that is declared as a namespace it misses `Matrix` in it,
and then `rows` in that. The text says all of it at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet

from coalint.frontend.cuda.repair.complaints import Complaint
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.name_kinds import closing_angle
from coalint.frontend.cuda.repair.scopes import SPACE, TYPES, ScopeKind

_MISSED = re.compile(
    r"(?:use of undeclared (?:identifier|template name)|unknown (?:type|class) name"
    r"|no (?:member|type|template) named) '([A-Za-z_]\w*)'(?: in namespace '([\w:]+)')?$"
)
_EXISTING = re.compile(r" in namespace '(\w+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_VARIABLE = re.compile(r"\s*(?:(?:const|volatile|__restrict__|\.\.\.)\b\s*|[*&]\s*)*([A-Za-z_]\w*)\s*[,;)=({\[:]")
_INFERRED = re.compile(r"\bauto\b[\s&*]*([A-Za-z_]\w*)\s*[=({]([^;]{0,200})")
_SCOPED = re.compile(r"\s*::\s*(?:template\s+)?([A-Za-z_]\w*)")
_MEMBER = re.compile(r"\s*(?:\.|->)\s*(?:template\s+)?([A-Za-z_]\w*)")
_LONGEST = 400  # characters of the arguments between two members of a chain


class SourceCode:
    """The code of a file, without its comments, and the offsets where nothing counts."""

    def __init__(self, code: str, hidden: Iterable[tuple[int, int]] = ()) -> None:
        self.code = code
        self._starts: list[int] = []  # of the hidden parts, apart from one another and in order
        self._ends: list[int] = []
        for start, end in sorted(hidden):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._starts.append(start)
                self._ends.append(end)

    def counts(self, at: int) -> bool:
        """Whether what stands at an offset matters."""
        part = bisect_right(self._starts, at) - 1
        return part < 0 or at >= self._ends[part]


def missed(messages: Iterable[str], spaces: Iterable[str] = ()) -> set[tuple[str, ...]]:
    """Return the names that nothing declares according to messages of the parser, each by its namespaces.

    `spaces` are namespaces that something was declared in: they count where no message says that there is one.
    """
    messages = list(messages)
    found = list(filter(None, map(_MISSED.match, messages)))
    existing = {match[1] for message in messages for match in _EXISTING.finditer(message)}
    named = {(*match[2].split("::"), match[1]) if match[2] else (match[1],) for match in found}
    return named | {(space,) for space in spaces if space not in existing}


def foreseen(roots: Collection[tuple[str, ...]], known: Undeclared, source: SourceCode) -> Iterator[Complaint]:
    """Yield what the parser will complain of next in a source, when the `roots` are declared as `known` has them.

    First come the names in undeclared namespaces; the members of types, some of which these are, come when they are
    known, too.
    """
    spaces = {path for path in roots if known.kind(path) is ScopeKind.NAMESPACE}
    if spaces:
        yield from _in_namespaces(spaces, source)
    types = {path[-1] for path in roots if known.kind(path) in TYPES}
    types.update(name for path in spaces for name, kind in known.inside(path) if kind in TYPES)
    yield from _of_types(types, {*types, *(path[-1] for path in roots)}, source)


def _in_namespaces(spaces: Collection[tuple[str, ...]], source: SourceCode) -> Iterator[Complaint]:
    last = "|".join(sorted({re.escape(path[-1]) for path in spaces}))
    for match in re.finditer(rf"\b(?:{last})\s*::\s*(?:template\s+)?([A-Za-z_]\w*)", source.code):
        path = _path_to(source.code, match.start(1))
        if path in spaces and source.counts(match.start()):
            yield Complaint(
                f"no member named '{match[1]}' in namespace '{'::'.join(path)}'", source.code, match.start(1)
            )


def _path_to(code: str, at: int) -> tuple[str, ...]:
    """Return the namespaces that are written before a name."""
    chain = re.search(
        r"(?<![\w:>.])(?:::\s*)?((?:[A-Za-z_]\w*\s*::\s*)+)(?:template\s+)?$", code[max(0, at - 120) : at]
    )
    return () if chain is None else tuple(_WORD.findall(chain[1]))


def _of_types(types: AbstractSet[str], names: AbstractSet[str], source: SourceCode) -> Iterator[Complaint]:
    """Yield the members of types, and of variables that are of one or come from a name that nothing declares."""
    code = source.code
    variables: set[str] = set()
    for match in _any_of(types).finditer(code) if types else ():
        after = _after_angles(code, match.end())
        scoped = _SCOPED.match(code, after)
        if scoped is not None:
            if source.counts(match.start()):
                yield Complaint(f"no member named '{scoped[1]}' in '{match[0]}'", code, scoped.start(1))
            continue
        variable = _VARIABLE.match(code, after)
        if variable is not None and source.counts(match.start()):
            variables.add(variable[1])
    for match in _INFERRED.finditer(code):
        if not (names | variables).isdisjoint(_WORD.findall(match[2])) and source.counts(match.start()):
            variables.add(match[1])
    for match in _any_of(variables).finditer(code) if variables else ():
        if source.counts(match.start()):
            yield from _members(code, match.end())


def _any_of(names: Collection[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<![\w.>])|(?<=this->))(?:{'|'.join(map(re.escape, sorted(names)))})\b")


def _members(code: str, at: int) -> Iterator[Complaint]:
    """Yield the members in what follows a variable: `rows` and `data` in `m[i].rows(n).data`."""
    while True:
        at = _after_brackets(code, at)
        member = _MEMBER.match(code, at)
        if member is None:
            return
        yield Complaint(f"no member named '{member[1]}' in '{SPACE}::any_value'", code, member.start(1))
        at = member.end()


def _after_angles(code: str, at: int) -> int:
    """Return the offset after the template arguments that begin at an offset, if any do."""
    opening = re.compile(r"\s*<(?!<)").match(code, at)
    closed = None if opening is None else closing_angle(code, opening.end() - 1)
    return at if closed is None else closed


def _after_brackets(code: str, at: int) -> int:
    """Return the offset after the calls and subscripts that begin at an offset."""
    at = _after_angles(code, at)
    while (opening := re.compile(r"\s*([(\[])").match(code, at)) is not None:
        depth = 0
        for index in range(opening.end() - 1, min(len(code), opening.end() + _LONGEST)):
            depth += (code[index] in "([") - (code[index] in ")]")
            if depth == 0:
                at = index + 1
                break
        else:
            return at
    return at
