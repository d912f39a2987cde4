"""Inputs near to what people write: fixtures with other tokens, numbers, types or launches, and kernels of several.

Each stays close to valid CUDA, so that it goes through all stages: a splice is whole kernels with what stands before
them, a mutation replaces a few words by others of their kind.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from fuzz_bases import kernels, programs

Mutation = Callable[[random.Random, str], str]

_NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-fA-F]+|\d+)[uUlL]*(?![\w.])")
_PLAIN = "int|float4?|double2?|char|short|long|half2?|uint8_t|size_t"
_TYPE = re.compile(rf"\b(?:unsigned (?:int|char|short|long long)|{_PLAIN})\b")
_LAUNCH = re.compile(r"<<<(.*?)>>>", re.DOTALL)
_NAME = re.compile(r"\b[a-zA-Z_]\w*\b")
_OPERATOR = re.compile(r"(?<=\s)(?:[-+*/%&|^]|<<|>>|<=?|>=?|==|!=|&&|\|\|)(?=\s)")
_AROUND = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 1023, 1024, 1025, 65535, 1 << 20)
_TYPES = (
    *("int", "unsigned int", "long long", "size_t", "float", "double", "char", "unsigned char", "short", "float2"),
    *("float4", "int4", "double2", "half", "bool", "unsigned long long", "void"),
)
_OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||")
_SHAPES = (
    *("1, 32", "4, 256", "1, 1", "64, 1024", "1, 1025", "0, 0", "n, 32", "dim3(4, 4), dim3(16, 16)"),
    *("1, dim3(8, 8, 8)", "dim3(n, n), dim3(32, 33)", "(n + 255) / 256, 256", "1, dim3(1024, 1024)", "1, n"),
    *("1, 32, 48 << 10, 0", "-1, -1", "g, b", "1, warpSize", "1, sizeof(float) * 8", "1 << 31, 1"),
)


def numbers(chance: random.Random) -> str:
    """A fixture with other numbers."""
    return _several(chance, chance.choice(programs()), _number)


def types(chance: random.Random) -> str:
    """A fixture with other types."""
    return _several(chance, chance.choice(programs()), _type)


def launched(chance: random.Random) -> str:
    """A fixture with other launches, or more of them."""
    text = _several(chance, chance.choice(programs()), _launch)
    if chance.random() < 0.3 and (found := re.findall(r"\w+<<<.*?>>>\([^;]*\);", text, re.DOTALL)):
        text += f"\nvoid more(int n, float *a) {{ {' '.join(chance.choices(found, k=chance.choice((1, 5, 50))))} }}\n"
    return text


def operated(chance: random.Random) -> str:
    """A fixture with other operators and exchanged names."""
    return _several(chance, chance.choice(programs()), chance.choice((_operator, _names)))


def spliced_kernels(chance: random.Random) -> str:
    """Kernels of several fixtures in one file, some of them mutated."""
    texts = [chance.choice(programs()) for _ in range(chance.choice((2, 2, 2, 3)))]
    parts = [chance.choice(texts).split("__global__", 1)[0]]
    for text in texts:
        own = kernels(text)
        parts += [chance.choice(own)] if own else []
    whole = "\n".join(parts)
    return _several(chance, whole, chance.choice(_MUTATIONS)) if chance.random() < 0.7 else whole


def statements_moved(chance: random.Random) -> str:
    """A fixture with lines of a kernel of another one in the midst of its own."""
    text, other = chance.choice(programs()).split("\n"), chance.choice(programs()).split("\n")
    at, start = chance.randrange(len(text)), chance.randrange(len(other))
    return "\n".join((*text[:at], *other[start : start + chance.choice((1, 2, 5))], *text[at:]))


def _several(chance: random.Random, text: str, mutation: Mutation) -> str:
    for _ in range(chance.choice((1, 1, 2, 4, 12))):
        text = mutation(chance, text)
    return text


def _replaced(chance: random.Random, text: str, pattern: re.Pattern[str], words: Sequence[str]) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    return text[: at.start()] + chance.choice(words) + text[at.end() :]


def _number(chance: random.Random, text: str) -> str:
    value = chance.choice(_AROUND) + chance.choice((-1, 0, 0, 1))
    words = (str(value), str(-value), f"{value}u", hex(abs(value)), f"{value}ull << {chance.randrange(64)}")
    return _replaced(chance, text, _NUMBER, words)


def _type(chance: random.Random, text: str) -> str:
    return _replaced(chance, text, _TYPE, _TYPES)


def _launch(chance: random.Random, text: str) -> str:
    return _replaced(chance, text, _LAUNCH, [f"<<<{shape}>>>" for shape in _SHAPES])


def _operator(chance: random.Random, text: str) -> str:
    return _replaced(chance, text, _OPERATOR, _OPERATORS)


def _names(chance: random.Random, text: str) -> str:
    names = sorted(set(_NAME.findall(text)))
    return _replaced(chance, text, _NAME, names) if names else text


_MUTATIONS: tuple[Mutation, ...] = (_number, _type, _launch, _operator, _names)


NEAR: tuple[Callable[[random.Random], str], ...] = (
    *(numbers, types, launched, operated, spliced_kernels, statements_moved),
)
