"""One entry of a baseline: known findings that are alike."""

from __future__ import annotations

import re

from coalint.core.records import record

_SPACE = re.compile(r"\s+")


@record(frozen=True, slots=True, order=True)
class BaselineEntry:
    """Known findings that are alike.

    Attributes:
        file: The file, relative to the folder of the list, with forward slashes.
        kernel: The kernel; empty where there is none.
        code: The rule's code.
        expression: What the findings are about, in one line.
        rule: The rule's name.
        count: How many findings there are.
    """

    file: str
    kernel: str
    code: str
    expression: str
    rule: str
    count: int

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies the findings of the entry."""
        return self.file, self.kernel, self.code, without_spaces(self.expression)


def without_spaces(text: str) -> str:
    """Return the text without white space, as it is compared."""
    return _SPACE.sub("", text)
