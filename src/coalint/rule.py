"""What a rule is, and what it may ask for."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import ClassVar

from coalint.core.addresses import rule_page
from coalint.core.facts.access import Access, Memory
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.causes import Cause, CauseKind
from coalint.core.facts.causes import cause as because
from coalint.core.facts.costs import Cost
from coalint.core.facts.suppositions import GUESSES, kind_of, pairs
from coalint.core.facts.synchronization import Barrier, Race
from coalint.core.findings import Confidence, Finding, Fix, Note, Severity, Subject
from coalint.core.ir.spelling import Spelling
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.machine.architecture import Architecture
from coalint.machine.nvcc.instructions import MachineInstruction, instructions_of
from coalint.machine.padding import Padding, best_padding
from coalint.machine.traffic import Traffic

OWN_PREFIX = "COA9"

Block = tuple[int, int, int]
"""Threads of a block in x, y and z."""


@record(frozen=True)
class Context:
    """One analysed kernel together with the machine that it is judged for.

    `again` analyses the kernel for another block, `exchange` with the names of x and y exchanged in it; they give None
    where it cannot be analysed, and are None where it is not at hand. `sketch` is as `again`, but gives accesses no
    lanes. `constant` is shared by the instances of a template: whether what an access begins at, by its place and text,
    is the same byte for each block. `made` are the machine instructions of the accesses, where these are known already.
    """

    analysis: Analysis
    arch: Architecture
    again: Callable[[Block], Analysis | None] | None = None
    exchange: Callable[[], Analysis | None] | None = None
    constant: dict[tuple[Span, str], bool] = field(default_factory=dict)
    made: tuple[MachineInstruction, ...] | None = None
    sketch: Callable[[Block], Analysis | None] | None = None

    def of(self, analysis: Analysis) -> Context:
        """Return the same for the kernel as it was analysed with another block."""
        return Context(analysis, self.arch, again=self.again, constant=self.constant, sketch=self.sketch)

    @cached_property
    def instructions(self) -> tuple[MachineInstruction, ...]:
        """The machine instruction that each access becomes, with what it costs, in the order of the accesses."""
        if self.made is not None:
            return self.made
        analysis = self.analysis
        alike, compiled = self._starts_alike, analysis.compiled
        return instructions_of(
            analysis.accesses,
            analysis.barriers,
            self.arch,
            alike,
            analysis.fences,
            compiled,
            analysis.slow_paths,
        )

    @property
    def lasting(self) -> Context:
        """The same without the accesses that come to a trap: they are made once at most."""
        return self._without_traps or self

    @cached_property
    def _without_traps(self) -> Context | None:
        """The same without the accesses that come to a trap; None where none does, lest the context hold itself."""
        made = tuple(made for made in self.instructions if not made.written.traps)
        if len(made) == len(self.instructions):
            return None
        return replace(self, analysis=replace(self.analysis, accesses=tuple(one.written for one in made)), made=made)

    @property
    def spelling(self) -> Spelling:
        """How the kernel's language spells what messages name."""
        return self.analysis.spelling

    @cached_property
    def traffics(self) -> tuple[tuple[Access, Traffic | None], ...]:
        """Every access with what the instruction costs that it becomes; None where that is unknown or not counted."""
        return tuple((made.written, made.traffic) for made in self.instructions)

    def _starts_alike(self, access: Access) -> bool:
        """Whether the access begins at the same byte of its array with another block: its offset is a constant."""
        at = _at(access)
        if at not in self.constant:
            x, y, z = access.specialization.block
            sketch = self.sketch or self.again
            other = sketch((x // 2 or 2, y, z)) if sketch is not None else None
            begins = set() if other is None else {(*_at(a), a.address.offset_bytes) for a in other.accesses}
            here: dict[tuple[Span, str], bool] = {}
            for a in self.analysis.accesses:
                here[_at(a)] = here.get(_at(a), True) and (*_at(a), a.address.offset_bytes) in begins
            self.constant.update(here | self.constant)
        return self.constant[at]

    def reshaped(self, block: Block) -> Context | None:
        """Return the same kernel launched with another block shape, analysed when it is first asked for."""
        if block not in self._reshaped:
            analysis = self.again(block) if self.again is not None else None
            self._reshaped[block] = None if analysis is None else self.of(analysis)
        return self._reshaped[block]

    def padding(
        self, memory: Memory, accesses: Sequence[Access], pitch_bytes: int, element_bytes: int
    ) -> Padding | None:
        """Return the row pitch that serves all these accesses of an array best, computed once.

        None where it is unknown.
        """
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
    def by_span(self) -> Mapping[Span, Sequence[MachineInstruction]]:
        """The instructions of the accesses at each place."""
        by_place: dict[Span, list[MachineInstruction]] = {}
        for made in self.instructions:
            by_place.setdefault(made.written.span, []).append(made)
        return by_place


def _at(access: Access) -> tuple[Span, str]:
    return access.span, access.expression


class Rule(ABC):
    """One kind of finding.

    The docstring of a subclass is its documentation, in the sections What it does, Why is this bad, Example, Use
    instead, What the hardware counts. `refines` names rules whose finding at the same place this one replaces. A rule
    that `wants_races` finds them in the analysis, which looks for them for its sake. One of the status `preview` runs
    with `--preview`, and where its own code or name is selected. `url` is the page of a rule that is not coalint's own.
    """

    name: ClassVar[str]
    code: ClassVar[str]
    severity: ClassVar[Severity]
    status: ClassVar[str] = "stable"
    refines: ClassVar[tuple[str, ...]] = ()
    wants_races: ClassVar[bool] = False
    url: ClassVar[str] = ""

    @abstractmethod
    def check(self, context: Context) -> Iterator[Finding]:
        """Yield the findings of one analysed kernel."""

    @classmethod
    def documentation(cls) -> str:
        """Return the rule's documentation page, from its docstring."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def address(cls) -> str:
        """Return the address of the rule's page on the web; empty where it has none."""
        return cls.url or rule_page(cls.code, cls.name)

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
        instruction: MachineInstruction | None = None,
        cost: Cost | None = None,
        cause: Cause | None = None,
        others: Sequence[Access] = (),
    ) -> Finding:
        """Return a finding at an access, barrier or race; its confidence follows from how the numbers were reached.

        `instruction` (or `cost` alone) and `cause` say as data what the message says in words. `others` are accesses
        that it is about too.
        """
        if instruction is not None:
            cost = instruction.cost
        shown = at if instruction is None else instruction.access
        return Finding(
            code=self.code,
            name=self.name,
            severity=_tempered(at, severity or self.severity),
            confidence=_confidence(shown),
            message=message,
            span=span or at.span,
            kernel=at.kernel,
            notes=tuple(note for note in (*_fitting(at), *notes) if note.span is None or not note.span.bundled),
            help=help,
            fix=fix,
            cost=cost,
            cause=_parting(at) if cause is None and isinstance(at, Barrier) else cause,
            subjects=(*_subjects(at), *(subject for access in others for subject in _subjects(access))),
            assumed=tuple(map(str, _assumed(shown))),
            rests_on=(*at.specialization.guesses, *pairs(_assumed(shown))),
            weight=shown.weight if isinstance(shown, Access) else 1.0,
        )


class OwnRule(Rule):
    """A rule of coalint's own, COA9xx, whose findings the engine issues from problems, not from analysed kernels."""

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield nothing: an analysed kernel never gives such a finding."""
        return iter(())

    @classmethod
    def report(
        cls, message: str, span: Span, kernel: str | None, severity: Severity, help: str, fix: Fix | None = None
    ) -> Finding:
        """Return a finding of this rule about a problem at `span`."""
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


def _parting(at: Barrier) -> Cause | None:
    """Return the branch that parts the threads before a barrier; None where there is none, or it is not known."""
    if at.fork is None:
        return None
    place, condition = at.fork
    where = f"{place.file}:{place.line}:{place.column}"
    return because(CauseKind.PARTING, declared=where, condition=condition)


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
                calls=at.calls,
            ),
        )
    return ()


def _tempered(at: Access | Barrier | Race, severity: Severity) -> Severity:
    """Return the severity: a hint where numbers are coalint's own choice or other plausible ones make it good.

    Of an assumed block shape the engine decides.
    """
    may_be_good = isinstance(at, Access) and bool(at.open.fitting)
    return Severity.INFO if _is_guessed(at) or may_be_good else severity


def _fitting(at: Access | Barrier | Race) -> tuple[Note, ...]:
    """Return what makes an access good whose numbers are for a general value."""
    if isinstance(at, Access) and _may_be_tied(at):
        names = ", ".join(f"`{name}`" for name in at.result.symbolic)
        return (Note(f"the launch has other block shapes, too, and may choose them by {names}"),)
    if not isinstance(at, Access) or not at.open.fitting:
        return ()
    count = at.open.fitting_count
    good = "be coalesced" if at.piece[1] == 1 else "leave no gap between its pieces"
    better = f"take {count:.4g} sectors per request" if count else good
    return (Note(f"it would {better} if {_assigned(at)}, which nothing in the kernel rules out"),)


def _assigned(at: Access) -> str:
    return " and ".join(f"`{name}` is {number}" for name, number in at.open.fitting)


def _is_guessed(at: Access | Barrier | Race) -> bool:
    return at.specialization.is_guessed or _may_be_tied(at) or any(kind_of(text) in GUESSES for text in _assumed(at))


def _may_be_tied(at: Access | Barrier | Race) -> bool:
    """Whether an access rests on a quantity by which the launch may have chosen one of several block shapes."""
    return isinstance(at, Access) and at.specialization.one_of and bool(at.result.symbolic)


def _assumed(at: Access | Barrier | Race) -> tuple[str, ...]:
    """Return the suppositions that what is said of it rests on."""
    match at:
        case Access():
            return at.result.assumed
        case Race() | Barrier():
            return at.assumed


def _confidence(at: Access | Barrier | Race) -> Confidence:
    if _is_guessed(at):
        return Confidence.LOW
    if at.specialization.guesses_shape and not isinstance(at, Barrier):
        return Confidence.LOW
    if (isinstance(at, Access) and not at.result.exact) or (isinstance(at, Barrier) and at.deciding_parameters):
        return Confidence.MEDIUM
    if not isinstance(at, Access) and at.assumed:
        return Confidence.MEDIUM
    return Confidence.HIGH
