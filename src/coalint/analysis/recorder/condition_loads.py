"""Loads of a loop's own condition, which lanes of a warp leave in different iterations: `while (flag[k * n + i])`.

The first test is all lanes', the later ones those of the lanes that are still there. A load that finds the same in each
iteration is made once, by all of them: nvcc 13 keeps `first[i + 1]` of `e < first[i + 1]` in a register where nothing
in the loop stores to memory that it may lie in, and loads it again where something does. Counted on an H200
(tests/support/condition_loads.cu).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from coalint.analysis.recorder.elimination.loop_invariant import LoopInvariant
from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.records import record


@record(frozen=True, slots=True)
class _Test:
    """A loop's condition as it is written; `may_change` says that what memory holds may be another's doing after it."""

    loop: ir.Loop
    text: str
    may_change: bool


class ConditionLoads:
    """Notes the accesses of conditions by which lanes of a warp may leave a loop at different times."""

    def __init__(self) -> None:
        self._tests: dict[Hashable, list[tuple[_Test, Occurrence]]] = {}

    def tested(
        self, loop: ir.Loop, text: str, made: Sequence[tuple[Hashable, Occurrence]], *, may_change: bool
    ) -> None:
        """Note what the condition of a loop, as it is written, has made: accesses, with their keys; loads count."""
        test = _Test(loop, text, may_change)
        for key, occurrence in made:
            if occurrence.operation is Operation.LOAD:
                self._tests.setdefault(key, []).append((test, occurrence))

    def supposed(
        self, key: Hashable, lanes: Lanes | None, invariant: Callable[[], LoopInvariant]
    ) -> tuple[Supposition, ...]:
        """Return what the numbers of an access rest on, which these lanes make.

        `invariant` tells what stays the same in loops.
        """
        if key not in self._tests or (lanes is not None and (lanes.active.sum(axis=2) <= 1).all()):
            return ()  # one lane of a warp parts from none
        texts = (
            f"every lane passes `{test.text}`"
            for test, one in self._tests[key]
            if test.may_change
            or not _is_always_tested(test.loop.condition, one.expression)
            or not invariant().is_loaded_once(one, test.loop)
        )
        return tuple(Supposition(text, Supposed.GUARD) for text in dict.fromkeys(texts))


def _is_always_tested(condition: ir.Expression | None, expression: ir.Expression) -> bool:
    """Whether a loop goes on in no iteration without having evaluated a part of its condition.

    Both sides of `&&` are such parts. The right side of `||` is none, nor is what a called function loads.
    """
    pending = [condition] if condition is not None else []
    while pending:
        node = pending.pop()
        if node is expression:
            return True
        if isinstance(node, ir.Conditional) or (isinstance(node, ir.Binary) and node.operator == "||"):
            pending.append(node.condition if isinstance(node, ir.Conditional) else node.left)
        else:
            pending.extend(child for child in ir.children(node) if isinstance(child, ir.Expression))
    return False
