"""Arguments that may stand for the parameters of a template that nothing instantiates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from coalint.core.records import record
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.scopes import ANY, ScopeKind

MAX_CANDIDATES = 3  # argument lists that are tried for one template

PARAMETERS = frozenset(
    {kinds.TEMPLATE_TYPE_PARAMETER, kinds.TEMPLATE_NON_TYPE_PARAMETER, kinds.TEMPLATE_TEMPLATE_PARAMETER}
)
_RECORDS = frozenset({kinds.STRUCT_DECL, kinds.CLASS_DECL})
_CLASSES = _RECORDS | {kinds.CLASS_TEMPLATE}
_OPERATORS = frozenset({"operator()", "operator[]"})
_FIRST_AXIS = re.compile(r"(?:_|(?<=dim)|(?<=size)|(?<=threads))x$")
_FURTHER_AXIS = re.compile(r"(?:_|(?<=dim)|(?<=size)|(?<=threads))[yz]$")
_INTEGERS = ("index", "idx", "offset", "int", "size", "count", "pos")


@record
class Visible:
    """The classes of a file that may serve as template arguments: qualified names, and the names of their members.

    `instances` are those that the file instantiates explicitly, by the place of their template.
    """

    records: dict[str, frozenset[str]] = field(default_factory=dict)
    templates: dict[str, int] = field(default_factory=dict)
    instances: dict[tuple[str, int], list[str]] = field(default_factory=dict)

    def add(self, cursor: Any) -> None:
        """Take note of a class or class template of the file."""
        name = qualified(cursor)
        if name is None:
            return
        children = direct_children(cursor)
        if cursor._kind_id == kinds.CLASS_TEMPLATE:
            self.templates[name] = sum(child._kind_id in PARAMETERS for child in children)
        elif any(child.spelling for child in children):
            self.records[name] = frozenset(child.spelling for child in children)

    def having(self, members: Iterable[str]) -> list[str]:
        """Return the classes that have all of these members, the ones with the fewest others first."""
        wanted = frozenset(members)
        fitting = [name for name, held in self.records.items() if wanted <= held]
        return sorted(fitting, key=lambda name: len(self.records[name]))


def candidates(cursor: Any, visible: Visible, undeclared: Undeclared, owner: str | None = None) -> list[str]:
    """Return up to MAX_CANDIDATES instances of a function template, or of a function of a class template, as source.

    `owner` is the instance of the class template, where it is known; a stub that serves as an argument is added to
    `undeclared`.
    """
    name = cursor.spelling
    if owner is not None and cursor._kind_id != kinds.FUNCTION_TEMPLATE:
        return [f"{owner}::{name}"]
    owners: list[tuple[Any, list[list[str]]]] = []
    parent = cursor.semantic_parent
    prefix: list[str] = []
    while parent is not None and parent._kind_id != kinds.TRANSLATION_UNIT:
        if parent._kind_id == kinds.CLASS_TEMPLATE:
            owners.append((parent, _lists(parent, visible, undeclared, _tokens(cursor))))
            prefix.append(f"{parent.spelling}<{{{len(owners) - 1}}}>")
        elif parent.spelling and not parent.is_anonymous():
            prefix.append(parent.spelling)
        elif parent._kind_id in _RECORDS:
            return []
        parent = parent.semantic_parent
    own = _lists(cursor, visible, undeclared, _tokens(cursor)) if cursor._kind_id == kinds.FUNCTION_TEMPLATE else [[]]
    if not own or any(not lists for _, lists in owners):
        return []
    path = "::".join(prefix[::-1])
    instances: dict[str, None] = {}
    for number in range(MAX_CANDIDATES):
        outer = [", ".join(lists[min(number, len(lists) - 1)]) for _, lists in owners]
        arguments = own[min(number, len(own) - 1)]
        scope = f"{path.format(*outer)}::" if path else ""
        # The template's own name with empty arguments would be its pattern where all are deduced.
        spelled = f"{name}<{', '.join(arguments)}>" if cursor._kind_id == kinds.FUNCTION_TEMPLATE else name
        instances[f"{scope}{spelled}"] = None
    return list(instances)


def qualified(cursor: Any) -> str | None:
    """Return a class's name with its scopes; None where it has none that can be written at the end of the file."""
    names = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id != kinds.TRANSLATION_UNIT:
        if parent._kind_id not in _RECORDS and parent._kind_id != kinds.NAMESPACE:
            return None
        if not parent.is_anonymous():
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(names[::-1]) if all(names) and not cursor.is_anonymous() else None


