"""Fixes through the command line: what is applied, what is refused, what is taken back."""

from __future__ import annotations

import os
import stat
from dataclasses import replace

import pytest
from project import STRIDED, Project

from coalint.core.findings import Confidence, Finding, Fix, Severity
from coalint.core.source.spans import Edit, Span
from coalint.engine.findings.fixes.apply import fix
from coalint.engine.report import Coverage, Diagnostic, Inspection, Report

SAFE = STRIDED.replace("in[8 * i];", "in[i];  // coalint: ignore[COA101]")


def transpose(declaration: str, body: str = "", *, block: str = "32, 32") -> str:
    return (
        "#define TILE 32\n#define TILES TILE + 0\n__global__ void k(float *out, const float *in) {\n"
        f"    {declaration}\n"
        "    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];\n"
        f"    __syncthreads();\n{body}"
        "    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
        f"}}\nvoid run(float *a) {{ k<<<1, dim3({block})>>>(a, a); }}\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__shared__ float tile[32][32];", "__shared__ float tile[32][32 + 1];"),
        ("__shared__ float tile[TILE][TILE];", "__shared__ float tile[TILE][TILE + 1];"),
        ("__shared__ float tile[32][16 * 2];", "__shared__ float tile[32][16 * 2 + 1];"),
        ("__shared__ float other[8], tile[32][32];", "__shared__ float other[8], tile[32][32 + 1];"),
        ("__shared__ volatile float tile [32] [32];", "__shared__ volatile float tile [32] [32 + 1];"),
    ],
)
def test_a_tiles_rows_are_lengthened_in_its_declaration(project: Project, before: str, after: str) -> None:
    project.put("k.cu", transpose(before))
    assert project.lint("k.cu").codes == ["COA201"]
    told = project.coalint("lint", "k.cu").out
    assert "  fix: --fix --unsafe-fixes: lengthen the rows of `tile` by 1 element\n" in told
    assert project.coalint("lint", "--fix", "k.cu").err == (
        "coalint: there is nothing to fix\n"
        "coalint: 1 finding has a fix that should be reviewed; --unsafe-fixes applies it\n"
    )
    done = project.coalint("lint", "--fix", "--unsafe-fixes", "k.cu")
    assert (done.code, done.err) == (0, "coalint: fixed 1 finding in 1 file\n")
    assert (project.root / "k.cu").read_text() == transpose(after)
    assert project.lint("k.cu").codes == []


@pytest.mark.parametrize(
    ("declaration", "body"),
    [
        ("__shared__ float tile[32][32];", "    float *p = &tile[0][0]; p[5] = 1;\n"),
        ("__shared__ float tile[32][32];", "    float *p = tile[1]; p[5] = 1;\n"),
        ("__shared__ float tile[32][32];", "    ((float *)tile)[threadIdx.x] = 1;\n"),
        ("__shared__ float tile[32][32];", "    out[5000] = sizeof(tile);\n"),
        ("__shared__ float tile[32][32];", "#if 0\n    float *p = tile[1];\n#endif\n"),
        ("__shared__ float tile[32][32];", "    atomicAdd(&tile[threadIdx.y][threadIdx.x], 1);\n"),
        ("__shared__ float tile[32][32]; __shared__ float big[11264]; big[threadIdx.x] = 0;", ""),
        ("__shared__ float tile[32][1 << 5];", ""),
        ("__shared__ float tile[32][true ? 32 : 8];", ""),
    ],
    ids=["address", "row", "cast", "size", "not compiled", "atomic", "room", "shift", "condition"],
)
def test_a_tile_whose_uses_do_not_allow_it_gets_no_fix(project: Project, declaration: str, body: str) -> None:
    text = transpose(declaration, body)
    project.put("k.cu", text)
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA201"]
    assert [d["fix"] for d in found] == [None]
    project.coalint("lint", "--fix", "--unsafe-fixes", "k.cu")
    assert (project.root / "k.cu").read_text() == text


@pytest.mark.parametrize(
    "store",
    ["tile[0][threadIdx.y * 32 + threadIdx.x] = 1;", "tile[threadIdx.y][threadIdx.x + 32] = 1;"],
    ids=["whole array as one row", "next row"],
)
def test_an_access_that_leaves_its_row_takes_the_fix_back(project: Project, store: str) -> None:
    text = transpose("__shared__ float tile[32][32];", f"    if (threadIdx.y < 30) {store}\n")
    project.put("k.cu", text)
    done = project.coalint("lint", "--fix", "--unsafe-fixes", "k.cu")
    assert (project.root / "k.cu").read_text() == text
    assert (
        "lengthen the rows of `tile` by 1 element: reverted, because it does not have the intended effect" in done.err
    )
    assert done.code == 1


