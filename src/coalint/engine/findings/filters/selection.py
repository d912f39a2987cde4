"""Which rules a file selects, and the severities of their findings there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from functools import cached_property

from coalint.core.findings import Finding, Severity
from coalint.core.records import record
from coalint.engine.config.selection import Patterns
from coalint.engine.config.settings import Settings, SettingsOf
from coalint.engine.registry import Registry
from coalint.engine.report import Diagnostic
from coalint.engine.units.discovery import matches
from coalint.rule import Rule

_EXACT = 1000


@record(frozen=True)
class FileSelection:
    """The rules that the settings of one file select, by code, and their severities.

    An ignored rule runs all the same, so that the findings that it refines are not reported instead.
    """

    settings: Settings
    registry: Registry

    @cached_property
    def running(self) -> frozenset[str]:
        """Codes of the rules that are selected."""
        return self._selection[0]

    @cached_property
    def shown(self) -> frozenset[str]:
        """Codes of the rules that are selected and not ignored."""
        return self._selection[1]

    @cached_property
    def _selection(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return codes that run and codes that are shown.

        Layers apply in order: a `select` starts over; within a layer a more exact selector beats a less exact one.
        """
        running = {rule.code for rule in self.registry if rule.status != "preview" or self.settings.preview}
        shown = set(running)
        for layer in self.settings.selections:
            if layer.select is not None:
                running, shown = set(), set()
            wanted = [(self._exactness(word), 0, word) for word in (*(layer.select or ()), *layer.extend_select)]
            unwanted = [(self._exactness(word), 1, word) for word in layer.ignore]
            for _, is_unwanted, selector in sorted((*wanted, *unwanted)):
                if is_unwanted:
                    shown.difference_update(rule.code for rule in self.registry.matching(selector))
                else:
                    codes = {rule.code for rule in self._selected(selector)}
                    running |= codes
                    shown |= codes
        return frozenset(running), frozenset(shown)

    def _selected(self, selector: str) -> Iterator[type[Rule]]:
        """Yield the rules that a selector matches; without `preview`, preview rules only by their own code or name."""
        for rule in self.registry.matching(selector):
            named = selector.lower() in (rule.name, rule.code.lower())
            if rule.status != "preview" or self.settings.preview or named:
                yield rule

    def _exactness(self, selector: str) -> int:
        """Return the rank of a selector: ALL lowest, then prefixes by length, then codes and names."""
        if selector.upper() == "ALL":
            return 0
        exact = any(selector.lower() in (rule.name, rule.code.lower()) for rule in self.registry)
        return _EXACT if exact else len(selector)

    @cached_property
    def severities(self) -> dict[str, Severity]:
        """The configured severities by rule code."""
        entries = sorted(self.settings.severity, key=lambda entry: self._exactness(entry[0]))
        return {rule.code: level for selector, level in entries for rule in self.registry.matching(selector)}

    @cached_property
    def all_rules_run(self) -> bool:
        """Whether every stable rule runs."""
        return all(rule.code in self.running for rule in self.registry if rule.status != "preview")


@record
class RuleSelections:
    """The rules that each file selects.

    Attributes:
        settings_of: Returns the settings of a file.
        registry: The installed rules.
    """

    settings_of: SettingsOf
    registry: Registry
    _selections: dict[Settings, FileSelection] = field(default_factory=dict)
    _hidden: dict[str, frozenset[str]] = field(default_factory=dict)

    def for_file(self, file: str) -> FileSelection:
        """Return the selection of a file, per-file ignores not applied."""
        settings = self.settings_of(file)
        if settings not in self._selections:
            self._selections[settings] = FileSelection(settings, self.registry)
        return self._selections[settings]

    def running(self, files: Iterable[str]) -> list[type[Rule]]:
        """Return the rules that any of the files selects, ordered by code."""
        codes = {code for file in files for code in self.for_file(file).running}
        return [rule for rule in self.registry.rules if rule.code in codes]

    def shows(self, code: str, file: str) -> bool:
        """Whether findings of a rule are reported in a file."""
        return code in self.for_file(file).shown and code not in self._ignored(file)

    def with_severities(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield the diagnostics with the severities that the settings of their files give."""
        for diagnostic in diagnostics:
            yield replace(diagnostic, finding=self._with_severity(diagnostic.finding))

    def _with_severity(self, finding: Finding) -> Finding:
        """Return the finding with its configured severity; where its rule lowered the severity, it stays lowered."""
        configured = self.for_file(finding.span.file).severities.get(finding.code)
        if configured is None:
            return finding
        usual = self.registry.named(finding.code).severity
        lowered = finding.severity < usual
        return replace(finding, severity=min(configured, finding.severity) if lowered else configured)

    def _ignored(self, file: str) -> frozenset[str]:
        """Return the codes that per-file ignores hide in a file."""
        if file not in self._hidden:
            codes: set[str] = set()
            for entry in self.settings_of(file).per_file_ignores:
                wanted = not entry.pattern.startswith("!")
                patterns = (Patterns(entry.folder, (entry.pattern if wanted else entry.pattern[1:],)),)
                if matches(file, patterns) is wanted:
                    codes.update(rule.code for word in entry.selectors for rule in self.registry.matching(word))
            self._hidden[file] = frozenset(codes)
        return self._hidden[file]
