"""The data of the page: findings, sources, accesses with their models, parameters of the machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from coalint.analysis.portable.replay import Replay
from coalint.core.facts.access import Space
from coalint.core.facts.portable_model import Model, ModelPart, Node
from coalint.core.records import record
from coalint.engine.profile.build import profiled_kernel
from coalint.engine.profile.records import KernelProfile
from coalint.engine.report import Inspected, Report
from coalint.machine.architecture import Architecture, architecture
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.shared_memory.banks import phase_lanes
from coalint.machine.traffic import TURN_WAVEFRONTS, traffic
from coalint.reporters.lint.json import coverage_object, diagnostic_object
from coalint.rule import Rule

SAFE = (1 << 53) - 1  # integers that a JavaScript number holds exactly
OTHER_LANES = "its lanes are not known on this architecture"
OTHER_GRANULE = "the sectors of this architecture depend on a base that is not known"


def page_data(report: Report, rules: Iterable[type[Rule]] = ()) -> dict[str, Any]:
    """Return the data as lists, dicts, strings and numbers; `rules` are those whose text is shown."""
    named = {diagnostic.finding.code for diagnostic in report.diagnostics}
    nodes = Nodes()
    archs = {item.arch: architecture(item.arch) for item in report.inspected}
    kernels = [_kernel(item, nodes) for item in report.inspected]
    return {
        "schema": "coalint-html/1",
        "files": report.files,
        "coverage": coverage_object(report.coverage),
        "hidden": report.hidden.comments + report.hidden.baseline + report.hidden.unchanged,
        "failures": [str(failure) for failure in report.failures],
        "findings": [{**diagnostic_object(d), "excess": d.excess} for d in report.diagnostics],
        "rules": {
            rule.code: {"text": rule.documentation(), "url": rule.address()} for rule in rules if rule.code in named
        },
        "kernels": kernels,
        "nodes": nodes.written,
        "sources": {name: text.split("\n") for name, text in _shown(report, kernels)},
        "architectures": {name: architecture_data(arch) for name, arch in archs.items()},
    }


def architecture_data(arch: Architecture) -> dict[str, Any]:
    """Return the sizes of an architecture, and its rules of shared memory as numbers."""
    return {
        "name": arch.name,
        "sector_bytes": arch.sector_bytes,
        "line_bytes": arch.line_bytes,
        "banks": arch.banks,
        "bank_bytes": arch.bank_bytes,
        "load_granularity_bytes": arch.load_granularity_bytes,
        "store_granularity_bytes": arch.store_granularity_bytes,
        "merges_paired_loads": arch.merges_paired_loads,
        "phase_lanes": {str(size): phase_lanes(size) for size in (1, 2, 4, 8, 16)},
        "turn_wavefronts": {service.value: count for service, count in TURN_WAVEFRONTS.items()},
    }


def model_data(model: Model, nodes: Nodes) -> dict[str, Any]:
    """Return a model; its expressions are added to the nodes."""
    at = nodes.add(model.nodes)
    return {
        "address": at[model.address],
        "other": None if model.other is None else at[model.other],
        "parts": _parts(model.parts, at),
        "reading": _parts(model.reading, at),
        "taken": list(model.taken),
        "choices": [[at[node], value] for node, value in model.choices],
        "values": [[at[node], _numbers(numbers)] for node, numbers in model.values],
        "weights": [[at[node], list(numbers)] for node, numbers in model.weights],
        "symbols": [[at[node], _number(number)] for node, number in model.symbols],
        "lanes": model.lanes,
        "service": model.service.value,
        "folds": model.folds,
        "combined": model.combined,
        "free": model.free,
        "supposed": [at[node] for node in model.supposed],
    }


def _parts(parts: Sequence[ModelPart], at: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {"node": at[part.node], "text": part.text, "over": [[at[node], when] for node, when in part.over]}
        for part in parts
    ]


def access_data(made: MachineInstruction, arch: Architecture, nodes: Nodes) -> dict[str, Any]:
    """Return one access with the instruction that it becomes.

    `bytes` are those of the instruction. `model` gives the lanes of the access as it is written, and is null where the
    page cannot recompute it; `why` says why. The instruction begins `shift` bytes before.
    """
    access, cost = made.access, made.traffic
    model, why = _recomputable(made, arch)
    span = access.span
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        # Where a pointer is lost, `unknown` says so and the likeliest space stands.
        "space": (Space.GLOBAL if access.space is Space.GENERIC else access.space).value,
        "op": access.op.value,
        "bytes": access.bytes,
        "written_bytes": made.written.bytes,
        "shift": made.shift,
        "service": access.served.service.value,
        "expression": access.expression,
        "memory": "" if access.memory is None else access.memory.name,
        "stride": access.stride,
        "count": cost and cost.count,
        "ideal": cost and cost.ideal,
        "exact": access.result.exact,
        "assumed": list(access.result.assumed),
        "good_if": [good.text for good in access.open.good_if],
        "unknown": access.result.unknown,
        "model": None if model is None else model_data(model, nodes),
        "why": why,
    }


@record
class Nodes:
    """The expressions of all models of a page, equal ones once.

    Attributes:
        written: The expressions, as the page has them.
    """

    written: list[Any] = field(default_factory=list)
    _known: dict[Node, int] = field(default_factory=dict)

    def add(self, nodes: Sequence[Node]) -> list[int]:
        """Add the nodes of a model; return their numbers in the page."""
        at: list[int] = []
        for node in nodes:
            moved = _moved(node, at)
            number = self._known.get(moved)
            if number is None:
                number = self._known[moved] = len(self.written)
                self.written.append(_plain(moved))
            at.append(number)
        return at


def _moved(node: Node, at: Sequence[int]) -> Node:
    """Return the node with its operands renumbered; `at` maps the model's numbers to the page's."""
    match node[0]:
        case "p":
            terms = tuple((coefficient, tuple((at[n], e) for n, e in monomial)) for coefficient, monomial in node[1])
            return ("p", terms)
        case "o":
            return (*node[:4], *(at[n] for n in node[4:]))
        case "v" | "l":
            return (*node[:2], at[node[2]], *node[3:])
    return node


def _plain(value: Any) -> Any:
    """Return a value as lists and numbers that JavaScript represents exactly; larger numbers become strings."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _number(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _number(number: int) -> int | str:
    return number if -SAFE <= number <= SAFE else str(number)


