"""What a source says is data in every report: it forges no line, command, tag, link or mention."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from browser import chromium, complaints
from markdown_it import MarkdownIt
from project import Project

from coalint.cli.server.hover import Descriptions
from coalint.engine.config.settings import Settings
from coalint.engine.linter import inspect
from coalint.engine.request import RunRequest

MARK = "</script></style>--><img src=x onerror=forged()>![i](http://e.org/i) [l](command:x) @everyone #1 ##[error]f"
TICKS = "` `` ``` <img src=x> ![i](http://e.org/i) ```` ~~~"
SOURCE = f"""\
#define EVIL(x) (8 * (x /* {MARK} */))
#define TICKED '`'
#warning {MARK}
template <char... C> __global__ void k(float *out, const float *in, int n) {{
    if (n != '`' /* {TICKS} */ && n < '<')
        out[threadIdx.x] = in[EVIL(threadIdx.x) /* {MARK} {TICKS} */ + sizeof("{MARK.replace('"', "")}")];
    out[n * '`' * threadIdx.x /* ]]> &lt; {TICKS} */] = in[TICKED * threadIdx.x /*
::error file=k.cu,line=1::forged
        \u202e\x1b[2J \x9b */ ];
}}
static_assert(sizeof(int) == 9, "{MARK}");
#include "{MARK}.h"
struct \u0416 {{ float v[9]; }};
template <class T> __global__ void typed(T *p) {{ p[threadIdx.x].v[0] = 1; }}
// coalint: ignore[{MARK}]
// coalint: assume({MARK} == 1)
void run(float *a, \u0416 *b) {{
    k<'`', '<', '|', '\\n', ']'><<<4, 256 /* {MARK} */>>>(a, a, 7);
    typed<<<4, 256>>>(b);
}}
"""
FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "rdjson", "junit", "markdown", "html")
STEERING = "\x1b\x9b\u202e"


@pytest.fixture
def reports(project: Project) -> dict[str, str]:
    project.put("k.cu", SOURCE)
    done = project.coalint("lint", "k.cu", "-j1", *(f"-o{name}={project.root / name}" for name in FORMATS))
    assert done.code == 1, done.err
    return {name: (project.root / name).read_text(encoding="utf-8") for name in FORMATS}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attributes)))


def tags(text: str) -> Tags:
    parser = Tags()
    parser.feed(text)
    return parser


def rendered(markdown: str) -> list[tuple[str, dict[str, str | None]]]:
    return tags(MarkdownIt("commonmark").render(markdown)).seen


def test_reports_on_a_hostile_source_hold_data_alone(reports: dict[str, str]) -> None:
    for name in ("full", "concise", "github", "markdown", "html"):
        assert not any(c in reports[name] for c in STEERING), name
    for name in ("full", "concise"):
        assert not re.search(r"^\s*::|##\[", reports[name], re.MULTILINE), name
    for line in reports["github"].splitlines():
        assert re.match(r"::(error|warning|notice) (file|title)=|coalint: ", line), line
    assert [
        tag for tag, _ in rendered(reports["markdown"]) if tag not in "h3 p details summary b code pre ul li".split()
    ] == []
    shown = MarkdownIt("commonmark").render(reports["markdown"])
    assert "@everyone" not in re.sub("<pre>.*?</pre>", "", shown, flags=re.DOTALL), "in a fence it is no mention"
    found = json.loads(reports["json"])["diagnostics"]
    assert len(found) >= 4
    results = json.loads(reports["sarif"])["runs"][0]["results"]
    assert len(results) >= 3
    for result in results:
        for text in (
            result["message"]["text"],
            *(m["text"] for m in (at["message"] for at in result.get("relatedLocations", []) if "message" in at)),
        ):
            assert not re.search(r"(?<!\\)\[[^\]]*(?<!\\)\]\([^)]*\)", text), text
    assert all(issue["location"]["path"] == "k.cu" for issue in json.loads(reports["gitlab"]))
    assert {item["location"]["path"] for item in json.loads(reports["rdjson"])["diagnostics"]} == {"k.cu"}
    assert len(list(ElementTree.fromstring(reports["junit"]).iter("testcase"))) >= len(found)
    assert len(reports["jsonl"].splitlines()) >= len(found)


def test_the_page_on_a_hostile_source_has_no_element_of_it(reports: dict[str, str]) -> None:
    seen = tags(reports["html"]).seen
    assert [tag for tag, _ in seen if tag in ("img", "iframe", "object", "link", "base")] == []
    assert all((attributes["href"] or "").startswith("#") for tag, attributes in seen if tag == "a")
    assert [key for _, attributes in seen for key in attributes if key in ("onerror", "onload")] == []
    policy = next(
        a["content"] or "" for tag, a in seen if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")


@pytest.mark.slow
def test_a_browser_runs_and_loads_nothing_of_a_hostile_source(
    reports: dict[str, str], tmp_path_factory: pytest.TempPathFactory, project: Project
) -> None:
    with chromium(tmp_path_factory.mktemp("browser")) as driver:
        page = project.root / "page.html"
        page.write_text(reports["html"], encoding="utf-8")
        driver.get(page.as_uri())
        assert driver.execute_script("return document.querySelectorAll('.finding, [data-code], li, tr').length") > 0
        assert driver.execute_script("return document.querySelectorAll('img, iframe, [onerror]').length") == 0
        assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0
        assert complaints(driver) == []


def test_what_an_editor_shows_is_no_markup_of_the_source(project: Project) -> None:
    path = project.put("k.cu", SOURCE)
    inspection = inspect(RunRequest(files=[str(path)], settings=Settings(jobs=1, cache=False)))
    spans = {access.span for item in inspection.kernels for access in item.analysis.accesses}
    assert len(spans) >= 4
    descriptions = Descriptions(inspection, str(path))
    told = [descriptions.at(span.line, span.column) for span in spans]
    for item in told:
        assert item is not None
        assert not any(c in item.markdown for c in STEERING)
        seen = rendered(item.markdown)
        assert {tag for tag, _ in seen} <= {"p", "strong", "code", "ul", "li", "hr"}, item.markdown
    assert any("`" in item.markdown for item in told if item)


def test_the_source_is_one_that_forges() -> None:
    """Without the reports' care, each of these would be markup: the tests above can fail."""
    assert {"img", "a"} <= {tag for tag, _ in rendered(f"{MARK} [l](http://e.org)")}
