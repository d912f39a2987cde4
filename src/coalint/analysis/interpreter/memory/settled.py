"""Uses of shared variables that nothing changes any more: after a barrier each is one number for the whole block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coalint.core import ir


class Settled:
    """The uses of such variables, as nodes of the kernel's code."""

    def __init__(self, uses: Iterable[ir.Name] = ()) -> None:
        self._uses = {id(use): use for use in uses}
        self._inside: dict[int, Sequence[ir.Name]] = {}

    def holds(self, e: ir.Expression | None) -> bool:
        """Whether an expression is such a use."""
        return id(e) in self._uses

    def inside(self, loop: ir.Loop) -> Sequence[ir.Name]:
        """Return one use of each variable that a loop reads."""
        if not self._uses:
            return ()
        if id(loop) not in self._inside:
            uses = {one.variable.key: one for one in ir.nodes(loop) if isinstance(one, ir.Name) and self.holds(one)}
            self._inside[id(loop)] = list(uses.values())
        return self._inside[id(loop)]
