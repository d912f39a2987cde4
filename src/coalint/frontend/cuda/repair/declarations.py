"""Declarations for names that nothing declares, as source that goes before the file.

Every undeclared type derives from `any`, which converts to and from everything and has every operator: expressions
with it keep their shape, and the analysis takes nothing from them but that shape. Sizes and values are unknown. What
undeclared functions return and operators make of it is an `any_value`, to which nothing converts unasked, so that
`c ? f() : 0` is a number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

_NUMBERS = {
    **{f"int{bits}": type_ for bits, type_ in ((8, "signed char"), (16, "short"), (32, "int"), (64, "long long"))},
    **{f"uint{bits}": f"unsigned {type_}" for bits, type_ in ((8, "char"), (16, "short"), (32, "int"))},
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}
"""Types whose names say what they are, in every library that has them."""

SPACE = "coalint_undeclared"
ANY = f"{SPACE}::any"


class Kind(IntEnum):
    """What a name seems to be; of two opinions the greater holds."""

    VALUE = 0
    OBJECT = 1
    FUNCTION = 2
    FUNCTION_TEMPLATE = 3
    TYPE = 4
    ENUM = 5
    TEMPLATE = 6
    NAMESPACE = 7


_CAPITALIZED = re.compile(r"k?[A-Z]\w*")
TYPES = (Kind.TYPE, Kind.ENUM, Kind.TEMPLATE)


@dataclass
class Scope:
    """Names of one namespace: those declared here, and the namespaces inside."""

    names: dict[str, tuple[Kind, str]] = field(default_factory=dict)
    inner: dict[str, Scope] = field(default_factory=dict)


@dataclass
class Undeclared:
    """What a file needs declared: `members` of undeclared types, and `macros`, their bodies by their heads.

    `called` are functions that need no declaration, `settled` what names turned out to be once they were declared;
    `owned` are names that are said to be members of one type, by that: of an enumeration its enumerators.
    `generic` says that `any` itself is wanted, as a template argument. `headers` are bundled ones that declare what is
    wanted.
    """

    top: Scope = field(default_factory=Scope)
    members: dict[str, Kind] = field(default_factory=dict)
    macros: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    settled: dict[str, Kind] = field(default_factory=dict)
    owned: dict[str, set[str]] = field(default_factory=dict)
    generic: bool = False
    headers: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is declared."""
        return not self.generic and not self.members and not self.headers and not self.names()

    def add(self, path: tuple[str, ...], kind: Kind, parameters: str = "") -> None:
        """A name by its namespaces; a name inside of an undeclared type becomes a member of all of them."""
        scope = self.top
        for name in path[:-1]:
            if name in scope.names:
                self.add_member(path[-1], kind, name)
                return
            scope = scope.inner.setdefault(name, Scope())
        name = path[-1]
        if name in self.refused:
            return
        if kind is Kind.NAMESPACE:
            if name not in scope.names:
                scope.inner.setdefault(name, Scope())
            return
        if name in scope.inner and kind in TYPES:
            lost = scope.inner.pop(name)
            for member, (its, _) in lost.names.items():
                self.add_member(member, its, name)
        if kind < Kind.FUNCTION and name in self.called:
            kind = Kind.FUNCTION
        kind = self.settled.get(name, kind)
        known = scope.names.get(name)
        if known is None or kind > known[0]:
            scope.names[name] = (kind, parameters)

    def add_member(self, name: str, kind: Kind, owner: str = "") -> None:
        """A member of undeclared types, or an enumerator if the owner is an enumeration."""
        if name not in self.refused:
            if owner:
                self.owned.setdefault(owner, set()).add(name)
            if not self._are(owner, (Kind.ENUM,)):
                self.members[name] = max(kind, self.members.get(name, kind))

    def add_macro(self, head: str, body: str) -> None:
        """A macro by its head, as `NAME` or `NAME(a, b)`."""
        if head.partition("(")[0] not in self.refused:
            self.macros[head] = body

    def constants(self) -> tuple[str, ...]:
        """Names outside of namespaces that are values by their use and constants by how they are written."""
        names = self.top.names.items()
        return tuple(name for name, (kind, _) in names if kind is Kind.VALUE and _CAPITALIZED.fullmatch(name))

    def refuse(self, name: str) -> None:
        """Never declare this name: it is declared elsewhere after all."""
        self.refused.add(name)
        self.members.pop(name, None)
        self.macros = {head: body for head, body in self.macros.items() if head.partition("(")[0] != name}
        for scope in self._scopes():
            scope.names.pop(name, None)
            scope.inner.pop(name, None)

    def settle(self, name: str, kind: Kind) -> None:
        """Declare a name as what its use shows it to be."""
        if self.settled.get(name) is None and self.kind((name,)) not in (None, kind):
            self.settled[name] = kind
            self.top.names[name] = (kind, "")

    def enumerate(self, name: str) -> None:
        """Declare a type as an enumeration, in whatever namespace it is."""
        if self.settled.get(name) is None:
            for scope in self._scopes():
                if scope.names.get(name, (None, ""))[0] is Kind.TYPE:
                    self.settled[name] = Kind.ENUM
                    scope.names[name] = (Kind.ENUM, "")

    def kind(self, path: tuple[str, ...]) -> Kind | None:
        """What a name is declared as."""
        scope = self.top
        for name in path[:-1]:
            if name not in scope.inner:
                return None
            scope = scope.inner[name]
        if path[-1] in scope.inner:
            return Kind.NAMESPACE
        known = scope.names.get(path[-1])
        return None if known is None else known[0]

    def has_type(self, name: str) -> bool:
        """Whether a type of this name is declared in any namespace."""
        return self._are(name, TYPES)

    def _are(self, name: str, kinds: Collection[Kind]) -> bool:
        """Whether the name is of one of these kinds in some namespace."""
        return any(scope.names.get(name, (Kind.VALUE, ""))[0] in kinds for scope in self._scopes())

    def _scopes(self) -> Iterator[Scope]:
        scopes = [self.top]
        while scopes:
            scope = scopes.pop()
            yield scope
            scopes.extend(scope.inner.values())

    def names(self) -> tuple[str, ...]:
        """Everything declared, as users write it, in order."""
        found = {head.partition("(")[0] for head in self.macros}
        scopes = [("", self.top)]
        while scopes:
            prefix, scope = scopes.pop()
            found.update(prefix + name for name in scope.names)
            found.update(prefix + name for name, inner in scope.inner.items() if not inner.names and not inner.inner)
            scopes.extend((f"{prefix}{name}::", inner) for name, inner in scope.inner.items())
        return tuple(sorted(found))

    def numbers(self) -> tuple[str, ...]:
        """Those of the names that are taken for the numbers that they say."""
        return tuple(name for name in self.names() if name.rpartition("::")[2] in _NUMBERS)

    def text(self) -> str:
        """The declarations as source."""
        if self.is_empty:
            return ""
        macros = [
            f"#ifndef {head.partition('(')[0]}\n#define {head} {body}\n#endif"
            for head, body in sorted(self.macros.items())
        ]
        inside, behind = _members(self.members)
        included = [f'#include "{header}"' for header in sorted(self.headers)]
        return "\n".join([*included, _ANY % (inside, behind), *_declarations(self.top, self.owned), *macros, ""])


