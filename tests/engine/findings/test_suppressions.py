"""Comments that hide findings, those that hide none, and those that are written for the user."""

from __future__ import annotations

import pytest
from project import STRIDED, Done, Project

HEAD = "__global__ void k(float *out, const float *in) {\n    int i = blockIdx.x * 256 + threadIdx.x;\n"
TAIL = "}\nvoid run(float *a) { k<<<4, 256>>>(a, a); }\n"


def kernel(body: str) -> str:
    """A kernel that is launched; the body begins at line 3."""
    return HEAD + body + TAIL


def lint(project: Project, body: str, *arguments: str) -> Done:
    project.put("k.cu", kernel(body))
    return project.lint("k.cu", *arguments)


def found(done: Done) -> list[tuple[str, int]]:
    return [(code, line) for _, code, line in done.places]


BAD = "out[i] = in[8 * i];"


@pytest.mark.parametrize(
    "body",
    [
        f"    {BAD}  // coalint: ignore\n",
        f"    {BAD}  // coalint: ignore[COA101] rows are short\n",
        f"    {BAD}  // coalint: ignore[uncoalesced-global-access]\n",
        f"    {BAD}  /* coalint: ignore[coa101] */\n",
        f"    /* coalint: ignore[COA101] */ {BAD}\n",
        f"    // coalint: ignore[COA101]\n    {BAD}\n",
        f"    // coalint: ignore[COA101]\n\n    // rows\n#pragma unroll\n    for (int j = 0; j < 2; j++) {BAD}\n",
        "    // coalint: ignore[COA101]\n    out[i] =\n        in[i] +\n        in[8 * i];\n",
        "    out[i] =\n        in[8\n           * i];  // coalint: ignore[COA101]\n",
        "    out[i] =\n        in[8  // coalint: ignore[COA101]\n           * i];\n",
        f"    // coalint: disable[COA101]\n    {BAD}\n    // coalint: enable[COA101]\n",
        f"    // coalint: disable\n    {BAD}\n    // coalint: enable\n",
    ],
)
def test_a_comment_hides_a_finding_and_is_counted(project: Project, body: str) -> None:
    done = lint(project, body)
    assert (done.code, found(done)) == (0, [])
    assert done.report["hidden"] == {"comments": 1, "baseline": 0, "unchanged": 0, "severity": 0, "more": 0}
    assert project.lint("k.cu", "--no-ignores").codes == ["COA101"]


def test_the_summary_says_how_many_are_hidden(project: Project) -> None:
    project.put("k.cu", kernel(f"    {BAD}  // coalint: ignore[COA101]\n"))
    assert project.coalint("lint", "k.cu").out.endswith("not reported: 1 by comments\n")


def test_an_end_of_line_comment_hides_only_what_stands_on_its_line(project: Project) -> None:
    body = "    out[i] =\n        in[8 * i] +\n        in[16 * i];  // coalint: ignore[COA101]\n"
    assert found(lint(project, body)) == [("COA101", 4)]


def test_other_rules_on_the_line_are_still_reported(project: Project) -> None:
    body = f"    {BAD}  // coalint: ignore[COA201]\n"
    assert found(lint(project, body)) == [("COA101", 3), ("COA901", 3)]


def test_a_whole_file_is_silenced_at_its_top_only(project: Project) -> None:
    project.put("k.cu", "// Licence\n// coalint: ignore-file[COA101] generated\n" + STRIDED)
    assert found(project.lint("k.cu")) == []
    project.put("k.cu", STRIDED + "// coalint: ignore-file[COA101]\n")
    assert found(project.lint("k.cu")) == [("COA101", 3), ("COA904", 6)]


def test_comments_in_headers_hide_findings_there(project: Project) -> None:
    project.put(
        "k.cuh", "__device__ float get(const float *p, int i) { return p[8 * i]; }  // coalint: ignore[COA101]\n"
    )
    project.put(
        "k.cu",
        '#include "k.cuh"\n__global__ void k(float *p) { p[threadIdx.x] = get(p, threadIdx.x); }\n'
        "void run(float *a) { k<<<4, 256>>>(a); }\n",
    )
    assert found(project.lint("k.cu")) == []
    assert project.lint("k.cu", "--no-ignores").places == [("k.cuh", "COA101", 1)]


