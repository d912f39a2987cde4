"""`coalint clean`: removes the cache folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.errors import UsageError

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Remove the folder and say how much it held; return the exit code. Raises UsageError."""
    from coalint.engine.execution.cache.cache_folder import clean

    try:
        folder, size = clean(options.settings.cache_dir)
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be removed: {error.strerror}") from error
    print(f"removed {folder} ({size / 1e6:.1f} MB)" if size else f"no cache at {folder}")
    return ExitCode.OK
