"""Prints the documentation of rules, from their docstrings."""

from __future__ import annotations

from rich.text import Text

from coalint.engine.registry import Registry
from coalint.reporters.shared.console import console, linked, style_of
from coalint.rule import Rule

DRAWN = ("COA1", "COA2")
"""The prefixes of rules about the cost of accesses, which `coalint show` can draw."""
PICTURE = "To see the access of a finding lane by lane: coalint show FILE:LINE"


def print_rules(registry: Registry, color: str) -> None:
    """Print one line per rule: code, name, severity and status."""
    out = console(color)
    rules = list(registry)
    longest = max(len(rule.name) for rule in rules)
    for rule in rules:
        line = Text(f"{rule.code}  ")
        line.append(rule.name, linked("coalint.title", rule.address()))
        line.append(" " * (longest - len(rule.name)))
        line.append("  ")
        line.append(f"{rule.severity.label:<7}", style_of(rule.severity))
        line.append(f"  {rule.status}" if rule.status != "stable" else "", "coalint.quiet")
        out.print(line)


def print_rule(rule: type[Rule], color: str) -> None:
    """Print the documentation of a rule: rendered on a terminal, as Markdown source elsewhere."""
    out = console(color)
    if out.is_terminal:
        from rich.markdown import Markdown

        out.print(Text(_title(rule), "coalint.title"))
        out.print(Text(f"{_facts(rule)}\n", "coalint.quiet"))
        out.print(Markdown(rule.documentation(), code_theme="ansi_dark"), soft_wrap=False)
        if rule.code.startswith(DRAWN):
            out.print(Text(f"\n{PICTURE}", "coalint.quiet"))
    else:
        out.print(rule_page(rule))


def rule_page(rule: type[Rule]) -> str:
    """Return the documentation of a rule as a Markdown page."""
    return f"# {_title(rule)}\n\n{_facts(rule)}\n\n{rule.documentation()}\n"


def summary_line(rule: type[Rule]) -> str:
    """Return the first paragraph of a rule's documentation in one line."""
    return " ".join(rule.documentation().partition("\n\n")[0].split())


def _title(rule: type[Rule]) -> str:
    return f"{rule.name} ({rule.code})"


def _facts(rule: type[Rule]) -> str:
    facts = f"severity {rule.severity.label}, {rule.status}"
    if rule.refines:
        facts += f"; takes the place of {', '.join(rule.refines)} where both hold"
    return facts
