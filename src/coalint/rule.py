"""What a rule is, and what it may ask for."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from coalint.core.facts.access import Access, Memory
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.causes import Cause
from coalint.core.facts.costs import Cost
from coalint.core.facts.launch import LaunchSource
from coalint.core.facts.suppositions import GUESSES, kind_of, pairs
from coalint.core.facts.synchronization import Barrier, Race
from coalint.core.findings import Confidence, Finding, Fix, Note, Severity, Subject
from coalint.core.ir.spelling import Spelling
from coalint.core.source.spans import Span
from coalint.machine.architecture import Architecture
from coalint.machine.padding import Padding, best_padding
from coalint.machine.traffic import Traffic, traffic

OWN_PREFIX = "COA9"

Block = tuple[int, int, int]
"""Threads of a block in x, y and z."""


@dataclass(frozen=True)
class Context:
    """One analysed kernel together with the machine that it is judged for.

    `again` analyses the kernel for another block, `exchange` with the names of x and y exchanged in it; they give None
    where it cannot be analysed, and are None where it is not at hand. `constant` is shared by the instances of a
    template: whether what an access begins at, by its place and text, is the same byte for each block.
    """

    analysis: Analysis
    arch: Architecture
    again: Callable[[Block], Analysis | None] | None = None
    exchange: Callable[[], Analysis | None] | None = None
    constant: dict[tuple[Span, str], bool] = field(default_factory=dict)

    @property
    def spelling(self) -> Spelling:
        """How the kernel's language spells what messages name."""
        return self.analysis.spelling

    @cached_property
    def traffics(self) -> tuple[tuple[Access, Traffic | None], ...]:
        """Every access with what it costs; None where that is unknown or not counted."""
        return tuple((access, traffic(access, self.arch)) for access in self.analysis.accesses)

    def reshaped(self, block: Block) -> Context | None:
        """The same kernel launched with another block shape, analysed when it is first asked for."""
        if block not in self._reshaped:
            analysis = self.again(block) if self.again is not None else None
            self._reshaped[block] = None if analysis is None else Context(analysis, self.arch)
        return self._reshaped[block]

    def padding(
        self, memory: Memory, accesses: Sequence[Access], pitch_bytes: int, element_bytes: int
    ) -> Padding | None:
        """The row pitch that serves all these accesses of an array best, computed once; None where it is unknown."""
        key = memory, pitch_bytes
        if key not in self._paddings:
            self._paddings[key] = best_padding(accesses, pitch_bytes, element_bytes, self.arch)
        return self._paddings[key]

    @cached_property
    def _paddings(self) -> dict[tuple[Memory, int], Padding | None]:
        return {}

    @cached_property
    def exchanged(self) -> Context | None:
        """The same launch of the kernel as if it said x for y and y for x, analysed when it is first asked for."""
        analysis = self.exchange() if self.exchange is not None else None
        return None if analysis is None else Context(analysis, self.arch)

    @cached_property
    def _reshaped(self) -> dict[Block, Context | None]:
        return {}

    @cached_property
    def by_span(self) -> Mapping[Span, Sequence[tuple[Access, Traffic | None]]]:
        """The accesses at each place, with what they cost."""
        found: dict[Span, list[tuple[Access, Traffic | None]]] = {}
        for access, cost in self.traffics:
            found.setdefault(access.span, []).append((access, cost))
        return found

    @cached_property
    def alike(self) -> Mapping[tuple[object, ...], Sequence[Access]]:
        """The accesses by `likeness`: those that may be one instruction after all."""
        found: dict[tuple[object, ...], list[Access]] = {}
        for access in self.analysis.accesses:
            found.setdefault(likeness(access), []).append(access)
        return found


def likeness(access: Access) -> tuple[object, ...]:
    """What two accesses must share for the compiler to be able to join them."""
    return access.space, access.op, access.bytes, access.memory, access.guard, access.common


