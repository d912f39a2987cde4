"""Gives accesses with open addresses the strides and conditions that sympy derives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.formulas.formula import Answer, Answers, Exported, KnownAnswers, Requirement, Wanted, exported
from coalint.core.facts.access import Access, Space
from coalint.core.facts.good_if import GoodIf
from coalint.core.facts.suppositions import Supposed, kind_of

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.warps.model import WarpModel

KNOWN = KnownAnswers()
"""What this process has found out, where nothing is stored."""


class OpenAddresses:
    """Asks sympy about the accesses of one kernel, or looks up what it said.

    Args:
        model: The lanes of one block, against which conditions are held.
        answers: Those that are known.
        with_conditions: Whether conditions are asked for too, and not strides alone.
    """

    def __init__(self, model: WarpModel, answers: Answers = KNOWN, *, with_conditions: bool = False) -> None:
        self._model, self._answers, self._with_conditions = model, answers, with_conditions

    def described(self, access: Access, offset: Poly) -> Access:
        """Return an access with what is known of its address as a formula; the same where nothing is open in it."""
        wanted = self._wanted(access)
        if access.strides[0] is not None and wanted is Wanted.NOTHING:
            return access
        if access.stride == "?" or any(atom.supposed for atom in self._model.algebra.atoms_of(offset)):
            return access
        model = self._model
        asked = exported(model.algebra, offset, model.axes, bytes=access.bytes, block=model.block, wanted=wanted)
        if asked is None:
            return access
        answer = self._answer(asked, offset)
        text = model.printer.text(asked.value(answer.strides[0]))
        good_if: tuple[GoodIf, ...] = ()
        if answer.kind is not None:
            words = " and ".join(self._words(asked, requirement) for requirement in answer.requirements)
            good_if = (GoodIf(answer.kind, words),)
        if access.strides[0] is None:
            texts = (text, *access.address.stride_texts[1:])
            access = replace(access, stride=text, address=replace(access.address, stride_texts=texts))
        return replace(access, open=replace(access.open, good_if=good_if))

    def _wanted(self, access: Access) -> Wanted:
        if not self._with_conditions:
            return Wanted.NOTHING
        if access.space is Space.SHARED:
            return Wanted.CONFLICT_FREE if access.strides[0] is None and access.atomic is None else Wanted.NOTHING
        if access.space is not Space.GLOBAL or access.atomic is not None:
            return Wanted.NOTHING
        if access.strides[0] is None:
            return Wanted.COALESCED
        rests = any(kind_of(text) is Supposed.ALIGNMENT for text in access.result.assumed)
        return Wanted.ALIGNED if rests else Wanted.NOTHING

    def _answer(self, asked: Exported, offset: Poly) -> Answer:
        known = self._answers.find(asked.formula)
        if known is None:
            known = self._solved(asked, offset)
            self._answers.keep(asked.formula, known)
        return known

    def _solved(self, asked: Exported, offset: Poly) -> Answer:
        from coalint.analysis.formulas import solving
        from coalint.analysis.formulas.proof import holds

        solution = solving.condition(asked.formula)
        strides = solving.strides(asked.formula)
        if solution is None or not holds(self._model, offset, asked, *solution):
            return Answer(strides)
        return Answer(strides, *solution)

    def _words(self, asked: Exported, requirement: Requirement) -> str:
        """Return a requirement in the names of the source: `pitch` is odd."""
        printer, value = self._model.printer, asked.value(requirement.terms)
        name = next((atom for atom in self._model.algebra.atoms_of(value) if value == generator(atom.index)), None)
        if not requirement.modulus:
            if name is not None:
                return f"`{printer.text(value)}` is {requirement.residue}"
            return f"`{printer.comparison('==', value - requirement.residue)}`"
        if requirement.modulus == 2 and name is not None:
            return f"`{printer.text(value)}` is {'odd' if requirement.residue else 'even'}"
        return f"`{printer.operand(value)} % {requirement.modulus} == {requirement.residue}`"