def _tokens(cursor: Any) -> str:
    return " ".join(token.spelling for token in cursor.get_tokens())


def _lists(template: Any, visible: Visible, undeclared: Undeclared, text: str) -> list[list[str]]:
    """Return argument lists for the parameters without defaults: what is likeliest first."""
    choices: list[list[str]] = []
    for parameter in direct_children(template):
        kind = parameter._kind_id
        if kind not in PARAMETERS:
            continue
        written = [token.spelling for token in parameter.get_tokens()]
        if "=" in written:
            break
        if "..." in written:
            choices.append(["", "float *" if kind == kinds.TEMPLATE_TYPE_PARAMETER else ""])
        elif kind == kinds.TEMPLATE_TEMPLATE_PARAMETER:
            count = sum(child._kind_id in PARAMETERS for child in direct_children(parameter))
            choices.append([name for name, number in visible.templates.items() if number == count])
        elif kind == kinds.TEMPLATE_TYPE_PARAMETER:
            choices.append(_types(parameter.spelling, visible, undeclared, text))
        else:
            choices.append(_values(parameter))
    if not all(choices):
        return []
    stubbed = any(ANY in choice for choice in choices)  # then a stub is tried before other numbers are
    lists = [
        [choice[min(max(0, number - (stubbed and ANY not in choice)), len(choice) - 1)] for choice in choices]
        for number in range(MAX_CANDIDATES)
    ]
    return [[argument for argument in arguments if argument] for arguments in lists]


def _types(name: str, visible: Visible, undeclared: Undeclared, text: str) -> list[str]:
    """Return types for a parameter: classes with the members that the template asks for, else a stub, or numbers."""
    escaped = re.escape(name)
    own = rf"\b{escaped} (?:< [^<>]* > )?:: (?:template )?(\w+)"
    members = set(re.findall(own, text)) if name else set()
    variables = re.findall(rf"\b{escaped} (?:const )?(?:& |&& )?(\w+) [,)=;]", text) if name else []
    for variable in variables:
        if re.search(rf"(?<![\w.>:] )\b{re.escape(variable)} \(", text):
            members.add("operator()")
        if re.search(rf"(?<![\w.>:] )\b{re.escape(variable)} \[", text):
            members.add("operator[]")
        members.update(re.findall(rf"(?<![\w.>:] )\b{re.escape(variable)} \. (\w+)", text))
    if members:
        named = members - _OPERATORS
        fitting = visible.having(members)[:MAX_CANDIDATES] or (visible.having(named)[:1] if named else [])
        if not fitting:
            _declare(name, text, undeclared)
        return fitting or ["float", ANY]
    lowered = name.lower()
    return ["int"] if any(word in lowered for word in _INTEGERS) else ["float", "int"]


def _declare(name: str, text: str, undeclared: Undeclared) -> None:
    """Give the stub the types and functions that a template asks of its parameter."""
    undeclared.generic = True
    pattern = rf"(\btypename )?\b{re.escape(name)} :: (template )?(\w+)( [<(])?"
    for typename, template, member, sign in re.findall(pattern, text):
        if typename:
            undeclared.add_member(member, ScopeKind.TEMPLATE if template or sign == " <" else ScopeKind.TYPE)
        elif sign == " (" or template:
            undeclared.add_member(member, ScopeKind.FUNCTION_TEMPLATE if template else ScopeKind.FUNCTION)
        elif not sign:
            undeclared.add_member(member, ScopeKind.OBJECT)


def _values(parameter: Any) -> list[str]:
    type_ = parameter.type.get_canonical()
    spelled, name = type_.spelling, parameter.spelling.lower()
    if type_.get_declaration()._kind_id == kinds.ENUM_DECL:
        spelled = spelled.replace("(anonymous namespace)::", "")
        return [f"static_cast<{spelled}>(0)", f"static_cast<{spelled}>(1)"]
    if "*" in spelled or "&" in spelled:
        return ["nullptr"] if "*" in spelled else []
    if spelled == "bool":
        return ["false", "true"]
    return [str(number_named(name))]


def number_named(name: str) -> int:
    """Return what a constant of this name often is: threads of a block, the edge of a tile, a vector's width."""
    name = name.lower()
    if _FURTHER_AXIS.search(name):
        return 8
    if any(word in name for word in ("block", "thread", "nt", "cta")):
        return 32 if _FIRST_AXIS.search(name) or not ("thread" in name or "size" in name) else 256
    if any(word in name for word in ("tile", "dim", "warp", "width", "bm", "bn")):
        return 32
    return 4 if any(word in name for word in ("vec", "ilp", "unroll", "per")) else 8
