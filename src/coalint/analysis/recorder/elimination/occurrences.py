"""Instructions as an evaluation comes to them: where they stand, and what they touch."""

from __future__ import annotations

from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.values import Base
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.records import record


@record(frozen=True, slots=True)
class Occurrence:
    """An instruction as it is come to.

    Attributes:
        operation: What it does.
        base: The object that it goes to.
        offset: Bytes from its start.
        width: Bytes of a lane.
        expression: What is written for it.
        loops: The loops around it, outermost first.
        reach: Its guards, and the same loops as they are counted.
        number: Its place in the order of evaluation.
        meetings: How often threads have met before, or may have, or memory may have been changed in ways not followed.
        tables: How often functions have read tables in memory before.
        is_volatile: Whether it is made as it is written.
        decided: The branches around it that the launch has decided, by their numbers.
        branches: The sides of branches that it stands in: a number for each time one is come to.
        is_late: Whether it is a load that may be made later, for fewer threads.
    """

    operation: Operation
    base: Base
    offset: Poly
    width: int
    expression: ir.Expression
    loops: tuple[ir.Loop, ...]
    reach: Reach
    number: int
    meetings: int
    tables: int = 0
    is_volatile: bool = False
    decided: tuple[int, ...] = ()
    branches: tuple[int, ...] = ()
    is_late: bool = False


def is_same(a: Occurrence, b: Occurrence) -> bool:
    """Whether an instruction goes to the very place of another, and nvcc may take what it does there over to that."""
    is_alike = a.base == b.base and a.offset == b.offset and a.width == b.width
    return is_alike and b.operation is not Operation.ATOMIC and not b.is_volatile


def loaded_as_constant(one: Occurrence) -> bool:
    """Whether the source says of a load that nothing changes what is there: `__ldg(p)`, one for several iterations."""
    return isinstance(one.expression, ir.Call) and one.expression.intrinsic is ir.Intrinsic.CACHED_LOAD


def rests_on(algebra: Algebra, value: Poly, counter: Atom) -> bool:
    """Whether a value changes with a counter."""
    return any(atom is counter for atom in algebra.closure(value))