def test_a_tile_in_a_header_is_fixed_there(project: Project) -> None:
    header, _, host = transpose("__shared__ float tile[TILE][TILE];").partition("void run")
    project.put("include/k.cuh", header)
    project.put("k.cu", '#include "include/k.cuh"\nvoid run' + host)
    done = project.coalint("lint", "--fix", "--unsafe-fixes", ".")
    assert done.code == 0
    assert "tile[TILE][TILE + 1];" in (project.root / "include/k.cuh").read_text()
    assert project.lint(".").codes == []


def test_a_diff_is_a_patch_and_changes_nothing(project: Project) -> None:
    project.put("sub/k.cu", SAFE.replace("\n", "\r\n"))
    project.put("clean.cu", STRIDED.replace("8 * i", "i"))
    before = (project.root / "sub/k.cu").read_bytes()
    done = project.coalint("lint", "--diff", ".")
    assert (done.code, done.err) == (1, "coalint: would fix 1 finding in 1 file\n")
    assert done.out.startswith("--- a/sub/k.cu\n+++ b/sub/k.cu\n@@ ")
    assert "-    out[i] = in[i];  // coalint: ignore[COA101]\r\n+    out[i] = in[i];\r\n" in done.out
    assert (project.root / "sub/k.cu").read_bytes() == before
    assert project.coalint("lint", "--diff", "clean.cu").code == 0


def test_what_is_left_is_reported_and_decides_the_exit_code(project: Project) -> None:
    project.put("k.cu", SAFE.replace("k(", "j(").replace("k<", "j<").replace("run", "go") + STRIDED)
    done = project.lint("--fix", "k.cu")
    assert (done.code, done.codes) == (1, ["COA101"])
    assert done.places[0][2] == 8


def test_permissions_and_links_stay(project: Project) -> None:
    path = project.put("real.cu", SAFE)
    path.chmod(0o640)
    os.symlink("real.cu", project.root / "link.cu")
    project.coalint("lint", "--fix", "link.cu")
    assert (project.root / "link.cu").is_symlink()
    assert "coalint:" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_unsafe_fixes_alone_mean_nothing(project: Project) -> None:
    project.put("k.cu", SAFE)
    done = project.coalint("lint", "--unsafe-fixes", "k.cu")
    assert (done.code, done.out) == (2, "")
    assert "--unsafe-fixes needs --fix to apply the fixes, or --diff to show them" in done.err


# --- the loop, over findings made up


NOTHING = Inspection((), Coverage(), ())


def finding(file: str, line: int, edits: tuple[Edit, ...], code: str = "TST101") -> Finding:
    span = Span(file, line, 1, line, 2)
    change = Fix("change it", edits, safe=True)
    return Finding(code, "made-up", Severity.WARNING, Confidence.HIGH, "m", span, f"kernel{line}", fix=change)


def test_overlapping_fixes_are_applied_one_after_the_other(project: Project) -> None:
    project.put("f", "abc\n")

    def lint(overlay: tuple[tuple[str, str], ...]) -> Report:
        text = dict(overlay).get(str(project.root / "f"), "abc\n")
        edits = {"abc\n": [(1, 3, "X"), (2, 4, "Y")], "Xc\n": [(1, 3, "Z")]}.get(text, [])
        found = [
            Diagnostic(finding("f", line, (Edit(Span("f", 1, first, 1, last), new),)))
            for line, (first, last, new) in enumerate(edits, 3 - len(edits))
        ]
        return Report(tuple(found), Coverage(), (), 1, {"f": text})

    done = fix(lint, lambda overlay: NOTHING, unsafe=False)
    done.workspace.write()
    assert (project.root / "f").read_text() == "Z\n"
    assert done.count == 2


def test_a_fix_that_brings_another_finding_is_taken_back_and_others_stay(project: Project) -> None:
    project.put("f", "ab\n")
    good = finding("f", 1, (Edit(Span("f", 1, 1, 1, 2), "A"),))
    bad = finding("f", 2, (Edit(Span("f", 1, 2, 1, 3), "B"),))
    worse = replace(bad, code="TST102", fix=None)

    def lint(overlay: tuple[tuple[str, str], ...]) -> Report:
        text = dict(overlay).get(str(project.root / "f"), "ab\n")
        found = [*([good] if "a" in text else []), *([bad] if "b" in text else [worse])]
        return Report(tuple(map(Diagnostic, found)), Coverage(), (), 1, {"f": text})

    done = fix(lint, lambda overlay: NOTHING, unsafe=False)
    done.workspace.write()
    assert (project.root / "f").read_text() == "Ab\n"
    assert done.remarks == ("f:2:1: change it: reverted, because it does not have the intended effect",)


def test_a_file_that_changed_meanwhile_is_left_as_it_is(project: Project) -> None:
    project.put("f", "new\n")
    report = Report(
        (Diagnostic(finding("f", 1, (Edit(Span("f", 1, 1, 1, 2), "A"),))),), Coverage(), (), 1, {"f": "old\n"}
    )
    done = fix(lambda overlay: report, lambda overlay: NOTHING, unsafe=False)
    assert done.remarks == ("f: changed while it was analysed; run coalint again",)
    assert done.workspace.changed == []
