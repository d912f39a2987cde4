"""Writes counters.md beside this file: what a GPU counted of every measured fixture, beside what coalint predicts.

    python docs/make_counters.py

Reads the `NAME.sm_90.json` beside the fixtures; one whose source has changed since is left out (the tests name it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from coalint.core.facts.access import Space
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.compare import compare
from coalint.engine.verification.comparison.records import Comparison, Outcome
from coalint.engine.verification.measured import Machine, Measured, counters_path, load_measured, source_hash
from coalint.machine.architecture import architecture

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "counters.md"
ARCHITECTURE = "sm_90"

INTRODUCTION = """\
# Counted and predicted

Every fixture of this repository was run on a GPU under Nsight Compute. The tables show, for each line that accesses
memory, what coalint predicts from the source alone and what the GPU counted: 32-byte sectors per request for global
memory, wavefronts per request for shared memory, as means over the warp instructions that ran with an active lane.
*Ideal* is what the same lanes would need if they were packed. `tests/end_to_end/test_counters.py` holds every memory
instruction against its prediction.

This page is written by `docs/make_counters.py` from the files of counters beside the fixtures (`fixtures/README.md`
says how they are measured).
"""


@dataclass(frozen=True)
class Page:
    """What the page is made of: per fixture, its counters and its comparisons in the order of the source."""

    fixtures: tuple[tuple[Path, Measured, tuple[Comparison, ...]], ...]

    def outcomes(self) -> Counter[Outcome]:
        """How many memory instructions came out how."""
        found: Counter[Outcome] = Counter()
        for _, _, comparisons in self.fixtures:
            for comparison in comparisons:
                found[comparison.outcome] += len(comparison.instructions)
        return found


def inspected(source: Path) -> list[Inspected]:
    """The kernels of a fixture as coalint sees them."""
    checked = check_file(Source(str(source)), Job((), architecture(ARCHITECTURE), (), keep=True)).checked
    return [Inspected(kernel.analysis, kernel.instructions) for kernel in checked if kernel.analysis is not None]


def read(root: Path, inspect: Callable[[Path], list[Inspected]] = inspected) -> Page:
    """The fixtures whose counters are those of their text, compared; raises RuntimeError where coalint itself fails."""
    fixtures = []
    for source in sorted(path for suffix in ("cu", "py") for path in (root / "fixtures").glob(f"*/*.{suffix}")):
        path = counters_path(source, ARCHITECTURE)
        if path.exists() and load_measured(path).sha256 == source_hash(source):
            measured = load_measured(path)
            compared = [c for launch in compare(measured.launches, inspect(source)) for c in launch.comparisons]
            fixtures.append((source, measured, tuple(sorted(compared, key=lambda c: c.line or 0))))
    return Page(tuple(fixtures))


def page_text(root: Path, inspect: Callable[[Path], list[Inspected]] = inspected) -> str:
    """The page in Markdown."""
    page = read(root, inspect)
    lines = [INTRODUCTION, *_summary(page), ""]
    for source, _, comparisons in page.fixtures:
        name = source.relative_to(root).as_posix()
        lines += [f"## [{name}](../{name})", "", *_table(comparisons), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _summary(page: Page) -> Iterator[str]:
    outcomes = page.outcomes()
    launches = sum(len(measured.launches) for _, measured, _ in page.fixtures)
    compared = outcomes[Outcome.EQUAL] + outcomes[Outcome.DIFFERENT]
    numba = Page(tuple(fixture for fixture in page.fixtures if fixture[0].suffix == ".py"))
    launches_of_numba = sum(len(measured.launches) for _, measured, _ in numba.fixtures)
    yield (
        f"**{outcomes[Outcome.EQUAL]} of {compared} memory instructions equal**, in {launches} launches of "
        f"{len(page.fixtures)} fixtures. {outcomes[Outcome.UNKNOWN]} more depend on data that only a run knows, or "
        "copy in a way for which no law is known, and are not predicted."
    )
    yield ""
    of_numba = numba.outcomes()
    yield (
        f"Of these, {of_numba[Outcome.EQUAL]} of {of_numba[Outcome.EQUAL] + of_numba[Outcome.DIFFERENT]} are those of "
        f"Numba's kernels ([python.md](python.md)), in {launches_of_numba} launches of {len(numba.fixtures)} fixtures."
    )
    yield ""
    for machine in dict.fromkeys(_undated(measured.machine) for _, measured, _ in page.fixtures):
        yield f"Measured on {machine}."


def _undated(machine: Machine) -> str:
    return (
        f"an {machine.gpu} ({machine.architecture}), driver {machine.driver}, {_compiler(machine)}, "
        f"Nsight Compute {machine.ncu}"
    )


def _compiler(machine: Machine) -> str:
    """nvcc's version of CUDA stands alone; another compiler says its name with its version."""
    return f"CUDA {machine.cuda}" if machine.cuda[:1].isdigit() else machine.cuda


def _table(comparisons: tuple[Comparison, ...]) -> Iterator[str]:
    yield "| line | access | expression | predicted | counted | ideal | instruction |"
    yield "| ---: | --- | --- | ---: | ---: | ---: | --- |"
    yield from dict.fromkeys(_row(comparison) for comparison in comparisons)


def _row(c: Comparison) -> str:
    unit = "wavefronts" if c.space is Space.SHARED else "sectors"
    expressions = ", ".join(dict.fromkeys(f"`{_cell(access.expression)}`" for access in c.accesses))
    opcodes = ", ".join(sorted({f"`{instruction.opcode}`" for instruction in c.instructions}))
    note = "" if c.outcome is Outcome.EQUAL else f" ({_cell(c.reason)})"
    what = f"{c.space.value} {c.operation.value}, {c.bytes} B"
    numbers = [_number(c.predicted), f"{_number(c.counted)} {unit}", _number(c.predicted_ideal)]
    return "| " + " | ".join([str(c.line or ""), what, expressions + note, *numbers, opcodes]) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    PAGE.write_text(page_text(ROOT), encoding="utf-8")
