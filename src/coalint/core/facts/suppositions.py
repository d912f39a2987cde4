"""Suppositions: what numbers rest on that nothing in the source says, in words and by kind."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Supposed(Enum):
    """What a supposition is about; `GUESSES` has those that may well be wrong.

    `ALIGNMENT`: an unknown offset is a multiple of so many bytes. `GUARD`: which lanes pass a condition. `EDGE`: no
    lane is clamped. `CHOICE`: a condition that is one for the warp holds, or not. `DIVISOR`: an unknown divisor,
    shift or mask is about large numbers. `MULTIPLE`: an unknown number that is divided is a multiple of the
    divisor. `RANGE`: an index does not wrap around. `SAMPLE`: a mean over some iterations and blocks. `ATOMIC`: how
    lanes of an atomic are put together. `TURNS`: lanes of an atomic do not wait for one another. `POINTER`: where a
    pointer leads. `MACRO`: a number in place of a name that nothing declares. `SWITCH`: an option of the build is on
    that the code is compiled only with. `UNROLLING`: the compiler copies the body of a loop, or does not.
    """

    ALIGNMENT = "alignment"
    GUARD = "guards"
    EDGE = "edges"
    CHOICE = "choices"
    DIVISOR = "divisors"
    MULTIPLE = "multiples"
    RANGE = "ranges"
    SAMPLE = "samples"
    ATOMIC = "atomics"
    TURNS = "turns"
    POINTER = "pointers"
    MACRO = "macros"
    SWITCH = "switches"
    UNROLLING = "unrolling"
    OTHER = "others"


class Supposition(str):
    """A supposition in words, with its kind; `opposite` is the text of the one case that it leaves out, if any."""

    kind: Supposed
    opposite: str

    def __new__(cls, text: str, kind: Supposed = Supposed.OTHER, opposite: str = "") -> Supposition:
        """Return the text with the kind."""
        made = super().__new__(cls, text)
        made.kind, made.opposite = kind, opposite
        return made

    def __reduce__(self) -> tuple[type[Supposition], tuple[str, Supposed, str]]:
        """Return what a copy is made of."""
        return Supposition, (str(self), self.kind, self.opposite)


GUESSES = frozenset({Supposed.DIVISOR, Supposed.MACRO})
"""Kinds that a number rests on as on a guess: no warning does."""


def kind_of(text: str) -> Supposed:
    """Return what a supposition is about."""
    return text.kind if isinstance(text, Supposition) else Supposed.OTHER


def without_opposites(texts: Iterable[str]) -> tuple[str, ...]:
    """Return suppositions once each, without those whose opposite is there: what holds either way needs neither."""
    unique = dict.fromkeys(texts)
    return tuple(text for text in unique if not (isinstance(text, Supposition) and text.opposite in unique))


def pairs(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return each supposition with the name of its kind before it."""
    return tuple((kind_of(text).value, str(text)) for text in texts)


def by_kind(texts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the suppositions of `pairs` by the names of their kinds."""
    texts_by_kind: dict[str, list[str]] = {}
    for kind, text in texts:
        texts_by_kind.setdefault(kind, []).append(text)
    return texts_by_kind
