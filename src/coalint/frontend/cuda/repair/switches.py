"""Macros that would switch a kernel or a name on: options of the build, when nothing says how the file is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from coalint.frontend.cuda.repair.condition_macros import (
    MAX_MACROS,
    condition_of,
    is_compilers,
    macros_around,
    macros_of,
    valued_macro,
)
from coalint.frontend.cuda.repair.declaring_places import may_declare
from coalint.frontend.cuda.repair.directives import has_conditions, includes, scanned, without_conditions, words

_AT_LEAST = re.compile(r"\(?\s*(?P<name>[A-Za-z_]\w*)\s*(?P<sign>>=|>|==)\s*(?P<value>\d+)\s*\)?")
REFUSAL = re.compile(r"[ \t]*#[ \t]*error\b")
_NOT = re.compile(r"!\s*(?!=)")


def switches(text: str, line: int) -> tuple[str, ...]:
    """Return the macros to define so that the conditions around a line of a source hold; empty where that is not sure.

    Conditions may ask for macros alone (`#ifdef X`, `#if defined(X) && Y`) that the source neither defines nor
    undefines itself; what else is around the line (`#else`, a comparison) is taken to hold as it is.
    """
    code, directives = scanned(text)
    return macros_around(line, directives, code)


def conditions(text: str, line: int) -> tuple[tuple[int, str], ...]:
    """Return the conditions around a line of a source, outermost first: each with its line, as it is written.

    An `#else` is shown with the branch before it. What guards a header against a second time is none.
    """
    lines = text.split("\n")
    open_: list[tuple[int, str]] = []
    guards: set[int] = set()
    for at, word, rest in scanned(text)[1]:
        if at > line:
            break
        shown = f"#{word} {' '.join(rest.split())}".strip()
        if word in ("if", "ifdef", "ifndef"):
            open_.append((at, shown))
            following = "\n".join(lines[at : at + 2])
            if word == "ifndef" and re.search(
                rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(rest)}\b", following, re.MULTILINE
            ):
                guards.add(at)
        elif open_:
            before = open_.pop()[1]
            if word != "endif":
                open_.append((at, f"#else of {before}" if word == "else" else shown))
    return tuple(condition for condition in open_ if condition[0] not in guards)


def switches_of_names(
    names: Collection[str],
    texts: Iterable[str],
    library: Callable[[str], str] = lambda include: "",
    *,
    is_hip: bool = False,
) -> tuple[str, ...]:
    """Return the macros to define so that these sources declare names that nothing declares; the most asked for first.

    A name asks for the macros around its first place in a source that may declare it, unless there are none around
    another of its places. The include of a header that declares it in `library`, the text of a header by its include,
    is such a place too.
    A program that is written for HIP (`is_hip`) may ask for macros of that name.
    """
    wanted, sought = _any_of(names), frozenset(names)
    votes = Counter[tuple[str, ...]]()

    @cache
    def named(include: str) -> tuple[str, ...]:
        """Return the names that a header holds, which many sources include."""
        header = library(include)
        if sought.isdisjoint(words(header)):
            return ()
        code, _ = scanned(header)
        places = (match for match in wanted.finditer(code) if may_declare(code, *match.span()))
        return tuple(dict.fromkeys(match.group() for match in places))

    for text in texts:
        if not has_conditions(text):
            continue
        included = [(text.count("\n", 0, at) + 1, name) for at, include in includes(text) for name in named(include)]
        if not included and sought.isdisjoint(words(text)):
            continue
        code, directives = scanned(text)
        asked = _asked_by(names, text, is_hip)
        for at, name in included:
            asked[name] = macros_around(at, directives, code, is_hip)
        votes.update(asked.values())
    return _ranked(votes)


def switches_of_each_name(
    names: Collection[str], texts: Iterable[str], *, is_hip: bool = False
) -> Mapping[str, tuple[str, ...]]:
    """Return the `switches_of_names` of each name by itself that stands in the sources, without a library."""
    sought = frozenset(names)
    votes: dict[str, Counter[tuple[str, ...]]] = {}
    for text in texts:
        found = sought & words(text) if has_conditions(text) else frozenset[str]()
        if found:
            for name, macros in _asked_by(found, text, is_hip).items():
                votes.setdefault(name, Counter())[macros] += 1
    return {name: _ranked(asked) for name, asked in votes.items()}


def _asked_by(names: Collection[str], text: str, is_hip: bool) -> dict[str, tuple[str, ...]]:
    """Return the macros around the first place of each name in a source that may declare it.

    A use of it is such a place where the same macros have something included. There are none where a place of it has
    none, or where no place may declare it.
    """
    code, directives = scanned(text)
    asked: dict[str, tuple[str, ...]] = {}

    @cache
    def including() -> frozenset[tuple[str, ...]]:
        """Return the macros around each include, but of C++'s own headers."""
        lines = (text.count("\n", 0, at) + 1 for at, include in includes(text) if "." in include)
        return frozenset(macros_around(line, directives, code, is_hip) for line in lines)

    line, position = 1, 0
    for match in _any_of(names).finditer(code):
        line += code.count("\n", position, match.start())
        position = match.start()
        name = match.group()
        if asked.get(name) != ():
            macros = macros_around(line, directives, code, is_hip)
            if not macros:
                asked[name] = ()
            elif may_declare(code, *match.span()) or macros in including():
                asked.setdefault(name, macros)
    return asked


