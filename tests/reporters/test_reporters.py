"""What the formats print, line for line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from jsonschema import validate
from synthetic import access, analysis

from coalint.core.addresses import rule_page
from coalint.core.facts.access import Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost, Unit
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Confidence, Finding, Fix, Note, Severity, Subject
from coalint.core.source.spans import Edit, Span
from coalint.engine.report import Coverage, Diagnostic, Inspected, Inspection, Report
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import instructions_of
from coalint.reporters.inspect.json import inspection_text
from coalint.reporters.inspect.text import print_inspection
from coalint.reporters.lint.concise import concise_lines
from coalint.reporters.lint.full import print_report
from coalint.reporters.lint.json import report_text
from coalint.reporters.lint.text.detail import Detail
from coalint.reporters.shared.console import console, wrap
from coalint.reporters.shared.source_frames import quote
from coalint.rules.own.translation_unit_error import TranslationUnitError

SOURCE = """\
__global__ void copy(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

\tout[i] = in[2 * i];
}
"""

FINDING = Finding(
    code="COA101",
    name="uncoalesced-global-access",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    message="8 sectors per request (ideal: 4): neighbouring lanes are 8 bytes apart, so that half of what is moved "
    "is not used",
    span=Span("k.cu", 4, 11, 4, 20),
    kernel="copy",
    notes=(Note("threadIdx.x enters here", Span("k.cu", 2, 39, 2, 50)), Note("and is multiplied by 2")),
    help="let neighbouring lanes take neighbouring elements",
)
COVERAGE = Coverage(3, 2, 9, 6, 1, 2, {"the index is loaded from memory": 1, "a call that is not followed": 1})
REPORT = Report(
    (Diagnostic(FINDING, "256 threads (launch at line 90)", ("64 threads (launch at line 91)",)),),
    COVERAGE,
    (),
    2,
    {"k.cu": SOURCE},
)

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


def printed(report: Report, color: str = "never", **detail: bool) -> str:
    out = io.StringIO()
    print_report(report, console(color, out), Detail(**detail))
    return out.getvalue()


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


def test_markup_in_source_and_messages_is_printed_as_it_is() -> None:
    source = SOURCE.replace("out[i] = in[2 * i]", "out[red] = [/red][i]")
    text = printed(replace(REPORT, sources={"k.cu": source}))
    assert "out[red] = [/red][i]" in text


def test_no_findings_are_said_to_be_none() -> None:
    clean = Report((), Coverage(1, 1, 2, 2, 0, 0), (), 1)
    assert printed(clean) == "no findings in 1 file: 1 kernel, 2 accesses (2 exact, 0 symbolic, 0 unknown)\n"


@pytest.mark.parametrize("before", range(0, 80, 5))
def test_short_code_in_prose_is_not_broken(before: int) -> None:
    assert "`out[x * h + y]`" in "\n".join(wrap("w" * before + " " + "the store to `out[x * h + y]` costs 32", 80))


def test_a_long_list_of_other_launches_is_counted() -> None:
    also = tuple(f"{n} threads (launch at line {n})" for n in (1, 2, 3, 4, 5))
    text = printed(replace(REPORT, diagnostics=(replace(REPORT.diagnostics[0], also=also),)))
    assert "  basis: 256 threads (launch at line 90); 5 more launches\n" in text


@pytest.mark.parametrize(
    ("line", "span", "expected"),
    [
        ("a\tb[i];", (3, 7), ["a   b[i];", "    ^^^^"]),
        ("/* 宽 */ in[i];", (9, 14), ["/* 宽 */ in[i];", "         ^^^^^"]),
        ("x = in[i] +", (5, 40), ["x = in[i] +", "    ^^^^^^^"]),
        ("x\x1b[31m;", (1, 2), ["x\N{REPLACEMENT CHARACTER}[31m;", "^"]),
    ],
)
def test_carets_stand_under_the_span(line: str, span: tuple[int, int], expected: list[str]) -> None:
    marked = quote([line], Span("k.cu", 1, span[0], 1, span[1]), 40)
    assert [frame.text for frame in marked] == expected


def test_indentation_is_left_out_before_code_is_cropped() -> None:
    lines = ["        if (x)", "            out[i] = in[2 * i];"]
    shown = [frame.text for frame in quote(lines, Span("k.cu", 2, 13, 2, 19), 24, context=1)]
    assert shown == ["if (x)", "    out[i] = in[2 * i];", "    ^^^^^^"]


def test_a_chain_of_assignments_is_quoted_under_one_line() -> None:
    texts = {line: SOURCE.splitlines()[line - 1].strip().rstrip(";") for line in (2, 4)}
    chain = tuple(Note(f"`{text}`", Span("k.cu", line, 5, line, 20), quote=text) for line, text in texts.items())
    finding = replace(FINDING, span=Span("k.cu", 5, 1, 5, 2), notes=chain)
    text = printed(replace(REPORT, diagnostics=(Diagnostic(finding),)), verbose=True)
    assert text.count("note: the index is computed from:\n") == 1
    assert "note: `" not in text
    assert " 2 |     int i = blockIdx.x * blockDim.x + threadIdx.x;\n   |     ^^^" in text


def test_many_places_that_were_read_only_in_part_are_folded_into_counts() -> None:
    def problem(line: int, message: str) -> Diagnostic:
        at = Span("k.cu", line, 1, line, 2)
        return Diagnostic(TranslationUnitError.report(message, at, None, Severity.INFO, "name the folder with -I"))

    few = tuple(problem(line, "'a.h' file not found") for line in (1, 2))
    assert "read only in part" not in printed(replace(REPORT, diagnostics=few), info=True)
    many = (*few, *(problem(line, f"'{line}.h' file not found") for line in (3, 4, 5, 6, 7)))
    text = printed(replace(REPORT, diagnostics=(*REPORT.diagnostics, *many)))
    assert "read only in part: 7 places in 1 file (--output-format concise lists them)\n" in text
    assert "  2x 'a.h' file not found, first at k.cu:1:1\n" in text
    assert "  and 2 more\n  help: name the folder with -I\n" in text
    assert "7 notes: 7 translation-unit-error (--show-info shows them)" in text


def test_a_long_line_is_cropped_around_the_span() -> None:
    line = "x = " + "a + " * 50 + "in[3 * i] " + "+ b" * 50
    begin = line.index("in[") + 1
    shown, carets = quote([line], Span("k.cu", 1, begin, 1, begin + 9), 40)
    assert len(shown.text) <= 40
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
    at = carets.text.index("^")
    assert shown.text[at : at + len(carets.text.strip())] == "in[3 * i]"


def test_a_span_of_several_lines_is_marked_to_the_end_of_its_first() -> None:
    shown = list(quote(["v = in[", "  2 * i];"], Span("k.cu", 1, 5, 2, 9), 40))
    assert [frame.text for frame in shown] == ["v = in[", "    ^^^"]


def test_concise_is_one_line_per_finding() -> None:
    assert list(concise_lines(REPORT)) == [f"k.cu:4:11: warning[uncoalesced-global-access] {FINDING.message}"]


PLACE = {"file": {"type": "string"}, **{key: {"type": "integer", "minimum": 1} for key in ("line", "column")}}
COUNTS = ("kernels", "analysed", "partial", "accesses", "exact", "symbolic", "unknown", "data_dependent")
COVERAGE_SCHEMA = {
    "type": "object",
    "required": [*COUNTS, "reasons"],
    "additionalProperties": False,
    "properties": {
        **{key: {"type": "integer"} for key in COUNTS},
        "reasons": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
REPORT_SCHEMA = {
    "type": "object",
    "required": ["schema", "diagnostics", "coverage"],
    "properties": {
        "schema": {"const": "coalint-report/1"},
        "coverage": COVERAGE_SCHEMA,
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": (
                    "code name severity confidence message file line column end_line end_column kernel notes help fix "
                    "fingerprint cost cause accesses assumed"
                ).split(),
                "properties": {
                    **PLACE,
                    "code": {"type": "string"},
                    "name": {"type": "string"},
                    "severity": {"enum": ["info", "warning", "error"]},
                    "confidence": {"enum": ["low", "medium", "high"]},
                    "message": {"type": "string"},
                    "end_line": {"type": "integer"},
                    "end_column": {"type": "integer"},
                    "kernel": {"type": ["string", "null"]},
                    "notes": {"type": "array", "items": {"type": "object", "required": ["message"]}},
                    "help": {"type": "string"},
                    "fix": {"type": ["object", "null"]},
                    "fingerprint": {"type": "string"},
                    "cost": {
                        "type": ["object", "null"],
                        "required": ["count", "ideal", "unit", "bytes", "exact"],
                        "additionalProperties": False,
                        "properties": {
                            "count": {"type": "number"},
                            "ideal": {"type": "number"},
                            "unit": {"enum": ["sectors", "wavefronts"]},
                            "bytes": {"type": "integer"},
                            "exact": {"type": "boolean"},
                        },
                    },
                    "cause": {
                        "type": ["object", "null"],
                        "required": ["kind"],
                        "properties": {"kind": {"enum": [kind.value for kind in CauseKind]}},
                        "additionalProperties": {"type": ["number", "string"]},
                    },
                    "accesses": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": "op space expression array bytes strides file line column".split(),
                            "properties": {
                                **PLACE,
                                "op": {"enum": ["load", "store", "atomic"]},
                                "space": {"enum": [space.value for space in Space]},
                                "expression": {"type": "string"},
                                "array": {"type": ["string", "null"]},
                                "bytes": {"type": "integer"},
                                "strides": {"type": "array", "items": {"type": ["integer", "null"]}},
                                "end_line": {"type": "integer"},
                                "end_column": {"type": "integer"},
                            },
                        },
                    },
                    "assumed": {"type": "array", "items": {"type": "string"}},
                    "weight": {"type": "number"},
                    "launch_cost": {"type": ["object", "null"]},
                    "arch": {"type": ["string", "null"]},
                    "launch": {"type": ["object", "null"]},
                    "template_arguments": {"type": "array", "items": {"type": "string"}},
                    "places": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["kernel", "severity", "message", "fingerprint", "cost", *PLACE],
                        },
                    },
                    "assumptions": {
                        "type": "object",
                        "additionalProperties": {"type": "array", "items": {"type": "string"}},
                    },
                },
            },
        },
    },
}


def test_the_json_report_has_the_fixed_fields() -> None:
    fix = Fix("read two", (Edit(FINDING.span, "in[i]"),), safe=True)
    value = json.loads(report_text(replace(REPORT, diagnostics=(Diagnostic(replace(FINDING, fix=fix), "64 threads"),))))
    validate(value, REPORT_SCHEMA)
    (diagnostic,) = value["diagnostics"]
    assert diagnostic["fix"]["edits"][0]["replacement"] == "in[i]"
    assert diagnostic["notes"][0]["line"] == 2
    assert diagnostic["notes"][-1] == {"message": "basis: 64 threads"}
    assert diagnostic["cost"] is diagnostic["cause"] is None


def test_the_json_report_carries_numbers_cause_and_accesses() -> None:
    span = FINDING.span
    finding = replace(
        FINDING,
        cost=Cost(count=8, ideal=4, unit=Unit.SECTORS, bytes=4, exact=True),
        cause=cause(CauseKind.STRIDE, bytes=8, stride="8", missing=None),
        subjects=(Subject(Operation.LOAD, Space.GLOBAL, "in[2 * i]", "", 4, (8, None, 0), span),),
        assumed=("width % 32 == 0",),
        rests_on=(("block_shape", "32x8"), ("alignment", "width % 32 == 0")),
    )
    value = json.loads(report_text(replace(REPORT, diagnostics=(Diagnostic(finding),))))
    validate(value, REPORT_SCHEMA)
    (diagnostic,) = value["diagnostics"]
    assert diagnostic["cost"] == {"count": 8, "ideal": 4, "unit": "sectors", "bytes": 4, "exact": True}
    assert diagnostic["cause"] == {"kind": "stride", "bytes": 8, "stride": "8"}
    assert diagnostic["assumed"] == ["width % 32 == 0"]
    assert diagnostic["assumptions"] == {"block_shape": ["32x8"], "alignment": ["width % 32 == 0"]}
    (read,) = diagnostic["accesses"]
    assert (read["op"], read["array"], read["strides"], read["line"]) == ("load", None, [8, None, 0], 4)
    assert value["coverage"]["reasons"]["a call that is not followed"] == 1


def inspected() -> Inspection:
    at: Callable[[int, int, int], int | None] = lambda x, y, z: 8 * (x + 32 * y)  # noqa: E731
    read = access(at, expression="in[2 * i]")
    tile = replace(access(lambda x, y, z: 128 * x + 4 * y, space=Space.SHARED), span=Span("k.cu", 11, 5, 11, 9))
    lost = replace(access(None, expression="in[idx[i]]"), span=Span("k.cu", 12, 5, 12, 9))
    spec = read.specialization
    barrier = Barrier("k", spec, "__syncthreads", "block", Span("k.cu", 13, 5, 13, 9), Verdict.DIVERGENT, "only some")
    kernel: Analysis = analysis(read, tile, lost, barriers=(barrier,))
    made = instructions_of(kernel.accesses, kernel.barriers, architecture("sm_80"), lambda _: False)
    return Inspection((Inspected(kernel, made),), Coverage(1, 1, 3, 2, 0, 1, {"not known": 1}), ())


def test_the_json_inspection_has_the_fixed_fields() -> None:
    value = json.loads(inspection_text(inspected()))
    assert value["schema"] == "coalint-inspect/1"
    validate(value["coverage"], COVERAGE_SCHEMA)
    (kernel,) = value["kernels"]
    assert kernel["name"] == "k"
    assert kernel["template_arguments"] == []
    assert kernel["launch"] == {
        "block": [32, 8, 1],
        "grid": None,
        "source": "launch",
        "file": "k.cu",
        "line": 90,
        "arguments": {},
    }
    read, tile, lost = kernel["accesses"]
    assert read == {
        "file": "k.cu",
        "line": 10,
        "column": 5,
        "space": "global",
        "op": "load",
        "bytes": 4,
        "instruction": {"bytes": 4, "merged": False},
        "expression": "in[2 * i]",
        "stride": "8",
        "sectors": 8.0,
        "sectors_ideal": 4.0,
        "wavefronts": None,
        "wavefronts_ideal": None,
        "exact": True,
        "assumed": [],
        "assumptions": {},
        "aligned_if": None,
        "good_if": [],
        "unknown": None,
        "data_dependent": False,
    }
    assert (tile["sectors"], tile["wavefronts"], tile["wavefronts_ideal"]) == (None, 32.0, 1.0)
    assert (lost["sectors"], lost["unknown"]) == (None, "not known")
    assert kernel["barriers"] == [
        {
            "file": "k.cu",
            "line": 13,
            "column": 5,
            "function": "__syncthreads",
            "scope": "block",
            "verdict": "divergent",
            "because": "only some",
        }
    ]


INSPECTED = """\
k.cu:10: k, 32x8 threads (launch at line 90)
  at    what             stride  cost                        expression
  10:5  load global 4 B  8       8/4 sectors      exact      in[2 * i]
  11:5  load shared 4 B  128     32/1 wavefronts  exact      in[i]
  12:5  load global 4 B  ?                        unknown    in[idx[i]]
        not known
  13:5  block barrier                             divergent  __syncthreads
        only some

1 kernel, 3 accesses (2 exact, 0 symbolic, 1 unknown)
unknown: 1 access: 1x not known
"""


def test_the_inspection_for_people_has_a_line_per_access() -> None:
    out = console("never")
    out.file = io.StringIO()
    print_inspection(inspected(), out)
    assert out.file.getvalue() == INSPECTED
