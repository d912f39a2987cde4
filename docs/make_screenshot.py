"""Draws docs/report.svg, the picture in the README, from a real report: `make_screenshot.py [FILE.cu [RULE...]]`."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.theme import Theme

from coalint.engine.config.settings import Settings
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest
from coalint.reporters.lint.full import print_report
from coalint.reporters.shared.console import STYLES

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "report.svg"
SOURCE = "transpose.cu"
WIDTH = 92


def main(arguments: list[str]) -> None:
    """Lint one file and export what the terminal would show."""
    os.chdir(ROOT if arguments else ROOT / "docs")
    source, rules = (arguments[0], tuple(arguments[1:])) if arguments else (SOURCE, ())
    report = lint(RunRequest(files=[source], settings=Settings(select=rules or None, jobs=1)), load_rules())
    console = Console(
        record=True,
        width=WIDTH,
        file=io.StringIO(),
        theme=Theme(STYLES),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
    )
    console.print(f"$ coalint lint {source}")
    print_report(report, console)
    console.save_svg(str(PICTURE), title="coalint")


if __name__ == "__main__":
    main(sys.argv[1:])
