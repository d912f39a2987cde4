"""Writes the output of the commands in docs/show.md behind them.

python docs/make_show.py
"""

from __future__ import annotations

import io
import os
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

from coalint.cli.main import main as coalint

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "show.md"
_BLOCK = re.compile(r"```console\n\$ coalint (?P<arguments>.*)\n(?s:.*?)```\n")


def filled(page: str) -> str:
    """The page with what each command prints at the repository's root, in 80 columns."""
    before, columns = os.getcwd(), os.environ.get("COLUMNS")
    os.chdir(ROOT)
    os.environ["COLUMNS"] = "80"
    try:
        return _BLOCK.sub(_ran, page)
    finally:
        os.chdir(before)
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns


def _ran(block: re.Match[str]) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        code = coalint([*shlex.split(block["arguments"]), "--color", "never", "--isolated"])
    if code:
        raise ValueError(f"coalint {block['arguments']} ended with {code}")
    text = out.getvalue().replace(" --isolated\n", "\n")  # which a command line that leads on repeats
    return f"```console\n$ coalint {block['arguments']}\n{text}```\n"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
