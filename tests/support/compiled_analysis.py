"""What the tests leave out where the analysis that they run against is compiled."""

from __future__ import annotations

import pytest

from coalint.engine.execution.cache.versions import is_compiled

replaces_what_is_compiled = pytest.mark.skipif(
    is_compiled(), reason="the analysis is compiled: its functions call each other directly, whatever replaces one"
)
watches_what_is_compiled = pytest.mark.skipif(
    is_compiled(), reason="the analysis is compiled: its objects cannot be referenced weakly"
)
