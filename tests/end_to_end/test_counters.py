"""What a GPU counted of every fixture, held against what coalint predicts: every memory instruction of every launch."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from amounts import first
from analysed import analysed
from expectations import (
    FIXTURES,
    ExpectationError,
    LineExpectation,
    SassReveal,
    fixture_files,
    numba_fixture_files,
    parse_expectations,
    read_expectations,
)

from coalint.core.facts.access import Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.agreement import is_close
from coalint.engine.verification.comparison.compare import compare
from coalint.engine.verification.comparison.launches import matching_analyses
from coalint.engine.verification.comparison.places import has_source_lines
from coalint.engine.verification.comparison.records import ComparedLaunch, Comparison, Outcome
from coalint.engine.verification.counters import Instruction, Launch
from coalint.engine.verification.measured import (
    Measured,
    MeasuredError,
    counters_path,
    dumped,
    load_measured,
    source_hash,
)
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import as_written

ARCHITECTURE = "sm_90"
ALL = [*fixture_files(), *numba_fixture_files()]
MEASURED = [file for file in ALL if counters_path(file, ARCHITECTURE).exists()]
MEASURE = "measure again: PYTHONPATH=src python benchmarks/measure_counters.py fixtures"


def named(file: Path) -> str:
    return str(file.relative_to(FIXTURES))


@pytest.fixture(params=MEASURED, ids=named)
def fixture_file(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


@cache
def counters(file: Path) -> Measured:
    measured = load_measured(counters_path(file, ARCHITECTURE))
    if measured.sha256 != source_hash(file):
        pytest.fail(f"{named(file)}: its counters are stale, the source changed: {MEASURE}")
    return measured


@cache
def predictions(file: Path) -> list[Inspected]:
    return [
        Inspected(kernel.analysis, kernel.instructions)
        for kernel in analysed(file).checked
        if kernel.analysis is not None
    ]


@cache
def compared(file: Path) -> tuple[ComparedLaunch, ...]:
    return compare(counters(file).launches, predictions(file))


def compared_as_written(file: Path) -> tuple[ComparedLaunch, ...]:
    """The same for the accesses as the source has them, each as an instruction of its own."""
    arch = architecture(ARCHITECTURE)
    alone = [
        replace(item, instructions=tuple(as_written(a, arch, n) for n, a in enumerate(item.analysis.accesses)))
        for item in predictions(file)
    ]
    return compare(counters(file).launches, alone)


def test_every_fixture_has_counters() -> None:
    missing = [named(file) for file in ALL if file not in MEASURED]
    assert not missing, f"no counters beside {', '.join(missing)}; {MEASURE}"


def test_no_counters_lie_about_without_their_source() -> None:
    beside = {counters_path(file, ARCHITECTURE) for file in MEASURED}
    assert set(FIXTURES.glob("*/*.json")) == beside


def test_every_instruction_costs_what_is_predicted(fixture_file: Path) -> None:
    expectations = {line.line: line for line in read_expectations(fixture_file)}
    needed: set[SassReveal] = set()
    wrong = []
    for launch in compared(fixture_file):
        assert launch.analysis is not None, f"{fixture_file}: {launch.launch.kernel} was not analysed"
        for comparison in launch.comparisons:
            if comparison.outcome in (Outcome.EQUAL, Outcome.UNKNOWN):
                continue
            said = _said(comparison, expectations)
            if not said or not _holds(said, comparison):
                wrong.append(_spell(fixture_file, launch.launch, comparison))
    for launch in compared_as_written(fixture_file):
        for comparison in launch.comparisons:
            if comparison.outcome not in (Outcome.EQUAL, Outcome.UNKNOWN):
                needed.update(_said(comparison, expectations))
            else:
                needed.update(_left_out(comparison, expectations))
    idle = [
        f"{fixture_file}:{line.line}: the `sass` comment ({sass.op.value}) changes nothing"
        for line in expectations.values()
        for sass in line.sass
        if sass not in needed
    ]
    assert not wrong + idle, "\n".join(wrong + idle)


def test_what_nvcc_merges_is_predicted() -> None:
    """The instructions that a `sass` comment of joined_rows.cu tells of are those that are predicted."""
    file = FIXTURES / "shared-bank-conflict/joined_rows.cu"
    expectations = {line.line: line for line in read_expectations(file)}
    merged = {
        (comparison.line, comparison.bytes)
        for launch in compared(file)
        for comparison in launch.comparisons
        if comparison.outcome is Outcome.EQUAL and _said(comparison, expectations)
    }
    assert merged == {(14, 16), (45, 8), (48, 8), (82, 16)}


def _said(comparison: Comparison, expectations: dict[int, LineExpectation]) -> list[SassReveal]:
    """What `sass` comments say of the accesses of this kind at this line."""
    line = expectations.get(comparison.line or 0)
    kind = (comparison.space.value, comparison.operation.value)
    return [sass for sass in (line.sass if line else ()) if (sass.space.value, sass.op.value) == kind]


def _left_out(comparison: Comparison, expectations: dict[int, LineExpectation]) -> list[SassReveal]:
    """The `sass` comments that tell how few of the source's equal pieces are left, as counted."""
    said = _said(comparison, expectations)
    written = expectations[comparison.line].accesses if said and comparison.line else ()
    pieces = sum(a.pieces for a in written if (a.space, a.op) == (said[0].space, said[0].op)) if said else 0
    ran = sum(1 for i in comparison.instructions if i.threads)
    return [sass for sass in said if sass.pieces == ran < pieces]


