"""`coalint server`: serves an editor by the Language Server Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.setup.errors import UsageError

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Serve until the editor ends it; return the exit code. Raises UsageError where pygls is not installed."""
    try:
        from coalint.cli.server.protocol import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(f"{error.name} is not installed; `pip install 'coalint[lsp]'` brings what it needs") from error
    return serve()