_HD = "__attribute__((host)) __attribute__((device))"
_COMPOUND = "+ - * / %% & | ^ << >>".split()

_ANY = (
    f"""namespace {SPACE} {{
struct any;
struct any_value;
extern __attribute__((device)) int number;
template <bool b_, class T_> struct only {{}};
template <class T_> struct only<true, T_> {{ typedef T_ type; }};
struct any {{
    any() = default;
    template <class F_, class... A_> {_HD} any(F_&&, A_&&...);
    template <class T_> {_HD} operator T_() const;
    {_HD} operator int() const;
    template <class I_> {_HD} any_value& operator[](I_&&) const;
    template <class... A_> {_HD} any_value operator()(A_&&...) const;
    {_HD} any_value& operator*() const;
    {_HD} any* operator->() const;
    {_HD} any& operator++();
    {_HD} any& operator--();
    {_HD} any_value operator++(int);
    {_HD} any_value operator--(int);
    {_HD} any_value operator-() const;
    {_HD} any_value operator~() const;
    {_HD} bool operator!() const;
    template <class V_> {_HD} any& operator=(V_&&);
"""
    + "".join(f"    template <class V_> {_HD} any& operator{sign}=(V_&&);\n" for sign in _COMPOUND)
    + f"""%s}};
struct any_value : any {{
    any_value() = default;
    template <class F_> explicit {_HD} any_value(F_&&);
    using any::operator=;
}};
"""
    + "".join(
        f"template <class A_, class B_> {_HD} typename only<(__is_base_of(any, A_) || __is_base_of(any, B_)){but}, "
        f"{result}>::type operator{sign}(const A_&, const B_&);\n"
        for result, signs, but in (
            ("any_value", "+", " && !__is_pointer(A_) && !__is_array(A_) && !__is_pointer(B_) && !__is_array(B_)"),
            ("any_value", "- * / %% & | ^ << >>", ""),
            ("bool", "< > <= >= == !=", ""),
        )
        for sign in signs.split()
    )
    + "".join(
        f"template <class A_, class B_> {_HD} typename only<!__is_base_of(any, A_) && !__is_pointer(A_) && "
        f"__is_base_of(any, B_), A_&>::type operator{sign}=(A_&, const B_&);\n"
        for sign in _COMPOUND
    )
    + "".join(
        f"template <class A_, class B_> {_HD} typename only<__is_base_of(any, A_) || __is_base_of(any, B_), "
        f"any_value>::type {name}(const A_&, const B_&);\n"
        for name in ("min", "max", "pow")
    )
    + f"template <class A_> {_HD} typename only<__is_base_of(any, A_), any_value>::type abs(const A_&);\n%s}}"
)