def _holds(said: list[SassReveal], comparison: Comparison) -> bool:
    """Whether the instructions are what the comments say: the same widths, and for each width the mean cost."""
    wanted = {sass.width: sass.counted for sass in said if sass.counted is not None}
    found: dict[int, float] = {}
    for width in {i.bytes for i in comparison.instructions if i.threads}:
        ran = [i for i in comparison.instructions if i.threads and i.bytes == width]
        found[width] = sum(i.cost for i in ran) / sum(i.executed for i in ran)
    return wanted.keys() == found.keys() and all(is_close(wanted[width], found[width]) for width in wanted)


def _spell(file: Path, launch: Launch, c: Comparison) -> str:
    instructions = ", ".join(sorted({f"{'@' if i.guarded else ''}{i.opcode}" for i in c.instructions}))
    return (
        f"{file}:{c.line}: {c.space.value} {c.operation.value} in {launch.kernel}: predicted {c.predicted}, "
        f"counted {c.counted} ({instructions}): {c.reason}"
    )


def test_every_launch_was_measured(fixture_file: Path) -> None:
    """No kernel passes because nothing ran: each analysis belongs to a launch of the same block shape.

    A kernel that faults (COA402) would end the others with it, and is not launched. A launch with conditional
    arguments (`argc > 1 ? atoi(argv[1]) : 512`) is analysed with each, and was measured with one.
    """
    launches = counters(fixture_file).launches
    met = {
        _launch(item.analysis) for launch in launches for item in matching_analyses(launch, predictions(fixture_file))
    }
    faults = [line.line for line in read_expectations(fixture_file) if "COA402" in line.codes]
    missed = [
        item.analysis
        for item in predictions(fixture_file)
        if _launch(item.analysis) not in met
        and not any(item.analysis.span.line <= line <= item.analysis.span.end_line for line in faults)
    ]
    assert not [f"{analysis.kernel}: {analysis.specialization.basis}" for analysis in missed]
    blocks = {item.analysis.specialization.block for item in predictions(fixture_file)}
    assert {launch.block for launch in launches} <= blocks


def _launch(analysis: Analysis) -> tuple[object, ...]:
    """The kernel's instance and the place and block shape of its launch."""
    given = analysis.specialization
    return analysis.span, given.template_arguments, given.line, given.block


