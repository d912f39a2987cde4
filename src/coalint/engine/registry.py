"""Loads rule packs: every entry point of the group `coalint.rules` names a package whose modules hold rules."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from coalint.core.records import record
from coalint.rule import Rule

GROUP = "coalint.rules"
BUILTIN = "builtin"
OWN = "coalint.rules.own"


class RegistryError(Exception):
    """Rules cannot be loaded, or a named rule does not exist; the text says what to do."""


@record(frozen=True)
class Registry:
    """The installed rules.

    Attributes:
        rules: The rules of all packs, ordered by code.
        own: Coalint's own rules, COA9xx, ordered by code.
    """

    rules: tuple[type[Rule], ...]
    own: tuple[type[Rule], ...]

    def __iter__(self) -> Iterator[type[Rule]]:
        """Yield every rule, coalint's own last."""
        return iter((*self.rules, *self.own))

    def named(self, text: str) -> type[Rule]:
        """Return the rule of this code or name. Raises RegistryError, with a suggestion."""
        for rule in self:
            if text.upper() == rule.code or text.lower() == rule.name:
                return rule
        raise RegistryError(f"there is no rule `{text}`{self._suggestion(text)}")

    def matching(self, selector: str) -> tuple[type[Rule], ...]:
        """Return the rules that a code, a prefix of codes, a name or ALL selects. Raises RegistryError."""
        if selector.upper() == "ALL":
            return tuple(self)
        matching = tuple(r for r in self if r.name == selector.lower())
        if not matching and selector:
            matching = tuple(r for r in self if r.code.startswith(selector.upper()))
        if not matching:
            raise RegistryError(f"`{selector}` selects no rule{self._suggestion(selector)}")
        return matching

    def _suggestion(self, text: str) -> str:
        known = [word for rule in self for word in (rule.name, rule.code)]
        near = get_close_matches(text.lower(), known, 1, 0.5) or get_close_matches(text.upper(), known, 1, 0.5)
        return f"; did you mean `{near[0]}`?" if near else "; `coalint rule` lists them all"


@cache
def installed_rules() -> Registry:
    """Return the rules of all packs that were installed when they were first asked for. Raises as `load_rules` does."""
    return load_rules()


def load_rules(points: Iterable[EntryPoint] | None = None) -> Registry:
    """Return the rules of all packs. Raises RegistryError where the built-in one is missing or names clash."""
    packs = sorted(entry_points(group=GROUP) if points is None else points, key=lambda p: (p.name != BUILTIN, p.name))
    if not packs or packs[0].name != BUILTIN:
        raise RegistryError(
            f"the built-in rules are not installed (no entry point `{BUILTIN}` in the group `{GROUP}`); "
            "install coalint with pip, from a checkout with `pip install -e .`"
        )
    rules: list[type[Rule]] = []
    for point in dict.fromkeys(packs):
        rules.extend(_rules_of(point))
    own = own_rules()
    rules = [rule for rule in rules if rule not in own]
    _refuse_duplicates((*rules, *own))
    return Registry(tuple(sorted(rules, key=lambda r: r.code)), own)


def own_rules() -> tuple[type[Rule], ...]:
    """Return the rules that coalint itself reports under, COA9xx, ordered by code."""
    modules = map(importlib.import_module, _module_names(importlib.import_module(OWN)))
    rules = (value for module in modules for value in _rules_in(module))
    return tuple(sorted(rules, key=lambda r: r.code))


def packages_of(rules: Iterable[type[Rule]]) -> tuple[str, ...]:
    """Return the packages, or single modules, that rules come from."""
    return tuple(sorted({rule.__module__.rpartition(".")[0] or rule.__module__ for rule in rules}))


def _rules_of(point: EntryPoint) -> Iterator[type[Rule]]:
    try:
        package = point.load()
        modules = [package, *(importlib.import_module(name) for name in _module_names(package))]
    except Exception as error:
        raise RegistryError(
            f"the rule pack `{point.name}` ({point.value}) cannot be loaded: {type(error).__name__}: {error}; "
            "reinstall or uninstall the distribution that provides it"
        ) from error
    for module in modules:
        for value in _rules_in(module):
            yield _complete(value, point)


def _rules_in(module: ModuleType) -> Iterator[type[Rule]]:
    for value in vars(module).values():
        if (
            issubclass(type(value), type)  # isinstance() would load what is loaded lazily
            and issubclass(value, Rule)
            and not inspect.isabstract(value)
            and value.__module__ == module.__name__
        ):
            yield value


def _module_names(package: ModuleType) -> Iterator[str]:
    modules = pkgutil.walk_packages(getattr(package, "__path__", ()), f"{package.__name__}.")
    yield from sorted(info.name for info in modules)


def _complete(rule: type[Rule], point: EntryPoint) -> type[Rule]:
    missing = [part for part in ("name", "code", "severity") if not hasattr(rule, part)]
    if missing:
        raise RegistryError(f"the rule {_place(rule)} of the pack `{point.name}` has no {' and no '.join(missing)}")
    return rule


def _refuse_duplicates(rules: Iterable[type[Rule]]) -> None:
    taken: dict[str, type[Rule]] = {}
    for rule in rules:
        for word in (rule.code, rule.name):
            other = taken.setdefault(word, rule)
            if other is not rule:
                raise RegistryError(
                    f"two rules are called `{word}`: {_place(other)} and {_place(rule)}; "
                    "uninstall one of the packs that they come from"
                )


def _place(rule: type[Rule]) -> str:
    return f"{rule.__module__}.{rule.__qualname__}"
