"""Every output format against its schema or a program that reads it, on real findings and on awkward ones."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlparse

import junitparser
import pytest
import xmlschema
from jsonschema import Draft4Validator, Draft202012Validator
from markdown_it import MarkdownIt
from project import Project, program

from coalint.core.findings import Confidence, Finding, Fix, Note, Severity
from coalint.core.source.spans import Edit, Span
from coalint.core.version import version
from coalint.engine.config.outputs import FORMATS
from coalint.engine.config.settings import Settings
from coalint.engine.findings.groups import groups
from coalint.engine.findings.order import worst_first
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Coverage, Diagnostic, Failure, Report
from coalint.engine.request import RunRequest
from coalint.reporters.lint.markdown import LARGEST
from coalint.reporters.lint.markdown import report_text as markdown_text
from coalint.reporters.rendering import report_text
from coalint.reporters.shared.escape_controls import escape_controls

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = Path(__file__).resolve().parents[1] / "data" / "schemas"
AWKWARD = "kernel köpfe/tile 宽 100%#1.cu"
"""A path with spaces, characters outside ASCII, and those that URIs and workflow commands escape."""
KERNEL = """\
__global__ void transpose(float *out, const float *in) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    /* 宽🚀é */ out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *out, const float *in) { transpose<<<1, dim3(32, 32)>>>(out, in); }
"""
COLUMN = "tile[threadIdx.x][threadIdx.y]"
NASTY = 'a,b:c%d\r\n::error::x <script>`i<n` "q" & @user [0](x) *y* \x1b[31m 宽'


def spoiled() -> Report:
    """A finding that has everything: characters that mean something, several lines, a fix, no kernel."""
    span = Span(AWKWARD, 2, 5, 4, 3)
    edits = (Edit(Span(AWKWARD, 2, 5, 2, 7), "é😀"), Edit(Span(AWKWARD, 3, 1, 3, 2), "<&>"))
    finding = Finding(
        code="COA101",
        name="uncoalesced-global-access",
        severity=Severity.ERROR,
        confidence=Confidence.LOW,
        message=NASTY,
        span=span,
        kernel=None,
        notes=(Note(NASTY), Note(NASTY, Span("/elsewhere/a b.h", 1, 1, 1, 4)), Note("here", span)),
        help=NASTY,
        fix=Fix(NASTY, edits),
        fingerprint="f",
    )
    whole_file = replace(finding, span=Span("gone.cu", 1, 1, 1, 1), fix=None, severity=Severity.INFO)
    sources = {AWKWARD: "zero\n😀ab cdef\ngh\nij kl\r\n"}
    failures = (Failure.input("no such file or folder", "name another", "missing file.cu"),)
    found = (Diagnostic(finding, NASTY, (NASTY,)), Diagnostic(whole_file))
    return Report(found, Coverage(1, 1, 2, 2, 0, 0), failures, 2, sources, (NASTY,))


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository whose files have findings of every severity, and something that cannot be read."""
    folder = tmp_path_factory.mktemp("a repository")
    subprocess.run([program("git", package="git"), "init", "--quiet", str(folder)], check=True)
    awkward = folder / AWKWARD
    awkward.parent.mkdir()
    awkward.write_text(KERNEL, encoding="utf-8")
    (folder / "broken.cu").write_text('#include "missing.h"\n__global__ void k(Unknown *a) { a->x(); }\n')
    for name in ("divergent-barrier/conditions", "aos-field-access/points", "misaligned-global-access/offsets"):
        (folder / Path(name).with_suffix(".cu").name).write_text((ROOT / "fixtures" / f"{name}.cu").read_text())
    return folder


@pytest.fixture(scope="module")
def real(repository: Path) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository)
        files = sorted(str(path.relative_to(repository)) for path in repository.rglob("*.cu"))
        report = lint(RunRequest(files=files, settings=Settings(jobs=1)), load_rules())
    assert {d.finding.severity for d in report.diagnostics} == set(Severity)
    return report


EMPTY = Report((), Coverage(1, 1, 2, 2, 0, 0), (), 1)