def _any_of(names: Collection[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _ranked(votes: Counter[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the macros that most sources ask for; `()` is the vote of one that asks for none."""
    del votes[()]
    ranked = tuple(dict.fromkeys(macro for macros, _ in votes.most_common() for macro in macros))
    return ranked[:MAX_MACROS]


def switches_of_refusal(text: str, line: int) -> tuple[str, ...]:
    """Return the macros to define so that a source does not come to the REFUSAL in a line.

    Empty where that is not sure.

    That is a macro which an earlier branch asks for (`#ifdef X ... #else #error`), with its value where the branch
    compares it (`X=32` for `#if X == 32`), or the absence of which leads there (`#ifndef X #error`).
    """
    code, directives = scanned(text)
    open_: list[list[tuple[str, str]]] = []  # the branches so far of the conditions that the line is in
    for at, word, rest in directives:
        if at > line:
            break
        if word in ("if", "ifdef", "ifndef"):
            open_.append([(word, rest)])
        elif open_ and word == "endif":
            open_.pop()
        elif open_:
            open_[-1].append((word, rest))
    for *earlier, (word, rest) in open_[::-1]:
        asked = [condition_of(before.removeprefix("el"), condition) for before, condition in earlier]
        if word == "ifndef":
            asked.append(f"defined({rest})")
        elif word == "if":
            asked += [_NOT.sub("", term.strip()) for term in rest.split("&&") if _NOT.match(term.strip())]
        for macros in (macros_of(condition, code) or valued_macro(condition, code) for condition in asked):
            if macros:
                return tuple(macros)
    return ()


def switches_of_choices(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the macro that most choices ask for first of which a build has to make one; none where that is not sure.

    They are those between two macros or more without an `#else`: `#if USING_CUDA ... #elif USING_ROCM ... #endif`.
    """
    votes = Counter[tuple[str, ...]]()
    for text in texts:
        if not has_conditions(text):
            continue
        code, directives = scanned(text)
        open_: list[list[str]] = []
        for _, word, rest in directives:
            if word in ("if", "ifdef", "ifndef"):
                open_.append([condition_of(word, rest)])
            elif open_ and word == "endif":
                first, *others = open_.pop()
                if others and "" not in others and len(macros := macros_of(first, code)) == 1:
                    votes[tuple(macros)] += 1
            elif open_:
                open_[-1].append("" if word == "else" else condition_of(word.removeprefix("el"), rest))
    return votes.most_common(1)[0][0] if votes else ()


def is_asked_for(macro: str, texts: Iterable[str]) -> bool:
    """Whether a condition in one of the sources names a macro."""
    word = re.compile(rf"\b{re.escape(macro)}\b")
    rests = (rest for text in texts if word.search(text) for _, _, rest in scanned(text)[1])
    return any(word.search(rest) for rest in rests)


def is_option(macro: str, texts: Iterable[str]) -> bool:
    """Whether sources name a macro in conditions, and in what they say of these, alone.

    What they compute with it, `-DNAME` would make 1.
    """
    word = re.compile(rf"\b{re.escape(macro)}\b")

    return not any(word.search(text) and word.search(without_conditions(text)) for text in texts)


def options_for(text: str, line: int) -> tuple[str, ...]:
    """Return options with which the conditions around a line of a source hold, as far as they are plain; else none.

    `-D N=3` for `#if N >= 3`, `-D X` for `#ifdef X`, `--arch sm_80` for `#if __CUDA_ARCH__ >= 800`.
    """
    code, _ = scanned(text)
    options: dict[str, None] = {}
    for _, shown in conditions(text, line):
        word, _, rest = shown.removeprefix("#").partition(" ")
        if word not in ("if", "ifdef", "elif"):
            return ()
        for term in condition_of(word.removeprefix("el"), rest).split("&&"):
            compared = _AT_LEAST.fullmatch(term.strip())
            macros = macros_of(term, code)
            if compared is not None and compared["name"] == "__CUDA_ARCH__":
                options[f"--arch sm_{int(compared['value']) // 10}"] = None
            elif compared is not None and not is_compilers(compared["name"]):
                options[f"-D {compared['name']}={int(compared['value']) + (compared['sign'] == '>')}"] = None
            elif macros:
                options.update({f"-D {macro}": None for macro in macros})
            else:
                return ()
    return tuple(options)
