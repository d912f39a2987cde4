"""Instances of kernel templates that the source names, and that nothing launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord


def instances_left_out(module: ir.Module, records: Mapping[str, Sequence[LaunchRecord]]) -> tuple[set[str], set[str]]:
    """Return the keys of instances that nothing launches, and of those whose launch is not seen.

    `records` are the launches by the kernels' keys. The latter are of templates of which other instances have a launch
    of a known block: they would be analysed with a block that is assumed.
    """
    unlaunched = _unlaunched(module, records)
    seen = {kernel.span for kernel in module.kernels if any(None not in r.block for r in records.get(kernel.key, ()))}
    without = (k for k in module.kernels if k.span in seen and k.template_arguments and not k.named)
    return unlaunched, {kernel.key for kernel in without if kernel.key not in records} - unlaunched


def _unlaunched(module: ir.Module, records: Mapping[str, Sequence[LaunchRecord]]) -> set[str]:
    """Return the keys of instances that host functions name only where they never come to.

    A function that launches other instances of the template, and each
    of whose launches is known, was followed: what it names beside them stands in a branch that it never takes, `if
    (1 << 3 <= 32) k = warps<3>; else k = blocks<3>;`.
    """
    templates = {kernel.key: kernel.span for kernel in module.kernels if kernel.template_arguments}
    followed = {templates[key] for key in records if key in templates}
    named = {kernel.key for kernel in module.kernels if kernel.named}
    unlaunched = {
        key for key, span in templates.items() if span in followed and key not in records and key not in named
    }
    if not unlaunched:
        return unlaunched
    known = {record.span for all_ in records.values() for record in all_}
    seen = set[str]()
    for function in {function.key: function for function in (*module.functions.values(), *module.hosts)}.values():
        if function.bundled:
            continue
        nodes = [node for node in ir.nodes(function.body) if isinstance(node, ir.FunctionName | ir.Launch)]
        keys = {node.function if isinstance(node, ir.FunctionName) else node.kernel for node in nodes}
        names = {key for key in keys if key in templates}
        seen |= names
        is_followed = all(node.span in known for node in nodes if isinstance(node, ir.Launch) and node.kernel is None)
        launched = {templates[key] for key in names if key in records} if is_followed else set()
        unlaunched -= {key for key in names if templates[key] not in launched}
    return unlaunched & seen
