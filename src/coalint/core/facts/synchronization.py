"""Barriers, warp primitives and races of one kernel at one specialization."""

from __future__ import annotations

from enum import Enum
from itertools import takewhile

from coalint.core.facts.access import Operation
from coalint.core.facts.executions import Executions
from coalint.core.facts.launch import Specialization
from coalint.core.findings import Note
from coalint.core.records import record
from coalint.core.source.spans import Edit, Span

_OF_DATA = "the threads that part have read different values from memory"


class Verdict(Enum):
    """What is known of a barrier: every thread of its scope reaches it together, or not."""

    UNIFORM = "uniform"
    DIVERGENT = "divergent"
    AFTER_EXIT = "after-exit"
    UNKNOWN = "unknown"


@record(frozen=True, slots=True)
class Barrier:
    """A barrier or warp primitive and what is known of who reaches it. `scope` is `block` or `warp`.

    `deciding_parameters` are those whose values decide whether threads part before a divergent one; empty where they
    part whatever the parameters are. `settled` is a fact about them with which threads do not part, as
    `// coalint: assume(...)` takes it; `settled_by_warp_size` that it only says that one of them is the number of lanes
    of a warp. `fork` is the place and the text of the branch that parts them. `masked` says
    that the lanes of a mask wait for one another; `unnamed` that what is wrong is a caller that its own mask does not
    name, not a lane that may not come; `skipped` that who does not come has skipped ahead in a loop around it, or left
    that, and so comes to it in a later iteration, or no more; `by_data` that they part only if they have read different
    values from memory; `at_end` that who does not come has nothing left to do in the kernel; `whole_warps` that
    no warp parts. `orders_memory` says that memory accesses do not move over it. `number` is that of a numbered barrier
    of the block, at which whole warps meet wherever in the program they wait for it. It was evaluated after the first
    `accesses_before` accesses of the analysis, inside of the loops at `loops`, outermost first.
    `executions` are how often warps of the launch execute it; None where they are not counted.
    """

    kernel: str
    specialization: Specialization
    function: str
    scope: str
    span: Span
    verdict: Verdict
    because: str
    provenance: tuple[Note, ...] = ()
    deciding_parameters: tuple[str, ...] = ()
    settled: str = ""
    settled_by_warp_size: bool = False
    fork: tuple[Span, str] | None = None
    masked: bool = False
    unnamed: bool = False
    skipped: bool = False
    by_data: bool = False
    at_end: bool = False
    whole_warps: bool = False
    hoisted: tuple[Edit, ...] = ()
    orders_memory: bool = True
    number: int | None = None
    accesses_before: int = 0
    loops: tuple[Span, ...] = ()
    executions: Executions | None = None

    @property
    def assumed(self) -> tuple[str, ...]:
        """The supposition that threads part on, in words, where it is one."""
        return (_OF_DATA,) if self.by_data else ()


@record(frozen=True, slots=True)
class Fence:
    """A fence of memory, for which no thread waits: accesses do not move over it.

    It was evaluated after the first `accesses_before` accesses, inside of the loops at `loops`, as a Barrier is.
    """

    accesses_before: int
    loops: tuple[Span, ...] = ()


@record(frozen=True, slots=True)
class Party:
    """One side of a race: what the thread (threadIdx in x, y, z) does where, and the text of it.

    `calls` are the user's calls that lead there from the kernel, outermost first.
    """

    span: Span
    operation: Operation
    expression: str
    thread: tuple[int, int, int]
    calls: tuple[Span, ...] = ()


@record(frozen=True, slots=True)
class Race:
    """Two threads of a block that touch `element` of shared memory, one of them writing, with no barrier between.

    Each thread comes to `first` first, and to `second` in the same iteration of all loops around both, or in the next
    one of the loop at `loop`. `same_warp` says that all such threads are lanes of one warp. `assumed` lists conditions
    on parameters that were taken to hold. `array` is the name of what the element is part of.
    """

    kernel: str
    specialization: Specialization
    first: Party
    second: Party
    element: str
    same_warp: bool
    loop: Span | None = None
    assumed: tuple[str, ...] = ()
    array: str = ""

    @property
    def span(self) -> Span:
        """Where it is reported: at what needs a barrier before it."""
        return self.second.span

    @property
    def sites(self) -> tuple[Span, Span]:
        """The places of both in one function: the accesses, or the calls that lead to them where these part."""
        first, second = ((*party.calls, party.span) for party in (self.first, self.second))
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first[:-1], second[:-1], strict=False)))
        return first[common], second[common]
