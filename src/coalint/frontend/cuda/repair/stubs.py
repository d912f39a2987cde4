"""What a file needs declared: libclang's complaints about names, with the source around them, to `Undeclared`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from coalint.frontend.cuda.repair import macros
from coalint.frontend.cuda.repair.complaints import (
    ALIASED,
    EXAMPLES,
    HEADERS,
    LIBRARY,
    MISTAKEN,
    NO_PARAMETER,
    OTHER_PARAMETERS,
    PATTERNS,
    PLACED,
    REDEFINED,
    Complaint,
    says_namespace,
)
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.macros import AFTER_NAME
from coalint.frontend.cuda.repair.name_kinds import closing_angle, is_of_parameter, kind_of, parameters_of
from coalint.frontend.cuda.repair.scopes import SPACE, TYPES, ScopeKind

ROUNDS = 4
MAX_NAMES = 200
# A template's name behind a place among its parameters; macros and attributes may stand before it.
_TEMPLATE_NAME = re.compile(
    r"[^;{}]*?\b(?:struct|class|union)\s+(?:\w+\s*\((?:[^()]|\([^()]*\))*\)\s*)*([A-Za-z_]\w*)\s*(?:final\s*)?[{:;<]"
)
_CHAIN = re.compile(r"(?:::\s*)?([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)")


def read_complaints(complaints: Iterable[Complaint], known: Undeclared) -> bool:
    """Add what the complaints ask for; whether there was anything new."""
    before = known.text()
    complaints = list(complaints)
    libraries = {match.group(1) for complaint in complaints if (match := LIBRARY.match(complaint.message))}
    wanted = {HEADERS[library] for library in libraries} - known.headers
    if wanted:  # it may declare what else is complained of
        known.headers |= wanted
        return True
    seen = Counter[str]()
    for complaint in complaints:
        seen[complaint.message] += 1
        if len(seen) > MAX_NAMES:
            break
        if seen[complaint.message] <= EXAMPLES:
            _read(complaint, known)
    return known.text() != before


def refuse_redefined(complaints: Iterable[Complaint], known: Undeclared) -> bool:
    """Take back the names that turn out to be declared after all; whether there were any."""
    before = known.text()
    names = {name.rpartition("::")[2] for name in known.names()}
    for complaint in complaints:
        name = _redefined(complaint)
        if name in names:
            known.refuse(name)
    return known.text() != before


def _redefined(complaint: Complaint) -> str:
    """Return what a complaint says to be declared twice; it may only say that parameters of a template differ."""
    match = ALIASED.search(complaint.message) or REDEFINED.search(complaint.message)
    if match is None and complaint.offset is not None and OTHER_PARAMETERS.search(complaint.message):
        match = _TEMPLATE_NAME.match(complaint.text, complaint.offset)
    return "" if match is None else match.group(1)


def _read(complaint: Complaint, known: Undeclared) -> None:
    message = complaint.message
    for pattern, what in PATTERNS:
        match = pattern.match(message)
        if match is not None:
            owner = match.group(2) if match.lastindex == 2 else ""
            _named(match.group(1), owner or "", what, complaint, known)
            return
    enumeration = NO_PARAMETER.match(message)
    if enumeration is not None:
        known.enumerate(enumeration.group(1) or enumeration.group(2))
        return
    if complaint.offset is None:
        return
    for pattern, kind in MISTAKEN:
        match = pattern.match(message)
        if match is not None:
            named = match.group(1) if match.lastindex else _name_at(complaint.text, complaint.offset)
            known.settle(named, kind)
            return
    for text, what in PLACED:
        if message.startswith(text):
            _placed(what, complaint.text, complaint.offset, known)
            return


def _named(name: str, owner: str, what: str, complaint: Complaint, known: Undeclared) -> None:
    text, at = complaint.text, _occurrence(name, complaint)
    if owner and (owner.startswith(SPACE) or _is_undeclared_type(owner, known)):
        kind = kind_of(text, at, name, what) if at is not None else ScopeKind.OBJECT
        known.add_member(name, ScopeKind.OBJECT if kind is ScopeKind.VALUE else kind, owner.rpartition("::")[2])
        return
    scopes = tuple(owner.split("::")) if owner else ()
    if any(not scope.isidentifier() for scope in scopes) or (owner and not says_namespace(complaint.message)):
        return  # a member of a type that the user declares
    if at is None:
        if what in ("type", "template"):
            known.add((*scopes, name), ScopeKind.TYPE if what == "type" else ScopeKind.TEMPLATE)
        elif what == "any":
            known.add((*scopes, name), ScopeKind.OBJECT)
        return
    if not scopes and (macros.stands_before(name, text, at, known) or macros.counts(text, at, known)):
        return
    chain = _CHAIN.match(text, at)
    assert chain is not None
    parts = tuple(part.strip() for part in chain.group(1).split("::"))
    end = chain.end()
    if re.search(r"\bnamespace\s+(?:\w+\s*=\s*)?(?:::)?(?:\w+\s*::\s*)*$", text[max(0, at - 120) : at]):
        known.add((*scopes, *parts), ScopeKind.NAMESPACE)
        return
    if len(parts) > 1 and known.kind((*scopes, parts[0])) in TYPES:
        known.add_member(parts[1], kind_of(text, end, parts[-1], "any"), parts[0])
        return
    leaf = parts[-1]
    kind = kind_of(text, end - len(leaf), leaf, what if len(parts) == 1 else "any", at)
    if kind is ScopeKind.TYPE and is_of_parameter(text, at, end):
        kind = ScopeKind.ENUM
    parameters = parameters_of(text, end) if kind is ScopeKind.TEMPLATE else ""
    if kind is ScopeKind.FUNCTION and len(scopes) + len(parts) == 1:
        known.called.add(leaf)
        if known.kind((leaf,)) is None and not complaint.instance:
            return  # libclang keeps a call of an undeclared function with its arguments, but loses an instance with it
    known.add((*scopes, *parts), kind, parameters)
    if kind is ScopeKind.TEMPLATE:
        _members_behind(text, end, known)


def _is_undeclared_type(owner: str, known: Undeclared) -> bool:
    path = tuple(re.sub(r"<.*>", "", owner).removeprefix("const ").split("::"))
    if len(path) == 1:  # as it is written, wherever it is declared
        return known.has_type(path[0])
    return known.kind(path) in TYPES or path[-1] in known.members


def _name_at(text: str, at: int) -> str:
    """Return the name at an offset, or the one that ends before it."""
    match = re.compile(r"[A-Za-z_]\w*").match(text, at)
    if match is None:
        match = re.search(r"[A-Za-z_]\w*(?=\W*$)", text[max(0, at - 80) : at])
    return "" if match is None else match.group()


def _occurrence(name: str, complaint: Complaint) -> int | None:
    """Return where the name stands: at the complaint, else (it came out of a macro) its first use in the text."""
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    if complaint.offset is not None and pattern.match(complaint.text, complaint.offset):
        return complaint.offset
    match = pattern.search(complaint.text)
    return None if match is None else match.start()


def _members_behind(text: str, end: int, known: Undeclared) -> None:
    """Declare the member of `Template<...>::member`, which libclang names only when the template is declared."""
    start = text.find("<", end)
    close = closing_angle(text, start) if start >= 0 else None
    member = re.compile(r"\s*::\s*(?:template\s+)?([A-Za-z_]\w*)").match(text, close) if close is not None else None
    if member is not None:
        name = member.group(1)
        kind = kind_of(text, member.end() - len(name), name, "any")
        known.add_member(name, ScopeKind.OBJECT if kind is ScopeKind.VALUE else kind)


def _placed(what: str, text: str, at: int, known: Undeclared) -> None:
    if what == "macro":
        macros.misread(text, at, known)
        return
    chain = _CHAIN.match(text, at)
    if chain is None:
        return
    path = tuple(part.strip() for part in chain.group(1).split("::"))
    if what == "namespace":
        known.add(path, ScopeKind.NAMESPACE)
        return
    following = AFTER_NAME.match(text, chain.end())
    kind = ScopeKind.TEMPLATE if following is not None and following.group(1) == "<" else ScopeKind.TYPE
    known.add(path, kind, parameters_of(text, chain.end()))
