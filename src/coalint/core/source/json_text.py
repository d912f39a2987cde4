"""Reads JSON that a repository brings: a value of two characters may take seventy bytes of memory."""

from __future__ import annotations

import json
from typing import Any

MOST_VALUES = 10_000_000
"""Values of one text that are read; they take less than 1 GB. A compile database of 256 MB has about as many words."""


def parse_json(text: str) -> Any:
    """Return what a text says. Raises ValueError for what is not JSON, and for more than is read."""
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        raise ValueError(f"it has more than {MOST_VALUES:,} values")
    return json.loads(text)