def _numbers(numbers: Sequence[int]) -> int | list[int]:
    """Return the numbers; only their count where they are 0, 1, 2, ..."""
    return len(numbers) if tuple(numbers) == tuple(range(len(numbers))) else list(numbers)


def _recomputable(made: MachineInstruction, arch: Architecture) -> tuple[Model | None, str]:
    """Return the model, if it gives the analysis's cost on this architecture; else None and the reason."""
    access, cost = made.written, made.traffic
    model = access.portable.model
    if model is None or (access.result.lanes is None and not model.supposed):
        return None, access.portable.why_not
    if arch.compute_capability < access.served.since:
        return None, OTHER_LANES
    if model.supposed and access.space is Space.SHARED:
        return model, ""
    if arch.load_granularity_bytes != arch.sector_bytes:
        lanes, other = Replay(model, access.specialization.block).lanes(dict(model.symbols))
        if made.is_merged or traffic(access.with_lanes(lanes, other), arch) != cost:
            return None, OTHER_GRANULE
    return model, ""


def _kernel(item: Inspected, nodes: Nodes) -> dict[str, Any]:
    analysis, arch = item.analysis, architecture(item.arch)
    specialization = analysis.specialization
    launch = launch_data(profiled_kernel(item))
    return {
        "name": analysis.kernel,
        "file": analysis.span.file,
        "line": analysis.span.line,
        "end_line": analysis.span.end_line,
        "template_arguments": list(specialization.template_arguments),
        "block": list(specialization.block),
        "basis": specialization.basis,
        "arguments": dict(specialization.passed),
        "arch": arch.name,
        "accesses": [
            {**access_data(made, arch, nodes), "launch": launch.get(number)}
            for number, made in enumerate(item.instructions)
            if made.written.space not in (Space.LOCAL, Space.CONSTANT)
        ],
    }


def launch_data(kernel: KernelProfile) -> dict[int, dict[str, Any]]:
    """Return what a launch executes and moves, by the number of the access that stands for the instruction.

    What an access that nvcc merges into another costs is counted there. Numbers that the source leaves open are null.
    """
    return {
        min(item.made.members): {
            "executed": item.executions.warps,
            "formula": item.executions.formula,
            "cost": item.cost,
            "excess": item.excess,
            "share": kernel.share(item),
        }
        for item in kernel.instructions
        if item.made.members
    }


def _shown(report: Report, kernels: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str]]:
    """Return the sources that a finding or an access lies in."""
    wanted = {diagnostic.finding.span.file for diagnostic in report.diagnostics}
    wanted |= {access["file"] for kernel in kernels for access in kernel["accesses"]}
    return ((name, text) for name, text in sorted(report.sources.items()) if name in wanted)
