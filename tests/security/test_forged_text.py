"""What a stranger writes into sources stands in reports as text: it forges no finding, command, markup or mention."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import forked
import pytest
from browser import complaints
from markdown_it import MarkdownIt
from selenium.webdriver.remote.webdriver import WebDriver

from coalint.cli.server.hover import Descriptions
from coalint.core.addresses import SITE
from coalint.engine.config.settings import Settings
from coalint.engine.linter import inspect
from coalint.engine.request import RunRequest
from coalint.reporters.shared.markdown import code, comment_text, editor_text, review_text

MARKUP = (
    "</details></script><img src=x onerror=forged=1><b id=forged> @user #12 user/it#3 [l](http://e.example) "
    "![i](http://e.example/i.png) www.e.example me@e.example ##[error]forged \N{RIGHT-TO-LEFT OVERRIDE}"
)
LINES = "::error file=k.cu,line=1::forged\\nk.cu:1:1: error[divergent-barrier] forged"
FORGED = f"{MARKUP} ` {MARKUP} \\n{LINES}"
KERNEL = "__global__ void {name}(float *out, int n) {{ out[{index}] = 1; }}\nvoid run_{name}(float *a) {{ {launch} }}\n"


def kernel(name: str, index: str = "8 * threadIdx.x") -> str:
    return KERNEL.format(name=name, index=index, launch=f"{name}<<<4, 256>>>(a, 3);")


SOURCES = {
    "error": f'#error "{FORGED}"\n' + kernel("a"),
    "assertion": f'static_assert(sizeof(int) == 5, "{FORGED}");\n' + kernel("b"),
    "warning": f'[[deprecated("{FORGED}")]] __device__ int old(int x) {{ return missing_x; }}\n'
    + kernel("c", "old(n)"),
    "include": f'#include "{FORGED.replace(chr(34), "")}.h"\n' + kernel("d"),
    "message": f'#pragma message("{FORGED}")\n' + kernel("e"),
    "ignore": f"// coalint: ignore[{FORGED}]\n" + kernel("f"),
    "assume": f'// coalint: assume(n == "{FORGED}")\n' + kernel("g"),
    "string": kernel("h", f'"{FORGED}"[n] * threadIdx.x'),
    "comment": kernel("i", f"/* {FORGED} */ 8 * threadIdx.x"),
    "macro": "#define FORGED(x) (8 * threadIdx.x)\n" + kernel("j", f'FORGED("{FORGED}")'),
    "characters": "template <char C> " + kernel("l", "C * threadIdx.x").replace("l<<<4", "l<'`'><<<4"),
    "condition": kernel("m").replace("{ out", f'{{ if (n > "{FORGED}"[threadIdx.x / 2]) out'),
}
FORMATS = (*("full", "concise", "github", "json", "jsonl", "sarif", "gitlab", "rdjson", "junit", "markdown", "html"),)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The report on all sources in each format."""
    root = tmp_path_factory.mktemp("forged")
    (root / ".git").mkdir()
    for name, text in SOURCES.items():
        (root / f"{name}.cu").write_text(text, encoding="utf-8")
    outputs = [f"-o{name}={root / name}" for name in FORMATS]
    done = forked.coalint("lint", ".", "-j1", "--show-info", *outputs, folder=root)
    assert done.returncode == 1, done.stderr
    return {name: (root / name).read_text(encoding="utf-8") for name in FORMATS}


def test_the_forgeries_reach_the_report(reports: dict[str, str]) -> None:
    found = json.loads(reports["json"])["diagnostics"]
    assert {at["file"] for d in found for at in d["places"]} == {f"{name}.cu" for name in SOURCES}
    assert sum("user/it#3" in json.dumps(d) for d in found) >= 5


@pytest.mark.parametrize("name", ["full", "concise", "github"])
def test_no_line_of_a_log_is_forged(name: str, reports: dict[str, str]) -> None:
    lines = reports[name].splitlines()
    commands = [line for line in lines if line.lstrip().startswith("::")]
    assert all(re.match(r"::(error|warning|notice) title=[a-z-]+ \(COA\d+\),file=\w+\.cu,", line) for line in commands)
    assert bool(commands) == (name == "github")
    assert not any(line.lstrip().startswith("k.cu:1:1") for line in lines)
    assert "##[error]" not in reports[name]
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in reports[name]


