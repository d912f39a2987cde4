"""What coalint is built from, copied, and environments that borrow its dependencies."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns("dist", "*.egg-info", "__pycache__", ".*_cache")


def checkout(target: Path) -> Path:
    """A copy of what the package is built from, so that builds leave nothing in the tree."""
    for name in ("src", "rules", "packaging"):
        shutil.copytree(ROOT / name, target / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, target / name)
    return target


def link_dependencies(site: Path) -> None:
    """Lend what the environment of the tests holds to another one, though not the coalint that is in it."""
    for outer in (Path(path) for path in sys.path if path.endswith("site-packages")):
        for entry in outer.iterdir():
            if "coalint" not in entry.name and not (site / entry.name).exists():
                (site / entry.name).symlink_to(entry)
