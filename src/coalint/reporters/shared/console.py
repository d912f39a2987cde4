"""The console that reports are printed on: colours, width, wrapped paragraphs."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from functools import cached_property
from typing import IO, Any, NoReturn

from rich.console import Console
from rich.style import Style
from rich.text import Text
from rich.theme import Theme

from coalint.core.findings import Severity
from coalint.reporters.shared.escape_controls import escape_controls

WIDEST = 110
NARROWEST = 40
UNBOUNDED = 1_000_000
"""The width of what is no terminal: text in a pipe or file is not wrapped."""

_CODE = re.compile("`[^`]*`")
_HARD_SPACE = "\N{NO-BREAK SPACE}"

STYLES = {
    "coalint.error": "bold red",
    "coalint.warning": "bold yellow",
    "coalint.info": "bold cyan",
    "coalint.title": "bold",
    "coalint.place": "blue",
    "coalint.gutter": "blue",
    "coalint.note": "bold green",
    "coalint.help": "bold magenta",
    "coalint.quiet": "dim",
}


class _Console(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        """Print without control characters: text from sources and paths cannot control the terminal."""
        shown = [_without_controls(part) for part in objects]
        text = shown[0] if len(shown) == 1 and not options else None
        plain = text.plain if isinstance(text, Text) else text
        if self._is_plain and isinstance(plain, str) and "\t" not in plain:
            self.file.write(f"{plain}\n")  # the same as rich writes, in a tenth of the time
        else:
            super().print(*shown, **options)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether neither styles nor widths change what is written."""
        return self.color_system is None and self.soft_wrap and not self.record

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError, which the command line handles; rich would exit with a code of its own."""
        self.quiet = True
        raise BrokenPipeError


def _without_controls(shown: object) -> object:
    if isinstance(shown, Text):
        shown.plain = escape_controls(shown.plain)  # of equal length, so that styles keep their places
    return escape_controls(shown) if isinstance(shown, str) else shown


def console(color: str, file: IO[str] | None = None) -> Console:
    """Return a console on stdout or a file.

    `color` is `auto`, `always` or `never`; `auto` depends on NO_COLOR and on whether stdout is a terminal.
    """
    never = color == "never" or (color == "auto" and bool(os.environ.get("NO_COLOR")))
    return _Console(
        file=file or sys.stdout,
        theme=Theme(STYLES),
        force_terminal={"always": True, "never": False}.get(color),
        color_system=None if never else "standard" if color == "always" else "auto",
        no_color=never,
        width=_width(file or sys.stdout),
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )


def style_of(severity: Severity) -> str:
    """Return the style in which a severity is printed."""
    return f"coalint.{severity.label}"


def linked(style: str, address: str) -> Style | str:
    """Return a style of STYLES whose text is a link in terminals that know such (OSC 8); without address, the style."""
    return Style.parse(STYLES[style]) + Style(link=address) if address else style


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return the lines of a paragraph of `width` cells; words and short pieces of code are not broken.

    `first` stands before the first line, `rest` before the others.
    """
    text = _CODE.sub(lambda code: code[0].replace(" ", _HARD_SPACE) if len(code[0]) <= width // 2 else code[0], text)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_HARD_SPACE, " ") for line in lines] or [first]


def _width(file: IO[str]) -> int:
    """Return the width of the terminal, within bounds; that of COLUMNS where it is set, without bound elsewhere."""
    if not os.environ.get("COLUMNS", "").isdecimal() and not file.isatty():
        return UNBOUNDED
    return min(WIDEST, max(NARROWEST, shutil.get_terminal_size((80, 24)).columns))
