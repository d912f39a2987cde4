"""Macros that would switch a kernel or a name on: options of the build, when nothing says how the file is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from coalint.frontend.cuda.repair.declaring_places import may_declare
from coalint.frontend.cuda.repair.missing_kernels import without_comments

MAX_MACROS = 4  # of one kernel, or of the names of one file
KEPT, SHORT = 128, 1 << 18
"""Sources of up to so many characters of which it is remembered what is read off them: headers that files share."""

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|else|endif)\b(?P<rest>(?:[^\n]*\\\r?\n)*[^\n]*)", re.MULTILINE
)
# `-DNAME` makes it 1.
_TERM = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|([A-Za-z_]\w*)(?:\s*(?:==\s*1|!=\s*0|>\s*0|>=\s*1))?")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_COMPARED = re.compile(r"\(?\s*(?P<name>[A-Za-z_]\w*)\s*==\s*(?P<value>\d+)\s*\)?")
_AT_LEAST = re.compile(r"\(?\s*(?P<name>[A-Za-z_]\w*)\s*(?P<sign>>=|>|==)\s*(?P<value>\d+)\s*\)?")
REFUSAL = re.compile(r"[ \t]*#[ \t]*error\b")
_SAID = re.compile(r"^[ \t]*#[ \t]*(?:error|warning|pragma[ \t]+message)\b[^\n]*", re.MULTILINE)
_WORD = re.compile(r"\w+")
_NOT = re.compile(r"!\s*(?!=)")
# What a compiler or the toolkit defines is no option of the build, though it may be undefined here.
_COMPILERS = re.compile(
    r"__\w*|_MSC_VER|_WIN\w*|WIN\w*|_OPENMP|_OPENACC|NDEBUG|CUDA\w*_VERSION|\w*(?:ROCM|AMD|SYCL|MUSA)\w*"
)
_HIP = re.compile(r"\w*HIP\w*")  # an option of programs that are written for it alone


def switches(text: str, line: int) -> tuple[str, ...]:
    """Return the macros to define so that the conditions around a line of a source hold; empty where that is not sure.

    Conditions may ask for macros alone (`#ifdef X`, `#if defined(X) && Y`) that the source neither defines nor
    undefines itself; what else is around the line (`#else`, a comparison) is taken to hold as it is.
    """
    code, directives = _scanned(text)
    return _around(line, directives, code)


def conditions(text: str, line: int) -> tuple[tuple[int, str], ...]:
    """Return the conditions around a line of a source, outermost first: each with its line, as it is written.

    An `#else` is shown with the branch before it. What guards a header against a second time is none.
    """
    lines = text.split("\n")
    open_: list[tuple[int, str]] = []
    guards: set[int] = set()
    for at, word, rest in _scanned(text)[1]:
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
        if sought.isdisjoint(_words(header)):
            return ()
        code, _ = _scanned(header)
        places = (match for match in wanted.finditer(code) if may_declare(code, *match.span()))
        return tuple(dict.fromkeys(match.group() for match in places))

    for text in texts:
        if not _DIRECTIVE.search(text):
            continue
        included = [(text.count("\n", 0, at) + 1, name) for at, include in _includes(text) for name in named(include)]
        if not included and sought.isdisjoint(_words(text)):
            continue
        code, directives = _scanned(text)
        asked = _asked_by(names, text, is_hip)
        for at, name in included:
            asked[name] = _around(at, directives, code, is_hip)
        votes.update(asked.values())
    return _ranked(votes)


def switches_of_each_name(
    names: Collection[str], texts: Iterable[str], *, is_hip: bool = False
) -> Mapping[str, tuple[str, ...]]:
    """Return the `switches_of_names` of each name by itself that stands in the sources, without a library."""
    sought = frozenset(names)
    votes: dict[str, Counter[tuple[str, ...]]] = {}
    for text in texts:
        found = sought & _words(text) if _DIRECTIVE.search(text) else frozenset[str]()
        if found:
            for name, macros in _asked_by(found, text, is_hip).items():
                votes.setdefault(name, Counter())[macros] += 1
    return {name: _ranked(asked) for name, asked in votes.items()}


def _asked_by(names: Collection[str], text: str, is_hip: bool) -> dict[str, tuple[str, ...]]:
    """Return the macros around the first place of each name in a source that may declare it.

    A use of it is such a place where the same macros have something included. There are none where a place of it has
    none, or where no place may declare it.
    """
    code, directives = _scanned(text)
    asked: dict[str, tuple[str, ...]] = {}

    @cache
    def including() -> frozenset[tuple[str, ...]]:
        """Return the macros around each include, but of C++'s own headers."""
        lines = (text.count("\n", 0, at) + 1 for at, include in _includes(text) if "." in include)
        return frozenset(_around(line, directives, code, is_hip) for line in lines)

    line, position = 1, 0
    for match in _any_of(names).finditer(code):
        line += code.count("\n", position, match.start())
        position = match.start()
        name = match.group()
        if asked.get(name) != ():
            macros = _around(line, directives, code, is_hip)
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
    code, directives = _scanned(text)
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
        asked = [_condition(before.removeprefix("el"), condition) for before, condition in earlier]
        if word == "ifndef":
            asked.append(f"defined({rest})")
        elif word == "if":
            asked += [_NOT.sub("", term.strip()) for term in rest.split("&&") if _NOT.match(term.strip())]
        for macros in (_macros(condition, code) or _valued(condition, code) for condition in asked):
            if macros:
                return tuple(macros)
    return ()


