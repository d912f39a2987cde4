"""Kernels that nothing in their repository launches, and those whose launch stands in a function that nothing calls.

What another program may call is reached: a function that a header declares, or that any file can name, is unreached
only where the repository calls most of those beside it, or where its call was taken out into a comment.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import field

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.mentions.definitions import Defined
from coalint.frontend.cuda.mentions.mentions import HEADERS, SUFFIXES, Mentions, MentionText
from coalint.frontend.cuda.mentions.names import Names

MOST_NAMING = 64
"""Files that name a function up to which it is looked at."""
_DEEPEST = 8  # functions from a kernel to what calls it
_LEAST_CALLED = 3  # functions of which the repository must call so many to be one that calls them
_KEPT = 256  # texts
_PUBLIC = frozenset({"include", "public", "api"})
_ENTRIES = frozenset({"main", "wmain", "WinMain", "DllMain", "mexFunction", "LLVMFuzzerTestOneInput"})

_Use = tuple[int, Defined]
"""A function with the number of the file that defines it."""


@record
class Unreached:
    """Answers for one repository, whose `root` is a real path."""

    root: str
    names: Names
    _texts: OrderedDict[int, MentionText] = field(default_factory=OrderedDict)
    _mentions: dict[tuple[int, str], Mentions] = field(default_factory=dict)
    _groups: dict[tuple[object, ...], tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    _known: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def why(self, kernel: str, file: str) -> str | None:
        """Return what nothing calls or launches: a kernel of a file (a real path), or what launches it; else None."""
        key = kernel, file
        if key not in self._known:
            self._known[key] = self._why(kernel, os.path.relpath(file, self.root))
        return self._known[key]

    def _why(self, kernel: str, path: str) -> str | None:
        if path.endswith(HEADERS) or not path.endswith(SUFFIXES) or path not in self._numbers:
            return None
        number = self._numbers[path]
        own = [function for function in self._of(number, kernel).defined if function.is_kernel]
        if not own or any(function.is_member or function.is_exported for function in own):
            return None
        return self._unreached((number, own[0]), frozenset())

    def _unreached(self, use: _Use, above: frozenset[str]) -> str | None:
        """Return what nothing calls on all ways to a function; None where one leads to it, or may do so."""
        number, function = use
        name = function.name
        if len(above) > _DEEPEST or name in _ENTRIES or function.is_member or function.is_exported:
            return None
        if name.startswith(("operator", "PyInit_")) or self.names.may_be_made(name):
            return None
        users = self._users(name)
        if users is None:
            return None
        if not users:
            return name if self._is_evident(number, function) else None
        told: str | None = None
        for user in users:
            if user[1].name in above:
                continue
            why = self._unreached(user, above | {name})
            if why is None:
                return None
            told = told or why
        if told is None or not self._is_evident(number, function, used=True):
            return None
        return told

    def _users(self, name: str) -> list[_Use] | None:
        """Return the functions that use another; None where anything else does, or what cannot be told."""
        numbers = self.names.naming.get(name, [])
        if not 0 < len(numbers) <= MOST_NAMING:
            return None
        users: list[_Use] = []
        for number in numbers:
            if not self.names.files[number].endswith(SUFFIXES):
                return None
            for user in self._of(number, name).users:
                if user is None or (number not in self.names.with_kernels and user.name != name):
                    return None
                if user.name != name:
                    users.append((number, user))
        return users

    def _is_evident(self, number: int, function: Defined, used: bool = False) -> bool:
        """Whether the repository would have the callers of a function, so that there are none."""
        path, text = self.names.files[number], self._text(number)
        if path.endswith(HEADERS):
            return False
        if function.is_local or text.defines_main:
            return True
        if function.is_kernel:
            is_of_module = function.is_of_c and not used
            return (
                used or (text.launches and not is_of_module) or self._calls_most(self._kernels_beside, path, function)
            )
        naming = self.names.naming.get(function.name, [])
        if any(self._text(other).commented_call(function.name) for other in naming):
            return True
        headers = [other for other in naming if self._of(other, function.name).is_declared and self._is_header(other)]
        if any(_PUBLIC & set(os.path.dirname(self.names.files[other]).lower().split(os.sep)) for other in headers):
            return False
        if headers:
            return all(self._calls_most(self._declared_in, other, function) for other in headers)
        return self._calls_most(self._launching_beside, path, function)

    def _is_header(self, number: int) -> bool:
        return self.names.files[number].endswith(HEADERS)

    def _calls_most(self, beside: Callable[..., Iterable[str]], place: str | int, function: Defined) -> bool:
        """Whether the repository calls most of the functions that stand beside one at a place."""
        if isinstance(place, str):
            place = os.path.dirname(place)
        key = beside.__name__, place
        if key not in self._groups:
            names = frozenset(beside(place))
            called = frozenset(name for name in names if self._is_used(name))
            self._groups[key] = names, called
        names, called = self._groups[key]
        silent = names - called - {function.name}
        return len(called) >= _LEAST_CALLED and len(called) > len(silent)

    def _is_used(self, name: str) -> bool:
        users = self._users(name)
        return users is None or bool(users)

    def _declared_in(self, number: int) -> Iterable[str]:
        return (name for name in self._text(number).declared() if name in self.names.naming)

    def _launching_beside(self, folder: str) -> Iterable[str]:
        for number in self._sources_in(folder):
            yield from (function.name for function in self._text(number).launchers())

    def _kernels_beside(self, folder: str) -> Iterable[str]:
        for number in self._sources_in(folder):
            yield from (function.name for function in self._text(number).outline.functions if function.is_kernel)

    def _sources_in(self, folder: str) -> Iterable[int]:
        for number in sorted(self.names.with_kernels):
            path = self.names.files[number]
            if os.path.dirname(path) == folder and not path.endswith(HEADERS):
                yield number

    def _of(self, number: int, name: str) -> Mentions:
        key = number, name
        if key not in self._mentions:
            self._mentions[key] = self._text(number).of_name(name)
        return self._mentions[key]

    def _text(self, number: int) -> MentionText:
        if number in self._texts:
            self._texts.move_to_end(number)
            return self._texts[number]
        try:
            data = read_bytes(os.path.join(self.root, self.names.files[number]), FileKind.SOURCE, (self.root,))
        except OSError:
            data = b""
        text = self._texts[number] = MentionText.of(data)
        if len(self._texts) > _KEPT:
            self._texts.popitem(last=False)
        return text

    @property
    def _numbers(self) -> dict[str, int]:
        return self.names.numbers
