"""What a file needs declared: libclang's complaints about names, with the source around them, to `Undeclared`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from coalint.frontend.cuda.repair import macros
from coalint.frontend.cuda.repair.declarations import SPACE, TYPES, Kind, Undeclared
from coalint.frontend.cuda.repair.macros import AFTER_NAME, KEYWORDS_AFTER

ROUNDS = 4
MAX_NAMES = 200
EXAMPLES = 8  # places of one complaint that are looked at

_NAME = r"'([A-Za-z_]\w*)'"
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), what)
    for pattern, what in (
        (rf"unknown type name {_NAME}", "type"),
        (rf"unknown class name {_NAME}", "type"),
        (rf"use of undeclared identifier {_NAME}", "any"),
        (rf"use of undeclared template name {_NAME}", "template"),
        (rf"no template named {_NAME}(?: in (?:namespace )?'([^']+)')?", "template"),
        (rf"no type named {_NAME} in (?:namespace )?'([^']+)'", "type"),
        (rf"no member named {_NAME} in (?:namespace )?'([^']+)'", "any"),
        (rf"no member named {_NAME} in the global namespace", "any"),
        (r"'([A-Za-z_]\w*)' is not a class, namespace, or enumeration", "scope"),
    )
)
_LIBRARY = re.compile(r"use of undeclared identifier '(at|c10|torch)'")
_HEADERS = dict.fromkeys(("at", "c10", "torch"), "coalint/torch.h")
"""Bundled headers, by the namespaces that they declare, for sources that somebody else completes, as PyTorch's
`load_inline` does."""
_PLACED: tuple[tuple[str, str], ...] = (
    ("expected namespace name", "namespace"),
    ("expected class name", "base"),
    ("a type specifier is required for all declarations", "macro"),
    ("an attribute list cannot appear here", "macro"),
    ("variable has incomplete type", "macro"),
    ("expected unqualified-id", "macro"),
    ("expected parameter declarator", "macro"),
    ("expected ';'", "macro"),
    ("expected ')'", "macro"),
)
_MISTAKEN: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(rf"{_NAME} does not refer to a value"), Kind.VALUE),
    (re.compile(rf"unexpected type name {_NAME}: expected expression"), Kind.VALUE),
    (re.compile(r"called object type 'int' is not a function"), Kind.FUNCTION),
    (re.compile(r"member reference (?:base )?type 'int' is not a (?:structure|pointer)"), Kind.OBJECT),
    (re.compile(r"subscripted value is not an array"), Kind.OBJECT),
)
_NO_PARAMETER = re.compile(
    r"a non-type template parameter cannot have type '(?:\w+::)*(\w+)'"
    r"|type '(?:\w+::)*(\w+)' of non-type template parameter is not a structural type"
)
_REDEFINED = re.compile(
    r"(?:(?:typedef )?redefinition|redeclaration|reference to|conflicting types for)\D*?'(?:\w+::)*(\w+)'"
)
_CONSTANT = re.compile(r"k[A-Z]\w*|[A-Z][A-Z0-9_]{2,}")
_CHAIN = re.compile(r"(?:::\s*)?([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)")


class Complaint(NamedTuple):
    """One error of libclang: what it says, the file's text, and the offset in it (None: not there).

    `instance` says that an instance of a template lacks the name, not the template.
    """

    message: str
    text: str
    offset: int | None
    instance: bool = False


def read_complaints(complaints: Iterable[Complaint], known: Undeclared) -> bool:
    """Add what the complaints ask for; whether there was anything new."""
    before = known.text()
    complaints = list(complaints)
    libraries = {match.group(1) for complaint in complaints if (match := _LIBRARY.match(complaint.message))}
    wanted = {_HEADERS[library] for library in libraries} - known.headers
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


def refuse_redefined(messages: Iterable[str], known: Undeclared) -> bool:
    """Take back the names that turn out to be declared after all; whether there were any."""
    before = known.text()
    names = known.names()
    for message in messages:
        match = _REDEFINED.search(message)
        if match is not None and any(name.rpartition("::")[2] == match.group(1) for name in names):
            known.refuse(match.group(1))
    return known.text() != before


def _read(complaint: Complaint, known: Undeclared) -> None:
    message = complaint.message
    for pattern, what in _PATTERNS:
        match = pattern.match(message)
        if match is not None:
            owner = match.group(2) if match.lastindex == 2 else ""
            _named(match.group(1), owner or "", what, complaint, known)
            return
    enumeration = _NO_PARAMETER.match(message)
    if enumeration is not None:
        known.enumerate(enumeration.group(1) or enumeration.group(2))
        return
    if complaint.offset is None:
        return
    for pattern, kind in _MISTAKEN:
        match = pattern.match(message)
        if match is not None:
            named = match.group(1) if match.lastindex else _name_at(complaint.text, complaint.offset)
            known.settle(named, kind)
            return
    for text, what in _PLACED:
        if message.startswith(text):
            _placed(what, complaint.text, complaint.offset, known)
            return


def _named(name: str, owner: str, what: str, complaint: Complaint, known: Undeclared) -> None:
    text, at = complaint.text, _occurrence(name, complaint)
    if owner and (owner.startswith(SPACE) or _is_undeclared_type(owner, known)):
        kind = _kind(text, at, name, what) if at is not None else Kind.OBJECT
        known.add_member(name, Kind.OBJECT if kind is Kind.VALUE else kind, owner.rpartition("::")[2])
        return
    scopes = tuple(owner.split("::")) if owner else ()
    if any(not scope.isidentifier() for scope in scopes) or (owner and not _says_namespace(complaint.message)):
        return  # a member of a type that the user declares
    if at is None:
        if what in ("type", "template"):
            known.add((*scopes, name), Kind.TYPE if what == "type" else Kind.TEMPLATE)
        elif what == "any":
            known.add((*scopes, name), Kind.OBJECT)
        return
    if not scopes and (macros.stands_before(name, text, at, known) or macros.counts(text, at, known)):
        return
    chain = _CHAIN.match(text, at)
    assert chain is not None
    parts = tuple(part.strip() for part in chain.group(1).split("::"))
    end = chain.end()
    if re.search(r"\bnamespace\s+(?:\w+\s*=\s*)?(?:::)?(?:\w+\s*::\s*)*$", text[max(0, at - 120) : at]):
        known.add((*scopes, *parts), Kind.NAMESPACE)
        return
    if len(parts) > 1 and known.kind((*scopes, parts[0])) in TYPES:
        known.add_member(parts[1], _kind(text, end, parts[-1], "any"), parts[0])
        return
    leaf = parts[-1]
    kind = _kind(text, end - len(leaf), leaf, what if len(parts) == 1 else "any", at)
    if kind is Kind.TYPE and _is_of_parameter(text, at, end):
        kind = Kind.ENUM
    parameters = _parameters(text, end) if kind is Kind.TEMPLATE else ""
    if kind is Kind.FUNCTION and len(scopes) + len(parts) == 1:
        known.called.add(leaf)
        if known.kind((leaf,)) is None and not complaint.instance:
            return  # libclang keeps a call of an undeclared function with its arguments, but loses an instance with it
    known.add((*scopes, *parts), kind, parameters)
    if kind is Kind.TEMPLATE:
        _members_behind(text, end, known)


def _says_namespace(message: str) -> bool:
    return " in namespace '" in message


def _is_undeclared_type(owner: str, known: Undeclared) -> bool:
    path = tuple(re.sub(r"<.*>", "", owner).removeprefix("const ").split("::"))
    if len(path) == 1:  # as it is written, wherever it is declared
        return known.has_type(path[0])
    return known.kind(path) in TYPES or path[-1] in known.members


def _name_at(text: str, at: int) -> str:
    """The name at an offset, or the one that ends before it."""
    found = re.compile(r"[A-Za-z_]\w*").match(text, at)
    if found is None:
        found = re.search(r"[A-Za-z_]\w*(?=\W*$)", text[max(0, at - 80) : at])
    return "" if found is None else found.group()


def _occurrence(name: str, complaint: Complaint) -> int | None:
    """Where the name stands: at the complaint, else (it came out of a macro) its first use in the text."""
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    if complaint.offset is not None and pattern.match(complaint.text, complaint.offset):
        return complaint.offset
    found = pattern.search(complaint.text)
    return None if found is None else found.start()


def _kind(text: str, at: int, name: str, what: str, start: int | None = None) -> Kind:
    """What the name at an offset seems to be, by what stands around it and by what libclang calls it.

    `start` is where the namespaces before it begin.
    """
    end = at + len(name)
    start = at if start is None else start
    following = AFTER_NAME.match(text, end)
    sign = following.group(1) if following is not None else ""
    before = text[max(0, start - 40) : start].rstrip()
    member = before.endswith((".", "->"))
    if sign == "<":
        close = _closing_angle(text, text.index("<", end))
        if close is None:
            return Kind.TEMPLATE if what == "template" else Kind.VALUE
        after = AFTER_NAME.match(text, close)
        called = member or (after is not None and after.group(1) == "(")
        return Kind.FUNCTION_TEMPLATE if called and what == "any" else Kind.TEMPLATE
    if what == "template":
        return Kind.TEMPLATE
    if what in ("type", "scope"):
        return Kind.TYPE
    if sign == "::":
        return Kind.NAMESPACE
    if sign == "(":
        return Kind.FUNCTION
    if member:
        return Kind.OBJECT
    if sign == "{" or (sign.isidentifier() and sign not in KEYWORDS_AFTER):
        return Kind.TYPE
    if _is_cast(before, text, end) and (start == at or not _CONSTANT.fullmatch(name)):
        return Kind.TYPE
    return Kind.OBJECT if sign in ("[", ".", "->") else Kind.VALUE


def _is_cast(before: str, text: str, end: int) -> bool:
    """Whether a name stands where only a type can: in a cast, in `sizeof`, or alone as a template argument."""
    if re.search(r"\w\s*<$", before) and re.compile(r"\s*[>,]").match(text, end):
        return True  # a number there would need a value
    behind = re.compile(r"(\s*const\b)?(\s*[*&])*\s*([>)])\s*(.?)", re.DOTALL).match(text, end)
    if behind is None:
        return False
    before = before.removesuffix("const").rstrip()
    if behind.group(3) == ">":
        return before.endswith(",") or bool(behind.group(2))
    if not before.endswith("("):
        return False
    if re.search(r"\b(sizeof|alignof|alignas)\s*\($", before):
        return True
    called = re.search(r"[\w\])]\s*\($", before) is not None
    return not called and (bool(behind.group(2)) or re.match(r"[\w(.]", behind.group(4)) is not None)


def _is_of_parameter(text: str, at: int, end: int) -> bool:
    """Whether a type is that of a parameter of a template, as in `template <Mode mode, class T>`."""
    if re.compile(r"\s+(?:\.\.\.\s*)?\w+\s*[,>=]").match(text, end) is None:
        return False
    before = text[max(0, at - 400) : at]
    start = before.rfind("template")
    head = before[start + len("template") :]
    opened = start >= 0 and head.lstrip().startswith("<") and head.rstrip().endswith(("<", ","))
    return opened and head.count("<") > head.count(">") and not re.search(r"[;{}]", head)


def _closing_angle(text: str, opening: int) -> int | None:
    """Just behind the `>` that closes template arguments; None where it reads like a comparison."""
    depth = 0
    round_ = 0
    for index in range(opening, min(len(text), opening + 2000)):
        character = text[index]
        if character == "<" and round_ == 0:
            depth += 1
        elif character == ">" and round_ == 0:
            depth -= 1
            if depth == 0:
                return index + 1
        elif character in "([{":
            round_ += 1
        elif character in ")]}":
            round_ -= 1
            if round_ < 0:
                return None
        elif character == ";" or text.startswith(("&&", "||"), index):
            return None
    return None


def _parameters(text: str, end: int) -> str:
    """The parameters of a class template, by the arguments that it is given."""
    opening = AFTER_NAME.match(text, end)
    if opening is None or opening.group(1) != "<":
        return ""
    start = text.index("<", end)
    close = _closing_angle(text, start)
    if close is None:
        return ""
    kinds = ["auto" if _is_number(part, text) else "class" for part in _split(text[start + 1 : close - 1])]
    last = kinds[-1] if kinds else "class"
    return ", ".join([*kinds[:-1], f"{last}..."]) if kinds else "class..."


def _split(arguments: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, character in enumerate(arguments):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(arguments[start:index])
            start = index + 1
    parts.append(arguments[start:])
    return [part.strip() for part in parts if part.strip()]


def _is_number(argument: str, text: str) -> bool:
    """Whether a template argument is a value rather than a type, as it is written or as the text declares it."""
    if re.match(r"[\d'\"!~+-]|true\b|false\b|sizeof\b|nullptr\b|&", argument):
        return True
    if re.search(r"[+/%|^-]|<<|>>|::value\b|_v\b", re.sub(r"<.*>", "", argument)):
        return True
    if _CONSTANT.fullmatch(argument.rpartition("::")[2]) is not None:
        return True
    if not argument.isidentifier():
        return False
    declared = rf"\b(?:int|unsigned|long|short|char|bool|auto|size_t|u?int\d+_t)\s+(?:const\s+)?{argument}\s*[=,>{{]"
    return re.search(declared, text) is not None


def _members_behind(text: str, end: int, known: Undeclared) -> None:
    """The member of `Template<...>::member`, which libclang names only when the template is declared."""
    start = text.find("<", end)
    close = _closing_angle(text, start) if start >= 0 else None
    member = re.compile(r"\s*::\s*(?:template\s+)?([A-Za-z_]\w*)").match(text, close) if close is not None else None
    if member is not None:
        name = member.group(1)
        kind = _kind(text, member.end() - len(name), name, "any")
        known.add_member(name, Kind.OBJECT if kind is Kind.VALUE else kind)


def _placed(what: str, text: str, at: int, known: Undeclared) -> None:
    if what == "macro":
        macros.misread(text, at, known)
        return
    chain = _CHAIN.match(text, at)
    if chain is None:
        return
    path = tuple(part.strip() for part in chain.group(1).split("::"))
    if what == "namespace":
        known.add(path, Kind.NAMESPACE)
        return
    following = AFTER_NAME.match(text, chain.end())
    kind = Kind.TEMPLATE if following is not None and following.group(1) == "<" else Kind.TYPE
    known.add(path, kind, _parameters(text, chain.end()))
