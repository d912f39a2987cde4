"""coalint: a static access-pattern linter for CUDA source.

    import coalint

    report = coalint.lint("kernels/", arch="sm_90")
    inspection = coalint.inspect("kernels/transpose.cu")

Importing the package loads nothing else; `lint`, `inspect` and what they return are loaded at their first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> object:
        """Look up what the package offers when it is first asked for."""
        if name == "__version__":
            from coalint.core.version import version

            return version()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