def switches_of_choices(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the macro that most choices ask for first of which a build has to make one; none where that is not sure.

    They are those between two macros or more without an `#else`: `#if USING_CUDA ... #elif USING_ROCM ... #endif`.
    """
    votes = Counter[tuple[str, ...]]()
    for text in texts:
        if not _DIRECTIVE.search(text):
            continue
        code, directives = _scanned(text)
        open_: list[list[str]] = []
        for _, word, rest in directives:
            if word in ("if", "ifdef", "ifndef"):
                open_.append([_condition(word, rest)])
            elif open_ and word == "endif":
                first, *others = open_.pop()
                if others and "" not in others and len(macros := _macros(first, code)) == 1:
                    votes[tuple(macros)] += 1
            elif open_:
                open_[-1].append("" if word == "else" else _condition(word.removeprefix("el"), rest))
    return votes.most_common(1)[0][0] if votes else ()


def is_asked_for(macro: str, texts: Iterable[str]) -> bool:
    """Whether a condition in one of the sources names a macro."""
    word = re.compile(rf"\b{re.escape(macro)}\b")
    rests = (rest for text in texts if word.search(text) for _, _, rest in _scanned(text)[1])
    return any(word.search(rest) for rest in rests)


def is_option(macro: str, texts: Iterable[str]) -> bool:
    """Whether sources name a macro in conditions, and in what they say of these, alone.

    What they compute with it, `-DNAME` would make 1.
    """
    word = re.compile(rf"\b{re.escape(macro)}\b")

    return not any(word.search(text) and word.search(without_conditions(text)) for text in texts)


def without_conditions(text: str) -> str:
    """Return a source without its comments, its conditions and what it says of these."""
    return _SAID.sub("", _DIRECTIVE.sub("", _scanned(text)[0]))


def options_for(text: str, line: int) -> tuple[str, ...]:
    """Return options with which the conditions around a line of a source hold, as far as they are plain; else none.

    `-D N=3` for `#if N >= 3`, `-D X` for `#ifdef X`, `--arch sm_80` for `#if __CUDA_ARCH__ >= 800`.
    """
    code, _ = _scanned(text)
    options: dict[str, None] = {}
    for _, shown in conditions(text, line):
        word, _, rest = shown.removeprefix("#").partition(" ")
        if word not in ("if", "ifdef", "elif"):
            return ()
        for term in _condition(word.removeprefix("el"), rest).split("&&"):
            compared = _AT_LEAST.fullmatch(term.strip())
            macros = _macros(term, code)
            if compared is not None and compared["name"] == "__CUDA_ARCH__":
                options[f"--arch sm_{int(compared['value']) // 10}"] = None
            elif compared is not None and not _is_compilers(compared["name"]):
                options[f"-D {compared['name']}={int(compared['value']) + (compared['sign'] == '>')}"] = None
            elif macros:
                options.update({f"-D {macro}": None for macro in macros})
            else:
                return ()
    return tuple(options)


def _around(line: int, directives: Sequence[tuple[int, str, str]], code: str, is_hip: bool = False) -> tuple[str, ...]:
    """Return the macros that make the conditions around a line hold."""
    open_: list[str] = []  # the conditions of the branches that a line is in, empty after an `#else`
    for at, word, rest in directives:
        if at > line:
            break
        if word in ("if", "ifdef", "ifndef"):
            open_.append(_condition(word, rest))
        elif open_:
            last = open_.pop()
            if word != "endif":
                open_.append(_condition(word.removeprefix("el"), rest) if word != "else" and last != "0" else "")
    if "0" in open_:
        return ()
    names = tuple(dict.fromkeys(name for condition in open_ for name in _macros(condition, code, is_hip)))
    return names if len(names) <= MAX_MACROS else ()


@lru_cache(maxsize=KEPT)
def _kept_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _words(text: str) -> frozenset[str]:
    """Return the words of a source, of comments and strings too."""
    return _kept_words(text) if len(text) <= SHORT else _kept_words.__wrapped__(text)


@lru_cache(maxsize=KEPT)
def _kept_includes(text: str) -> tuple[tuple[int, str], ...]:
    return tuple((match.start(), match[1]) for match in _INCLUDE.finditer(text))


def _includes(text: str) -> tuple[tuple[int, str], ...]:
    """Return where a source includes files, and their names as it has them."""
    return _kept_includes(text) if len(text) <= SHORT else _kept_includes.__wrapped__(text)


@lru_cache(maxsize=KEPT)
def _kept_scan(text: str) -> tuple[str, tuple[tuple[int, str, str], ...]]:
    code = without_comments(text)
    return code, tuple(_directives(code))


def _scanned(text: str) -> tuple[str, tuple[tuple[int, str, str], ...]]:
    """Return a source without its comments, and its conditions: line, word and what follows it."""
    return _kept_scan(text) if len(text) <= SHORT else _kept_scan.__wrapped__(text)


def _directives(code: str) -> Iterator[tuple[int, str, str]]:
    line, position = 1, 0
    for match in _DIRECTIVE.finditer(code):
        line += code.count("\n", position, match.start())
        position = match.start()
        yield line, match["word"], match["rest"].replace("\\\n", " ").strip()


def _condition(word: str, rest: str) -> str:
    if word == "ifdef":
        return f"defined({rest})"
    return rest if word == "if" else f"!defined({rest})"


def _macros(condition: str, code: str, is_hip: bool = False) -> list[str]:
    """Return the macros that make a condition hold; none where it asks for anything else than macros."""
    if "||" in condition:
        condition = condition.partition("||")[0] if "&&" not in condition else ""
    names: list[str] = []
    for term in condition.split("&&"):
        match = _TERM.fullmatch(term.strip())
        name = next(filter(None, match.groups()), "") if match is not None else ""
        if not name or _is_compilers(name, is_hip) or _is_set(name, code):
            return []
        names.append(name)
    return names


def _valued(condition: str, code: str) -> list[str]:
    """Return the macro with the value that a condition asks for, as `X=32`.

    None where it is about more or about less.
    """
    match = _COMPARED.fullmatch(condition.strip())
    if match is None or _is_compilers(match["name"]) or _is_set(match["name"], code):
        return []
    return [f"{match['name']}={match['value']}"]


def _is_compilers(name: str, is_hip: bool = False) -> bool:
    """Whether a macro is not the build's to define."""
    return _COMPILERS.fullmatch(name) is not None or (not is_hip and _HIP.fullmatch(name) is not None)


def _is_set(name: str, code: str) -> bool:
    return re.search(rf"^[ \t]*#[ \t]*(?:define|undef)[ \t]+{name}\b", code, re.MULTILINE) is not None
