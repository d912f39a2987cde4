"""What the formats print, line for line."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sample_report import FINDING, REPORT, printed

from coalint.core.addresses import rule_page
from coalint.core.facts.access import Operation, Space
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost, Unit
from coalint.core.findings import Fix, Note, Severity, Subject
from coalint.core.source.spans import Edit, Span
from coalint.engine.report import Diagnostic
from coalint.reporters.lint.concise import concise_lines
from coalint.reporters.lint.json import report_text

SUMMARY = """\
1 warning in 2 files: 3 kernels, 9 accesses (6 exact, 1 symbolic, 2 unknown)
not analysed: 1 kernel (the findings COA902 and COA903 say why)
unknown: 2 accesses: 1x the index is loaded from memory; 1x a call that is not
  followed
"""

SHORT = (
    """\
warning[uncoalesced-global-access] 8 sectors per request (ideal: 4):
neighbouring lanes are 8 bytes apart, so that half of what is moved is not used
  --> k.cu:4:11  COA101, kernel copy
 4 |     out[i] = in[2 * i];
   |              ^^^^^^^^^
  why: and is multiplied by 2
  help: let neighbouring lanes take neighbouring elements
  basis: 256 threads (launch at line 90); 1 more launch

"""
    + SUMMARY
)

VERBOSE = (
    """\
warning[uncoalesced-global-access] 8 sectors per request (ideal: 4):
neighbouring lanes are 8 bytes apart, so that half of what is moved is not used
  --> k.cu:4:11  COA101, kernel copy
   |
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
 3 |
 4 |     out[i] = in[2 * i];
   |              ^^^^^^^^^
 5 | }
   |
  note: threadIdx.x enters here
 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
   |                                       ^^^^^^^^^^^
  note: and is multiplied by 2
  help: let neighbouring lanes take neighbouring elements
  basis: 256 threads (launch at line 90)
  also for: 64 threads (launch at line 91)

