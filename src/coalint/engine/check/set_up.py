"""What a program does once beside kernels that it launches in loops: its set-up; no warnings of cost.

Only a file with `main` tells that: a function of a library may be called as often as another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.findings import Finding, Note
from coalint.engine.check.records import CheckedKernel, RankedFinding

if TYPE_CHECKING:
    from coalint.analysis.launches.launch_loops import Loops
    from coalint.core import ir

MOST = 64
"""Times that a thread makes an access, as far as loops tell, up to which it is little for one launch."""


def without_set_up(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of what kernels of a program's set-up move as infos."""
    from coalint.analysis.launches.launch_loops import launch_loops

    is_program = any(host.name == "main" for host in module.hosts)
    if not is_program or not any(_is_little(item.finding) for one in checked for item in one.findings):
        return list(checked)
    around = launch_loops(module)
    by_span = {kernel.span: (kernel.name, around[kernel.key]) for kernel in module.kernels if kernel.key in around}
    judged: list[CheckedKernel] = []
    for one in checked:
        name, own = by_span.get(one.span, (one.kernel, ()))
        often = next((other for other, loops in by_span.values() if other != name and _is_outside(own, loops)), None)
        judged.append(one if often is None else _eased(one, often))
    return judged


def _is_outside(own: Collection[Loops], loops: Collection[Loops]) -> bool:
    """Whether all launches of a kernel are outside of a loop in which another is launched, and in fewer loops."""
    return bool(own) and any(
        all(len(some) < len(other) and other[: len(some)] != (some or other) for some in own) for other in loops
    )


def _eased(checked: CheckedKernel, often: str) -> CheckedKernel:
    note = Note(f"`main` launches the kernel outside of the loop that launches `{often}`: what it moves is little")
    return replace(checked, findings=tuple(_item(item, note) for item in checked.findings))


def _item(item: RankedFinding, note: Note) -> RankedFinding:
    if not _is_little(item.finding):
        return item
    return item.as_info(note)


def _is_little(finding: Finding) -> bool:
    """Whether a finding is a warning of what an access costs that a thread makes a few times."""
    return finding.is_of_cost and finding.weight <= MOST
