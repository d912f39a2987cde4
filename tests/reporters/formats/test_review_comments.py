"""Comments in Markdown: their order, their size, and that no source is markup in them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from awkward_reports import text
from markdown_it import MarkdownIt

from coalint.core.findings import Severity
from coalint.engine.findings.groups import groups
from coalint.engine.findings.order import worst_first
from coalint.engine.report import Report
from coalint.reporters.lint.markdown import LARGEST
from coalint.reporters.lint.markdown import report_text as markdown_text


def test_a_comment_names_the_worst_finding_first_and_folds_the_rest(real: Report) -> None:
    comment = text(real, "markdown")
    heads = re.findall(r"<summary><b>(\w+)</b> ", comment)
    assert heads == sorted(heads, key=["error", "warning", "info"].index)
    assert set(heads) == {"error", "warning", "info"}
    assert comment.count("<details>") == comment.count("</details>") == len(heads)
    assert "takes 32 wavefronts per request (ideal: 1)" in comment


def test_of_one_severity_the_larger_excess_of_a_launch_comes_first(real: Report) -> None:
    warnings = [d for d in worst_first(real.diagnostics) if d.finding.severity is Severity.WARNING]
    excess = [d.cost for d in warnings]
    assert excess == sorted(excess, reverse=True)
    assert len(set(excess)) > 1
    assert warnings[0].finding.launch_cost is not None
    assert warnings[0].finding.launch_cost.excess == excess[0]


def test_without_counts_the_larger_excess_of_a_request_comes_first(real: Report) -> None:
    bare = [replace(d, finding=replace(d.finding, launch_cost=None)) for d in real.diagnostics]
    warnings = [d for d in worst_first(bare) if d.finding.severity is Severity.WARNING]
    assert warnings[0].excess == 31.0, "the column of the tile"
    assert worst_first([replace(warnings[0], excess=1.0), *warnings[1:]])[0] is not warnings[0]


def test_nothing_in_a_source_is_markup_in_a_comment(report: Report) -> None:
    rendered = MarkdownIt("commonmark").render(text(report, "markdown"))
    assert set(re.findall(r"</?(\w+)", rendered)) <= set("h3 p details summary b code pre ul li".split())
    assert "@" not in text(report, "markdown")


@pytest.mark.slow
def test_a_comment_keeps_to_its_size_and_counts_what_it_leaves_out(real: Report) -> None:
    distinct = [replace(d, finding=replace(d.finding, kernel=f"k{n}")) for n in range(300) for d in real.diagnostics]
    many = replace(real, diagnostics=tuple(distinct))
    comment = text(many, "markdown")
    assert LARGEST - 2000 < len(comment) <= LARGEST == 65_536
    left = re.search(r"(\d+) more findings did not fit", comment)
    assert left is not None
    shown = comment.count("<b>")
    assert int(left[1]) + shown == len(groups(many.diagnostics))
    for size in (600, 1500, 4000):
        assert len(markdown_text(many, size)) <= size
    assert "did not fit" not in text(replace(real, diagnostics=real.diagnostics[:2]), "markdown")
