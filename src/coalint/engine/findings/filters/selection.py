"""Which rules count for a file, and how bad their findings are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from coalint.core.findings import Finding, Severity
from coalint.engine.config.settings import Patterns, Settings, SettingsOf
from coalint.engine.registry import Registry
from coalint.engine.units.discovery import matches
from coalint.rule import Rule

_EXACT = 1000


@dataclass(frozen=True)
class Chosen:
    """What the settings of a file say: codes of the rules that run, of those that are shown, and their severities.

    A rule that is ignored runs all the same, so that what it replaces does not come back.
    """

    settings: Settings
    registry: Registry

    @cached_property
    def running(self) -> frozenset[str]:
        """Codes of the rules that are selected."""
        return self._both[0]

    @cached_property
    def shown(self) -> frozenset[str]:
        """Codes of the rules that are selected and not ignored."""
        return self._both[1]

    @cached_property
    def _both(self) -> tuple[frozenset[str], frozenset[str]]:
        """Layer by layer: a `select` begins anew; within a layer a more exact selector beats a less exact one."""
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
        """A preview rule needs its own code or name where previews are not asked for."""
        for rule in self.registry.matching(selector):
            named = selector.lower() in (rule.name, rule.code.lower())
            if rule.status != "preview" or self.settings.preview or named:
                yield rule

    def _exactness(self, selector: str) -> int:
        """How exact a selector is: ALL, then prefixes by their length, then codes and names."""
        if selector.upper() == "ALL":
            return 0
        exact = any(selector.lower() in (rule.name, rule.code.lower()) for rule in self.registry)
        return _EXACT if exact else len(selector)

    @cached_property
    def severities(self) -> dict[str, Severity]:
        """The severities that the settings give, by code."""
        entries = sorted(self.settings.severity, key=lambda entry: self._exactness(entry[0]))
        return {rule.code: level for selector, level in entries for rule in self.registry.matching(selector)}

    @cached_property
    def everything_runs(self) -> bool:
        """Whether every rule runs that is not in preview."""
        return all(rule.code in self.running for rule in self.registry if rule.status != "preview")


@dataclass
class Choices:
    """The rules that count in each file."""

    settings_of: SettingsOf
    registry: Registry
    _chosen: dict[Settings, Chosen] = field(default_factory=dict)
    _hidden: dict[str, frozenset[str]] = field(default_factory=dict)

    def of(self, file: str) -> Chosen:
        """What the settings of a file say, per-file ignores aside."""
        settings = self.settings_of(file)
        if settings not in self._chosen:
            self._chosen[settings] = Chosen(settings, self.registry)
        return self._chosen[settings]

    def running(self, files: Iterable[str]) -> list[type[Rule]]:
        """The rules that any of the files asks for."""
        codes = {code for file in files for code in self.of(file).running}
        return [rule for rule in self.registry.rules if rule.code in codes]

    def shows(self, code: str, file: str) -> bool:
        """Whether findings of a rule are reported in a file."""
        return code in self.of(file).shown and code not in self._ignored(file)

    def judged(self, finding: Finding) -> Finding:
        """The finding with the severity that its file's settings give; what its rule lowered stays lowered."""
        configured = self.of(finding.span.file).severities.get(finding.code)
        if configured is None:
            return finding
        usual = self.registry.named(finding.code).severity
        lowered = finding.severity < usual
        return replace(finding, severity=min(configured, finding.severity) if lowered else configured)

    def _ignored(self, file: str) -> frozenset[str]:
        """The codes that per-file ignores hide in a file."""
        if file not in self._hidden:
            codes: set[str] = set()
            for entry in self.settings_of(file).per_file_ignores:
                wanted = not entry.pattern.startswith("!")
                patterns = (Patterns(entry.folder, (entry.pattern if wanted else entry.pattern[1:],)),)
                if matches(file, patterns) is wanted:
                    codes.update(rule.code for word in entry.selectors for rule in self.registry.matching(word))
            self._hidden[file] = frozenset(codes)
        return self._hidden[file]
