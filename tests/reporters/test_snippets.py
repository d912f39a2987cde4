"""Source lines in a report: indentation, cropping, carets and quoted code."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sample_report import FINDING, REPORT, SOURCE, printed

from coalint.core.facts.access import Operation, Space
from coalint.core.findings import Note, Severity, Subject
from coalint.core.source.spans import Span
from coalint.engine.report import Coverage, Diagnostic, Report
from coalint.reporters.shared.console import wrap
from coalint.reporters.shared.source_frames import quote
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError


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


LOADED = Subject(Operation.LOAD, Space.GLOBAL, "in[2 * i]", "in", 4, (8, 0, 0), Span("k.cu", 5, 1, 5, 2))


@pytest.mark.parametrize(("subjects", "what"), [((LOADED,), "index"), ((), "condition")])
def test_a_chain_of_assignments_is_quoted_under_one_line(subjects: tuple[Subject, ...], what: str) -> None:
    """An access has an index; what is said of a barrier depends on a condition."""
    texts = {line: SOURCE.splitlines()[line - 1].strip().rstrip(";") for line in (2, 4)}
    chain = tuple(Note(f"`{text}`", Span("k.cu", line, 5, line, 20), quote=text) for line, text in texts.items())
    finding = replace(FINDING, span=Span("k.cu", 5, 1, 5, 2), notes=chain, subjects=subjects)
    text = printed(replace(REPORT, diagnostics=(Diagnostic(finding),)), verbose=True)
    assert text.count(f"note: the {what} is computed from:\n") == text.count("is computed from") == 1
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


def test_what_a_file_was_lost_to_comes_before_the_kernels_that_it_cost() -> None:
    at = Span("k.cu", 3, 1, 3, 2)
    lost = Diagnostic(NotAnalysed.report("the kernel k was not analysed", at, "k", Severity.INFO, "name its file"))
    cause = Diagnostic(TranslationUnitError.report("#error stop", at, None, Severity.INFO, "pass -D N"))
    text = printed(replace(REPORT, diagnostics=(*(lost,) * 6, cause)))
    assert text.index("  1x #error stop") < text.index("  6x the kernel k was not analysed")
    assert text.index("help: pass -D N") < text.index("help: name its file")


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
