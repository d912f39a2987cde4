"""Sources that declare `half` or `__half` themselves: nvcc knows these names from cuda_fp16.h alone."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.repair.repaired_file import RepairedFile, written

WITHOUT_HALF = "-DCOALINT_OWN_HALF"
"""Has the forced header use other names for its own."""
_TAKEN = re.compile(
    r"(?:(?:typedef )?redefinition|redeclaration|reference to|conflicting types|differ only in|definition of type)"
    r".*'(?:__|__nv_)?(?:half2?(?:_raw)?|float2half(?:_rn)?|half2float)'"
)
_HEADER = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cuda_fp16\.h", re.MULTILINE)


def with_own_half(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file parsed without the toolkit's half, where it has its own; `unit` where it does not."""
    if not any(map(_is_taken, written(unit))) or any(map(_HEADER.search, file.read_by(unit))):
        return unit
    file.flags = (*file.flags, WITHOUT_HALF)
    return file.unit()


def _is_taken(error: Any) -> bool:
    return _TAKEN.search(error.spelling) is not None
