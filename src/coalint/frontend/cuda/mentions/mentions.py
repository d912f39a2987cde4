"""What a text says of a function's name: who uses it, whether it only declares it, and calls that are commented out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from coalint.core.records import record
from coalint.frontend.cuda.mentions.definitions import Defined, Outline, outline_of
from coalint.frontend.cuda.mentions.texts import SourceText, source_text

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inl", ".inc", ".tcc", ".tpp", ".ipp", ".impl")
"""Suffixes of files that others include."""
SUFFIXES = (".cu", ".c", ".cc", ".cpp", ".cxx", ".c++", ".hip", *HEADERS)
"""Suffixes of files that are read as C++."""

_BEFORE = re.compile(r"([A-Za-z_]\w*|>)[\s*&]*[\s*&]$")
_NOT_TYPES = frozenset({"return", "else", "case", "goto", "throw", "co_return", "new", "delete"})
_AFTER = re.compile(r"\s*(?:<[^;{}]{0,300}?>)?\s*([(;,=\[)]|$)")
_LAUNCH = re.compile(r"<<<|\bcudaLaunch\w*Kernel\w*\b|\bhipLaunchKernel\w*\b|\bcuLaunchKernel\w*\b")
_LONGEST_CALL = 2000  # signs


@record(frozen=True, slots=True)
class Mentions:
    """What a text says of a name.

    Attributes:
        defined: The functions of that name that it defines.
        users: The functions that use it; None stands for what is outside of functions.
        is_declared: Whether it declares the function.
    """

    defined: tuple[Defined, ...]
    users: tuple[Defined | None, ...]
    is_declared: bool


@record
class MentionText:
    """A text that is asked about names."""

    text: SourceText
    outline: Outline

    @classmethod
    def of(cls, data: bytes) -> MentionText:
        """Return the text of a file."""
        text = source_text(data)
        return cls(text, outline_of(text))

    def of_name(self, name: str) -> Mentions:
        """Return what it says of a name."""
        found = tuple(function for function in self.outline.functions if function.name == name)
        starts = {function.start for function in found}
        users: dict[Defined | None, None] = {}
        declared = False
        for match in re.finditer(rf"\b{re.escape(name)}\b", self.text.code):
            at = match.start()
            if at in starts or self._is_of_something(at) or self._is_file_name(match.end()):
                continue
            user = self._around(at)
            if user is not None:
                users[user] = None
            elif self._is_plain(at) and self._declares(match):
                declared = declared or self.text.code[match.end() :].lstrip()[:1] in ("(", "<")
            else:
                users[None] = None
        return Mentions(found, tuple(users), declared)

    def declared(self) -> frozenset[str]:
        """Return the names of all functions that it declares."""
        names = set(re.findall(r"[\w>][\s*&]+([A-Za-z_]\w*)\s*\(", self.text.outline))
        return frozenset(name for name in names if self.of_name(name).is_declared)

    def commented_call(self, name: str) -> bool:
        """Whether a comment is a call or a launch that was taken out."""
        for match in re.finditer(rf"\b{re.escape(name)}\b\s*(?:<[^;{{}}]*?>\s*)?(?:<<<|\()", self.text.comments):
            line = self.text.comments[self.text.comments.rfind("\n", 0, match.start()) + 1 : match.start()]
            rest = self.text.comments[match.start() : match.start() + _LONGEST_CALL]
            if re.fullmatch(r"[\s/*]*(?:[\w:]+\s*=\s*)?(?:\w+::)*", line) and re.search(r"\)[\s/*]*;", rest):
                return True
        return False

    @cached_property
    def launches(self) -> bool:
        """Whether it launches kernels."""
        return _LAUNCH.search(self.text.code) is not None

    @cached_property
    def defines_main(self) -> bool:
        """Whether it is a program of its own."""
        return any(function.name == "main" for function in self.outline.functions)

    def launchers(self) -> Iterator[Defined]:
        """Yield the functions outside of types that launch kernels and that other files can name."""
        for function in self.outline.functions:
            own = self.text.code[function.body : function.end]
            if not (function.is_local or function.is_member or function.is_kernel) and _LAUNCH.search(own):
                yield function

    @cached_property
    def _starts(self) -> list[int]:
        return [function.start for function in self.outline.functions]

    def _around(self, at: int) -> Defined | None:
        number = bisect_right(self._starts, at) - 1
        if number < 0 or not self.outline.is_balanced:
            return None
        function = self.outline.functions[number]
        return function if function.body < at < function.end else None

    def _is_plain(self, at: int) -> bool:
        """Whether a place is outside of functions, directives and braces of other kinds."""
        if not self.outline.is_balanced:
            return False
        return not any(start <= at < end for start, end in (*self.text.directives, *self.outline.opaque))

    def _is_of_something(self, at: int) -> bool:
        """Whether a name is that of a member of an object."""
        before = self.text.code[max(0, at - 40) : at].rstrip()
        return before.endswith("->") or (before.endswith(".") and not before.endswith("..."))

    def _is_file_name(self, end: int) -> bool:
        return re.match(r"\.(?:cu|cuh|h|hpp|c|cc|cpp|ptx|cubin|o)\b", self.text.code[end : end + 8]) is not None

    def _declares(self, match: re.Match[str]) -> bool:
        """Whether a name outside of functions is that of what is declared there."""
        before = _BEFORE.search(self.text.code[max(0, match.start() - 200) : match.start()])
        after = _AFTER.match(self.text.code, match.end())
        return before is not None and before[1] not in _NOT_TYPES and after is not None
