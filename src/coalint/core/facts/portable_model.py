"""An access as data: the expressions of its addresses and guards, for another program to evaluate."""

from __future__ import annotations

from typing import Any

from coalint.core.facts.lanes import Service
from coalint.core.records import record

Node = tuple[Any, ...]
"""One expression; its operands are the numbers of earlier nodes.

("p", ((coefficient, ((node, exponent), ...)), ...)): a polynomial. ("t", axis): threadIdx in x, y, z; ("b", axis):
blockDim. ("c", uid, name, trips): the number of an iteration or block, from 0. ("s", uid, name, low, high): a number
that is not known. ("o", operator, bits, signed, node, ...): an operation of `arithmetic.OPERATORS`, or `wrap`.
("v", name, row, numbers): a table; ("l", name, row, warps, numbers): one that differs between lanes, row by row of
warps times 32.
"""


class NotPortable(Exception):
    """An address that rests on what is no data; the text says on what."""


@record(frozen=True, slots=True)
class ModelPart:
    """A condition that a lane must pass: a node that is not 0.

    `over` pairs counters (nodes) with the iterations in which, by the words of `conditions.When`.
    """

    node: int
    text: str
    over: tuple[tuple[int, str], ...] = ()


@record(frozen=True, slots=True)
class Model:
    """All that the lanes of an access are computed from.

    `address` is its node: bytes after a base that is aligned to 256 bytes. `other` is that of the other end of an
    asynchronous copy, None elsewhere; its lanes must pass `reading`, too: those that do not fill in zeros. `taken`
    are conditions taken to hold, `choices` nodes of conditions that are taken to be 0 or 1 where they select.
    `values` are the numbers of counters (nodes) over which the mean is taken, a row for each combination, the last
    counter fastest; other counters are 0. `weights` are those of which a number stands for several, with how many each
    one stands for. `symbols` are numbers for what is not known with which the pattern of the
    lanes is the one that the analysis found. The first `lanes` lanes of a warp take part. `free` says that the model
    holds for every block shape, else for that of the specialization alone. `service` is how the lanes are served (see
    `access.Service`); with `folds`, one stands for all where all meet at one address. With `combined` the first
    active lane of a warp acts for all. `supposed` are those of `symbols` (numbers that are not known, and counters)
    without which the analysis knows no lanes: it has these for the numbers given here.
    """

    nodes: tuple[Node, ...]
    address: int
    other: int | None = None
    parts: tuple[ModelPart, ...] = ()
    reading: tuple[ModelPart, ...] = ()
    taken: tuple[str, ...] = ()
    choices: tuple[tuple[int, int], ...] = ()
    values: tuple[tuple[int, tuple[int, ...]], ...] = ()
    weights: tuple[tuple[int, tuple[int, ...]], ...] = ()
    symbols: tuple[tuple[int, int], ...] = ()
    lanes: int = 32
    free: bool = False
    service: Service = Service.PLAIN
    folds: bool = False
    combined: bool = False
    supposed: tuple[int, ...] = ()

    def reach(self, *roots: int) -> set[int]:
        """Return the nodes that these are computed from, themselves included."""
        reached: set[int] = set()
        pending = list(roots)
        while pending:
            number = pending.pop()
            if number not in reached:
                reached.add(number)
                pending.extend(operands(self.nodes[number]))
        return reached

    def of_kind(self, kind: str) -> dict[int, Node]:
        """Return the nodes of a kind by their numbers."""
        return {number: node for number, node in enumerate(self.nodes) if node[0] == kind}


def operands(node: Node) -> tuple[int, ...]:
    """Return the nodes that a node is made of."""
    match node[0]:
        case "p":
            return tuple(inner for _, monomial in node[1] for inner, _ in monomial)
        case "o":
            return node[4:]
        case "v" | "l":
            return (node[2],)
    return ()
