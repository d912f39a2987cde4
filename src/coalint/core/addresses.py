"""Where coalint's pages and its repository are: the one place that says so.

`pyproject.toml`, `mkdocs.yml` and the extension of editors repeat these addresses where a tool wants them as text; a
test holds them equal.
"""

from __future__ import annotations

SITE = "https://coalint.github.io/coalint/"
"""The documentation, with a slash at its end."""
OWN_CODES = "COA"
"""How the codes of coalint's own rules begin."""
REPOSITORY = "https://github.com/coalint/coalint"


def page(name: str) -> str:
    """Return the address of a page of docs/, named without its suffix: `configuration`."""
    return f"{SITE}{name}/"


def rule_page(code: str, name: str) -> str:
    """Return the address of the page of one of coalint's own rules; empty for a rule of another pack."""
    return page(f"rules/{code}-{name}") if code.startswith(OWN_CODES) else ""
