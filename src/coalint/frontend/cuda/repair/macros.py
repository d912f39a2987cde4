"""Undeclared macros: attributes before declarations, names after `struct`, hints before statements, loops."""

from __future__ import annotations

import re
from functools import lru_cache

from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.scopes import SPACE

AFTER_NAME = re.compile(r"\s*(::|<<<|<|\(|\[|\{|\.|->|\*|&&?|>|,|;|=|[A-Za-z_]\w*|.|$)", re.DOTALL)
KEYWORDS_AFTER = frozenset(
    "and or not xor bitand bitor sizeof return if else for while do switch case new delete".split()
)
_STATEMENTS = frozenset("for while do if switch return".split())
_DECLARING = frozenset(
    "const volatile unsigned signed static inline constexpr typename struct class enum union template void bool char"
    " short int long float double auto extern using typedef friend virtual explicit operator namespace decltype"
    " __global__ __device__ __host__ __forceinline__ __inline__ __shared__ __constant__ __launch_bounds__".split()
)
_QUALIFIERS = frozenset(
    "const volatile static extern inline constexpr __shared__ __constant__ __device__ __global__ __managed__".split()
)
_MACRO = re.compile(r"_*[A-Z][A-Z0-9_]+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DECLARATOR = re.compile(r"\s*(?:::\s*\w+\s*)*(?:<[^;(){}]*>)?\s*[*&]*\s*[A-Za-z_]\w*")
_QUALIFIED = re.compile(r"__global__|__device__|__host__|_GLOBAL\b|_KERNEL\b")
_OF_TYPE = r"(?:[ \t]+(?:const|volatile)\b)*[ \t]*[*&]+(?![/=&])|[ \t]+const[ \t]+\w+[ \t]*[=,;)\[]"
_SIZEOF = re.compile(r"\bsizeof[ \t]*\([ \t]*$")
_BEFORE = re.compile(r"([\w*&]+)[ \t]+$")
_NEAR = 200  # characters before a name
_OUTER = frozenset("template namespace typedef using".split())
_DEVICE = frozenset("DEVICE HOST HD FUNC FUNCTION INLINE FORCEINLINE CUDA GPU CALLABLE DECL".split())
_ALIGNS = re.compile(r"(?:^|_)ALIGN(?:AS|ED|MENT)?(?:_|$)")
_STORAGE = {"GLOBAL": "global", "KERNEL": "global", "SHARED": "shared", "CONSTANT": "constant"}


def stands_before(name: str, text: str, at: int, known: Undeclared) -> bool:
    """Whether the unknown name at an offset can only be a macro: before a declaration, a statement or a block."""
    if not _MACRO.fullmatch(name):
        return _loops(name, text, at, known)
    if is_type(name, text):
        return False
    end = at + len(name)
    sign, after = _next(text, end)
    if sign == "(":
        if _loops(name, text, at, known):
            return True
        close = _closing(text, after - 1)
        behind, _ = _next(text, close) if close is not None else ("", 0)
        if behind in _DECLARING or (behind.isidentifier() and behind not in KEYWORDS_AFTER):
            known.add_macro(f"{name}(...)", _attribute(name, text, at))
            return True
        return False
    if sign in _STATEMENTS:
        known.add_macro(name, "")
        return True
    if sign in _DECLARING or (sign.isidentifier() and sign not in KEYWORDS_AFTER and _DECLARATOR.match(text, after)):
        known.add_macro(name, _attribute(name, text, at))
        return True
    return False


def misread(text: str, at: int, known: Undeclared) -> None:
    """Note a macro at an offset, just before it or around it, that was taken for the name of what is declared."""
    start = at
    name = _NAME.match(text, at)
    if name is None or not _MACRO.fullmatch(name.group()):
        before = re.search(r"([A-Za-z_]\w*)\s*(\(\s*)?$", text[max(0, at - 80) : at])
        if before is None:
            return
        start = max(0, at - 80) + before.start()
        name = _NAME.match(text, start)
    if name is None or not _MACRO.fullmatch(name.group()) or is_type(name.group(), text):
        return
    sign, after = _next(text, name.end())
    if sign == "(":
        close = _closing(text, after - 1)
        behind, _ = _next(text, close) if close is not None else ("", 0)
        if behind in _DECLARING or (behind.isidentifier() and behind not in KEYWORDS_AFTER):
            aligns = _ALIGNS.search(name.group()) is not None
            body = "__attribute__((aligned(__VA_ARGS__)))" if aligns else _attribute(name.group(), text, start)
            known.add_macro(f"{name.group()}(...)", body)
    elif sign.isidentifier() and sign not in KEYWORDS_AFTER:
        known.add_macro(name.group(), _attribute(name.group(), text, start))


@lru_cache(maxsize=4096)
def is_type(name: str, text: str) -> bool:
    """Whether the text uses a name as only a type can be used: in `REAL *x`, `REAL const x =` or `sizeof(REAL)`.

    In `float RESTRICT *x` the type stands before it.
    """
    return any(_is_whole(use, name) for use in re.finditer(rf"{name}(?={_OF_TYPE})", text)) or any(
        _SIZEOF.search(text, max(0, use.start() - _NEAR), use.start()) is not None and _is_whole(use, name, alone=True)
        for use in re.finditer(rf"{name}(?=[ \t]*\))", text)
    )


def _is_whole(use: re.Match[str], name: str, alone: bool = False) -> bool:
    """Whether what was found is a whole word behind none but qualifiers, or any word where it stands `alone`."""
    text, start = use.string, use.start()
    if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return False
    before = None if alone else _BEFORE.search(text, max(0, start - _NEAR), start)
    return before is None or before[1] in _QUALIFIERS


def counts(text: str, at: int, known: Undeclared) -> bool:
    """Whether the unknown name at an offset is the counter of a loop macro, as in `LOOP(i, n) {`."""
    before = re.search(r"([A-Za-z_]\w*)\s*\(\s*$", text[max(0, at - 80) : at])
    if before is None or before.group(1) in KEYWORDS_AFTER:
        return False
    return _loops(before.group(1), text, max(0, at - 80) + before.start(), known)


def _loops(name: str, text: str, at: int, known: Undeclared) -> bool:
    """Whether `name(i, n)` at an offset heads a block; it becomes loops whose bounds are not known."""
    sign, after = _next(text, at + len(name))
    close = _closing(text, after - 1) if sign == "(" else None
    if close is None or _next(text, close)[0] != "{":
        return False
    arguments = [part.strip() for part in text[after : close - 1].split(",")]
    if len(arguments) < 2 or not all(_NAME.fullmatch(argument) for argument in arguments[::2]):
        return False
    names = [f"a{position}_" for position in range(len(arguments))]
    number = f"{SPACE}::number"
    loops = [f"for (int {i} = {number}; {i} < {number}; {i} += {number})" for i in names[::2]]
    known.add_macro(f"{name}({', '.join(names)})", " ".join(loops))
    return True


def _attribute(name: str, text: str, at: int) -> str:
    """Return what a macro before a declaration stands for, by its name."""
    words = set(name.split("_"))
    start = max(text.rfind(end, 0, at) for end in ";{}")
    stop = min((offset for end in ";{" if (offset := text.find(end, at)) >= 0), default=len(text))
    around = text[start + 1 : at] + text[at + len(name) : stop]
    inline = " inline" if any(word.endswith("INLINE") and word != "NOINLINE" for word in words) else ""
    if _QUALIFIED.search(around) or _next(text, at + len(name))[0] in _OUTER:
        return inline.strip()
    for word, attribute in _STORAGE.items():
        if word in words:
            return f"__attribute__(({attribute}))"
    if words & _DEVICE and "(" in around:
        return f"__attribute__((host)) __attribute__((device)){inline}"
    return "const" if "CONST" in words else inline.strip()


def _next(text: str, at: int) -> tuple[str, int]:
    """Return what follows an offset, and the offset after it."""
    match = AFTER_NAME.match(text, at)
    return (match.group(1), match.end()) if match is not None else ("", at)


def _closing(text: str, opening: int) -> int | None:
    """Return the offset after the parenthesis that closes the one at an offset; None where none does."""
    depth = 0
    for index in range(opening, min(len(text), opening + 2000)):
        if text[index] == "(":
            depth += 1
        elif text[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
        elif text[index] in ";{":
            return None
    return None
