"""Rewrites that keep what a kernel means keep every access with its line and its numbers."""

from __future__ import annotations

from functools import cache

import pytest
from expectations import FIXTURES
from project import shared_headers
from rewriting.comparison import Original, Tally
from rewriting.edits import Edit, apply
from rewriting.kinds import KINDS

from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

SHARE = (
    "contended-atomic/shared_totals.cu",
    "thread-contiguous-chunk/tails.cu",
    "uncoalesced-global-access/layered_helpers.cu",
)
"""Fixtures: benchmarks/rewrites.py takes all of them, and public repositories."""
SEED = 1


@cache
def original(name: str) -> Original:
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    return Original(Source(str(FIXTURES / name)), job)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_rewrite_keeps_every_access(kind: str) -> None:
    for name in SHARE:
        difference = original(name).held(kind, SEED, Tally())
        assert difference is None, f"{name}: lost {difference.lost}, new {difference.new}\n{difference.sites}"


def test_a_rewrite_that_changes_an_address_is_seen() -> None:
    held = original("uncoalesced-global-access/layered_helpers.cu")
    sites = held.sites("pointers")
    first = sites[0][0]
    wrong = (Edit(first.begin, first.end, first.text.replace(" + (", " + 7 * (")),)
    assert held.difference("wrong", [wrong]) is not None


def test_lines_of_inserted_text_stand_for_their_origin() -> None:
    made = apply("a\nb\nc\n", [(Edit(2, 2, "x\ny\n", origin=3), Edit(4, 5, "C"))])
    assert (made.text, made.lines[1:]) == ("a\nx\ny\nb\nC\n", (1, 2, 3, 2, 3, 4))
