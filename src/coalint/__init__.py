"""coalint: a static access-pattern linter for CUDA source.

    import coalint

    report = coalint.lint("kernels/", arch="sm_90")
    inspection = coalint.inspect("kernels/transpose.cu")
    print(coalint.render(report, "markdown"))

Importing the package loads nothing else; what it offers is loaded at its first use.
"""

from __future__ import annotations

__all__ = ["Error", "Inspection", "Report", "Severity", "__version__", "inspect", "lint", "render"]

TYPE_CHECKING = False  # as in typing, which takes a while to load
if TYPE_CHECKING:
    from coalint.api.run import Error, inspect, lint, render
    from coalint.core.findings import Severity
    from coalint.engine.report import Inspection, Report

    __version__: str
else:
    import os

    if os.environ.get("COALINT_PURE"):  # a compiled build runs the sources that it holds, too
        import sys
        from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

        _FINDER = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))

        def _sources(folder: str) -> FileFinder:
            if not folder.startswith(__path__[0]):
                raise ImportError
            return _FINDER(folder)

        sys.path_hooks.insert(0, _sources)

    _PLACES = {
        **dict.fromkeys(("Error", "inspect", "lint", "render"), "coalint.api.run"),
        **dict.fromkeys(("Inspection", "Report"), "coalint.engine.report"),
        "Severity": "coalint.core.findings",
    }

    def __getattr__(name: str) -> object:
        """Look up what the package offers when it is first asked for."""
        if name == "__version__":
            from coalint.core.version import version

            return version()
        if name in _PLACES:
            from importlib import import_module

            return getattr(import_module(_PLACES[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
