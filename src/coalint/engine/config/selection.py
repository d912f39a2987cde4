"""What a configuration says of rules and files: selections of rules, patterns of paths."""

from __future__ import annotations

from coalint.core.records import record


@record(frozen=True)
class Selection:
    """The rules that one layer, a file or the command line, selects.

    Attributes:
        select: Selectors that replace those of weaker layers; None where the layer has none.
        extend_select: Selectors of rules to add.
        ignore: Selectors of rules whose findings are not reported.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@record(frozen=True)
class Patterns:
    """Patterns in gitignore's syntax.

    Attributes:
        folder: What they are relative to; empty for the working directory.
        lines: The patterns.
    """

    folder: str
    lines: tuple[str, ...]
