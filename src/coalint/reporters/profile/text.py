"""Prints a profile for people: a table per kernel, an instruction per line, the kernels that waste most first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from rich.console import Console
from rich.text import Text

from coalint.core.facts.access import Space
from coalint.core.facts.executions import Executions
from coalint.core.facts.launch import Specialization
from coalint.core.source.spans import Span
from coalint.engine.profile.barriers import ProfiledBarrier
from coalint.engine.profile.instruction import ProfiledInstruction
from coalint.engine.profile.records import KernelProfile, Profile, Totals, WrittenFormula
from coalint.reporters.shared.summary import coverage_text
from coalint.rules.support.wording import plural

_COLUMNS = ("at", "instruction", "executed", "lanes", "cost", "traffic", "excess", "share", "moved", "needed", "")
_LANES = _COLUMNS.index("lanes")
_LAST = len(_COLUMNS) - 1
_LEAST_ROOM, _LITTLE_ROOM = 16, 8
"""For what the source writes, at the end of a line, and beside lanes of which some are not active."""
ALL_LANES = "32"
OPEN = "open"
OPEN_SHARE = "?"
"""In place of a share in what is open."""
AT_BLOCK = "~"
"""In front of what is counted at the block that is supposed, and has no formula in its extents."""
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
    title.append(f", {launched_text(analysis.specialization)}")
    yield title
    rows = [(_cells(kernel, item), "coalint.warning" if item.excess else "") for item in kernel.instructions]
    rows += [(_barrier_cells(kernel, item), "coalint.quiet") for item in kernel.barriers]
    columns: tuple[str, ...] = _COLUMNS
    room = _LITTLE_ROOM if any(cells[_LANES] not in ("", ALL_LANES) for cells, _ in rows) else _LEAST_ROOM
    widths = _widths(columns, [cells for cells, _ in rows])
    if _taken(widths) + room > width:  # it does without the lanes
        room = _LEAST_ROOM
        columns = _without_lanes(columns)
        rows = [(_without_lanes(cells), style) for cells, style in rows]
        widths = _widths(columns, [cells for cells, _ in rows])
    if rows:
        yield Text(_line(columns, widths, width, room), "coalint.quiet")
    for cells, style in rows:
        yield Text(_line(cells, widths, width, room), style)
    for space in (Space.GLOBAL, Space.SHARED):
        totals = kernel.totals(space)
        if totals.requests or totals.open:
            yield Text("  " + _total(kernel, space, totals), "coalint.title")
    items: list[ProfiledInstruction | ProfiledBarrier] = [*kernel.instructions, *kernel.barriers]
    assumed = dict.fromkeys(text for item in items for text in item.assumed)
    forms = [item.in_block for item in items if item.in_block is not None]
    conditions = dict.fromkeys(form.condition for form in sorted(forms, key=lambda form: not form.is_narrow))
    assumed |= dict.fromkeys([condition for condition in conditions if condition][:1])  # the others follow from it
    if assumed:
        yield Text(f"  assuming {', '.join(assumed)}", "coalint.quiet")
    if any(cell.startswith(AT_BLOCK) for cells, _ in rows for cell in cells[2:4]):
        yield Text(f"  {AT_BLOCK} in front of a number: at {kernel.at_block}", "coalint.quiet")


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(row[column]) for row in (columns, *rows)) for column in range(len(columns) - 1)]


def _taken(widths: Sequence[int]) -> int:
    """Return how wide a line is before what the source writes."""
    return 2 + sum(size + 2 for size in widths)


def _without_lanes(cells: tuple[str, ...]) -> tuple[str, ...]:
    return (*cells[:_LANES], *cells[_LANES + 1 :])


def _cells(kernel: KernelProfile, item: ProfiledInstruction) -> tuple[str, ...]:
    access, executions = item.made.access, item.executions
    formulas = kernel.formulas_of(item)
    open_share = OPEN_SHARE if kernel.is_open(access.space) else ""
    cost, excess = ("", "") if formulas is None else (written(formulas.cost), written(formulas.excess))
    in_block = item.in_block is not None and formulas is not None
    executed = formulas.executed.text if formulas is not None and in_block and formulas.executed is not None else ""
    return (
        _place(kernel, access.span),
        f"{access.op.value} {access.space.value} {access.bytes} B",
        executed or _at_block(kernel, _executed(executions)),
        "" if executed else _lanes(executions),
        (cost if in_block else "") or _at_block(kernel, _count(item.cost) or cost) or _per_request(item),
        _percent(kernel.traffic_share(item), None if formulas is None else formulas.traffic_limit) or open_share,
        excess if in_block else _at_block(kernel, _count(item.excess) or excess),
        _percent(kernel.share(item), None if formulas is None else formulas.share_limit) or open_share,
        _at_block(kernel, _count(item.bytes_moved)) if not in_block else "",
        _at_block(kernel, _count(item.bytes_needed)) if not in_block else "",
        _note(item),
    )


def _barrier_cells(kernel: KernelProfile, item: ProfiledBarrier) -> tuple[str, ...]:
    executed = barrier_formula(item) or _at_block(kernel, _executed(item.executions))
    open_ = ", ".join(item.executions.missing) if executed == OPEN else ""
    note = f"{item.function} (open: {open_})" if open_ else item.function
    lanes = "" if item.in_block is not None else _lanes(item.executions)
    first = (_place(kernel, item.span), f"{item.scope} barrier", executed, lanes)
    return (*first, *[""] * (_LAST - len(first)), note)


def barrier_formula(item: ProfiledBarrier) -> str:
    """Return how often a barrier is executed as a formula in open extents of the block; empty where there is none."""
    if item.in_block is None:
        return ""
    from coalint.analysis.counts.forms.expression_values import expression_of
    from coalint.analysis.counts.forms.open_quantities import text

    return text(expression_of(item.in_block.executed))


def _at_block(kernel: KernelProfile, number: str) -> str:
    """Return a number, marked where it is for a block that is supposed."""
    return f"{AT_BLOCK}{number}" if kernel.supposed_block and number not in ("", OPEN) else number


def _place(kernel: KernelProfile, span: Span) -> str:
    """Return line and column, and the file where that is not the kernel's."""
    at = span.shown
    place = f"{at.line}:{at.column}"
    return place if at.file == kernel.analysis.span.shown.file else f"{at.file}:{place}"


