"""Why the cost of an atomic may be more than is known: the texts of the suppositions that make it a lower bound."""

from __future__ import annotations

FOLDED = "nvcc lets one lane of a warp stand for all, as it may where they share their address (a lower bound)"
TOGETHER = "the lanes of the atomic do not wait for one another (a lower bound)"
