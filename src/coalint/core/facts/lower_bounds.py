"""Why the cost of an atomic may be more than is known: the texts of the suppositions that make it a lower bound."""

from __future__ import annotations

from coalint.core.facts.suppositions import Supposed, Supposition

TOGETHER = Supposition("the lanes of the atomic do not wait for one another (a lower bound)", Supposed.TURNS)


def folded(compiler: str) -> Supposition:
    """Return the supposition that this compiler lets one lane of a warp stand for all that share an address."""
    text = f"{compiler} lets one lane of a warp stand for all, as it may where they share their address (a lower bound)"
    return Supposition(text, Supposed.ATOMIC)
