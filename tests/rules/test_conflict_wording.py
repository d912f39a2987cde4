"""Bank conflicts and lanes that meet: the worst request is told apart from the mean, where the two differ."""

from __future__ import annotations

import pytest
from rule_findings import kept, only, shared, text
from synthetic import access, analysis, changed, lanes_of, warps

from coalint.cli.server.hover import Descriptions
from coalint.core.facts.access import Access, Atomic, Memory, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.engine.report import Coverage, Inspected, Inspection
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import as_written

BLOCK = (32, 1, 1)
FLAT = Memory("s", 4, (1024,))
TILE = Memory("tile", 4, (32, 32))


def growing(memory: Memory, step: int, counts: range) -> Access:
    """A load in a loop over a triangle: in each iteration so many lanes, `step` bytes apart."""
    column = shared(lambda x, y, z: step * x, BLOCK, memory)
    rows = [warps(BLOCK, lambda x, y, z, n=n: step * x if x < n else None) for n in counts]  # type: ignore[misc]
    return changed(column, lanes=lanes_of(rows))


def atomic(space: Space, counts: range, service: Service, *, step: int = 0, combined: bool | None = None) -> Access:
    """An atomic of which so many lanes take part in each iteration, `step` bytes apart."""
    called = Atomic("atomicCAS", None, "int", 4, True, True, combined)
    one = access(lambda x, y, z: step * x, block=BLOCK, space=space, op=Operation.ATOMIC, memory=FLAT, atomic=called)
    rows = [warps(BLOCK, lambda x, y, z, n=n: step * x if x < n else None) for n in counts]  # type: ignore[misc]
    return changed(one, lanes=lanes_of(rows), service=service)


ALL, SOME = range(32, 33), range(1, 33)


@pytest.mark.parametrize(
    ("step", "counts", "said"),
    [
        (128, ALL, "has a 32-way bank conflict and takes 32 wavefronts per request (ideal: 1)"),
        (128, SOME, "has up to a 32-way bank conflict and takes 16.5 wavefronts per request on average (ideal: 1)"),
        (32, range(1, 33, 31), "has up to an 8-way bank conflict and takes 4.5 wavefronts per request on average"),
    ],
)
def test_a_conflict_names_the_worst_and_the_mean(step: int, counts: range, said: str) -> None:
    assert said in only(kept(growing(FLAT, step, counts)), "COA202").message


def test_wide_lanes_are_served_in_parts_each_of_which_has_the_conflict() -> None:
    wide = shared(lambda x, y, z: 32 * x, BLOCK, Memory("s", 16, (64,)))
    said = only(kept(wide), "COA202").message
    assert "has a 2-way bank conflict and takes 8 wavefronts per request (ideal: 4)" in said


@pytest.mark.parametrize(("counts", "said"), [(ALL, "banks: a 32-way"), (SOME, "banks: up to a 32-way")])
def test_the_column_of_a_tile_has_its_worst_in_the_reason(counts: range, said: str) -> None:
    assert f"{said} bank conflict" in text(only(kept(growing(TILE, 128, counts)), "COA201"))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (ALL, "all 32 lanes of a warp update the same address, which takes 64 wavefronts per request (ideal: 2)"),
        (SOME, "up to 32 lanes of a warp update the same address, which takes 33 wavefronts per request on average"),
    ],
)
def test_lanes_that_meet_are_the_most_of_any_request(counts: range, said: str) -> None:
    assert said in only(kept(atomic(Space.SHARED, counts, Service.CAS)), "COA109").message


@pytest.mark.parametrize(
    ("counts", "who"), [(ALL, "all 32 lanes"), (range(30, 33), "up to 32 lanes"), (SOME, "up to 32")]
)
def test_lanes_that_meet_in_global_memory(counts: range, who: str) -> None:
    found = kept(atomic(Space.GLOBAL, counts, Service.PLAIN, combined=False))["COA109"]
    assert f", {who}" in found.message


@pytest.mark.parametrize(("counts", "mean"), [(ALL, ""), (SOME, " on average")])
def test_lanes_that_take_turns(counts: range, mean: str) -> None:
    message = only(kept(atomic(Space.SHARED, counts, Service.SERIALIZED, step=128)), "COA202").message
    assert f"wavefronts per request{mean} (ideal: 1)" in message
    assert "makes up to 32 lanes take turns" in message


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (ALL, "takes 32 wavefronts per request (ideal: 1): a 32-way bank conflict (exact)"),
        (SOME, "takes 16.5 wavefronts per request on average (ideal: 1): up to a 32-way bank conflict (exact)"),
        (range(1, 2), "takes 1 wavefront per request (ideal: 1) (exact)"),
    ],
)
def test_an_editor_shows_whole_ways(counts: range, said: str) -> None:
    kernel = analysis(growing(FLAT, 128, counts))
    made = as_written(kernel.accesses[0], architecture("sm_90"))
    inspection = Inspection((Inspected(kernel, (made,)),), Coverage(1, 1, 1, 1), ())
    span = kernel.accesses[0].span
    found = Descriptions(inspection, span.file).at_span(span)
    assert found is not None
    assert said in found.markdown
