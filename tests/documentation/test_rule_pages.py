"""The pages on rules and the README's table are what docs/make_rules.py makes of the rules."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "rules"


@pytest.fixture(scope="module")
def make_rules() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_rules", ROOT / "docs" / "make_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_current(make_rules: ModuleType) -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert written == make_rules.pages(), "run: python docs/make_rules.py"
    assert {"README.md", "COA101-uncoalesced-global-access.md"} <= set(written)


def test_the_readme_lists_every_rule(make_rules: ModuleType) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count(make_rules.BEGIN) == readme.count(make_rules.END) == 1
    assert readme == make_rules.with_table(readme), "run: python docs/make_rules.py"
    links = set(re.findall(r"\]\((https:[^)]*/rules/[^)]*)\)", readme))
    assert links >= {rule.address() for rule in make_rules.built_in()}


def test_every_page_has_the_fixed_sections() -> None:
    """What the hardware counts is for rules about accesses; coalint's own rules count nothing."""
    for page in FOLDER.glob("COA*.md"):
        headings = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        fixed = ["What it does", "Why is this bad", "Example", "Use instead"]
        counted = [] if page.name.startswith("COA9") else ["What the hardware counts"]
        assert [heading for heading in headings if heading in (*fixed, *counted)] == fixed + counted, page.name
