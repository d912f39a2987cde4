"""Walks through what a value is made of look into each part once, however many ways lead to it."""

from __future__ import annotations

import pytest
from compiled_analysis import replaces_what_is_compiled
from symbolic_trees import NAMES, Case, quantities

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.values import Base, Region
from coalint.analysis.recorder.events import SharedAccess
from coalint.analysis.synchronization.trials import Trials
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.single_threads import Threads
from coalint.core.facts.access import Memory, Operation
from coalint.core.source.spans import Span

DEPTH = 40  # 2^40 ways lead to what is innermost
MOST = 4 * DEPTH
"""Values that may be looked into: two for each step, which differ by a factor, and some around them."""


@pytest.fixture
def case() -> Case:
    return quantities(dict.fromkeys(NAMES, 0))


@pytest.fixture
def model(case: Case) -> WarpModel:
    threads = (case.atoms["threadIdx.x"], case.atoms["threadIdx.y"], case.algebra.zero)
    return WarpModel(case.algebra, (32, 8, 1), threads)


def intertwined(case: Case, value: Poly) -> Poly:
    """A value that is made of another in two ways at each of its steps."""
    for _ in range(DEPTH):
        value = case.algebra.operation("^", value, 3 * value + case.atoms["m"])
    return value


def count_steps(monkeypatch: pytest.MonkeyPatch) -> list[Poly]:
    """Note down the values that are looked into, and fail where these are too many."""
    seen: list[Poly] = []
    atoms_of = Algebra.atoms_of

    def counted(algebra: Algebra, value: Poly) -> list[Atom]:
        seen.append(value)
        assert len(seen) <= MOST, "a value is looked into for each way that leads to it"
        return atoms_of(algebra, value)

    monkeypatch.setattr(Algebra, "atoms_of", counted)
    return seen


@replaces_what_is_compiled
def test_what_numbers_are_tried_for_is_found_in_one_walk(
    case: Case, model: WarpModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = intertwined(case, case.atoms["threadIdx.x"] + case.atoms["n"])
    trials = Trials(case.algebra, model, case.algebra.zero, ())
    seen = count_steps(monkeypatch)
    assert {atom.name for atom in trials._open([value])} == {"m", "n"}
    assert seen


@replaces_what_is_compiled
def test_a_place_that_data_lead_to_is_found_in_one_walk(
    case: Case, model: WarpModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = case.algebra.atom(AtomKind.LOAD, "keys[i]", Level.LOADED)
    offsets = [intertwined(case, start) for start in (loaded, case.atoms["n"], loaded + case.atoms["threadIdx.x"])]
    threads = Threads(model)
    for offset, led in zip(offsets, (True, False, False), strict=True):
        with monkeypatch.context() as patched:
            seen = count_steps(patched)
            assert threads.anywhere(_access(offset)) is led
            assert seen


def _access(offset: Poly) -> SharedAccess:
    span = Span("k.cu", 1, 1, 1, 2)
    return SharedAccess(
        base=Base(Region.SHARED, Memory("tile", 4, (256,), span)),
        offset=offset,
        bytes=4,
        operation=Operation.STORE,
        guards=(),
        loops=(),
        span=span,
        text="tile[at]",
        value=None,
        alike=False,
        own=True,
        by_loads=False,
        index=0,
    )
