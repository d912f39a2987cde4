"""`extern __shared__ float s[32];`: a shared object with a size, which nvcc takes for one that is defined there.

It says so (warning 20044: "extern declaration of the entity s is treated as a static definition"); clang refuses it.
Blanks stand for the word, so that nothing moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from coalint.frontend.cuda.libclang.errors import Error

_REFUSED = re.compile(r"__shared__ variable '\w+' cannot be 'extern'")
_EXTERN = re.compile(r"extern(?<!\wextern)(?=\s+__shared__\b(?![^;]*\[\s*\])[^;{}]*;)")


def refused(errors: Iterable[Error]) -> frozenset[str]:
    """Return the files with such objects."""
    files = (error.location.file for error in errors if _REFUSED.match(error.spelling))
    return frozenset(file.name for file in files if file is not None)


def defined(text: str) -> str:
    """Return the text without the word `extern` before such objects."""
    return _EXTERN.sub(lambda match: " " * len(match.group()), text) if "extern" in text else text