@pytest.fixture(params=["real", "spoiled", "empty"])
def report(request: pytest.FixtureRequest, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(repository)
    made = {"spoiled": spoiled(), "empty": EMPTY}.get(request.param) or request.getfixturevalue("real")
    assert isinstance(made, Report)
    return made


def text(report: Report, output_format: str) -> str:
    return report_text(report, output_format, "auto", load_rules())


@pytest.mark.parametrize("output_format", FORMATS)
def test_no_format_has_colours_outside_a_terminal(output_format: str, report: Report) -> None:
    assert text(report, output_format) == report_text(report, output_format, "never", load_rules())
    coloured = report_text(report, output_format, "always", load_rules()) != text(report, output_format)
    assert coloured == (output_format == "full")


# --- SARIF


def sarif(report: Report) -> dict[str, Any]:
    (run,) = json.loads(text(report, "sarif"))["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_is_valid(report: Report) -> None:
    schema = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text())
    validator = Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)
    assert [error.message for error in validator.iter_errors(json.loads(text(report, "sarif")))] == []


def test_sarif_regions_are_one_line_and_hold_what_was_found(real: Report, repository: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository)
        run = sarif(real)
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert run["columnKind"] == "utf16CodeUnits"
    steps = [s for r in run["results"] for flow in r.get("codeFlows", ()) for s in flow["threadFlows"][0]["locations"]]
    places = [r["locations"][0] for r in run["results"]] + [step["location"] for step in steps]
    assert len(places) > len(run["results"]) > 5
    found = set()
    for place in places:
        physical = place["physicalLocation"]
        path = Path(unquote(urlparse(urljoin(base, physical["artifactLocation"]["uri"])).path))
        region = physical["region"]
        assert "endLine" not in region
        line = path.read_text(encoding="utf-8").split("\n")[region["startLine"] - 1].encode("utf-16-le")
        found.add((path.name, line[2 * region["startColumn"] - 2 : 2 * region["endColumn"] - 2].decode("utf-16-le")))
    assert (Path(AWKWARD).name, COLUMN) in found


def test_sarif_results_name_their_rule_and_how_the_index_gets_there(report: Report) -> None:
    run = sarif(report)
    rules = run["tool"]["driver"]["rules"]
    for result, group in zip(run["results"], groups(results(report)), strict=True):
        diagnostic = group.shown
        rule = rules[result["ruleIndex"]]
        assert (rule["id"], rule["name"]) == (result["ruleId"], diagnostic.finding.name)
        assert "## What it does" in rule["help"]["markdown"]
        assert result["partialFingerprints"] == {"coalint/v1": diagnostic.finding.fingerprint}
        for flow in result.get("codeFlows", ()):
            last = flow["threadFlows"][0]["locations"][-1]["location"]["physicalLocation"]
            assert last == result["locations"][0]["physicalLocation"]
        related = [at["physicalLocation"]["region"]["startLine"] for at in result.get("relatedLocations", ())]
        assert related == [other.finding.span.line for other in group.others]


def results(report: Report) -> list[Diagnostic]:
    return [d for d in report.diagnostics if not d.finding.code.startswith("COA9")]


def test_sarif_tells_what_was_not_read_about_the_run(real: Report) -> None:
    (invocation,) = sarif(real)["invocations"]
    notes = invocation["toolExecutionNotifications"]
    assert {note["descriptor"]["id"] for note in notes} >= {"COA902"}
    assert len(notes) == len(real.diagnostics) - len(results(real))
    assert invocation["executionSuccessful"] is True
    (failed,) = sarif(spoiled())["invocations"]
    assert failed["executionSuccessful"] is False
    assert failed["toolExecutionNotifications"][0]["message"]["text"].startswith("error: missing file.cu: no such file")


def test_code_in_a_sarif_message_is_no_link() -> None:
    (first, _) = sarif(spoiled())["results"]
    assert "@user \\[0](x)" in first["message"]["text"]


# --- GitHub


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
    (errors,) = (d for d in real.diagnostics[:1])
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


