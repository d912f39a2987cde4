"""What every rule has: a name and a page with fixed sections."""

from __future__ import annotations

import re

import pytest
from rule_findings import OURS, RULES


@pytest.mark.parametrize("code", OURS)
def test_documentation_has_the_fixed_sections(code: str) -> None:
    page = RULES[code].documentation()
    sections = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert sections == ["What it does", "Why is this bad", "Example", "Use instead", "What the hardware counts"]
    assert page.count("```") % 2 == 0
    assert "```cuda" in page


@pytest.mark.parametrize("code", OURS)
def test_a_rule_is_named_as_its_module(code: str) -> None:
    rule = RULES[code]
    assert rule.__module__.rpartition(".")[2].replace("_", "-") == rule.name
    assert all(any(other.name == name for other in RULES.values()) for name in rule.refines)
