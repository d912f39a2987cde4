"""The list of known findings: what it covers, what it survives, what is stale."""

from __future__ import annotations

import json
from typing import Any

import pytest
from project import STRIDED, Project

FILE = "coalint-baseline.json"
TWICE = STRIDED.replace("out[i] = in[8 * i];", "out[i] = in[8 * i];\n    out[i + 1024] = in[8 * i];")


def listed(project: Project, name: str = FILE) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((project.root / name).read_text())["findings"]
    return found


def create(project: Project, *paths: str) -> None:
    done = project.coalint("baseline", "create", *(paths or (".",)))
    assert done.code == 0, done.err


def against(project: Project, *arguments: str) -> list[str]:
    return project.lint("--baseline", FILE, *(arguments or (".",))).codes


def test_what_is_listed_is_not_reported_and_is_counted(project: Project) -> None:
    project.put("sub/k.cu", STRIDED)
    done = project.coalint("baseline", "create", "sub")
    assert (done.code, done.out) == (0, f"wrote 1 finding in 1 file to {FILE}\n")
    assert listed(project) == [
        {
            "file": "sub/k.cu",
            "kernel": "k",
            "code": "COA101",
            "rule": "uncoalesced-global-access",
            "expression": "in[8 * i]",
            "count": 1,
        }
    ]
    report = project.lint("--baseline", FILE, "sub")
    assert (report.code, report.codes) == (0, [])
    assert report.report["hidden"] == {"comments": 0, "baseline": 1, "unchanged": 0, "severity": 0, "more": 0}


def test_the_configuration_names_it_relative_to_itself(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("sub/k.cu", STRIDED)
    project.put("coalint.toml", 'baseline = "ci/known.json"')
    project.put("ci/none", "")
    create(project)
    assert listed(project, "ci/known.json")[0]["file"] == "../sub/k.cu"
    monkeypatch.chdir(project.root / "sub")
    assert project.lint("k.cu").codes == []
    assert project.coalint("lint", "--isolated", "k.cu").code == 1


@pytest.mark.parametrize(
    "changed",
    [
        "// a comment\n\n" + STRIDED,
        "__global__ void first(float *p) { p[threadIdx.x] = 0; }\n" + STRIDED,
        STRIDED.replace("in[8 * i]", "in[8*i]"),
        STRIDED.replace("in[8 * i]", "in[\n        8\n        * i]"),
        STRIDED.replace("    ", "\t").replace("\n", "\r\n"),
    ],
    ids=["lines above", "another kernel", "spaces", "lines", "line ends"],
)
def test_it_survives_moves_and_another_layout(project: Project, changed: str) -> None:
    project.put("k.cu", STRIDED)
    create(project)
    before = [d["fingerprint"] for d in project.lint("k.cu").report["diagnostics"]]
    project.put("k.cu", changed)
    assert against(project) == []
    assert [d["fingerprint"] for d in project.lint("k.cu").report["diagnostics"]] == before
    assert project.lint("--baseline", FILE, ".").err == ""


@pytest.mark.parametrize(
    "changed",
    [STRIDED.replace("8 * i", "9 * i"), STRIDED.replace("k(", "other(").replace("k<", "other<")],
    ids=["another expression", "another kernel"],
)
def test_it_does_not_cover_what_is_new(project: Project, changed: str) -> None:
    project.put("k.cu", STRIDED)
    create(project)
    project.put("k.cu", changed)
    assert against(project) == ["COA101"]


def test_n_in_the_list_cover_n(project: Project) -> None:
    project.put("k.cu", STRIDED)
    create(project)
    project.put("k.cu", TWICE)
    done = project.lint("--baseline", FILE, ".")
    assert done.places == [("k.cu", "COA101", 4)]
    create(project)
    assert [row["count"] for row in listed(project)] == [2]
    assert against(project) == []


def test_equal_findings_in_two_files_have_the_same_names_whatever_else_is_linted(project: Project) -> None:
    project.put("a/k.cu", STRIDED)
    project.put("b/k.cu", STRIDED)
    both = [at["fingerprint"] for d in project.lint(".").report["diagnostics"] for at in d["places"]]
    (alone,) = (d["fingerprint"] for d in project.lint("b/k.cu").report["diagnostics"])
    assert both == [alone, alone]


@pytest.mark.slow
def test_what_is_gone_is_told_with_the_remedy_and_pruned(project: Project) -> None:
    project.put("a.cu", TWICE)
    project.put("b.cu", STRIDED)
    project.put("c.cu", STRIDED)
    create(project)
    project.put("a.cu", STRIDED)
    (project.root / "b.cu").unlink()
    done = project.lint("--baseline", FILE, "a.cu")
    assert done.code == 0
    remedy = f"`coalint baseline prune --baseline {FILE} PATH...` removes them"
    assert done.err == f"coalint: warning: {FILE} lists 2 findings that are gone; {remedy}\n"
    pruned = project.coalint("baseline", "prune", "a.cu")
    assert pruned.out == f"removed 2; {FILE} lists 2 findings in 2 files\n"
    assert [(row["file"], row["count"]) for row in listed(project)] == [("a.cu", 1), ("c.cu", 1)]
    assert project.lint("--baseline", FILE, ".").err == ""


def test_what_a_run_does_not_look_for_is_not_called_gone(project: Project) -> None:
    project.put("k.cu", STRIDED)
    create(project)
    assert project.lint("--baseline", FILE, "--select=COA2", "k.cu").err == ""
    assert project.coalint("baseline", "prune", "--select=COA2", "k.cu").out.startswith("removed 0;")
    assert len(listed(project)) == 1


def test_the_list_is_sorted_and_the_same_whatever_the_order(project: Project) -> None:
    for name in ("b.cu", "a.cu", "sub/ä ö.cu"):
        project.put(name, TWICE)
    create(project, "sub", "b.cu", "a.cu")
    first = (project.root / FILE).read_bytes()
    create(project, ".")
    assert (project.root / FILE).read_bytes() == first
    assert [row["file"] for row in listed(project)] == ["a.cu", "b.cu", "sub/ä ö.cu"]
    assert first.decode().count("\n") == 5 + 3


def test_the_baseline_comes_after_comments(project: Project) -> None:
    project.put("k.cu", STRIDED)
    create(project)
    project.put("k.cu", STRIDED.replace("in[8 * i];", "in[8 * i];  // coalint: ignore[COA101]"))
    done = project.lint("--baseline", FILE, "k.cu")
    assert done.report["hidden"] == {"comments": 1, "baseline": 0, "unchanged": 0, "severity": 0, "more": 0}
    assert "that is gone" in done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "baseline not found; `coalint baseline create --baseline"),
        ("<<<<<<< HEAD", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", 'its "schema" is not "coalint-baseline/1"'),
        ('{"schema": "coalint-baseline/1"}', 'holds no list of "findings"'),
        ('{"schema": "coalint-baseline/1", "findings": [3]}', "finding 1 is not an object"),
        ('{"schema": "coalint-baseline/1", "findings": [{"file": "k.cu"}]}', 'finding 1 has no valid "code"'),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(project: Project, text: str | None, said: str) -> None:
    project.put("k.cu", STRIDED)
    if text is not None:
        project.put(FILE, text)
    done = project.coalint("lint", "--baseline", FILE, "k.cu")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert FILE in done.err