"""
    + SUMMARY
)


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_the_report_reads_like_this_at_80_columns() -> None:
    assert printed(REPORT) == SHORT


def test_the_verbose_report_has_the_way_of_the_index_and_every_launch() -> None:
    assert printed(REPORT, verbose=True) == VERBOSE


def test_the_quiet_report_ends_with_the_findings() -> None:
    assert printed(REPORT, quiet=True) == SHORT.removesuffix(SUMMARY)


def test_colour_adds_escapes_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = printed(REPORT, "always")
    assert "\x1b[1;33mwarning[uncoalesced-global-access]\x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(REPORT, "auto") == SHORT


def test_codes_are_links_where_there_is_colour_and_only_for_coalint_s_own_rules() -> None:
    begin, end = "\x1b]8;", "\x1b]8;;\x1b\\"
    coloured = printed(REPORT, "always")
    assert rule_page("COA101", "uncoalesced-global-access") in coloured
    assert coloured.count(begin) == 2 * coloured.count(end)
    foreign = replace(FINDING, code="ACME001", name="atomic-in-loop")
    assert begin not in printed(replace(REPORT, diagnostics=(Diagnostic(foreign, "256 threads"),)), "always")
    assert begin not in printed(REPORT, "never")


def test_source_is_printed_in_the_colour_of_the_terminal() -> None:
    coloured = printed(REPORT, "always").splitlines()
    (line,) = (line for line in coloured if "out[i]" in line)
    assert line.endswith("\x1b[0m    out[i] = in[2 * i];")


def test_a_pipe_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    finding = replace(FINDING, message="word " * 60, help="more " * 80, notes=(Note("so " * 90),))
    lines = printed(replace(REPORT, diagnostics=(Diagnostic(finding, "256 threads " * 20),))).splitlines()
    assert [len(line) > 200 for line in lines[:1] + lines[4:7]] == [True] * 4
    assert not any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines)


def test_a_finding_takes_twelve_lines_at_100_columns_however_much_there_is_to_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    fix = Fix("declare it longer " * 20, (Edit(FINDING.span, "in[i]"),))
    long = replace(FINDING, message="word " * 99, help="more " * 99, notes=(Note("so " * 99),) * 3, fix=fix)
    places = tuple(Diagnostic(replace(long, span=Span("k.cu", line, 1, line, 2))) for line in range(1, 99))
    for diagnostics in ((Diagnostic(long, "basis " * 99, ("here",) * 9),), places):
        text = printed(replace(REPORT, diagnostics=diagnostics), quiet=True)
        for block in text.removesuffix("\n\n").split("\n\n"):
            lines = block.split("\n")
            assert len(lines) <= 12
            assert max(map(len, lines)) <= 100


def test_what_holds_for_several_accesses_alike_is_one_finding() -> None:
    def at(line: int, expression: str, count: float = 8, array: str = "in", stride: int = 8) -> Diagnostic:
        span = Span("k.cu", line, 11, line, 20)
        subject = Subject(Operation.LOAD, Space.GLOBAL, expression, array, 4, (stride, 0, 0), span)
        cost = Cost(count=count, ideal=4, unit=Unit.SECTORS, bytes=4, exact=True)
        because = cause(CauseKind.STRIDE, bytes=stride)
        message = f"the load of `{expression}`"
        found = replace(FINDING, message=message, span=span, cost=cost, cause=because, subjects=(subject,))
        return Diagnostic(found)

    alike = at(2, "in[2 * i]"), at(3, "in[2 * j]"), at(3, "in[2 * k]"), at(4, "in[2 * k]")
    others = at(4, "in[3 * i]", count=12), at(4, "pairs[2 * i]", array="pairs"), at(4, "in[-2 * i]", stride=-8)
    report = replace(REPORT, diagnostics=(*alike, *others))
    text = printed(report)
    assert "  also at: k.cu:3, k.cu:4\n" in text
    assert text.count("warning[") == 3
    assert "3 warnings in 2 files" in text
    found = json.loads(report_text(report))["diagnostics"]
    assert [[at["line"] for at in finding["places"]] for finding in found] == [[2, 3, 3, 4, 4], [4], [4]]
    lines = list(concise_lines(report))
    assert len(lines) == 3
    assert lines[0].endswith("(also at k.cu:3, k.cu:4)")


def info(name: str, line: int) -> Diagnostic:
    return Diagnostic(replace(FINDING, name=name, severity=Severity.INFO, span=Span("k.cu", line, 1, line, 2)))


def test_what_is_info_is_counted_by_rule_unless_it_is_asked_for() -> None:
    report = replace(REPORT, diagnostics=(*REPORT.diagnostics, info("gather", 1), info("gather", 2), info("odd", 3)))
    text = printed(report)
    assert "info[" not in text
    assert "1 warning in 2 files" in text
    assert text.endswith("3 notes: 2 gather, 1 odd (--show-info shows them)\n")
    shown = printed(report, info=True)
    assert shown.count("info[gather]") == 2
    assert "1 warning, 3 info in 2 files" in shown
    assert "notes" not in shown
    only = printed(replace(REPORT, diagnostics=(info("gather", 1),)))
    assert only.startswith("no errors or warnings in 2 files")
    assert only.endswith("1 note: 1 gather (--show-info shows them)\n")


def test_a_report_ends_with_what_to_fix_first() -> None:
    def costing(line: int, excess: float, severity: Severity = Severity.WARNING) -> Diagnostic:
        at = Span("k.cu", line, 1, line, 2)
        return Diagnostic(replace(FINDING, message=f"cost {excess:g}", span=at, severity=severity), excess=excess)

    found = (costing(1, 4), costing(2, 28), costing(3, 12), costing(4, 0, Severity.ERROR), info("odd", 5))
    text = " ".join(printed(replace(REPORT, diagnostics=found)).split())
    name = "uncoalesced-global-access"
    listed = f"1. k.cu:4: {name}: cost 0 2. k.cu:2: {name}: cost 28 3. k.cu:3: {name}: cost 12"
    assert text.endswith(f"fix first: {listed}")
    assert "fix first" not in printed(replace(REPORT, diagnostics=found[:3]))


def test_a_finding_whose_source_is_not_at_hand_is_still_reported() -> None:
    text = printed(replace(REPORT, sources={}))
    assert "--> k.cu:4:11" in text
    assert "help: let neighbouring" in text


def test_concise_is_one_line_per_finding() -> None:
    assert list(concise_lines(REPORT)) == [f"k.cu:4:11: warning[uncoalesced-global-access] {FINDING.message}"]
