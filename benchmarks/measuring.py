"""The command line of what is measured once on a GPU and committed: where it is written, and what went wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write_measured(
    description: str, name: str, measure: Callable[[str], str], failures: tuple[type[Exception], ...]
) -> int:
    """Measure for the architecture that is asked for and write docs/data/NAME.ARCH.json; returns the exit code."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("output", type=Path, nargs="?", help=f"default: docs/data/{name}.ARCH.json")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    output = options.output or ROOT / "docs" / "data" / f"{name}.{options.arch}.json"
    try:
        text = measure(options.arch)
    except failures as error:
        print(error, file=sys.stderr)
        return 1
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")
    return 0
