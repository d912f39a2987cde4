"""Prints a profile for people: a table per kernel, an instruction per line, the kernels that waste most first."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from coalint.core.facts.access import Space
from coalint.engine.profile.records import KernelProfile, Profile, ProfiledInstruction, Totals
from coalint.reporters.shared.summary import coverage_text

_COLUMNS = ("at", "instruction", "executed", "cost", "excess", "share", "")
_UNITS = {Space.GLOBAL: "sectors", Space.SHARED: "wavefronts"}


def print_profile(profile: Profile, console: Console) -> None:
    """Print every kernel, then how much was understood."""
    for kernel in profile.kernels:
        for line in _kernel(kernel, console.width):
            console.print(line)
        console.print()
    console.print(coverage_text(profile.coverage))


def _kernel(kernel: KernelProfile, width: int) -> Iterator[Text]:
    analysis = kernel.analysis
    at = analysis.span.shown
    title = Text(f"{at.file}:{at.line}: ", "coalint.place")
    arguments = ", ".join(analysis.specialization.template_arguments)
    title.append(f"{analysis.kernel}<{arguments}>" if arguments else analysis.kernel, "coalint.title")
    title.append(f", {analysis.specialization.basis}")
    yield title
    rows = [(item, _cells(kernel, item)) for item in kernel.instructions]
    widths = [max(len(row[column]) for row in (_COLUMNS, *(cells for _, cells in rows))) for column in range(6)]
    if rows:
        yield Text(_line(_COLUMNS, widths, width), "coalint.quiet")
    for item, cells in rows:
        yield Text(_line(cells, widths, width), "coalint.warning" if item.excess else "")
    for space in (Space.GLOBAL, Space.SHARED):
        totals = kernel.totals(space)
        if totals.requests or totals.open:
            yield Text("  " + _total(space, totals), "coalint.title")
    assumed = {text: None for item in kernel.instructions for text in item.executions.assumed}
    if assumed:
        yield Text(f"  assuming {', '.join(assumed)}", "coalint.quiet")


def _cells(kernel: KernelProfile, item: ProfiledInstruction) -> tuple[str, ...]:
    access, executions = item.made.access, item.executions
    at = access.span.shown
    place = f"{at.line}:{at.column}"
    if at.file != kernel.analysis.span.shown.file:
        place = f"{at.file}:{place}"
    share = kernel.share(item)
    return (
        place,
        f"{access.op.value} {access.space.value} {access.bytes} B",
        _count(executions.warps) or executions.formula or "open",
        _count(item.cost) or item.formula or _per_request(item),
        _count(item.excess),
        "" if share is None else f"{share:.0%}",
        _note(item),
    )


def _count(number: float | None) -> str:
    """Return a number with its thousands set apart; empty for None."""
    return "" if number is None else f"{round(number):,}"


def _per_request(item: ProfiledInstruction) -> str:
    traffic = item.made.traffic
    return "" if traffic is None else f"{traffic.count:.4g} each"


def _note(item: ProfiledInstruction) -> str:
    """Return the access in the source, and what leaves its number open."""
    if item.executions.warps is not None or item.executions.formula:
        return item.made.access.expression
    return f"{item.made.access.expression} (open: {', '.join(item.executions.missing)})"


def _line(cells: tuple[str, ...], widths: list[int], width: int) -> str:
    left = "  ".join(f"{cell:<{size}}" for cell, size in zip(cells[:2], widths[:2], strict=True))
    right = "  ".join(f"{cell:>{size}}" for cell, size in zip(cells[2:6], widths[2:6], strict=True))
    line = f"  {left}  {right}  "
    text = " ".join(cells[-1].split())
    room = max(16, width - len(line))
    return (line + (text if len(text) <= room else text[: room - 1] + "…")).rstrip()


def _total(space: Space, totals: Totals) -> str:
    left_out = f"{totals.open} whose number is open" if totals.open else ""
    if not totals.requests:
        return f"{space.value}: {left_out}"
    cost, ideal = round(totals.cost), round(totals.ideal)
    parts = [f"{space.value}: {totals.requests:,} requests, {cost:,} {_UNITS[space]} (ideal: {ideal:,})"]
    if totals.efficiency is not None:
        parts.append(f"efficiency {totals.efficiency:.0%}")
    if space is Space.GLOBAL:
        parts.append(f"{totals.bytes_moved:,} bytes moved, {totals.bytes_needed:,} needed")
    if left_out:
        parts.append(f"without {left_out}")
    return ", ".join(parts)
