"""Finds the comments of source text and reads those that speak to coalint: `// coalint: WORD...`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from difflib import get_close_matches
from enum import Enum
from functools import cached_property, lru_cache

from coalint.core.records import record

MARK = "coalint:"
_LITERALS = r"""
    (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s"]{0,16})\(.*?\)(?P=mark)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<number>\.?\d(?:'?\w|\.)*)
  | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<word>\w+)
"""
_COMMENTS = r"(?P<line>//(?:[^\\\n]|\\\r?\n|\\)*)|(?P<block>/\*.*?(?:\*/|\Z))"
_HASH = r"(?P<hash>(?:(?<=\n)|\A)[ \t]*\#(?:[^\\\n]|\\\r?\n|\\)*)"
_PLAIN_LITERALS = r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<word>\w+)"""
_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b[ \t]*(\w*)", re.MULTILINE)
_ASSUMED = re.compile(r"\s*\((.*)\)\s*", re.DOTALL)
_NAMES = re.compile(r"\s*\[([^\]]*)\](.*)", re.DOTALL)


SLASHES = "//"
"""What begins a line comment in C++ and its kin, whose text is read as that of C++."""


@record(frozen=True, slots=True)
class _Syntax:
    """How comments are found: `tokens` are comments and what may hide one, `code` also all other signs."""

    tokens: re.Pattern[str]
    code: re.Pattern[str]
    directive: re.Pattern[str]


@lru_cache(maxsize=8)
def _syntax(mark: str) -> _Syntax:
    """Return the syntax of C++ for its mark; for another one that of line comments and quoted strings."""
    flags = re.DOTALL | re.VERBOSE
    begin = re.escape(mark)
    directive = re.compile(rf"(?:\A|{begin})(?P<body>[ \t*/!]*coalint:[ \t]*(?P<word>[\w-]*)(?P<rest>.*))", re.DOTALL)
    if mark == SLASHES:
        code = rf"{_COMMENTS}|{_HASH}|{_LITERALS}|(?P<sign>\S)"
        return _Syntax(re.compile(f"{_COMMENTS}|{_LITERALS}", flags), re.compile(code, flags), directive)
    tokens = rf"(?P<line>{begin}[^\n]*)|{_PLAIN_LITERALS}"
    return _Syntax(re.compile(tokens, flags), re.compile(rf"{tokens}|(?P<sign>\S)", flags), directive)


class Word(Enum):
    """What a comment asks for."""

    ASSUME = "assume"
    IGNORE = "ignore"
    IGNORE_FILE = "ignore-file"
    DISABLE = "disable"
    ENABLE = "enable"


@record(frozen=True, slots=True)
class Directive:
    """One comment to coalint, from `start` to `end` (offsets); `alone` says that its lines hold nothing else.

    `names` are the rules in brackets with their offsets, None where there are no brackets: all rules. `text` is what
    `assume` holds, or the reason that is given. `error` says what is wrong with it; such a directive has no effect.
    """

    word: Word | None
    start: int
    end: int
    alone: bool
    names: tuple[tuple[str, int], ...] | None = None
    brackets: tuple[int, int] | None = None
    text: str = ""
    error: str = ""


@record(frozen=True)
class Commented:
    """A source text with the directives in its comments, in their order; `mark` begins a line comment."""

    text: str
    directives: tuple[Directive, ...]
    mark: str = SLASHES

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return bisect_right(self.starts, offset)

    def statement(self, offset: int) -> tuple[int, int] | None:
        """Return first and last line of the statement after an offset.

        Of one with a body, up to the brace that opens it.

        None where a block or the file ends there. Comments and preprocessor lines before it are passed over.
        """
        first: int | None = None
        depth, assigned = 0, False
        for match in _syntax(self.mark).code.finditer(self.text, offset):
            if match.lastgroup in ("line", "block", "hash"):
                continue
            sign = match[0]
            line = self.line(match.start())
            if first is None:
                if sign == "}":
                    return None
                first = line
            if sign in ("(", "[") or (sign == "{" and (depth or assigned)):
                depth += 1
            elif sign in (")", "]", "}"):
                depth -= 1
                if depth < 0:
                    return first, line
            elif not depth and sign in (";", "{"):
                return first, line
            assigned = assigned or (sign == "=" and not depth)
        return None if first is None else (first, len(self.starts))

    @cached_property
    def first_code(self) -> int:
        """The offset of the first thing that is no comment; the end of the text where there is none."""
        for match in _syntax(self.mark).code.finditer(self.text):
            if match.lastgroup not in ("line", "block") and match[0] != "\ufeff":
                return match.start()
        return len(self.text)

    @cached_property
    def conditional(self) -> frozenset[int]:
        """The lines between `#if` and `#endif`, an include guard aside: what stands there may not be compiled."""
        lines: set[int] = set()
        opened: list[int | None] = []
        for match in _CONDITIONAL.finditer(self.text):
            line = self.line(match.start())
            if match[1] == "endif":
                begin = opened.pop() if opened else None
                if begin is not None:
                    lines.update(range(begin, line + 1))
            else:
                guard = not opened and match[1] == "ifndef" and self._is_guard(match)
                opened.append(None if guard else line)
        return frozenset(lines)

    def _is_guard(self, match: re.Match[str]) -> bool:
        return re.match(rf"[^\n]*\s*#[ \t]*define[ \t]+{match[2]}\b", self.text[match.end() :]) is not None


