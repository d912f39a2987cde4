"""What a rule is, and what it may ask for."""

from __future__ import annotations

import inspect
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from coalint.analysis.access import Access, Analysis, Barrier, LaunchSource, Memory, Race
from coalint.diagnostics import Confidence, Finding, Fix, Note, Severity, Span
from coalint.machine.arch import Architecture
from coalint.machine.padding import Padding, best_padding
from coalint.machine.traffic import Traffic, traffic

if TYPE_CHECKING:
    from coalint.tiles import Tile

_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "frontend", "include", "")


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

    def padding(self, tile: Tile) -> Padding | None:
        """The pitch that serves all accesses of a tile best, computed once for all; None where it is unknown."""
        key = tile.memory, tile.pitch_bytes
        if key not in self._paddings:
            self._paddings[key] = best_padding(tile.accesses, tile.pitch_bytes, tile.element_bytes, self.arch)
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
    ) -> Finding:
        """Build a finding at an access, barrier or race; its confidence follows from how the numbers were reached."""
        return Finding(
            code=self.code,
            name=self.name,
            severity=_tempered(at, severity or self.severity),
            confidence=_confidence(at),
            message=message,
            span=span or at.span,
            kernel=at.kernel,
            notes=tuple(note for note in notes if not _is_bundled(note.span)),
            help=help,
            fix=fix,
        )


def _is_bundled(span: Span | None) -> bool:
    """Whether a place lies in coalint's own headers, which explain nothing to a user."""
    return span is not None and span.file.startswith(_BUNDLED)


def _tempered(at: Access | Barrier | Race, severity: Severity) -> Severity:
    """What rests on template arguments or constants that coalint chose itself is no more than a hint."""
    return Severity.INFO if at.specialization.is_guessed else severity


def _confidence(at: Access | Barrier | Race) -> Confidence:
    if at.specialization.is_guessed:
        return Confidence.LOW
    if at.specialization.source is LaunchSource.ASSUMED and not isinstance(at, Barrier):
        return Confidence.LOW
    if (isinstance(at, Access) and not at.exact) or (isinstance(at, Barrier) and at.hinges):
        return Confidence.MEDIUM
    if isinstance(at, Race) and at.assumed:
        return Confidence.MEDIUM
    return Confidence.HIGH
