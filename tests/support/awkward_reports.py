"""Reports that hold what output formats get wrong: awkward paths, characters and edits."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from project import program

from coalint.core.findings import Confidence, Finding, Fix, Note, Severity
from coalint.core.source.spans import Edit, Span
from coalint.engine.config.settings import Settings
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Coverage, Diagnostic, Failure, Report
from coalint.engine.request import RunRequest
from coalint.reporters.rendering import report_text

ROOT = Path(__file__).resolve().parents[2]
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


EMPTY = Report((), Coverage(1, 1, 2, 2, 0, 0), (), 1)


def text(report: Report, output_format: str) -> str:
    return report_text(report, output_format, "auto", load_rules())


def results(report: Report) -> list[Diagnostic]:
    return [d for d in report.diagnostics if not d.finding.code.startswith("COA9")]


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def real(repository: Path) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository)
        files = sorted(str(path.relative_to(repository)) for path in repository.rglob("*.cu"))
        report = lint(RunRequest(files=files, settings=Settings(jobs=1)), load_rules())
    assert {d.finding.severity for d in report.diagnostics} == set(Severity)
    return report


@pytest.fixture(params=["real", "spoiled", "empty"])
def report(request: pytest.FixtureRequest, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(repository)
    made = {"spoiled": spoiled(), "empty": EMPTY}.get(request.param) or request.getfixturevalue("real")
    assert isinstance(made, Report)
    return made
