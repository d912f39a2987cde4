"""Writes docs/rules/ and the README's table of rules from the docstrings of the built-in rules and docs/maps/.

python docs/make_rules.py
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

from coalint.engine.registry import BUILTIN, GROUP, load_rules
from coalint.reporters.rules.text import rule_page, summary_line
from coalint.rule import Rule

DOCS = Path(__file__).parent
FOLDER = DOCS / "rules"
MAPS = DOCS / "maps"
README = DOCS.parent / "README.md"
BEGIN, END = "<!-- rules: written by docs/make_rules.py -->\n", "<!-- end of the rules -->\n"
INDEX = """# Rules

Written by `python docs/make_rules.py` from the rules themselves; `coalint rule NAME` shows the same pages, but for the
pictures, which `coalint show` draws. A rule is chosen by its code, a prefix of codes or its name:
`coalint lint --select COA2 --ignore shared-bank-conflict kernels/`.

"""


def built_in() -> list[type[Rule]]:
    """The rules that coalint brings, by code, without those of other packs that are installed."""
    return list(load_rules(entry_points(group=GROUP, name=BUILTIN)))


def file_name(rule: type[Rule]) -> str:
    """The name of a rule's page."""
    return f"{rule.code}-{rule.name}.md"


def pages() -> dict[str, str]:
    """Every page of docs/rules by its name, the index among them."""
    rules = built_in()
    return {"README.md": INDEX + table(rules, file_name), **{file_name(rule): with_maps(rule) for rule in rules}}


def with_maps(rule: type[Rule]) -> str:
    """A rule's page, with the pictures of docs/maps behind the first code of its example and of what to use instead."""
    page = rule_page(rule)
    for section, name in (("## Example\n", "example"), ("## Use instead\n", "instead")):
        picture = MAPS / f"{rule.code}-{name}.svg"
        if picture.exists():
            head, heading, rest = page.partition(section)
            code, fence, tail = rest.partition("\n```\n")
            after = tail if tail.startswith("\n") else f"\n{tail}"
            page = f"{head}{heading}{code}{fence}\n{_linked(picture)}{after}"
    return page


def _linked(picture: Path) -> str:
    """The picture, its description in place of it where it cannot be seen, and the command that draws it."""
    root = ElementTree.parse(picture).getroot()
    command, description = (root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") or "" for tag in ("title", "desc"))
    alternative = description.replace("[", "\\[").replace("]", "\\]")
    return f"![{alternative}](../maps/{picture.name})\n\n`{command}` draws this.\n"


def table(rules: list[type[Rule]], page_of: Callable[[type[Rule]], str]) -> str:
    """A row per rule, linked to its page."""
    rows = ["| code | rule | severity | |", "|---|---|---|---|"]
    for rule in rules:
        link = f"[{rule.name}]({page_of(rule)})"
        status = "" if rule.status == "stable" else f", {rule.status}"
        rows.append(f"| {rule.code} | {link} | {rule.severity.label}{status} | {summary_line(rule)} |")
    return "".join(f"{row}\n" for row in rows)


def with_table(readme: str) -> str:
    """The README with its table of rules brought up to date."""
    head, _, rest = readme.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}{table(built_in(), lambda rule: rule.address())}{END}{tail}"


def main() -> None:
    """Write what changed, and remove the pages of rules that are gone."""
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
