"""How often loops count whose number of iterations is not known, but bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses


@pytest.mark.parametrize(
    ("bound", "rounds"),
    [
        ("min(256, n)", 256),
        ("n < 128 ? n : 128", 128),
        ("min(256, sizes[blockIdx.x] - 3)", 256),
        ("min(1 << 20, n)", 1024),  # a bound that is no size of a block tells little
        ("n", 8),
        ("max(256, n)", 8),
        ("100", 100),
    ],
)
def test_a_loop_counts_as_often_as_its_bound_allows(tmp_path: Path, bound: str, rounds: int) -> None:
    body = f"float s = 0; int count = {bound};\nfor (int k = 0; k < count; ++k)\ns += in[k * n];\nout[threadIdx.x] = s;"
    found = [one for one, _ in accesses(tmp_path, body, parameters="const int *sizes, int n") if one.span.line == 4]
    assert [one.weight for one in found] == [rounds]
