"""What coalint says that nvcc merges is what the machine code of random kernels has."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_compiler import find_compiler
from merging_kernels import Shape, predicted, program, written
from project import shared_headers

pytestmark = pytest.mark.slow

OPEN = ("+ 1", "+ 2", "odd rows")
"""Bases of which nvcc's merging is a named limit: docs/machine-code.md."""


def _is_settled(shape: Shape) -> bool:
    features = dict(shape.features)
    is_whole = features.get("trips", "4") in ("2", "4", "8", "16")
    bodies = (features.get("body"), features.get("between"))
    plain = not {"call", "global load", "global store", "exponential"} & {*bodies}
    return is_whole and plain and not features["base"].endswith(OPEN) and features.get("index") != "4 * t + 1 + k"


@pytest.mark.parametrize("seed", [12, 13])
def test_merged_widths_are_those_of_the_machine_code(seed: int, tmp_path: Path) -> None:
    text, shapes = program(seed, 60)
    path = tmp_path / "kernels.cu"
    path.write_text(text)
    has, says = written(find_compiler(), path, shapes), predicted(path, shapes, shared_headers())
    settled = [shape for shape in shapes if _is_settled(shape)]
    assert len(settled) > 15
    wrong = [f"{s.title}: {says[s.name][0]} {has[s.name]}" for s in settled if says[s.name][0] != has[s.name]]
    assert not wrong, "\n".join(wrong)
