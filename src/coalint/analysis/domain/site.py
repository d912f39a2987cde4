"""Where an evaluation stands: what the recorder asks of the interpreter when it notes something down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.domain.frames import Frame
    from coalint.analysis.domain.guards import Guard
    from coalint.analysis.domain.store.store import Store


class Site(Protocol):
    """The statement that is evaluated, with the guards around it.

    `guards` are the conditions of the statement, outermost first. `dry` is above 0 while nothing is recorded. `split`
    says that a pointer chooses between objects lane by lane, so that no access is a whole instruction.
    """

    algebra: Algebra
    store: Store
    frame: Frame
    guards: tuple[Guard, ...]
    dry: int
    split: bool

    def conditions(self) -> list[Condition]:
        """Return the conditions of the guards, outermost first."""
