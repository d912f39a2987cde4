"""What a baseline lists: findings that are known, by what they share."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry:
    """`count` findings that are alike. `file` is relative to the list's folder, with forward slashes."""

    file: str
    kernel: str
    code: str
    expression: str
    rule: str
    count: int

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What a finding must share to be one of these."""
        return self.file, self.kernel, self.code, without_spaces(self.expression)


def without_spaces(text: str) -> str:
    """The text as it is compared: however it is laid out."""
    return _SPACE.sub("", text)
