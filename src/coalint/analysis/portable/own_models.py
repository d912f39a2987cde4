"""Gives accesses portable models for the block shape that is analysed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.portable.exporter import Exporter, without_open
from coalint.analysis.portable.replay import named_symbols, settled
from coalint.analysis.recorder.service import Manner
from coalint.analysis.warps.assumed_numbers import ROUNDS, lacking, supposed
from coalint.analysis.warps.counters.plan import BANK, LINE, SECTOR
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.quantities import open_names
from coalint.analysis.warps.results import Basis, WarpResult
from coalint.core.facts.access import Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.portable_model import Model, Node, NotPortable

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.conditions import Condition
    from coalint.core.facts.lanes import Lanes


NOTHING_FITS = "no numbers in place of what is not known give the pattern that was found"


TOO_MUCH = "the kernel has too many accesses for that"


FEW = 8  # tries of numbers


MANY = 40


PER_NODE = 2000  # lanes that take as long as a node does by itself


MOST_WORK = 100_000_000  # nodes times lanes of one kernel: some ten seconds


class OwnModels:
    """Models for the block shape that is analysed."""

    def __init__(self, warps: WarpModel, threads: Sequence[Poly]) -> None:
        self.warps = warps
        self.block = warps.block
        self.threads = threads
        self.hints: dict[str, int] = {}
        self.work = 0
        self.exporter = Exporter(warps.algebra, _axes(warps.algebra, "t", threads))

    def of(
        self, offset: Poly, result: WarpResult, manner: Manner, space: Space, other: Poly | None
    ) -> tuple[Model | None, str]:
        """Return the model of an access, or why there is none; neither where its lanes are not known."""
        if result.lanes is None or result.basis is None:
            return None, ""
        try:
            model = self._fitting(offset, result.basis, result.lanes, manner, space, other)
        except NotPortable as reason:
            return None, str(reason)
        self.hints |= named_symbols(model)
        return model, ""

    def supposing(
        self,
        offset: Poly,
        conditions: Sequence[Condition],
        alternative: int,
        lacks: Sequence[str],
        manner: Manner,
        space: Space,
        other: Poly | None,
    ) -> Model | None:
        """Return the model of an access with numbers supposed for what it lacks.

        It gives what an analysis with these numbers gives. None where that does not know the lanes either. Of patterns
        between which a condition chooses it is that of the number `alternative`. A copy has an `other` end.
        """
        algebra = self.warps.algebra
        names = {
            *open_names(algebra, offset, conditions),
            *(open_names(algebra, other, ()) if other is not None else ()),
        }
        given: dict[str, int] = {}
        for _ in range(ROUNDS):
            given |= {name: supposed(space) for name in lacks}
            warps = WarpModel(algebra, self.block, self.threads, {**self.warps.given, **given})
            if other is not None:
                ends = (offset, other) if space is Space.GLOBAL else (other, offset)
                pair = warps.pair(*ends, conditions, by_lines=manner.service is Service.BYPASS)
                if pair is None:
                    return None
                result, end = pair if space is Space.GLOBAL else pair[::-1]
                manner = replace(manner, partner=end.lanes)
                break
            results = warps.lanes(offset, conditions, sectors=space is Space.GLOBAL)
            result = results[min(alternative, len(results) - 1)]
            lacks = [name for name in lacking(algebra, offset, result, names) if name not in given]
            if not lacks:
                break
        if not given.keys() <= names:
            return None  # an expression that holds what is not known by name
        if result.lanes is None or result.basis is None or result.lanes.groups is not None:
            return None
        served, result = manner.of(result, space)
        assert result.lanes is not None
        assert result.basis is not None
        try:
            return self._fitting(offset, result.basis, result.lanes, served, space, other, given)
        except NotPortable:
            return None

    def _fitting(
        self,
        offset: Poly,
        basis: Basis,
        lanes: Lanes,
        manner: Manner,
        space: Space,
        other: Poly | None,
        given: Mapping[str, int] | None = None,
    ) -> Model:
        """Return a model of these lanes, with the numbers that are given. Raises NotPortable."""
        alike = _granularities(space)
        whole, usual = (
            _in_manner(self.exporter.model(offset, basis, other, manner.rows, keep_open=keep), manner, space)
            for keep in (True, False)
        )
        hints = self.hints | {self.warps.algebra.atoms[index].name: number for index, number in basis.numbers}
        candidates = tuple(dict.fromkeys((whole, usual, without_open(usual, basis))))
        for candidate in candidates:
            if self.work > MOST_WORK:
                raise NotPortable(TOO_MUCH)
            self.work += len(candidate.nodes) * (PER_NODE + lanes.offsets.size)
            most = MANY if candidate is candidates[-1] else FEW
            model = settled(candidate, self.block, lanes, manner.partner, alike, hints, most, given)
            if model is not None:
                return model
        raise NotPortable(NOTHING_FITS)


def _granularities(space: Space) -> tuple[int, ...]:
    """Return bytes that lanes may be moved by all together without another cost: whole lines at best."""
    return (LINE, SECTOR) if space is Space.GLOBAL else (LINE, BANK)


def _in_manner(model: Model, manner: Manner, space: Space) -> Model:
    copied = manner.service in (Service.COPY, Service.BYPASS)
    there = manner if copied else manner.in_space(space)
    combined = there.atomic.is_combined if there.atomic is not None else None
    first = bool(combined) and there.service in (Service.PLAIN, Service.SERIALIZED) and not there.least
    return replace(model, service=there.service, folds=bool(there.folds) and combined is None, combined=first)


def _axes(algebra: Algebra, kind: str, values: Sequence[Poly]) -> dict[int, Node]:
    return {
        algebra.atoms_of(value)[0].index: (kind, axis) for axis, value in enumerate(values) if algebra.atoms_of(value)
    }
