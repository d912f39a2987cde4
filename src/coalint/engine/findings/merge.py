"""Reports one finding per rule and place: refined findings are dropped, those of several launches merged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from coalint.core.findings import Confidence, Finding, Note
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding
from coalint.engine.registry import Registry
from coalint.engine.report import Diagnostic
from coalint.rules.support.wording import cost as cost_text

MOST_INSTANCES = 3
"""How many instances of one kernel template a finding names before it counts the rest."""
LONGEST_LIST = 24
"""How many characters of template arguments are named in full."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONFIDENCE_ORDER = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}

KernelFinding = tuple[CheckedKernel, RankedFinding]
"""A finding with the kernel and specialization that it was made in."""


def drop_refined(kernels: Iterable[CheckedKernel], registry: Registry) -> Iterator[KernelFinding]:
    """Yield all findings but those that a more specific rule replaces at the same place of the same kernel.

    Those in helpers that have no part in them are moved to the calls.
    """
    refined_by = _closure({rule.name: rule.refines for rule in registry.rules})
    kernels = list(kernels)
    rules_at: dict[tuple[str, Span], set[str]] = {}
    for kernel in kernels:
        for item in kernel.findings:
            rules_at.setdefault((kernel.kernel, item.finding.span), set()).add(item.finding.name)
    for kernel in kernels:
        for item in kernel.findings:
            rules = rules_at[kernel.kernel, item.finding.span]
            if not any(item.finding.name in refined_by.get(name, ()) for name in rules):
                yield kernel, item if item.moved is None else replace(item, finding=item.moved)


def _access_span(item: RankedFinding) -> Span:
    """Return where the access stands that a finding is about, which may be in a helper; else the finding's place."""
    subjects = item.finding.subjects
    return subjects[0].span if subjects else item.finding.span


def _closure(refines: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return, for each rule, all rules that it refines directly or through others."""

    def reach(name: str, reached: frozenset[str]) -> frozenset[str]:
        for general in refines.get(name, ()):
            if general not in reached:
                reached = reach(general, reached | {general})
        return reached

    return {name: reach(name, frozenset()) - {name} for name in refines}


def merge_launches(findings: Iterable[KernelFinding]) -> Iterator[Diagnostic]:
    """Yield the worst finding of each rule at each place, naming the other launches that it also holds for."""
    groups: dict[tuple[str, Span, Span], list[KernelFinding]] = {}
    for kernel, item in findings:
        groups.setdefault((item.finding.code, item.finding.span, _access_span(item)), []).append((kernel, item))
    for group in groups.values():
        kernel, worst = max(group, key=_badness)
        basis = _basis(kernel, worst.finding)
        if kernel.specialization.template_arguments:
            basis = f"{_named(kernel, worst.finding)} with {basis}"
        yield Diagnostic(
            finding=_with_other_advice(worst.finding, group),
            basis="; ".join((basis, *worst.assumed)),
            also=tuple(_other_launches(group, kernel, worst)),
            excess=worst.excess,
            kernel_span=kernel.span,
            specialization=kernel.specialization,
            arch=kernel.arch,
        )


def _with_other_advice(finding: Finding, group: Iterable[KernelFinding]) -> Finding:
    """Return the finding with what the other instances are advised to where that differs.

    One fix does not serve all then.
    """
    advice: dict[str, str] = {}
    for kernel, item in group:
        if item.finding.help != finding.help:
            advice.setdefault(item.finding.help, _instance(kernel))
    if not advice or finding.fix is None:
        return finding
    notes = tuple(Note(f"for {instance}: {help}") for help, instance in list(advice.items())[:MOST_INSTANCES])
    return replace(finding, fix=None, notes=(*finding.notes, *notes))


def _other_launches(group: Iterable[KernelFinding], shown: CheckedKernel, worst: RankedFinding) -> Iterator[str]:
    """Yield the other instances and launches of a finding; instances are listed together where they cost alike."""
    instances: dict[tuple[str, str], dict[str, None]] = {}
    for kernel, item in group:
        key = _basis(kernel, item.finding), _differing_cost(item, worst)
        instances.setdefault(key, {})[_instance(kernel)] = None
    for (basis, cost), names in sorted(instances.items(), key=lambda pair: bool(pair[0][1])):
        if basis == _basis(shown, worst.finding) and not cost:
            names.pop(_instance(shown), None)
        if list(names) == [_instance(shown)]:
            yield basis + cost
        elif names:
            yield f"{_listed(list(names))} with {basis}{cost}"


def _basis(kernel: CheckedKernel, finding: Finding) -> str:
    """Return the basis of a finding; where the launch stands has its file unless that is the finding's."""
    launch = kernel.specialization
    apart = launch.line is not None and launch.file is None and kernel.span.file != finding.span.file
    return (replace(launch, file=kernel.span.file) if apart else launch).basis


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - MOST_INSTANCES
    more = f" and {rest} more instance{'s' if rest > 1 else ''}" if rest > 0 else ""
    return ", ".join(names[:MOST_INSTANCES]) + more


def _badness(item: KernelFinding) -> tuple[int, float, int]:
    finding = item[1].finding
    return finding.severity, item[1].excess * finding.weight, _CONFIDENCE_ORDER[finding.confidence]


def _differing_cost(other: RankedFinding, shown: RankedFinding) -> str:
    """Return what the place costs in another launch; empty where it costs what is shown."""
    if other.finding.cost is None or shown.finding.cost is None:
        return ""
    other_text, shown_text = cost_text(other.finding.cost), cost_text(shown.finding.cost)
    return f": {other_text}" if other_text != shown_text else ""


def _named(kernel: CheckedKernel, finding: Finding) -> str:
    """Return an instance by the template arguments that a finding speaks of, where a list of all would be long.

    `gemm<float, 32>`, but `gemm<BM=128, ...>`; a list is long beyond LONGEST_LIST characters.
    """
    whole = _instance(kernel)
    arguments, names = kernel.specialization.template_arguments, kernel.specialization.template_parameters
    if len(whole) - len(kernel.kernel) <= LONGEST_LIST or len(arguments) == 1:
        return whole
    texts = [subject.expression for subject in finding.subjects]
    texts += [text for note in finding.notes for text in (note.source, note.quote)]
    words = {word for text in texts for word in _NAME.findall(text)}
    shown = [f"{name}={value}" for name, value in zip(names, arguments, strict=False) if name in words]
    return f"{kernel.kernel}<{', '.join([*shown, '...'][: len(arguments)])}>"


def _instance(kernel: CheckedKernel) -> str:
    """Return the kernel's name with its template arguments: `transpose<float, 32>`."""
    arguments = ", ".join(kernel.specialization.template_arguments)
    return f"{kernel.kernel}<{arguments}>" if arguments else kernel.kernel
