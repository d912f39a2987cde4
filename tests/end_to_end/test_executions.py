"""How often a GPU executed every memory instruction of the fixtures, held against what the source says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from analysed import analysed
from expectations import FIXTURES, fixture_files, read_expectations

from coalint.core.facts.access import Operation, Space
from coalint.engine.profile.build import profiled_kernel
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.launches import matching_analyses
from coalint.engine.verification.counters import Instruction
from coalint.engine.verification.measured import counters_path, load_measured

ARCHITECTURE = "sm_90"
# Backwards: another process may be at test_counters.py, and what one of both has analysed the other need not.
MEASURED = [file for file in reversed(fixture_files()) if counters_path(file, ARCHITECTURE).exists()]
NOWHERE = 0
Key = tuple[int, Space, Operation]
Predicted = tuple[int | None, int | None, int]
"""Warp instructions, active lanes, bytes of a lane."""


@dataclass
class Line:
    """The instructions of one kind of a line in one launch: those predicted and those counted."""

    kernel: str
    key: Key
    predicted: list[Predicted]
    counted: list[Instruction]

    @property
    def is_open(self) -> bool:
        return any(warps is None for warps, _, _ in self.predicted)

    @property
    def agrees(self) -> bool:
        """Whether as many warp instructions ran, or as many bytes were moved, where nvcc made wider ones of them."""
        warps = sum(warps or 0 for warps, _, _ in self.predicted)
        moved = sum((threads or 0) * width for _, threads, width in self.predicted)
        return warps == sum(i.executed for i in self.counted) or moved == sum(i.threads * i.bytes for i in self.counted)

    @property
    def spins(self) -> bool:
        """Whether the hardware repeats the instruction until it succeeds, which no source tells."""
        return any("SPIN" in i.opcode for i in self.counted)


def lines(file: Path) -> Iterator[Line]:
    """Yield each line of each launch for which there are both predictions and counters."""
    inspected = [Inspected(k.analysis, k.instructions) for k in analysed(file).checked if k.analysis is not None]
    for launch in load_measured(counters_path(file, ARCHITECTURE)).launches:
        fitting = [i for i in matching_analyses(launch, inspected) if i.analysis.specialization.grid == launch.grid]
        if not fitting:
            continue
        predicted: defaultdict[Key, list[Predicted]] = defaultdict(list)
        for item in profiled_kernel(fitting[0]).instructions:
            access = item.made.access
            key = (access.span.line, access.space, access.op)
            predicted[key].append((item.executions.warps, item.executions.threads, access.bytes))
        counted: defaultdict[Key, list[Instruction]] = defaultdict(list)
        for instruction in launch.instructions:
            numbers = [number for name, number in instruction.places if Path(name).name == file.name]
            counted[numbers[0] if numbers else NOWHERE, instruction.space, instruction.operation].append(instruction)
        kinds = {key[1:] for key in counted if key[0] == NOWHERE}
        for kind in kinds:  # what comes from a header has no line here: there the sums over the launch are compared
            ran = [i for key, found in counted.items() if key[1:] == kind for i in found]
            yield Line(
                launch.kernel, (0, *kind), [p for key, ps in predicted.items() if key[1:] == kind for p in ps], ran
            )
        for key, found in counted.items():
            if key[1:] not in kinds and key in predicted:
                yield Line(launch.kernel, key, predicted[key], found)


@pytest.mark.parametrize("file", MEASURED, ids=lambda file: str(file.relative_to(FIXTURES)))
def test_every_instruction_runs_as_often_as_predicted(file: Path) -> None:
    explained = {line.line for line in read_expectations(file) if line.sass}
    wrong = [
        f"{file}:{line.key[0]}: {line.key[1].value} {line.key[2].value} in {line.kernel}: "
        f"predicted {line.predicted}, counted {[(i.executed, i.threads, i.bytes) for i in line.counted]}"
        for line in lines(file)
        if not line.is_open and not line.agrees and not line.spins and line.key[0] not in explained
    ]
    assert not wrong, "\n".join(wrong)