def test_strings_hide_nothing(project: Project) -> None:
    body = f'    {BAD} const char *s = "// coalint: ignore";\n'
    assert found(lint(project, body)) == [("COA101", 3)]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("ignore[COA9011]", "there is no rule `COA9011`; did you mean `COA901`?"),
        ("ignore[uncoalesced-access]", "did you mean `uncoalesced-global-access`?"),
        ("ignore COA101", "rules must be in brackets, as in ignore[COA101]"),
        ("ignore[COA1]", "there is no rule `COA1`"),
        ("ingore", "did you mean `ignore`?"),
        ("enable[COA101]", "no `coalint: disable` of the same rules comes before it"),
        ("disable[COA201]", "no `coalint: enable` of the same rules ends this `disable`"),
    ],
)
def test_a_comment_that_cannot_be_understood_is_a_finding_at_its_place(
    project: Project, comment: str, said: str
) -> None:
    done = lint(project, f"    {BAD}  // coalint: {comment}\n")
    (finding,) = (d for d in done.report["diagnostics"] if d["code"] == "COA904")
    assert said in finding["message"]
    assert (finding["line"], finding["severity"]) == (3, "warning")
    assert ("COA101", 3) in found(done)


# --- unused ones


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    out[i] = in[i];  // coalint: ignore[COA101] old\n", "    out[i] = in[i];\n"),
        ("    out[i] = in[i];  // row // coalint: ignore\n", "    out[i] = in[i];  // row\n"),
        ("    out[i] = in[i];\t/* coalint: ignore */\t// row\n", "    out[i] = in[i];\t// row\n"),
        ("    return/* coalint: ignore */;\n", "    return ;\n"),
        ("    // coalint: ignore[COA101]\n    out[i] = in[i];\n", "    out[i] = in[i];\n"),
        (f"    {BAD}  // coalint: ignore[COA201, COA101] x\n", f"    {BAD}  // coalint: ignore[COA101] x\n"),
        ("    // coalint: disable[COA101]\n    out[i] = 0;\n    // coalint: enable[COA101]\n", "    out[i] = 0;\n"),
        ("    out[i] = in[i];  // coalint: ignore[COA101] ä\r\n", "    out[i] = in[i];\r\n"),
    ],
)
def test_an_unused_comment_is_found_and_removed(project: Project, before: str, after: str) -> None:
    assert "COA901" in lint(project, before).codes
    done = project.coalint("lint", "--fix", "k.cu")
    assert "coalint: fixed 1 finding in 1 file\n" in done.err
    assert done.code == 0
    assert (project.root / "k.cu").read_bytes() == kernel(after).encode()
    assert "there is nothing to fix" in project.coalint("lint", "--fix", "k.cu").err


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        (kernel("    out[i] = in[i];  // coalint: ignore[COA101]\n"), ["--ignore=COA101"]),
        (kernel("    out[i] = in[i];  // coalint: ignore[COA101]\n"), ["--select=COA2,COA901"]),
        (kernel("    out[i] = in[i];  // coalint: ignore\n"), ["--select=COA2,COA901"]),
        (kernel("#ifdef OLD\n    out[i] = in[i];  // coalint: ignore[COA101]\n#endif\n"), []),
        (HEAD + "    out[i] = in[i];  // coalint: ignore[COA101]\n}\n", []),
        (kernel("    undeclared(in);\n    out[i] = in[i];  // coalint: ignore[COA101]\n"), []),
        ('#include "gone.h"\n' + kernel("    out[i] = in[ROW * i];  // coalint: ignore[COA101]\n"), []),
    ],
    ids=["ignored", "not selected", "not all selected", "conditional", "not launched", "not understood", "no header"],
)
def test_what_a_run_cannot_judge_is_not_called_unused(project: Project, source: str, arguments: list[str]) -> None:
    project.put("k.cu", source)
    assert "COA901" not in project.lint("k.cu", *arguments).codes


