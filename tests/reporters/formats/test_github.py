"""GitHub's workflow commands as a runner reads them, and the root that reviews count paths from."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from awkward_reports import AWKWARD, text

from coalint.engine.findings.groups import groups
from coalint.engine.findings.order import worst_first
from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import escape_controls


def commands(report: Report) -> list[tuple[str, dict[str, str], str]]:
    """The workflow commands as a runner reads them."""
    found = []
    for line in text(report, "github").splitlines():
        match = re.fullmatch(r"::(error|warning|notice) (.*?)::(.*)", line)
        if match:
            pairs = (pair.split("=", 1) for pair in match[2].split(","))
            found.append((match[1], {name: unescaped(value) for name, value in pairs}, unescaped(match[3])))
    return found


def unescaped(value: str) -> str:
    for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        value = value.replace(escape, char)
    return value


def test_github_commands_say_everything_the_worst_first(report: Report) -> None:
    found = commands(report)
    shown = [group.shown for group in groups(worst_first(report.diagnostics))]
    assert len(found) == len(shown)
    assert [c[0] for c in found] == sorted((c[0] for c in found), key=["error", "warning", "notice"].index)
    for _, properties, message in found:
        place = f"{properties['file']}:{properties['line']}:{properties['col']}: "
        assert message.startswith(escape_controls(place))
        assert properties["line"] == properties["endLine"], "columns count only within a line"
    expected = Counter((d.finding.span.file, d.finding.span.line, d.finding.span.column) for d in shown)
    assert Counter((p["file"], int(p["line"]), int(p["col"])) for _, p, _ in found) == expected
    assert all(any(escape_controls(d.finding.message) in message for _, _, message in found) for d in shown)
    for d in report.diagnostics:
        assert any(f":{d.finding.span.line}" in message for _, _, message in found)


def test_github_is_told_what_it_does_not_show(real: Report) -> None:
    (errors,) = (replace(d, finding=replace(d.finding, cause=None)) for d in real.diagnostics[:1])
    many = replace(real, diagnostics=(errors,) * 11)
    assert text(many, "github").splitlines()[-1].startswith("coalint found 11 of level ")
    assert len(text(replace(real, diagnostics=(errors,) * 10), "github").splitlines()) == 10


def test_paths_count_from_the_root_of_the_repository(
    real: Report, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / Path(AWKWARD).parent)
    names = {d.finding.span.file: Path(AWKWARD).name for d in real.diagnostics if d.finding.span.file == AWKWARD}
    renamed = [
        replace(d, finding=replace(d.finding, span=replace(d.finding.span, file=names[AWKWARD])))
        for d in real.diagnostics
        if d.finding.span.file == AWKWARD
    ]
    report = replace(real, diagnostics=tuple(renamed))
    assert {properties["file"] for _, properties, _ in commands(report)} == {AWKWARD}
    assert {issue["location"]["path"] for issue in json.loads(text(report, "gitlab"))} == {AWKWARD}
    found = json.loads(text(report, "rdjson"))["diagnostics"]
    assert {d["location"]["path"] for d in found} == {Path(AWKWARD).name}, "reviewdog adds the folder itself"