def test_a_comment_on_github_has_no_markup_links_or_mentions(reports: dict[str, str]) -> None:
    rendered = MarkdownIt("commonmark").render(reports["markdown"])
    assert set(re.findall(r"</?(\w+)", rendered)) <= set("h3 p details summary b code pre ul li".split())
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in rendered
    assert reports["markdown"].count("<details>") == reports["markdown"].count("</details>\n") >= len(SOURCES)
    prose = _outside_code(rendered)
    assert "user" in prose
    assert not re.search(r"@\w|#\d", prose)  # GitHub looks for these when the page is made, outside of code
    written = re.sub(r"^(`{3,})cuda\n.*\n\1$", "", reports["markdown"], flags=re.MULTILINE)
    assert "://" not in written  # and for these in the Markdown
    assert "www." not in written


def _outside_code(page: str) -> str:
    class Reader(HTMLParser):
        depth = 0
        texts: list[str] = []  # noqa: RUF012

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.depth += tag in ("code", "pre")

        def handle_endtag(self, tag: str) -> None:
            self.depth -= tag in ("code", "pre")

        def handle_data(self, data: str) -> None:
            self.texts += [] if self.depth else [data]

    reader = Reader()
    reader.feed(page)
    return "".join(reader.texts)


def _texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["text"]] if isinstance(value.get("text"), str) and "markdown" not in value else [])
        for inner in value.values():
            yield from _texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_of(inner)


def test_sarif_holds_no_links_of_a_source(reports: dict[str, str]) -> None:
    (run,) = json.loads(reports["sarif"])["runs"]
    texts = [text for result in run["results"] for text in _texts_of(result["message"])]
    assert any("user/it#3" in text for text in texts)
    for text in texts:
        unescaped = re.sub(r"\\.", "", text)
        assert not re.search(r"\[[^\]]*\]\(", unescaped), text
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text


def test_junit_and_gitlab_hold_a_case_for_each_finding_and_no_more(reports: dict[str, str]) -> None:
    suites = ElementTree.fromstring(reports["junit"])
    issues = json.loads(reports["gitlab"])
    cases = suites.findall("testsuite/testcase")
    assert len(cases) == len(issues) == int(suites.get("tests", "0")) >= len(SOURCES)
    assert {child.tag for case in cases for child in case} <= {"failure", "system-out"}
    for case in cases:
        (child,) = case
        lines = (child.text or "").splitlines()
        assert not any(line.startswith(("::", "k.cu:1:1")) for line in lines)
    for text in (reports["junit"], *(issue["description"] for issue in issues)):
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text


@pytest.mark.slow
def test_a_page_runs_and_shows_nothing_of_a_source_but_as_text(
    reports: dict[str, str], driver: WebDriver, tmp_path: Path
) -> None:
    (tmp_path / "report.html").write_text(reports["html"], encoding="utf-8")
    driver.get("about:blank")
    driver.get((tmp_path / "report.html").as_uri())
    found = "document.querySelectorAll('button, summary')"
    clicked = driver.execute_script(f"let n = 0; for (; n < 60 && {found}[n]; n++) {found}[n].click(); return n")
    assert clicked > 3
    assert driver.execute_script("return typeof forged") == "undefined"
    planted = "[...document.querySelectorAll('#forged, img, iframe, object')].map(e => e.outerHTML)"
    assert driver.execute_script(f"return {planted}") == []
    leading = (
        "[...document.querySelectorAll('[href], [src]')].map(e => e.getAttribute('href') ?? e.getAttribute('src'))"
    )
    own = re.compile(rf"#|{re.escape(SITE)}rules/COA\d+-[a-z-]+/$")
    assert all(own.match(to) for to in driver.execute_script(f"return {leading}"))
    assert "user/it#3" in driver.execute_script("return document.body.textContent")
    assert complaints(driver) == []


