"""coalint's version, which a build takes from the tags of the repository."""

from __future__ import annotations

import re
from functools import cache

_PARTS = re.compile(
    r"(?P<release>\d+(?:\.\d+)*)(?:\.?(?P<kind>a|b|rc|dev|post)(?P<number>\d+))?.*?(?:\+(?P<local>.*))?",
)
UNKNOWN = "0+unknown"
"""The version of source that was never installed."""


@cache
def version() -> str:
    """Return the version of the installed package, by PEP 440; UNKNOWN where it is not installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("coalint")
    except PackageNotFoundError:
        return UNKNOWN


def semantic_version(text: str) -> str:
    """Return a PEP 440 version as Semantic Versioning 2.0 writes it: `0.2.dev5+g1a2b` is `0.2.0-dev.5+g1a2b`."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return "0.0.0"
    release = ".".join([*parts["release"].split("."), "0", "0"][:3])
    before = f"-{parts['kind']}.{parts['number']}" if parts["kind"] not in (None, "post") else ""
    local = parts["local"].replace("_", "-") if parts["local"] else ""
    return f"{release}{before}{f'+{local}' if local else ''}"
