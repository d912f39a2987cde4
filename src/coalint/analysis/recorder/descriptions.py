"""What is said of one instruction: its strides, its words, its model."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.derivations import provenance, suppositions
from coalint.analysis.recorder.atomics import addressed
from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
from coalint.analysis.recorder.hidden_alignment import known_multiple
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.recorder.loop_strides import LoopStrides
from coalint.analysis.recorder.plausible import Fitting, Plausible
from coalint.analysis.recorder.service import Manner
from coalint.analysis.recorder.whole_records import is_moved_whole
from coalint.analysis.warps.assumed_numbers import lacking
from coalint.analysis.warps.borders import Borders
from coalint.analysis.warps.countable import is_countable
from coalint.analysis.warps.neighbours import neighbour_stride
from coalint.analysis.warps.quantities import open_names
from coalint.analysis.warps.results import WarpResult
from coalint.analysis.warps.strides import common, rests_on_own, stride, warp_stride, without_wraps
from coalint.analysis.warps.threads import LANES
from coalint.core.facts.access import Access, Operation, Portable, Space
from coalint.core.facts.address import AddressForm, OpenQuantities
from coalint.core.facts.lanes import Served
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.findings import Note
from coalint.core.records import record
from coalint.core.source import quoting

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site
    from coalint.analysis.portable.own_models import OwnModels
    from coalint.core.facts.portable_model import Model


ONE_SIDE = Supposition("lanes whose pointer points elsewhere are counted separately", Supposed.POINTER)


_WIDE = 32
"""Bits of what addresses are computed with: what has fewer may be meant to wrap around."""


@record(frozen=True, slots=True)
class _Strides:
    """The strides in x, y and z, in bytes: as numbers, None where they are none, and as text."""

    numbers: list[int | None]
    texts: list[str]


@record(frozen=True, slots=True)
class _Words:
    """The expression and the reasons of an access, and what is named in them."""

    expression: str
    provenance: tuple[Note, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        return (self.expression, *(note.source for note in self.provenance))

    @property
    def identifiers(self) -> list[tuple[str, ...]]:
        return [tuple(quoting.identifiers(text)) for text in self.sources]


class Descriptions:
    """Describes the instructions of one kernel."""

    def __init__(self, kernel: EvaluatedKernel) -> None:
        self.kernel = kernel
        self.loops = LoopStrides(kernel)
        self.borders = Borders(kernel.algebra)
        self.models: OwnModels | None = None
        self._plausible = None if kernel.model is None else Plausible(kernel.model)

    def access(self, site: Site, instruction: Instruction, result: WarpResult, alternative: int) -> Access:
        """Return the access that an instruction is with these lanes, the one of this number of its results."""
        kernel, base, offset, space = self.kernel, instruction.base, instruction.offset, instruction.space
        assert kernel.specialization is not None
        atomic = addressed(
            instruction.manner.atomic, kernel.algebra, kernel.specialization, offset, instruction.place.trace
        )
        manner = instruction.manner
        served = given = manner if atomic is manner.atomic else replace(manner, atomic=atomic)
        if result.lanes is not None:
            given, result = given.of(result, space)
        if site.split and result.lanes is not None:
            result = replace(result, exact=False, assumed=(*result.assumed, ONE_SIDE))
        supposed = (*((base.memory.supposed,) if base.memory.supposed else ()), *suppositions(instruction.place.trace))
        if supposed and result.lanes is not None:
            result = replace(result, exact=False, assumed=(*result.assumed, *supposed))
        strides, words = self._strides(offset, instruction.width, result), self._words(instruction)
        offset = self._unwrapped(offset, strides)
        identifiers, shared = words.identifiers, common(kernel.algebra, kernel.printer, offset)
        names, needs = self._open(site, instruction, result)
        guesses = kernel.specialization.guesses_lanes
        fitting = self._fitting(site, instruction, result)
        model, why = self._model(site, instruction, result, served, needs, alternative)
        return Access(
            kernel=kernel.specialization.kernel,
            specialization=kernel.specialization,
            space=space,
            op=instruction.operation,
            bytes=instruction.width,
            expression=words.expression,
            span=kernel.place_of(instruction.expression.span),
            memory=base.memory,
            stride=strides.texts[0],
            strides=(strides.numbers[0], strides.numbers[1], strides.numbers[2]),
            address=AddressForm(
                stride_texts=(strides.texts[0], strides.texts[1], strides.texts[2]),
                offset_bytes=next((c for c, monomial in kernel.algebra.terms(offset) if not monomial), 0),
                steps=instruction.address.steps,
                known_multiple=known_multiple(kernel.algebra, offset) if space is Space.SHARED else 0,
                common=shared.text,
                common_names=shared.names,
                common_steps=shared.steps,
                common_is_chosen=shared.is_chosen,
                common_is_cut=shared.is_cut,
                pointer=next(iter(identifiers[0]), ""),
                names=frozenset(chain.from_iterable(identifiers)),
            ),
            open=OpenQuantities(
                names=names,
                lacking=needs,
                fitting=fitting.numbers,
                fitting_count=fitting.count,
                fitting_whole=fitting.whole,
                dense=self._dense(site, instruction, result),
            ),
            is_volatile=kernel.is_volatile(instruction.expression.span),
            result=replace(
                result.handed_on(),
                exact=result.exact and not guesses,
                aligned_if="" if supposed or site.split or guesses else result.aligned_if,
                border_rows=self.borders.rows(site.conditions()),
            ),
            served=Served(service=given.service, partner=given.partner, since=given.since),
            guard=tuple(guard.condition.text for guard in site.guards),
            branches=kernel.branch_sides.at(site),
            loops=self.loops.of(offset, instruction.expression),
            field=instruction.place.field,
            provenance=words.provenance,
            calls=tuple(note.span for note in kernel.calls() if note.span is not None),
            piece=instruction.piece,
            atomic=given.atomic,
            aggregate=instruction.aggregate,
            is_narrowed=0 < instruction.width == instruction.place.narrowed,
            portable=Portable(model=model, why_not=why),
        )

    def _fitting(self, site: Site, instruction: Instruction, result: WarpResult) -> Fitting:
        """Return plausible numbers for what is open with which a global access would be good, or nearly so."""
        if instruction.space is not Space.GLOBAL or self._plausible is None:
            return Fitting()
        number, pieces = instruction.piece  # which are good together
        first = instruction.offset - (number - 1) * instruction.width
        found = self._plausible.fitting(first, site.conditions(), pieces * instruction.width, result)
        field = instruction.place.field
        if pieces == 1 and field is not None and is_moved_whole(field, instruction.width):
            start = instruction.offset - field.offset
            whole = self._plausible.fitting(start, site.conditions(), field.record_bytes, result)
            found = found if found.numbers and not found.count else replace(whole, whole=True)
        return Fitting() if pieces > 1 and found.count else found

    def _dense(self, site: Site, instruction: Instruction, result: WarpResult) -> tuple[tuple[str, int], ...]:
        """Return the usual number of what lanes are multiples of, where it puts them close together; not of atomics."""
        if (
            instruction.space is not Space.GLOBAL
            or self._plausible is None
            or instruction.operation is Operation.ATOMIC
        ):
            return ()
        array = instruction.base.memory.name
        specialization = self.kernel.specialization
        kernel = "" if specialization is None else specialization.kernel
        return self._plausible.dense(instruction.offset, site.conditions(), result, array, kernel)

    def _strides(self, offset: Poly, width: int, result: WarpResult) -> _Strides:
        kernel = self.kernel
        assert kernel.specialization is not None
        unknown = result.lanes is None and rests_on_own(kernel.algebra, offset)
        strides = tuple(None if unknown else stride(kernel.algebra, offset, thread) for thread in kernel.threads)
        numbers = [None if s is None else kernel.algebra.number(s) for s in strides]
        texts = ["?" if s is None else kernel.printer.text(s) for s in strides]
        in_order = result.lanes is not None and not result.permuted
        if strides[0] is None and in_order:
            numbers[0] = neighbour_stride(result, kernel.specialization.block, width)
            texts[0] = "?" if numbers[0] is None else str(numbers[0])
        if strides[0] is None and numbers[0] is None and not unknown and not kernel.specialization.block[0] % LANES:
            in_warp = warp_stride(kernel.algebra, offset, kernel.threads[0], LANES)
            texts[0] = texts[0] if in_warp is None else kernel.printer.text(in_warp)
        return _Strides(numbers, texts)

    def _unwrapped(self, offset: Poly, strides: _Strides) -> Poly:
        """Return an offset without what wraps around for no active lane: `u - 1` under `u % 2`, of an unsigned u.

        That is so where these lanes are as far apart as those of an index that does not wrap.
        """
        algebra = self.kernel.algebra
        plain = without_wraps(algebra, offset, _WIDE)
        if strides.numbers[0] is None or plain == offset:
            return offset
        apart = stride(algebra, plain, self.kernel.threads[0])
        return offset if apart is None or algebra.number(apart) != strides.numbers[0] else plain

    def _words(self, instruction: Instruction) -> _Words:
        kernel = self.kernel
        span = kernel.place_of(instruction.expression.span)
        expression = kernel.written(instruction.expression, span) or kernel.text(span)
        return _Words(expression, (*provenance(instruction.place.trace), *kernel.calls()))

    def _open(
        self, site: Site, instruction: Instruction, result: WarpResult
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the quantities that the launch gives no number for, and those that the lanes need."""
        algebra, offset, lacks = self.kernel.algebra, instruction.offset, instruction.lacks
        names = open_names(algebra, offset, site.conditions())
        if lacks and instruction.other is not None:
            names = tuple(dict.fromkeys((*names, *open_names(algebra, instruction.other, ()))))
        if not lacks and is_countable(instruction.base, instruction.space, instruction.width):
            return names, lacking(algebra, offset, result, names)
        return names, lacks

    def _model(
        self,
        site: Site,
        instruction: Instruction,
        result: WarpResult,
        served: Manner,
        needs: tuple[str, ...],
        alternative: int,
    ) -> tuple[Model | None, str]:
        """Return what the lanes can be computed from anew, where that is asked for, and why there is no such model."""
        if self.models is None:
            return None, ""
        offset, space, other = instruction.offset, instruction.space, instruction.other
        model, why = self.models.of(offset, result, served, space, other)
        if model is None and needs:
            model = self.models.supposing(offset, site.conditions(), alternative, needs, served, space, other)
        return model, why
