"""The folders of a repository that a file lies in."""

from __future__ import annotations

import os

from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in


def folders_around(real: str, boundary: Boundary | None) -> frozenset[str]:
    """Return the names, in small letters, of the folders between a shown folder and a file (a real path) below it."""
    shown = () if boundary is None else boundary.shown
    roots = (root for root in shown if lies_in(real, (root,)) and os.path.isdir(root))
    parts = (part for root in roots for part in os.path.relpath(real, root).split(os.sep)[:-1])
    return frozenset(part.lower() for part in parts)