def test_files_of_counters_are_written_as_they_were_read(fixture_file: Path) -> None:
    path = counters_path(fixture_file, ARCHITECTURE)
    assert dumped(load_measured(path)) == path.read_text(encoding="utf-8")


def test_counters_say_where_they_come_from(fixture_file: Path) -> None:
    measured = counters(fixture_file)
    assert measured.source == fixture_file.name
    assert measured.machine.architecture == ARCHITECTURE
    gpu = measured.machine.gpu
    of_hopper = "H200" in gpu or "H100" in gpu  # which count alike
    assert of_hopper, f"{named(fixture_file)}: measure on an H200 or H100; these are of an {gpu}"
    assert all((measured.machine.driver, measured.machine.cuda, measured.machine.ncu, measured.machine.date))


@pytest.mark.parametrize("change", first(["cost", "threads", "bytes"], 1))
def test_a_count_that_differs_by_a_twentieth_is_noticed(change: str, fixture_file: Path) -> None:
    """The comparison itself: every instruction is changed in turn, together with the others of its line."""
    launches = counters(fixture_file).launches
    anchor = next(launch for launch in launches if has_source_lines([launch]))
    for launch, before in zip(launches, compared(fixture_file), strict=True):
        for comparison in before.comparisons:
            if comparison.outcome is Outcome.EQUAL:
                changed = {i: _changed(i, change) for i in comparison.instructions if i.threads}
                wrong = replace(launch, instructions=tuple(changed.get(i, i) for i in launch.instructions))
                after, *_ = compare([wrong, anchor], predictions(fixture_file))
                outcomes = {c.outcome for c in after.comparisons if c.line == comparison.line}
                assert outcomes - {Outcome.EQUAL}, (launch.kernel, comparison.line, comparison.operation)


def _changed(instruction: Instruction, change: str) -> Instruction:
    if change == "cost":
        return replace(instruction, cost=math.ceil(instruction.cost * 1.05))
    if change == "threads":
        return replace(instruction, threads=math.floor(instruction.threads * 0.95))
    return replace(instruction, bytes=instruction.bytes * 2)


@pytest.mark.parametrize("text", ["", "[]", '{"schema": "coalint-counters/1"}', '{"schema": "other/7"}'])
def test_a_file_that_holds_no_counters_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "k.sm_90.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MeasuredError, match=r"k\.sm_90\.json: .*measure again"):
        load_measured(path)


def test_sass_comments_replace_what_the_source_says() -> None:
    (line,) = parse_expectations(
        "x = a[i] + a[i + 1];  // reveal: load sectors=4/4 stride=4; store wavefronts=1/1\n"
        "// sass: load sectors=8/8 bytes=8 -- both loads became one LDG.E.64\n"
    )
    assert [(access.op and access.op.value, access.width, access.counted) for access in line.written] == [
        ("store", 4, 1.0),
        ("load", 8, 8.0),
    ]
    (gone,) = parse_expectations("x = s[i];  // reveal: load wavefronts=1/1 // sass: load none space=shared -- kept\n")
    assert gone.written == ()
    assert gone.sass[0].why == "kept"
    assert (gone.sass[0].space.value, gone.sass[0].op.value) == (Space.SHARED.value, Operation.LOAD.value)


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("sass: load sectors=8/8 bytes=8", "say what the compiler did"),
        ("sass: sectors=8/8 -- merged", "write `load sectors=16/16"),
        ("sass: load none stride=4 -- gone", "unknown stride"),
        ("sass: fetch none -- gone", "'fetch' is not a valid Op"),
    ],
)
def test_a_malformed_sass_comment_is_an_error(comment: str, said: str) -> None:
    with pytest.raises(ExpectationError, match=re.escape(said)):
        parse_expectations(f"x = a[i];  // reveal: load sectors=4/4 // {comment}\n")
