"""The text of a source file."""

from __future__ import annotations

from coalint.core.source.boundary import roots
from coalint.core.source.overlay import text_of
from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.interface import FrontendError


def read_source(path: str) -> str:
    """Return the text of a source file, undecodable bytes replaced. Raises FrontendError where there is none."""
    if (changed := text_of(path)) is not None:
        return changed
    try:
        data = read_bytes(path, FileKind.SOURCE, roots())
    except OSError as error:
        reason = error.strerror or str(error)
        raise FrontendError(
            f"{path}: cannot be read: {reason}", "check that it exists and that you may read it"
        ) from None
    if b"\0" in data[:65536]:
        raise FrontendError(f"{path}: is a binary file", "give CUDA source files, or exclude this one with --exclude")
    return data.decode("utf-8", errors="replace")
