"""The macros with which conditions of the preprocessor hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coalint.frontend.cuda.repair.directives import Directive

MAX_MACROS = 4  # of one kernel, or of the names of one file

# `-DNAME` makes it 1.
_TERM = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|([A-Za-z_]\w*)(?:\s*(?:==\s*1|!=\s*0|>\s*0|>=\s*1))?")
_COMPARED = re.compile(r"\(?\s*(?P<name>[A-Za-z_]\w*)\s*==\s*(?P<value>\d+)\s*\)?")
# What a compiler or the toolkit defines is no option of the build, though it may be undefined here.
_COMPILERS = re.compile(
    r"__\w*|_MSC_VER|_WIN\w*|WIN\w*|_OPENMP|_OPENACC|NDEBUG|CUDA\w*_VERSION|\w*(?:ROCM|AMD|SYCL|MUSA)\w*"
)
_HIP = re.compile(r"\w*HIP\w*")  # an option of programs that are written for it alone


def macros_around(line: int, directives: Sequence[Directive], code: str, is_hip: bool = False) -> tuple[str, ...]:
    """Return the macros that make the conditions around a line hold."""
    open_: list[str] = []  # the conditions of the branches that a line is in, empty after an `#else`
    for at, word, rest in directives:
        if at > line:
            break
        if word in ("if", "ifdef", "ifndef"):
            open_.append(condition_of(word, rest))
        elif open_:
            last = open_.pop()
            if word != "endif":
                open_.append(condition_of(word.removeprefix("el"), rest) if word != "else" and last != "0" else "")
    if "0" in open_:
        return ()
    names = tuple(dict.fromkeys(name for condition in open_ for name in macros_of(condition, code, is_hip)))
    return names if len(names) <= MAX_MACROS else ()


def condition_of(word: str, rest: str) -> str:
    """Return what an `#if`, `#ifdef` or `#ifndef` asks for, as an `#if` says it."""
    if word == "ifdef":
        return f"defined({rest})"
    return rest if word == "if" else f"!defined({rest})"


def macros_of(condition: str, code: str, is_hip: bool = False) -> list[str]:
    """Return the macros that make a condition hold; none where it asks for anything else than macros."""
    if "||" in condition:
        condition = condition.partition("||")[0] if "&&" not in condition else ""
    names: list[str] = []
    for term in condition.split("&&"):
        match = _TERM.fullmatch(term.strip())
        name = next(filter(None, match.groups()), "") if match is not None else ""
        if not name or is_compilers(name, is_hip) or is_set(name, code):
            return []
        names.append(name)
    return names


def valued_macro(condition: str, code: str) -> list[str]:
    """Return the macro with the value that a condition asks for, as `X=32`.

    None where it is about more or about less.
    """
    match = _COMPARED.fullmatch(condition.strip())
    if match is None or is_compilers(match["name"]) or is_set(match["name"], code):
        return []
    return [f"{match['name']}={match['value']}"]


def is_compilers(name: str, is_hip: bool = False) -> bool:
    """Whether a macro is not the build's to define."""
    return _COMPILERS.fullmatch(name) is not None or (not is_hip and _HIP.fullmatch(name) is not None)


def is_set(name: str, code: str) -> bool:
    """Whether a source defines or undefines a macro itself."""
    return re.search(rf"^[ \t]*#[ \t]*(?:define|undef)[ \t]+{name}\b", code, re.MULTILINE) is not None