# --- GitLab

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
LINE = {"type": "integer", "minimum": 1}
LOCATION = {
    "type": "object",
    "required": ["path", "lines"],
    "properties": {
        "path": {"type": "string", "pattern": r"^[^/.]"},
        "lines": {"type": "object", "required": ["begin"], "properties": {"begin": LINE, "end": LINE}},
    },
}
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": LOCATION,
            "other_locations": {"type": "array", "items": LOCATION, "minItems": 1},  # of Code Climate's format
        },
    },
}


def test_gitlab_issues_are_valid_and_each_has_a_fingerprint_of_its_own(report: Report) -> None:
    issues = json.loads(text(report, "gitlab"))
    Draft202012Validator(GITLAB).validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(groups(report.diagnostics))
    places = Counter(
        (at["path"], at["lines"]["begin"])
        for issue in issues
        for at in (issue["location"], *issue.get("other_locations", ()))
    )
    assert sum(places.values()) == len(report.diagnostics)


def test_gitlab_fingerprints_survive_lines_added_above(repository: Path, tmp_path: Path) -> None:
    def fingerprints(source: str) -> list[str]:
        (tmp_path / "k.cu").write_text(source)
        report = lint(RunRequest(files=[str(tmp_path / "k.cu")], settings=Settings(jobs=1)), load_rules())
        return [issue["fingerprint"] for issue in json.loads(text(report, "gitlab"))]

    assert fingerprints(KERNEL) == fingerprints("// one more line\n" + KERNEL) != []


# --- reviewdog