def _executed(executions: Executions) -> str:
    return _count(executions.warps) or executions.formula or OPEN


def _lanes(executions: Executions) -> str:
    """Return the mean of active lanes in an executed instruction: `32`, `25.6`; empty where that is open."""
    if not executions.warps or executions.threads is None:
        return ""
    return f"{executions.threads / executions.warps:.3g}"


def _count(number: float | None) -> str:
    """Return a number with its thousands set apart; empty for None."""
    return "" if number is None else f"{round(number):,}"


def _percent(share: float | None, limit: float | None) -> str:
    """Return a share as `89%`; `~89%` where that is what it comes near to for large sizes."""
    if limit is not None:
        return f"~{limit:.0%}"
    return "" if share is None else f"{share:.0%}"


def _per_request(item: ProfiledInstruction) -> str:
    traffic = item.made.traffic
    return "" if traffic is None else f"{traffic.count:.4g} each"


def _note(item: ProfiledInstruction) -> str:
    """Return the access in the source, and what leaves its number open."""
    if item.executions.warps is not None or item.executions.formula or item.in_block is not None:
        return item.made.access.expression
    return f"{item.made.access.expression} (open: {', '.join(item.executions.missing)})"


def _line(cells: tuple[str, ...], widths: list[int], width: int, least_room: int) -> str:
    left = "  ".join(f"{cell:<{size}}" for cell, size in zip(cells[:2], widths[:2], strict=True))
    right = "  ".join(f"{cell:>{size}}" for cell, size in zip(cells[2:-1], widths[2:], strict=True))
    line = f"  {left}  {right}  "
    text = " ".join(cells[-1].split())
    room = max(least_room, width - len(line))
    return (line + (text if len(text) <= room else text[: room - 1] + "…")).rstrip()


def launched_text(specialization: Specialization) -> str:
    """Return the launch in words, with its grid and how often it is made where that is not once."""
    grid = specialization.grid
    shape = "" if grid is None else f", {plural(prod(grid), 'block')}"
    times = specialization.times
    often = ", in a loop" if times is None else "" if times == 1 else f", {times:,} times"
    return f"{specialization.basis}{shape}{often}"


def written(formula: WrittenFormula | None) -> str:
    """Return a formula as text; empty for none, and for nothing."""
    return "" if formula is None or formula.text == "0" else formula.text


def _total(kernel: KernelProfile, space: Space, totals: Totals) -> str:
    formulas = kernel.formulas
    in_block = bool(kernel.supposed_block) and formulas is not None and space not in formulas.at_block
    name = f"{space.value} (at {kernel.at_block})" if kernel.supposed_block and not in_block else space.value
    form = None if formulas is None or not (totals.open or in_block) else formulas.cost.get(space)
    if form is not None and formulas is not None:
        excess = written(formulas.excess[space]) or "0"
        return f"{name}: {form.text} {_UNITS[space]}, of these {excess} beyond the ideal"
    left_out = f"{totals.open} with an open number" if totals.open else ""
    if not totals.requests:
        return f"{space.value}: {left_out}"
    cost, ideal = round(totals.cost), round(totals.ideal)
    parts = [f"{name}: {totals.requests:,} requests, {cost:,} {_UNITS[space]} (ideal: {ideal:,})"]
    if totals.efficiency is not None:
        parts.append(f"efficiency {totals.efficiency:.0%}")
    if space is Space.GLOBAL:
        parts.append(f"{totals.bytes_moved:,} bytes moved, {totals.bytes_needed:,} needed")
        least = kernel.least_dram_bytes
        if least is not None:
            parts.append(f"{least:,} bytes of DRAM at least")
    if left_out:
        parts.append(f"without {left_out}")
    return ", ".join(parts)