class Rule(ABC):
    """One kind of finding.

    The docstring of a subclass is its documentation, in the sections What it does, Why is this bad, Example, Use
    instead, What the hardware counts. `refines` names rules whose finding at the same place this one replaces. A rule
    that `wants_races` finds them in the analysis, which looks for them for its sake. One of the status `preview` runs
    with `--preview`, and where its own code or name is selected.
    """

    name: ClassVar[str]
    code: ClassVar[str]
    severity: ClassVar[Severity]
    status: ClassVar[str] = "stable"
    refines: ClassVar[tuple[str, ...]] = ()
    wants_races: ClassVar[bool] = False

    @abstractmethod
    def check(self, context: Context) -> Iterator[Finding]:
        """Yield the findings of one analysed kernel."""

    @classmethod
    def documentation(cls) -> str:
        """The rule's documentation page, from its docstring."""
        return inspect.cleandoc(cls.__doc__ or "")

    def finding(
        self,
        at: Access | Barrier | Race,
        message: str,
        *,
        help: str,
        notes: tuple[Note, ...] = (),
        fix: Fix | None = None,
        severity: Severity | None = None,
        span: Span | None = None,
        cost: Cost | None = None,
        cause: Cause | None = None,
        others: Sequence[Access] = (),
    ) -> Finding:
        """Return a finding at an access, barrier or race; its confidence follows from how the numbers were reached.

        `cost` and `cause` say as data what the message says in words; `others` are accesses that it is about too.
        """
        return Finding(
            code=self.code,
            name=self.name,
            severity=_tempered(at, severity or self.severity),
            confidence=_confidence(at),
            message=message,
            span=span or at.span,
            kernel=at.kernel,
            notes=tuple(note for note in notes if note.span is None or not note.span.bundled),
            help=help,
            fix=fix,
            cost=cost,
            cause=cause,
            subjects=(*_subjects(at), *(subject for access in others for subject in _subjects(access))),
            assumed=() if isinstance(at, Barrier) else tuple(map(str, at.assumed)),
            rests_on=(*at.specialization.guesses, *(() if isinstance(at, Barrier) else pairs(at.assumed))),
        )


class OwnRule(Rule):
    """A rule of coalint's own, COA9xx, whose findings the engine issues from problems, not from analysed kernels."""

    def check(self, context: Context) -> Iterator[Finding]:
        """Nothing: an analysed kernel never gives such a finding."""
        return iter(())

    @classmethod
    def report(
        cls, message: str, span: Span, kernel: str | None, severity: Severity, help: str, fix: Fix | None = None
    ) -> Finding:
        """A finding of this rule about a problem at `span`."""
        return Finding(
            code=cls.code,
            name=cls.name,
            severity=severity,
            confidence=Confidence.HIGH,
            message=message,
            span=span,
            kernel=kernel,
            help=help,
            fix=fix,
        )


def is_own(code: str) -> bool:
    """Whether a code is one of coalint's own rules: COA9xx."""
    return code.startswith(OWN_PREFIX)


def _subjects(at: Access | Barrier | Race) -> tuple[Subject, ...]:
    if isinstance(at, Access):
        return (
            Subject(
                operation=at.op,
                space=at.space,
                expression=at.expression,
                array="" if at.memory is None else at.memory.name,
                bytes=at.bytes,
                strides=at.strides,
                span=at.span,
            ),
        )
    return ()


def _tempered(at: Access | Barrier | Race, severity: Severity) -> Severity:
    """What rests on numbers that coalint chose itself is no more than a hint; of a block shape the engine decides."""
    return Severity.INFO if _is_guessed(at) else severity


def _is_guessed(at: Access | Barrier | Race) -> bool:
    supposed = () if isinstance(at, Barrier) else at.assumed
    return at.specialization.is_guessed or any(kind_of(text) in GUESSES for text in supposed)


def _confidence(at: Access | Barrier | Race) -> Confidence:
    if _is_guessed(at):
        return Confidence.LOW
    if at.specialization.source is LaunchSource.ASSUMED and not isinstance(at, Barrier):
        return Confidence.LOW
    if (isinstance(at, Access) and not at.exact) or (isinstance(at, Barrier) and at.hinges):
        return Confidence.MEDIUM
    if isinstance(at, Race) and at.assumed:
        return Confidence.MEDIUM
    return Confidence.HIGH