def strict(required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    """An object of these fields alone: reviewdog's reader refuses a field that its protocol buffer lacks."""
    return {"type": "object", "required": list(required), "additionalProperties": False, "properties": properties}


# proto/rdf/reviewdog.proto of github.com/reviewdog/reviewdog: DiagnosticResult.
STRING = {"type": "string"}
SEVERITY = {"enum": ["ERROR", "WARNING", "INFO"]}
POSITION = strict(["line", "column"], line=LINE, column=LINE)
RANGE = strict(["start", "end"], start=POSITION, end=POSITION)
SOURCE = strict(["name"], name=STRING, url=STRING)
RDJSON = strict(
    ["diagnostics", "source"],
    source=SOURCE,
    severity=SEVERITY,
    diagnostics={
        "type": "array",
        "items": strict(
            ["message", "location", "severity", "code"],
            message=STRING,
            location=strict(["path", "range"], path=STRING, range=RANGE),
            severity=SEVERITY,
            source=SOURCE,
            code=strict(["value"], value=STRING, url=STRING),
            suggestions={"type": "array", "items": strict(["range", "text"], range=RANGE, text=STRING)},
            original_output=STRING,
        ),
    },
)


def cut(source: bytes, range_: dict[str, Any]) -> tuple[int, int]:
    """The bytes of a source that a range of reviewdog's covers."""
    lines = source.split(b"\n")
    begin, end = (
        sum(len(line) + 1 for line in lines[: at["line"] - 1]) + at["column"] - 1
        for at in (range_["start"], range_["end"])
    )
    return begin, end


def test_rdjson_is_valid(report: Report) -> None:
    value = json.loads(text(report, "rdjson"))
    Draft202012Validator(RDJSON).validate(value)
    assert len(value["diagnostics"]) == len(groups(report.diagnostics))


def test_rdjson_columns_count_bytes(real: Report) -> None:
    source = KERNEL.encode()
    here = [d for d in json.loads(text(real, "rdjson"))["diagnostics"] if d["location"]["path"].endswith("#1.cu")]
    spans = [cut(source, d["location"]["range"]) for d in here]
    assert COLUMN.encode() in {source[begin:end] for begin, end in spans}


def test_the_edits_of_a_fix_are_one_suggestion() -> None:
    report = spoiled()
    first, second = json.loads(text(report, "rdjson"))["diagnostics"]
    (suggestion,) = first["suggestions"]
    source = report.sources[AWKWARD].encode()
    begin, end = cut(source, suggestion["range"])
    fixed = source[:begin] + suggestion["text"].encode() + source[end:]
    assert fixed.decode() == "zero\n😀ab é😀ef\n<&>h\nij kl\r\n"
    assert "suggestions" not in second


# --- JUnit


def test_junit_is_valid_and_read_by_junitparser(report: Report, tmp_path: Path) -> None:
    document = text(report, "junit")
    xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(document)
    (tmp_path / "report.xml").write_text(document, encoding="utf-8")
    suites = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    cases = [case for suite in suites for case in suite]
    found = groups(report.diagnostics)
    failing = [group for group in found if group.severity > Severity.INFO]
    assert suites.tests == len(cases) == (len(found) or 1)
    assert suites.failures == sum(not case.is_passed for case in cases) == len(failing)
    assert suites.errors == 0


# --- JSON lines


def test_json_lines_are_the_findings_of_json(report: Report) -> None:
    lines = [json.loads(line) for line in text(report, "jsonl").split("\n")[:-1]]
    assert lines == json.loads(text(report, "json"))["diagnostics"]


# --- Markdown


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


# --- what a program needs to know of a finding

GRIDS = """\
template <int N> __global__ void strided(float *out) { out[N * threadIdx.x] = 1; }
__global__ void bounded(float *out) { out[2 * threadIdx.x] = 1; }
void run(float *out) { strided<8><<<dim3(4, 2), 256>>>(out); }
"""


def test_a_finding_carries_the_launch_and_template_arguments_that_it_is_made_for(project: Project) -> None:
    project.put("k.cu", GRIDS)
    report = project.coalint("lint", "--output-format=json", "--arch=sm_90", "k.cu").report
    assert (report["arch"], report["coalint"]) == ("sm_90", version())
    by_kernel = {found["kernel"]: found for found in report["diagnostics"]}
    strided, bounded = by_kernel["strided"], by_kernel["bounded"]
    assert strided["arch"] == bounded["arch"] == "sm_90"
    assert strided["template_arguments"] == ["8"]
    assert strided["launch"] == {
        "block": [256, 1, 1],
        "grid": [4, 2, 1],
        "source": "launch",
        "file": "k.cu",
        "line": 3,
        "arguments": {},
    }
    (access,) = strided["accesses"]
    assert (access["op"], access["space"], access["bytes"], access["strides"][0]) == ("store", "global", 4, 32)
    assert access["expression"] == "out[N * threadIdx.x]"
    assert strided["cost"] == {"count": 32, "ideal": 4, "unit": "sectors", "bytes": 4, "exact": True}
    assert bounded["template_arguments"] == []
    assert (bounded["launch"]["source"], bounded["launch"]["line"], bounded["launch"]["grid"]) == (
        "assumed",
        None,
        None,
    )
    assert [place["launch"] for place in strided["places"]] == [strided["launch"]]


def test_sarif_carries_the_same_of_a_finding(project: Project) -> None:
    project.put("k.cu", GRIDS)
    (run,) = project.coalint("lint", "--output-format=sarif", "--arch=sm_90", "k.cu").report["runs"]
    assert run["properties"] == {"arch": "sm_90"}
    assert run["tool"]["driver"]["version"] == version()
    found = {r["locations"][0]["logicalLocations"][0]["name"]: r["properties"] for r in run["results"]}
    assert found["strided"]["launch"]["grid"] == [4, 2, 1]
    assert found["strided"]["templateArguments"] == ["8"]
    assert (found["strided"]["arch"], found["strided"]["weight"]) == ("sm_90", 1)
    assert found["strided"]["accesses"][0]["expression"] == "out[N * threadIdx.x]"
    assert "templateArguments" not in found["bounded"]
    assert found["bounded"]["launch"]["source"] == "assumed"


def test_a_launch_inside_of_a_string_is_placed_in_its_host(project: Project) -> None:
    project.put("k.py", f'import cupy\n\nCODE = r"""\n{GRIDS}"""\ncupy.RawModule(code=CODE)\n')
    report = project.coalint("lint", "--output-format=json", "k.py").report
    (launch,) = [found["launch"] for found in report["diagnostics"] if found["kernel"] == "strided"]
    assert (launch["file"], launch["line"]) == ("k.py", 6)