HOSTILE = (
    MARKUP,
    f"`{MARKUP}",
    f"a ``{MARKUP}`` b",
    f"`x` {MARKUP} `y",
    "\\[l](u) \\\\[l](u)",
    "<http://e.example>",
    "&lt;b>",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_for_editors_is_the_text_and_nothing_else(text: str) -> None:
    for written in (editor_text(text), code(text)):
        rendered = MarkdownIt("commonmark").render(f"- {written}")
        assert set(re.findall(r"</?(\w+)", rendered)) <= {"ul", "li", "code"}, rendered
    shown = re.sub(r"</?(ul|li|code)>|\n", "", MarkdownIt("commonmark").render(f"- {editor_text(text)}"))
    assert html.unescape(shown).replace("`", "").split() == text.replace("`", "").split()


OPENINGS = (
    "- a",
    "1. a",
    "2) a",
    "+ a",
    "= a",
    "=====",
    "-----",
    "> a",
    "/close a",
    "#error 1. a",
    "GH-12 and !3 and %4",
)


@pytest.mark.parametrize("text", [*HOSTILE, *OPENINGS, "*a* __b__ ~~c~~ &#64;user $x$ |", "kernel some_name of 3 * n"])
def test_markdown_for_a_review_is_the_text_and_nothing_else(text: str) -> None:
    written = review_text(text)
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(f"words\n{written}")
    assert set(re.findall(r"</?(\w+)", rendered)) <= {"p", "code"}, rendered
    prose = _outside_code(rendered)
    assert not re.search(r"@\w|#\d|GH-\d|[!%]\d|://|www\.\w", prose), prose
    assert not written.startswith("/"), "GitLab takes it for a command"
    shown = html.unescape(re.sub(r"</?(p|code)>|\n", "", rendered)).replace("\N{ZERO WIDTH SPACE}", "")
    shown = shown.removeprefix("words")
    assert shown.replace("`", "").split() == text.replace("`", "").split()


def test_plain_messages_of_a_review_stay_as_they_are() -> None:
    text = "the load of `in[8 * i]` takes 32 sectors per request (ideal: 4), kernel some_name<int>, 50% of n"
    assert review_text(text) == text.replace("<", "\\<")


def test_a_review_by_reviewdog_has_no_markup_links_or_mentions(reports: dict[str, str]) -> None:
    messages = [found["message"] for found in json.loads(reports["rdjson"])["diagnostics"]]
    assert any("user/it#" in message for message in messages)
    for message in messages:
        rendered = MarkdownIt("gfm-like", {"linkify": False}).render(message)
        assert set(re.findall(r"</?(\w+)", rendered)) <= {"p", "code"}, rendered
        assert not re.search(r"@\w|#\d|://|www\.\w", _outside_code(rendered))
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in message


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_for_a_comment_is_the_text_and_nothing_else(text: str) -> None:
    rendered = MarkdownIt("commonmark").render(f"- {comment_text(text)}")
    assert set(re.findall(r"</?(\w+)", rendered)) <= {"ul", "li", "code"}, rendered
    shown = html.unescape(re.sub(r"</?(ul|li|code)>|\n", "", rendered)).replace("\N{ZERO WIDTH SPACE}", "")
    assert shown.replace("`", "").split() == text.replace("`", "").split()


def test_what_an_editor_shows_of_an_access_is_text(tmp_path: Path) -> None:
    names = ("string", "characters", "condition")
    for name in names:
        (tmp_path / f"{name}.cu").write_text(SOURCES[name], encoding="utf-8")
    files = [str(tmp_path / f"{name}.cu") for name in names]
    inspection = inspect(RunRequest(files=files, settings=Settings(jobs=1)))
    spans = [made.written.span for item in inspection.kernels for made in item.instructions]
    assert {Path(span.file).stem for span in spans} == set(names)
    for span in spans:
        described = Descriptions(inspection, span.file).at(span.line, span.column)
        assert described is not None
        rendered = MarkdownIt("commonmark").render(described.markdown)
        assert set(re.findall(r"</?(\w+)", rendered)) <= {"p", "strong", "ul", "li", "code", "hr"}, rendered
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in rendered