@lru_cache(maxsize=8)
def read_comments(text: str, mark: str = SLASHES, fact: str = "") -> Commented:
    """Return the directives of a source text whose line comments begin with `mark`.

    What stands in strings does not count.

    `fact` is an example of what the language lets users assume, for messages.
    """
    if MARK not in text:
        return Commented(text, (), mark)
    return Commented(text, tuple(_directives(text, mark, fact)), mark)


def _directives(text: str, mark: str, fact: str) -> Iterator[Directive]:
    syntax = _syntax(mark)
    for match in syntax.tokens.finditer(text):
        kind = match.lastgroup
        if kind not in ("line", "block") or MARK not in match[0]:
            continue
        start, end = match.span()
        while text[end - 1] == "\r":
            end -= 1
        inner_end = end - 2 if kind == "block" and text[start:end].endswith("*/") else end
        begin_inner = start + len(mark)  # a block's mark is as long
        directive = syntax.directive.search(text[begin_inner:inner_end])
        if directive is None or (kind == "block" and directive.start() > 0):
            continue
        begin = start if directive.start() == 0 else begin_inner + directive.start()
        before = text[text.rfind("\n", 0, begin) + 1 : begin]
        line_end = text.find("\n", end)
        after = text[end : line_end if line_end >= 0 else len(text)]
        alone = not before.strip(" \t\ufeff") and not after.strip()
        yield _directive(directive, begin_inner, Directive(None, begin, end, alone), fact)


def _directive(match: re.Match[str], shift: int, bare: Directive, fact: str) -> Directive:
    """Return one directive; `shift` is the offset of the text that was searched."""

    def made(
        word: Word | None,
        names: tuple[tuple[str, int], ...] | None = None,
        brackets: tuple[int, int] | None = None,
        text: str = "",
        error: str = "",
    ) -> Directive:
        return Directive(word, bare.start, bare.end, bare.alone, names, brackets, text, error)

    words = [word.value for word in Word]
    if match["word"] not in words:
        near = get_close_matches(match["word"], words, 1, 0.6)
        hint = f"did you mean `{near[0]}`?" if near else f"it is one of {', '.join(words)}"
        return made(None, error=f"unknown directive `{match['word']}`; {hint}")
    word, rest = Word(match["word"]), match["rest"]
    if word is Word.ASSUME:
        assumed = _ASSUMED.fullmatch(rest)
        if assumed is None:
            example = f", as in assume({fact})" if fact else ""
            return made(word, error=f"an assumption must be in parentheses{example}")
        return made(word, text=assumed[1])
    listed = _NAMES.fullmatch(rest)
    if listed is None:
        if rest.lstrip()[:1] == "[":
            return made(word, error="the list of rules has no closing bracket")
        if rest.lstrip()[:1] == "(":
            return made(word, error=f"rules must be in brackets, as in {word.value}[COA101]")
        return made(word, text=rest.strip())
    at = shift + match.start("rest") + listed.start(1)
    names: list[tuple[str, int]] = []
    for part in re.finditer(r"[^,]+", listed[1]):
        name = part[0].strip()
        if name:
            names.append((name, at + part.start() + len(part[0]) - len(part[0].lstrip())))
    brackets = (shift + match.start("rest") + listed.start(1) - 1, at + len(listed[1]) + 1)
    if not names:
        return made(
            word, (), brackets, error="the brackets name no rule; without brackets the comment applies to all rules"
        )
    return made(word, tuple(names), brackets, listed[2].strip())


@record(frozen=True)
class LineKinds:
    """Lines (from 1) at whose end no comment can be added, and those that begin within something that goes on.

    `open_ends`: a backslash, a string, a comment or another directive to coalint stands at the end. `inside`: the line
    before goes on in this one.
    """

    open_ends: frozenset[int]
    inside: frozenset[int]


def line_kinds(text: str, mark: str = SLASHES) -> LineKinds:
    """Return where comments can be added to a text whose line comments begin with `mark`."""
    commented = read_comments(text, mark)
    ends: set[int] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if line.rstrip().endswith("\\"):
            ends.add(number)
    going_on = set(ends)
    for match in _syntax(mark).tokens.finditer(text):
        if "\n" in match[0]:
            lines = range(commented.line(match.start()), commented.line(match.end()))
            ends.update(lines)
            going_on.update(lines)
    for directive in commented.directives:
        ends.add(commented.line(directive.end))
    return LineKinds(frozenset(ends), frozenset(number + 1 for number in going_on))
