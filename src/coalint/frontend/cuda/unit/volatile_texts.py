"""What texts say of `volatile`, before or without a look at each type."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.libclang.inclusions import contents, inclusions
from coalint.frontend.cuda.libclang.locations import is_bundled

_WORD = "volatile"
_ASSEMBLY = re.compile(  # the word that it begins with is what is searched for
    r"asm(?:(?<=\basm)|(?<=\b__asm))(?:__)?\b[\s\\]*(?:__)?volatile(?:__)?\b"
)
_CLOBBER = '"memory"'


def may_be_volatile(unit: TranslationUnit, text: str) -> bool:
    """Whether the word stands in a unit's text or in a user's header of it."""
    if _WORD in text:
        return True
    headers = {handle for name, handle in inclusions(unit) if not is_bundled(name)}
    return any(_WORD.encode() in contents(unit, handle) for handle in headers)


def has_volatile_assembly(texts: Iterable[str]) -> bool:
    """Whether there is assembly that the compiler keeps in its place, or that may change any memory."""
    return any(_CLOBBER in text or _ASSEMBLY.search(text) is not None for text in texts)
