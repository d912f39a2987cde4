"""What coalint says of every fixture, held against the expectations in its comments: all of them, and no more."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from analysed import analysed
from expectations import AccessReveal, fixture_files, numba_fixture_files, read_expectations

from coalint.cli.server.hover import Descriptions
from coalint.core.facts.access import Access, Space
from coalint.core.facts.costs import Cost
from coalint.core.facts.synchronization import Barrier
from coalint.engine.config.settings import Settings
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.gather import gather
from coalint.engine.registry import load_rules
from coalint.engine.report import Coverage, Inspected, Inspection
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic, traffic
from coalint.reporters.inspect.json import inspection_text
from coalint.rules.support import wording

FIXTURES = [*fixture_files(), *numba_fixture_files()]
ARCH = architecture("sm_90")


def accesses(file: Path) -> dict[int, list[tuple[Access, Traffic | None]]]:
    found: dict[int, list[tuple[Access, Traffic | None]]] = {}
    for kernel in analysed(file).checked:
        assert kernel.analysis is not None
        for access in kernel.analysis.accesses:
            if access.space in (Space.GLOBAL, Space.SHARED):
                found.setdefault(access.span.line, []).append((access, traffic(access, ARCH)))
    return found


def merged(file: Path) -> dict[int, set[tuple[object, ...]]]:
    """The instructions that nvcc makes of several accesses, by the lines of these."""
    found: dict[int, set[tuple[object, ...]]] = {}
    for kernel in analysed(file).checked:
        for made in kernel.instructions:
            if made.is_merged:
                found.setdefault(made.written.span.line, set()).add(counted(made.access, made.traffic))
    return found


def barriers(file: Path) -> dict[int, list[Barrier]]:
    found: dict[int, list[Barrier]] = {}
    for kernel in analysed(file).checked:
        assert kernel.analysis is not None
        for barrier in kernel.analysis.barriers:
            found.setdefault(barrier.span.line, []).append(barrier)
    return found


def counted(access: Access, cost: Traffic | None) -> tuple[object, ...]:
    numbers = (None, None) if cost is None else (round(cost.count, 3), round(cost.ideal, 3))
    return (access.space.value, access.op.value, access.bytes, *numbers)


def revealed(reveal: AccessReveal, default: str) -> list[tuple[object, ...]]:
    counted_ = None if reveal.counted is None else round(reveal.counted, 3)
    ideal = None if reveal.ideal is None else round(reveal.ideal, 3)
    op = reveal.op.value if reveal.op is not None else default
    return [(reveal.space.value, op, reveal.width, counted_, ideal)] * reveal.pieces


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_access_costs_what_the_fixture_reveals(file: Path) -> None:
    found = accesses(file)
    expected = {line.line: line for line in read_expectations(file) if line.accesses}
    wrong = []
    for line in sorted({*found, *expected}):
        got = Counter(dict.fromkeys(counted(*pair) for pair in found.get(line, [])))
        default = found[line][0][0].op.value if line in found else "load"
        want = Counter(t for r in (expected[line].accesses if line in expected else ()) for t in revealed(r, default))
        if set(got) != set(want):
            wrong.append(
                f"{file.name}:{line}: got {sorted(map(str, got))}, the fixture reveals {sorted(map(str, want))}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_accesses_are_merged_where_the_fixture_says_so(file: Path) -> None:
    """A merged instruction stands in a `sass` comment, here or at the line of another access of it."""
    said = {
        (sass.space.value, sass.op.value, sass.width, sass.counted, sass.ideal)
        for line in read_expectations(file)
        for sass in line.sass
        if sass.counted is not None
    }
    told = {line.line for line in read_expectations(file) if line.sass}
    found = merged(file)
    assert found.keys() <= told
    assert set().union(*found.values()) <= said


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_lint_inspect_and_hover_agree_on_what_an_access_costs(file: Path) -> None:
    """One record says it: the finding, the row of `inspect` and the editor's text of a place have the same numbers."""
    result = analysed(file)
    kernels = tuple(
        Inspected(kernel.analysis, kernel.instructions, kernel.arch) for kernel in result.checked if kernel.analysis
    )
    inspection = Inspection(kernels=kernels, coverage=Coverage(), failures=())
    descriptions = Descriptions(inspection, str(file))
    rows = json.loads(inspection_text(inspection))["kernels"]
    for kernel, shown in zip(result.checked, rows, strict=True):
        at: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for row, made in zip(shown["accesses"], kernel.instructions, strict=True):
            at.setdefault((row["line"], row["column"]), []).append(row)
            if made.cost is not None:
                told = descriptions.at(row["line"], row["column"])
                assert told is not None
                is_all = told.span == made.written.span and not told.markdown.endswith(" more")
                said = told.markdown.replace(" on average", "")
                assert f"takes {wording.cost(made.cost)}" in said or not is_all
        for found in kernel.findings:
            cost, span = found.finding.cost, found.finding.span
            if cost is not None:
                assert _numbers(cost) in [_numbers_of(row) for row in at[span.line, span.column]]


