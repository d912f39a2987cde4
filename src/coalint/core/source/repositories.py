"""Which repository a folder belongs to."""

from __future__ import annotations

import os


def repository_of(folder: str) -> str:
    """Return the nearest folder from `folder` upward that git knows, else the folder itself, as a real path."""
    home = os.path.realpath(folder)
    current = home
    while not os.path.exists(os.path.join(current, ".git")):
        above = os.path.dirname(current)
        if above == current:
            return home
        current = above
    return current
