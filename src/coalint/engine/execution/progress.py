"""The callback that follows the progress of a run."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called repeatedly with the number of files done and the number of all files."""
