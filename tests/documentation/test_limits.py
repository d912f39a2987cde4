"""The limits that the page states are those of the program."""

from __future__ import annotations

from pathlib import Path

from coalint.analysis.domain.algebra.atom_table import MOST
from coalint.analysis.interpreter.evaluation import MAX_STEPS
from coalint.analysis.launches.host_launches import MAX_HOST_STEPS
from coalint.analysis.launches.selection import MAX_SPECIALIZATIONS
from coalint.analysis.launches.specializations import MAX_OF_TEMPLATE
from coalint.analysis.recorder.instruction_recorder import MAX_ACCESSES
from coalint.engine.check.clock import Clock
from coalint.engine.check.limits import MEGABYTES, SECONDS, Limits

PAGE = Path(__file__).parents[2] / "docs" / "analysed.md"


def test_the_page_states_the_limits_of_the_program() -> None:
    section = " ".join(PAGE.read_text(encoding="utf-8").partition("## Limits")[2].partition("## ")[0].split())
    for text in (
        f"{MAX_STEPS:,} evaluated expressions",
        f"{MOST:,} distinct quantities",
        f"{MAX_ACCESSES:,} accesses",
        f"{MAX_HOST_STEPS:,} expressions",
        f"{MAX_SPECIALIZATIONS} launches of a kernel (and {MAX_OF_TEMPLATE} of all instances",
        f"{SECONDS:g} seconds of processor time",
        f"{MEGABYTES} MB of memory",
    ):
        assert text in section


def test_a_kernel_gets_a_quarter_of_its_files_time() -> None:
    assert Clock(Limits(seconds=400.0)).share == 100.0
