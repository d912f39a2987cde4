"""Prints a verification for people: a table per launch, predictions beside counters, then the totals."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from coalint.core.facts.access import Space
from coalint.engine.verification.comparison.records import ComparedLaunch, Comparison, Outcome
from coalint.engine.verification.export.signatures import file_name
from coalint.engine.verification.verify import Verification, executions
from coalint.reporters.inspect.text import number

_HEADER = ("at", "what", "requests", "predicted", "counted", "")
_STYLES = {Outcome.EQUAL: "", Outcome.DIFFERENT: "coalint.warning"}
_WORDS = {
    Outcome.EQUAL: "equal",
    Outcome.DIFFERENT: "different",
    Outcome.UNKNOWN: "not predicted",
    Outcome.UNPREDICTED: "not seen",
    Outcome.UNCOUNTED: "not counted",
}


def print_verification(verification: Verification, console: Console) -> None:
    """Print every launch, then the totals and counts of outcomes."""
    for launch in verification.launches:
        for text in _launch(launch, verification):
            console.print(text)
        console.print()
    if not verification.by_line:
        console.print(
            f"{verification.export} has no source lines: accesses of one kind were compared all at once "
            "(build with -lineinfo, export with --print-source cuda,sass)"
        )
    if verification.elsewhere:
        console.print(f"not in {verification.source}: {', '.join(verification.elsewhere)}")
    for unit, space in (("sectors", Space.GLOBAL), ("wavefronts", Space.SHARED)):
        predicted, counted = verification.totals(space)
        if counted or predicted:
            console.print(f"{space.value}: {number(predicted)} {unit} predicted, {counted} counted")
    equal, predicted = executions(verification)
    if predicted:
        console.print(f"{equal} of {predicted} executed as often as predicted")
    console.print(_summary(verification))


def _summary(verification: Verification) -> str:
    outcomes = verification.outcomes()
    compared = outcomes[Outcome.EQUAL] + outcomes[Outcome.DIFFERENT]
    parts = [f"{outcomes[Outcome.EQUAL]} of {compared} equal"]
    parts += [
        f"{outcomes[o]} {_WORDS[o]}" for o in Outcome if o not in (Outcome.EQUAL, Outcome.DIFFERENT) and outcomes[o]
    ]
    return ", ".join(parts)


def _launch(launch: ComparedLaunch, verification: Verification) -> Iterator[Text]:
    analysis = launch.analysis
    at = analysis.span.shown if analysis else None
    title = Text(f"{at.file}:{at.line}: " if at else "", "coalint.place")
    title.append(launch.launch.kernel, "coalint.title")
    if analysis:
        title.append(f", {analysis.specialization.basis}")
    yield title
    if analysis and not launch.is_instance:
        arguments = ", ".join(analysis.specialization.template_arguments)
        other = (
            f"compared with {analysis.kernel}<{arguments}>: the instance that was profiled is not among those analysed"
        )
        yield Text(f"  {other}", "coalint.quiet")
    home = file_name(verification.source)
    rows = [(comparison, _cells(comparison, home)) for comparison in launch.comparisons]
    if not rows:
        yield Text("  no access to global or shared memory", "coalint.quiet")
        return
    widths = [max(len(cells[column]) for cells in (_HEADER, *(cells for _, cells in rows))) for column in range(6)]
    yield Text(_line(_HEADER, widths), "coalint.quiet")
    for comparison, cells in rows:
        yield Text(_line(cells, widths), _STYLES.get(comparison.outcome, "coalint.quiet"))
        if comparison.is_executed_as_predicted is False:
            executed = f"executed {comparison.executed:,} times, {comparison.predicted_executed:,} predicted"
            yield Text(" " * (widths[0] + 4) + executed, "coalint.quiet")
        if comparison.reason:
            yield Text(" " * (widths[0] + 4) + comparison.reason, "coalint.quiet")


def _cells(comparison: Comparison, home: str) -> tuple[str, ...]:
    place = comparison.place
    at = "" if place is None else str(place[1]) if place[0] == home else f"{place[0]}:{place[1]}"
    unit = "wavefronts" if comparison.space is Space.SHARED else "sectors"
    return (
        at,
        f"{comparison.operation.value} {comparison.space.value} {comparison.bytes} B",
        number(comparison.requests),
        "" if comparison.predicted is None else number(comparison.predicted),
        "" if comparison.counted is None else f"{number(comparison.counted)} {unit}",
        _WORDS[comparison.outcome],
    )


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    numeric = (2, 3)
    padded = (f"{c:>{w}}" if n in numeric else f"{c:<{w}}" for n, (c, w) in enumerate(zip(cells, widths, strict=True)))
    return ("  " + "  ".join(padded)).rstrip()
