"""`coalint verify`: compares the predictions for one source with what Nsight Compute counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from coalint.core.facts.access import Space
from coalint.core.records import record
from coalint.engine.report import Inspection
from coalint.engine.verification.comparison.compare import compare
from coalint.engine.verification.comparison.places import has_source_lines
from coalint.engine.verification.comparison.records import ComparedLaunch, Comparison, Outcome
from coalint.engine.verification.counters import Launch
from coalint.engine.verification.export.errors import ExportError
from coalint.engine.verification.export.reader import read_export
from coalint.engine.verification.export.shapes import read_shapes
from coalint.engine.verification.export.signatures import base_name, file_name


@record(frozen=True, slots=True)
class Verification:
    """The launches of an export compared with the analysis of one source.

    Attributes:
        source: The source file.
        export: The file of counters.
        launches: The comparisons, ordered as in the export.
        elsewhere: The kernels of the export that the source does not define.
        by_line: Whether the export has source lines.
    """

    source: str
    export: str
    launches: tuple[ComparedLaunch, ...]
    elsewhere: tuple[str, ...]
    by_line: bool

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All comparisons, launch by launch."""
        return tuple(comparison for launch in self.launches for comparison in launch.comparisons)

    def outcomes(self) -> Counter[Outcome]:
        """Return how many comparisons have each outcome."""
        return Counter(comparison.outcome for comparison in self.comparisons)

    def totals(self, space: Space) -> tuple[float, int]:
        """Return sectors or wavefronts predicted and counted, over all that has both a prediction and a counter."""
        both = [c for c in self.comparisons if c.space is space and c.predicted is not None and c.counted is not None]
        return sum((c.predicted or 0.0) * c.requests for c in both), sum(c.cost for c in both)

    @property
    def exit_code(self) -> int:
        """0 where every prediction that has a counter equals it, else 1."""
        return int(self.outcomes()[Outcome.DIFFERENT] > 0)


def executions(verification: Verification) -> tuple[int, int]:
    """Return how many places were executed as often as predicted, and for how many that is predicted."""
    told = [c.is_executed_as_predicted for c in verification.comparisons if c.is_executed_as_predicted is not None]
    return sum(told), len(told)


def read_launches(export: str, raw: str = "") -> tuple[Launch, ...]:
    """Return the launches of an export, with blocks and grids where the raw page of the same report is named too.

    Raises ExportError where a file is no export or they are not of one report, OSError where one cannot be read.
    """
    launches = read_export(export)
    if not raw:
        return launches
    shapes = read_shapes(raw)
    if [base_name(launch.kernel) for launch in launches] != [base_name(kernel) for kernel, _, _ in shapes]:
        raise ExportError(f"its launches are not those of {raw}", "export both pages of one report")
    return tuple(
        replace(launch, grid=grid, block=block) for launch, (_, grid, block) in zip(launches, shapes, strict=True)
    )


def verify(inspection: Inspection, source: str, export: str, launches: Sequence[Launch]) -> Verification:
    """Return the comparison of the launches of an export with the analysis of `source`.

    Raises ExportError where the file is one of other kernels.
    """
    names = {item.analysis.kernel.rsplit("::", 1)[-1] for item in inspection.kernels}
    of_source = tuple(launch for launch in launches if base_name(launch.kernel) in names)
    elsewhere = tuple(dict.fromkeys(launch.kernel for launch in launches if base_name(launch.kernel) not in names))
    if not of_source:
        raise ExportError(_no_kernel_of(source, elsewhere, names), "export the report of a program built from it")
    files = {file_name(file) for launch in of_source for i in launch.instructions for file, _ in i.places}
    known = {
        file_name(source),
        *(file_name(a.span.file) for item in inspection.kernels for a in item.analysis.accesses),
    }
    if files and not files & known:
        raise ExportError(
            f"its kernels come from {', '.join(sorted(files))}, not from {source}",
            "name the source that the program was built from",
        )
    return Verification(
        source=source,
        export=export,
        launches=compare(of_source, inspection.kernels),
        elsewhere=elsewhere,
        by_line=has_source_lines(of_source),
    )


def _no_kernel_of(source: str, elsewhere: tuple[str, ...], names: set[str]) -> str:
    shown = ", ".join(elsewhere[:3]) + (" and others" if len(elsewhere) > 3 else "")
    if not names:
        return f"no kernel of {source} could be analysed (`coalint inspect {source}` says why)"
    return f"it holds the kernels {shown}, and {source} defines none of them"
