"""Imported by the server of forks alone, the process that starts workers beside threads: what each of them needs.

What fails here, each worker meets again and reports.
"""

from __future__ import annotations

from contextlib import suppress

import coalint.engine.execution.preloaded  # noqa: F401
from coalint.frontend.registry import front_ends

for _front_end in front_ends():
    with suppress(Exception):
        _front_end.prepare((), None)
