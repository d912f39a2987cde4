"""Instances of kernel templates that the source names, and that nothing launches."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from coalint.core import ir


def unlaunched_instances(module: ir.Module, launched: Collection[str]) -> set[str]:
    """Return the keys of instances that host functions name only where they never come to.

    `launched` are the keys of kernels that are launched. A function that launches other instances of the template was
    followed, so what it names beside them stands in a branch that it never takes: `if (1 << 3 <= 32) k = warps<3>; else
    k = blocks<3>;`.
    """
    templates = {kernel.key: kernel.span for kernel in module.kernels if kernel.template_arguments}
    followed = {templates[key] for key in launched if key in templates}
    named = {kernel.key for kernel in module.kernels if kernel.named}
    unlaunched = {
        key for key, span in templates.items() if span in followed and key not in launched and key not in named
    }
    if not unlaunched:
        return unlaunched
    seen: set[str] = set()
    for function in {function.key: function for function in (*module.functions.values(), *module.hosts)}.values():
        names = set(_kernels(function)) & templates.keys() if not function.bundled else set[str]()
        seen |= names
        launches = {templates[key] for key in names if key in launched}
        unlaunched -= {key for key in names if templates[key] not in launches}
    return unlaunched & seen


def _kernels(function: ir.Function) -> Iterable[str]:
    """Yield the keys of functions that a function names or launches."""
    for node in ir.nodes(function.body):
        if isinstance(node, ir.FunctionName) and node.function is not None:
            yield node.function
        elif isinstance(node, ir.Launch) and node.kernel is not None:
            yield node.kernel
