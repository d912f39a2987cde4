"""Prints an inspection for people: a table per kernel, a line per access and barrier."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from coalint.core.facts.access import Access, Space
from coalint.core.facts.launch import Specialization
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.records import record
from coalint.engine.report import Inspected, Inspection
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.reporters.shared.summary import coverage_text, gaps, installed_headers
from coalint.rules.support.wording import plural

_SLACK = 1e-9


@record(frozen=True, slots=True)
class _Row:
    """One line of the table.

    Attributes:
        order: The sort key: file, line, column.
        cells: The columns.
        style: The style of the line.
        remark: What is printed beneath; empty for nothing.
    """

    order: tuple[str, int, int]
    cells: tuple[str, ...]
    style: str
    remark: str = ""


def print_inspection(inspection: Inspection, console: Console) -> None:
    """Print every kernel, what could not be analysed, then the counts."""
    for item in inspection.kernels:
        for text in _kernel(item, console.width):
            console.print(text)
        console.print()
    for diagnostic in inspection.diagnostics:
        finding = diagnostic.finding
        console.print(
            Text(f"{finding.span.file}:{finding.span.line}:{finding.span.column}: {finding.message}", "coalint.quiet")
        )
    console.print(coverage_text(inspection.coverage))
    for gap in (*gaps(inspection.coverage), *installed_headers(inspection.coverage)):
        console.print(gap)


def _kernel(item: Inspected, width: int) -> Iterator[Text]:
    analysis = item.analysis
    title = Text(f"{analysis.span.file}:{analysis.span.line}: ", "coalint.place")
    arguments = ", ".join(analysis.specialization.template_arguments)
    title.append(f"{analysis.kernel}<{arguments}>" if arguments else analysis.kernel, "coalint.title")
    title.append(f", {_launch(analysis.specialization)}")
    yield title
    rows = [_access(made, analysis.span.file) for made in item.instructions]
    rows += [_barrier(barrier, analysis.span.file) for barrier in analysis.barriers]
    rows.sort(key=lambda row: row.order)
    header = ("at", "what", "stride", "cost", "", "expression")
    widths = [max(len(row[column]) for row in (header, *(r.cells for r in rows))) for column in range(5)]
    if rows:
        yield Text(_line(header, widths, width), "coalint.quiet")
    for row in rows:
        yield Text(_line(row.cells, widths, width), row.style)
        if row.remark:
            yield Text(" " * (widths[0] + 4) + row.remark, "coalint.quiet")


def _launch(specialization: Specialization) -> str:
    arguments = ", ".join(f"{name} = {value}" for name, value in specialization.passed)
    return specialization.basis + (f", {arguments}" if arguments else "")


def _line(cells: tuple[str, ...], widths: list[int], width: int) -> str:
    line = "  " + "  ".join(f"{cell:<{size}}" for cell, size in zip(cells, widths, strict=False)) + "  "
    room = max(16, width - len(line))
    text = " ".join(cells[-1].split())
    return (line + (text if len(text) <= room else text[: room - 1] + "…")).rstrip()


def _access(made: MachineInstruction, home: str) -> _Row:
    access, traffic = made.access, made.traffic
    counted = access.space not in (Space.LOCAL, Space.CONSTANT)
    unit = "wavefronts" if access.space is Space.SHARED else "sectors"
    cost = f"{number(traffic.count)}/{number(traffic.ideal)} {unit}" if traffic else ""
    state = (
        ""
        if not counted
        else "unknown"
        if access.result.lanes is None
        else "exact"
        if access.result.exact
        else "symbolic"
    )
    costly = traffic is not None and traffic.excess > _SLACK
    remarks = [access.result.unknown] if access.result.unknown else []
    remarks += [f"{plural(made.written.bytes, 'byte')} as written, merged by nvcc"] if made.is_merged else []
    remarks += [f"assuming {', '.join(access.result.assumed)}"] if access.result.assumed else []
    remarks += [good.text for good in access.open.good_if]
    return _Row(
        (access.span.file, access.span.line, access.span.column),
        (
            _at(access, home),
            f"{access.op.value} {access.space.value} {access.bytes} B",
            access.stride,
            cost,
            state,
            access.expression,
        ),
        "coalint.warning" if costly else "",
        "; ".join(remarks),
    )


def _barrier(barrier: Barrier, home: str) -> _Row:
    return _Row(
        (barrier.span.file, barrier.span.line, barrier.span.column),
        (_at(barrier, home), f"{barrier.scope} barrier", "", "", barrier.verdict.value, barrier.function),
        "coalint.warning" if barrier.verdict is Verdict.DIVERGENT else "",
        "" if barrier.verdict is Verdict.UNIFORM else barrier.because,
    )


def _at(at: Access | Barrier, home: str) -> str:
    place = f"{at.span.line}:{at.span.column}"
    return place if at.span.file == home else f"{at.span.file}:{place}"


def number(value: float) -> str:
    """Return a number with at most two decimals and no trailing zeros: `8`, `4.5`, `3.94`."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