def test_a_headers_comment_is_judged_only_where_the_header_is_linted_and_its_kernel_launched(project: Project) -> None:
    project.put("k.cuh", "__global__ void k(float *p) { p[threadIdx.x] = 0; }  // coalint: ignore[COA101]\n")
    project.put("k.cu", '#include "k.cuh"\nvoid run(float *p) { k<<<1, 64>>>(p); }\n')
    assert project.lint("k.cu").codes == []
    assert project.lint(".").places == [("k.cuh", "COA901", 1)]


def test_findings_about_comments_are_hidden_only_by_name(project: Project) -> None:
    project.put("k.cu", "// coalint: ignore-file[COA901]\n" + kernel("    out[i] = in[i];  // coalint: ignore\n"))
    assert project.lint("k.cu").codes == []


# --- written ones


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"    {BAD}\n", f"    {BAD}  // coalint: ignore[uncoalesced-global-access]\n"),
        (f"    {BAD}\r\n", f"    {BAD}  // coalint: ignore[uncoalesced-global-access]\r\n"),
        (f"    {BAD}  // für ihn\n", f"    {BAD}  // für ihn  // coalint: ignore[uncoalesced-global-access]\n"),
        (
            f"    {BAD}  // coalint: ignore[COA201] why\n",
            f"    {BAD}  // coalint: ignore[COA201, uncoalesced-global-access] why\n",
        ),
        (
            f"\t{BAD}  /* two\n lines */\n",
            f"\t// coalint: ignore[uncoalesced-global-access]\n\t{BAD}  /* two\n lines */\n",
        ),
        (
            f"\t{BAD}  \\\n\n",
            f"\t// coalint: ignore[uncoalesced-global-access]\n\t{BAD}  \\\n\n",
        ),
        (
            f"    {BAD}  // coalint: assume(gridDim.y == 1)\n",
            f"    // coalint: ignore[uncoalesced-global-access]\n    {BAD}  // coalint: assume(gridDim.y == 1)\n",
        ),
    ],
)
def test_comments_are_written_for_findings(project: Project, before: str, after: str) -> None:
    lint(project, before, "--ignore=COA901")
    done = project.coalint("lint", "--add-ignores", "--ignore=COA901", "k.cu")
    assert (project.root / "k.cu").read_bytes() == kernel(after).encode()
    assert "coalint: hid 1 finding in 1 file\n" in done.err
    assert done.code == 0
    again = project.coalint("lint", "--add-ignores", "--ignore=COA901", "k.cu")
    assert "there is nothing to hide" in again.err
    assert (project.root / "k.cu").read_bytes() == kernel(after).encode()


def test_bytes_that_are_no_utf8_and_a_byte_order_mark_stay(project: Project) -> None:
    data = b"\xef\xbb\xbf// caf\xe9\n" + STRIDED.replace("in[8 * i];", "in[8 * i]; // \xe9").encode("latin-1")
    project.put("k.cu", data)
    project.coalint("lint", "--add-ignores", "k.cu")
    expected = data.replace(b"// \xe9\n}", b"// \xe9  // coalint: ignore[uncoalesced-global-access]\n}")
    assert (project.root / "k.cu").read_bytes() == expected
    assert project.lint("k.cu").codes == []


def test_where_no_comment_can_stand_nothing_is_written_and_it_is_said(project: Project) -> None:
    body = f"    if (i) \\\n        {BAD} \\\n\n"
    project.put("k.cu", kernel(body))
    done = project.coalint("lint", "--add-ignores", "k.cu")
    assert (project.root / "k.cu").read_bytes() == kernel(body).encode()
    assert "k.cu:4:18: no comment can be placed here to hide COA101; write one by hand" in done.err
    assert done.code == 1


def test_a_diff_of_added_comments_writes_nothing(project: Project) -> None:
    project.put("k.cu", STRIDED)
    done = project.coalint("lint", "--add-ignores", "--diff", "k.cu")
    assert "+    out[i] = in[8 * i];  // coalint: ignore[uncoalesced-global-access]\n" in done.out
    assert (done.code, (project.root / "k.cu").read_text()) == (1, STRIDED)
    assert "coalint: would hide 1 finding in 1 file" in done.err
