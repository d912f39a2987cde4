"""The kernel that is evaluated: its machine, its text, and the calls and loops around the current statement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.sequences import Sequence
from coalint.analysis.recorder.branch_sides import BranchSides
from coalint.analysis.recorder.told_by_launch import ToldByLaunch
from coalint.analysis.uniformity.divergence import Uniformity
from coalint.analysis.warps.model import WarpModel
from coalint.core import ir
from coalint.core.facts.access import Access
from coalint.core.facts.launch import Specialization
from coalint.core.findings import Note
from coalint.core.ir import texts
from coalint.core.ir.macro_parts import MacroParts
from coalint.core.ir.spelling import Spelling
from coalint.core.records import record
from coalint.core.source import quoting
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


@record(frozen=True, slots=True)
class LoopAround:
    """A loop around the current statement.

    Attributes:
        loop: What is written.
        counter: The number of the iteration, from 0; None where the loop has none.
        trips: The most iterations of any thread; None where that is not known.
        variable: What the variable holds that the loop is named after.
        sequence: By what iterations are counted where `trips` is open.
        most: How many iterations there are at most where `trips` is open, by what bounds their number: 256 of
            `min(256, n)`.
        left_together: Conditions that hold where the whole block has not left the loop in an earlier iteration.
    """

    loop: ir.Loop
    counter: Poly | None
    trips: int | None
    variable: Poly | None
    sequence: Sequence | None = None
    most: int | None = None
    left_together: tuple[Condition, ...] = ()


def _begins(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


class EvaluatedKernel:
    """A kernel at one specialization, or a host function (`specialization` and `model` are None then).

    `sources` maps file names to their lines. `threads` are threadIdx in x, y and z. `loops` are the loops around the
    current statement, outermost first, `decided` the branches around it that the launch has decided, numbered anew each
    time that one is entered.
    `accesses` are those found so far, by what tells them apart.
    """

    def __init__(
        self,
        algebra: Algebra,
        sources: Mapping[str, list[str]],
        specialization: Specialization | None = None,
        model: WarpModel | None = None,
        threads: tuple[Poly, ...] = (),
    ) -> None:
        self.algebra = algebra
        self.sources = sources
        self._texts: dict[int, tuple[Span, str]] = {}  # by the identity of spans: hashing one takes as long
        self.specialization = specialization
        self.model = model
        self.threads = threads
        self.printer = Printer(algebra)
        self.uniformity = Uniformity(algebra, model)
        self.branch_sides = BranchSides()
        self.loops: list[LoopAround] = []
        self.accesses: dict[tuple[object, ...], Access] = {}
        self.volatile: frozenset[Span] = frozenset()
        self._calls: list[tuple[Span | None, bool]] = []
        self.body: ir.Statement | None = None
        self._body: Span | None = None
        self._spelling: Spelling | None = None
        self._macros: MacroParts | None = None
        self._expression_texts: dict[int, tuple[ir.Expression, str]] = {}  # by their identity
        self._names_of_launch = ToldByLaunch(None)
        self.decided: tuple[int, ...] = ()
        self._most_decided = 0

    def in_body(self, body: ir.Statement, spelling: Spelling) -> None:
        """Take the body of the kernel: a macro that makes the whole kernel is the place of all that stands in it."""
        self.body, self._body, self._spelling = body, body.span, spelling
        self._names_of_launch = ToldByLaunch(body)

    def with_macros(self, macros: MacroParts, spelling: Spelling) -> None:
        """Take what tells the expressions that a macro makes beside others."""
        self._macros, self._spelling = macros, spelling

    def written(self, expression: ir.Expression, span: Span) -> str:
        """Return an expression as it is written, or as it reads where a macro makes the whole kernel.

        Empty where a macro tears it apart.
        """
        if self._spelling is not None and self.comes_of_macro(span):
            return texts.text(expression, self._spelling)
        return quoting.written(self.sources, span)

    def comes_of_macro(self, span: Span) -> bool:
        """Whether the place is the use of a macro that makes the whole kernel."""
        return self._body is not None and _begins(span) == _begins(self._body)

    def text_of(self, expression: ir.Expression, function: str) -> str:
        """Return an expression in the function of a key as it is written, on one line.

        What a macro makes beside others, which its use would name alike, is told as it reads.
        """
        known = self._expression_texts.get(id(expression))
        if known is None or known[0] is not expression:
            shown = self._as_part(expression, function) or self.text(expression.span)
            known = self._expression_texts[id(expression)] = expression, shown
        return known[1]

    def _as_part(self, expression: ir.Expression, function: str) -> str:
        """Return how an expression reads that is a part of what a macro makes; empty for all others."""
        if self._macros is None or self._spelling is None or not self._macros.hold(expression, function):
            return ""
        shown = texts.text(expression, self._spelling)
        return "" if texts.OPEN in shown else shown

    def text(self, span: Span) -> str:
        """Return the source text of a span, on one line."""
        known = self._texts.get(id(span))
        if known is None or known[0] is not span:
            known = self._texts[id(span)] = span, quoting.text(self.sources, span)
        return known[1]

    def rests_on_launch(self, expression: ir.Expression) -> bool:
        """Whether an expression at the current statement names what only the launch tells."""
        return self._names_of_launch.names(expression, is_called=bool(self.calls()))

    def decide(self, condition: ir.Expression) -> tuple[int, ...]:
        """Enter the branch that a condition of known value leads to; return the `decided` branches to go back to.

        What the source decides by itself is no branch of the compiled kernel.
        """
        before = self.decided
        if self.model is not None and self.rests_on_launch(condition):
            self._most_decided += 1
            self.decided = (*before, self._most_decided)
        return before

    def is_volatile(self, span: Span) -> bool:
        """Whether what is written at a place is volatile."""
        return span in self.volatile

    def uniform(self, value: Poly) -> bool:
        """Whether all threads of the block hold the same value."""
        return self.uniformity.uniform(value)

    def enter(self, site: Site) -> None:
        """Begin a call."""
        self._calls.append((site.frame.call, site.frame.bundled))

    def leave(self) -> None:
        """End a call."""
        self._calls.pop()

    def push_loop(self, loop: LoopAround) -> None:
        """Begin a loop's body."""
        self.loops.append(loop)

    def in_loop(self) -> bool:
        """Whether a loop is around the current statement."""
        return bool(self.loops)

    def pop_loop(self) -> None:
        """End a loop's body."""
        self.loops.pop()

    def place_of(self, span: Span) -> Span:
        """Return where to report: the place itself, or in coalint's own headers the call that leads there."""
        for call, bundled in reversed(self._calls):
            if not bundled and not span.bundled:
                break
            if call is not None:
                span = call
        return span

    def calls(self) -> tuple[Note, ...]:
        """Return the user's calls that lead to the current statement, outermost first."""
        calls = [call for call, bundled in self._calls if call is not None and not bundled]
        return tuple(Note("called from here", call) for call in calls)