def _numbers(cost: Cost) -> tuple[object, ...]:
    return cost.unit.value, cost.count, cost.ideal, cost.bytes, cost.exact


def _numbers_of(row: dict[str, Any]) -> tuple[object, ...]:
    unit = "wavefronts" if row["space"] == "shared" else "sectors"
    return unit, row[unit], row[f"{unit}_ideal"], row["instruction"]["bytes"], row["exact"]


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_stride_is_what_the_fixture_reveals(file: Path) -> None:
    found = accesses(file)
    wrong = []
    for line in read_expectations(file):
        for reveal in line.accesses:
            strides = {access.stride for access, _ in found.get(line.line, []) if _same_kind(access, reveal)}
            if reveal.stride not in (None, "?") and reveal.stride not in strides:
                wrong.append(f"{file.name}:{line.line}: {reveal.stride} is not among {sorted(strides)}")
    assert not wrong, "\n".join(wrong)


def _same_kind(access: Access, reveal: AccessReveal) -> bool:
    return access.space.value == reveal.space.value and (reveal.op is None or access.op.value == reveal.op.value)


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_barrier_has_the_verdict_that_the_fixture_reveals(file: Path) -> None:
    expected = {
        line.line: sorted({(b.verdict.value, b.scope.value) for b in line.barriers})
        for line in read_expectations(file)
        if line.barriers
    }
    found = {  # shuffles and votes only where the fixture speaks of them
        line: sorted({(b.verdict.value, b.scope) for b in at})
        for line, at in barriers(file).items()
        if line in expected or any(b.function.startswith("__sync") or b.scope == "block" for b in at)
    }
    assert found == expected


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_finding_is_expected_and_every_expectation_found(file: Path) -> None:
    rules = load_rules()
    report = gather([analysed(file)], RuleSelections(lambda _: Settings(select=("COA",)), rules))
    found = {(d.finding.span.line, d.finding.code) for d in report.diagnostics}
    expected = {(line.line, code) for line in read_expectations(file) for code in line.codes}
    wrong = f"no `expect` for {sorted(found - expected)}, no finding for {sorted(expected - found)}"
    assert found == expected, f"{file}: {wrong} (line, code)"


def test_the_other_rules_fixtures_hold_no_race_but_one() -> None:
    """`told_too_early` has its barrier diverge by what thread 0 has just written."""
    others = [analysed(file) for file in FIXTURES if file.parent.name != "missing-barrier"]
    report = gather(others, RuleSelections(lambda _: Settings(select=("COA304",)), load_rules()))
    found = [(Path(d.finding.span.file).name, d.finding.kernel) for d in report.diagnostics]
    assert found == [("functions_and_flags.cu", "told_too_early")]


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_fixtures_are_read_without_problems(file: Path) -> None:
    result = analysed(file)
    assert not result.problems
    assert not result.failures
    assert len({name for name, _ in result.kernels}) == len({kernel.kernel for kernel in result.checked})