def _structure(name: str) -> str:
    short = name.rpartition("::")[2]
    return (
        f"struct {name} : {SPACE}::any {{ {short}() = default; template <class F_, class... A_> {_HD} "
        f"{short}(F_&&, A_&&...); using {SPACE}::any::operator=; }};"
    )


def _functions(name: str, kind: Kind, before: str = "") -> list[str]:
    heads = ["class... A_"]
    if kind is Kind.FUNCTION_TEMPLATE:
        heads = [
            "class T_, class... U_, class... A_",
            "auto v_, auto... w_, class... A_",
            "class T_, auto v_, auto... w_, class... A_",
            "class T_, class U_, auto v_, auto... w_, class... A_",
        ]
    return [f"template <{head}> {before}{_HD} {SPACE}::any_value {name}(A_&&...);" for head in heads]


def _members(members: dict[str, Kind]) -> tuple[str, str]:
    """The members of `any` inside of its braces, and what can only stand behind them."""
    inside, behind = [], []
    for name, kind in sorted(members.items()):
        if kind in (Kind.TYPE, Kind.TEMPLATE, Kind.NAMESPACE):
            head = "template <class...> " if kind is Kind.TEMPLATE else ""
            inside.append(f"    {head}struct {name};")
            behind.append(f"{head}{_structure(f'any::{name}')}")
        elif kind in (Kind.FUNCTION, Kind.FUNCTION_TEMPLATE):
            inside.extend(f"    {line}" for line in _functions(name, kind, "static "))
        else:
            inside.append(f"    static __attribute__((device)) any_value {name};")
    return "".join(f"{line}\n" for line in inside), "".join(f"{line}\n" for line in behind)


def _declarations(scope: Scope, owned: Mapping[str, Collection[str]]) -> list[str]:
    lines = []
    for name, (kind, parameters) in sorted(scope.names.items()):
        if kind is Kind.VALUE:
            lines.append(f"extern __attribute__((device)) int {name};")
        elif kind is Kind.OBJECT:
            lines.append(f"extern __attribute__((device)) {SPACE}::any_value {name};")
        elif kind is Kind.TYPE:
            lines.append(f"typedef {_NUMBERS[name]} {name};" if name in _NUMBERS else _structure(name))
        elif kind is Kind.ENUM:
            lines.append(f"enum class {name} : int {{ {', '.join(sorted(owned.get(name, ())))} }};")
        elif kind is Kind.TEMPLATE:
            lines.append(f"template <{parameters or 'class...'}> {_structure(name)}")
        else:
            lines.extend(_functions(name, kind))
    for name, inner in sorted(scope.inner.items()):
        lines.extend([f"namespace {name} {{", *_declarations(inner, owned), "}"])
    return lines
