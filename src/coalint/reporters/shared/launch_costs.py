"""What an access costs over a launch, in a few words."""

from __future__ import annotations

from coalint.core.facts.launch_costs import Basis, LaunchCost

SIZES = 3
"""How many sizes of a sample are named."""


def launch_cost_text(cost: LaunchCost | None, *, with_formula: bool = False) -> str:
    """Return `89% of the kernel's excess, executed 200 times`; empty where neither is known.

    What rests on a supposition, as on what a compiler leaves out, is about so many times.
    `with_formula` says how often for other sizes, too, where the cost has a formula.
    """
    if cost is None or cost.executed is None:
        return ""
    about = "about " if cost.basis is Basis.SUPPOSED and cost.executed else ""
    parts = [f"executed {about}{cost.executed:,} time{'' if cost.executed == 1 else 's'}"]
    if cost.share is not None:
        parts.insert(0, f"{percent(cost.share)} of the kernel's excess")
    text = ", ".join(parts)
    if cost.basis is Basis.SAMPLE and cost.sizes:
        sizes = ", ".join(_size(name, size) for name, size in cost.sizes[:SIZES])
        more = ", ..." if len(cost.sizes) > SIZES else ""
        text = f"{text} at {sizes}{more}"
    elif cost.basis is Basis.SAMPLE:
        text = f"{text} if there are blocks for all threads"
    if not with_formula or not cost.executed_formula:
        return text
    assumed = f", assuming {', '.join(cost.formula_assumed)}" if cost.formula_assumed else ""
    excess = f", excess `{cost.excess_formula}`" if cost.excess_formula else ""
    return f"{text}; for other sizes executed `{cost.executed_formula}` times{excess}{_share(cost)}{assumed}"


def _size(name: str, size: int) -> str:
    """Return `n = 1,000`; of a condition that holds, as that a pointer is not null, the condition alone."""
    return name if " " in name and size == 1 else f"{name} = {size:,}"


def _share(cost: LaunchCost) -> str:
    """Return the share for other sizes, where it is not the same for all."""
    if not cost.share_formula or cost.share_formula.replace("/", "").isdigit():
        return ""
    near = "" if cost.share_limit is None else f", for large ones {percent(cost.share_limit)}"
    return f", share `{cost.share_formula}`{near}"


def percent(share: float) -> str:
    """Return a share as `89%`; what is less than one percent as `under 1%`."""
    return "under 1%" if 0 < share < 0.01 else f"{share:.0%}"
