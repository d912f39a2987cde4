"""Repositories that a benchmark is run over: how they are named, their commits, and the rows kept of them."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def repository_parser(description: str | None, form: str) -> argparse.ArgumentParser:
    """Return a command line of repositories (`form` is how each is written), the file of rows, and processes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", metavar=form, nargs="+")
    parser.add_argument("-o", dest="output", type=Path)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    return parser


def commit_of(folder: str) -> str:
    """Return the commit that a folder has checked out, 12 digits; empty where it is no git checkout."""
    done = subprocess.run(["git", "-C", folder, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip()


def with_row(rows: Iterable[dict[str, Any]], row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows with this one in the place of the one of its name, ordered by name."""
    others = [other for other in rows if other["name"] != row["name"]]
    return sorted([*others, row], key=lambda one: str(one["name"]).lower())
