"""Declarations for names that nothing declares, as source that goes before the file.

Every undeclared type derives from `any`, which converts to and from everything and has every operator: expressions
with it keep their shape, and the analysis takes nothing from them but that shape. Sizes and values are unknown. What
undeclared functions return and operators make of it is an `any_value`, to which nothing converts unasked, so that
`c ? f() : 0` is a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field

from coalint.core.records import record
from coalint.frontend.cuda.repair.scopes import CAPITALIZED, NUMBERS, TYPES, Scope, ScopeKind
from coalint.frontend.cuda.repair.stub_text import ANY_TEXT, declarations_text, members_text


@record
class Undeclared:
    """What a file needs declared: `members` of undeclared types, and `macros`, their bodies by their heads.

    `called` are functions that need no declaration, `settled` what names turned out to be once they were declared;
    `owned` are names that are said to be members of one type, by that: of an enumeration its enumerators.
    `generic` says that `any` itself is wanted, as a template argument. `headers` are bundled ones that declare what is
    wanted.
    """

    top: Scope = field(default_factory=Scope)
    members: dict[str, ScopeKind] = field(default_factory=dict)
    macros: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    settled: dict[str, ScopeKind] = field(default_factory=dict)
    owned: dict[str, set[str]] = field(default_factory=dict)
    generic: bool = False
    headers: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is declared."""
        return not self.generic and not self.members and not self.headers and not self.names()

    def add(self, path: tuple[str, ...], kind: ScopeKind, parameters: str = "") -> None:
        """Add a name by its namespaces; a name inside of an undeclared type becomes a member of all of them."""
        scope = self.top
        for name in path[:-1]:
            if name in scope.names:
                self.add_member(path[-1], kind, name)
                return
            scope = scope.inner.setdefault(name, Scope())
        name = path[-1]
        if name in self.refused:
            return
        if kind is ScopeKind.NAMESPACE:
            if name not in scope.names:
                scope.inner.setdefault(name, Scope())
            return
        if name in scope.inner and kind in TYPES:
            lost = scope.inner.pop(name)
            for member, (its, _) in lost.names.items():
                self.add_member(member, its, name)
        if kind < ScopeKind.FUNCTION and name in self.called:
            kind = ScopeKind.FUNCTION
        kind = self.settled.get(name, kind)
        known = scope.names.get(name)
        if known is None or kind > known[0]:
            scope.names[name] = (kind, parameters)

    def add_member(self, name: str, kind: ScopeKind, owner: str = "") -> None:
        """Add a member of undeclared types, or an enumerator if the owner is an enumeration."""
        if name not in self.refused:
            if owner:
                self.owned.setdefault(owner, set()).add(name)
            if not self._are(owner, (ScopeKind.ENUM,)):
                self.members[name] = max(kind, self.members.get(name, kind))

    def add_macro(self, head: str, body: str) -> None:
        """Add a macro by its head, as `NAME` or `NAME(a, b)`."""
        if head.partition("(")[0] not in self.refused:
            self.macros[head] = body

    def constants(self) -> tuple[str, ...]:
        """Return names outside of namespaces that are values by their use and constants by how they are written."""
        names = self.top.names.items()
        return tuple(name for name, (kind, _) in names if kind is ScopeKind.VALUE and CAPITALIZED.fullmatch(name))

    def refuse(self, name: str) -> None:
        """Exclude this name for good: it is declared elsewhere after all."""
        self.refused.add(name)
        self.members.pop(name, None)
        self.macros = {head: body for head, body in self.macros.items() if head.partition("(")[0] != name}
        for scope in self._scopes():
            scope.names.pop(name, None)
            scope.inner.pop(name, None)

    def settle(self, name: str, kind: ScopeKind) -> None:
        """Declare a name as what its use shows it to be."""
        if self.settled.get(name) is None and self.kind((name,)) not in (None, kind):
            self.settled[name] = kind
            self.top.names[name] = (kind, "")

    def enumerate(self, name: str) -> None:
        """Declare a type as an enumeration, in whatever namespace it is."""
        if self.settled.get(name) is None:
            for scope in self._scopes():
                if scope.names.get(name, (None, ""))[0] is ScopeKind.TYPE:
                    self.settled[name] = ScopeKind.ENUM
                    scope.names[name] = (ScopeKind.ENUM, "")

    def kind(self, path: tuple[str, ...]) -> ScopeKind | None:
        """Return what a name is declared as."""
        scope = self.top
        for name in path[:-1]:
            if name not in scope.inner:
                return None
            scope = scope.inner[name]
        if path[-1] in scope.inner:
            return ScopeKind.NAMESPACE
        known = scope.names.get(path[-1])
        return None if known is None else known[0]

    def inside(self, path: tuple[str, ...]) -> Iterator[tuple[str, ScopeKind]]:
        """Yield the names declared in a namespace and in those inside of it, with what they are."""
        scope = self.top
        for name in path:
            scope = scope.inner.get(name, Scope())
        scopes = [scope]
        while scopes:
            scope = scopes.pop()
            yield from ((name, kind) for name, (kind, _) in scope.names.items())
            scopes.extend(scope.inner.values())

    def has_type(self, name: str) -> bool:
        """Whether a type of this name is declared in any namespace."""
        return self._are(name, TYPES)

    def _are(self, name: str, kinds: Collection[ScopeKind]) -> bool:
        """Whether the name is of one of these kinds in some namespace."""
        return any(scope.names.get(name, (ScopeKind.VALUE, ""))[0] in kinds for scope in self._scopes())

    def _scopes(self) -> Iterator[Scope]:
        scopes = [self.top]
        while scopes:
            scope = scopes.pop()
            yield scope
            scopes.extend(scope.inner.values())

    def names(self) -> tuple[str, ...]:
        """Return everything declared, as users write it, in order."""
        names = {head.partition("(")[0] for head in self.macros}
        scopes = [("", self.top)]
        while scopes:
            prefix, scope = scopes.pop()
            names.update(prefix + name for name in scope.names)
            names.update(prefix + name for name, inner in scope.inner.items() if not inner.names and not inner.inner)
            scopes.extend((f"{prefix}{name}::", inner) for name, inner in scope.inner.items())
        return tuple(sorted(names))

    def numbers(self) -> tuple[str, ...]:
        """Return those of the names that are taken for the numbers that they say."""
        return tuple(name for name in self.names() if name.rpartition("::")[2] in NUMBERS)

    def text(self) -> str:
        """Return the declarations as source."""
        if self.is_empty:
            return ""
        macros = [
            f"#ifndef {head.partition('(')[0]}\n#define {head} {body}\n#endif"
            for head, body in sorted(self.macros.items())
        ]
        inside, behind = members_text(self.members)
        included = [f'#include "{header}"' for header in sorted(self.headers)]
        return "\n".join(
            [*included, ANY_TEXT % (inside, behind), *declarations_text(self.top, self.owned), *macros, ""]
        )
