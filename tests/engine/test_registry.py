"""Rule packs: what is loaded, and what is refused."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from coalint.engine.registry import GROUP, RegistryError, load_rules

BUILTIN = EntryPoint("builtin", "coalint.rules", GROUP)

RULE = '''
"""A rule."""
from coalint.core.findings import Severity
from coalint.rule import Rule

class {cls}(Rule):
    """A summary."""
    name = "{name}"
    code = "{code}"
    severity = Severity.INFO
    def check(self, context):
        return iter(())
'''

Pack = Callable[..., EntryPoint]


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pack:
    """Writes a package of rule modules and gives the entry point that an installed one would have."""

    def write(name: str, **modules: str) -> EntryPoint:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        sys.modules.pop(name, None)
        return EntryPoint(name, name, GROUP)

    return write


def test_the_installed_rules_are_those_of_the_rules_folder() -> None:
    folder = Path(__file__).resolve().parents[2] / "rules"
    registry = load_rules()
    for rules, folders in (
        (registry.rules, {"global_memory", "shared_memory", "synchronization"}),
        (registry.own, {"own"}),
    ):
        modules = {path.stem for path in folder.glob("*/*.py") if path.parent.name in folders} - {"__init__"}
        assert {rule.name.replace("-", "_") for rule in rules} == modules
    assert [rule.code for rule in registry.rules] == sorted(rule.code for rule in registry.rules)


def test_a_third_party_pack_adds_its_rules(pack: Pack) -> None:
    point = pack("acme_rules", mine=RULE.format(cls="Mine", name="acme-rule", code="ACM001"))
    registry = load_rules([point, BUILTIN])
    assert registry.named("acm001").name == "acme-rule"
    assert registry.matching("ACM") == (registry.named("acme-rule"),)


def test_a_missing_builtin_pack_is_an_error(pack: Pack) -> None:
    point = pack("acme_only", mine=RULE.format(cls="Mine", name="acme-rule", code="ACM001"))
    with pytest.raises(RegistryError, match="built-in rules are not installed.*pip install"):
        load_rules([point])


def test_two_rules_of_one_code_are_an_error_that_names_both(pack: Pack) -> None:
    first = pack("acme_one", mine=RULE.format(cls="One", name="rule-one", code="ACM001"))
    second = pack("acme_two", mine=RULE.format(cls="Two", name="rule-two", code="ACM001"))
    with pytest.raises(RegistryError, match=r"`ACM001`: acme_one\.mine\.One and acme_two\.mine\.Two"):
        load_rules([BUILTIN, first, second])


def test_a_pack_that_fails_to_import_is_named(pack: Pack) -> None:
    point = pack("acme_broken", mine="import does_not_exist_anywhere")
    with pytest.raises(RegistryError, match="`acme_broken`.*does_not_exist_anywhere"):
        load_rules([BUILTIN, point])


def test_an_unknown_rule_is_an_error_with_the_nearest_one() -> None:
    registry = load_rules()
    with pytest.raises(RegistryError, match="did you mean `not-analysed`"):
        registry.named("not-analyzed")
    with pytest.raises(RegistryError, match="`COA7` selects no rule"):
        registry.matching("COA7")
