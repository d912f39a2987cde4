"""Kernels as coalint analyses them: types, expressions, statements, functions. Knows no source language.

The classes are made when the first of them is asked for: a run that finds every result in its cache needs none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coalint.core.ir.names import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """Return one of the names of `names`; all of them are attributes from then on."""
        if name.startswith("__"):
            raise AttributeError(name)
        names = import_module("coalint.core.ir.names")
        globals().update({each: getattr(names, each) for each in names.__all__})
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
