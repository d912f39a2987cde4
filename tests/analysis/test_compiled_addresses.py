"""Which accesses to shared memory an evaluation without a launch comes to: those up to the last place asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.compiled_addresses import compiled_addresses
from coalint.core.source.spans import Span
from coalint.frontend.cuda.load import load

KERNEL = """\
__device__ void put(float *at, float value) { *at = value; }
#define BOTH s[t] = t; s[4 * t + 2 * n] = 1;
__global__ void k(float *out, int n) {
    __shared__ float s[2048];
    int t = threadIdx.x;
    %s
    out[t] = s[t + 1];
}
"""


def found(folder: Path, body: str, lines: set[int]) -> set[tuple[int, int]]:
    """Lines of accesses to shared memory, each with the power of two that divides its address, of those asked for."""
    file = folder / "k.cu"
    file.write_text(KERNEL % body)
    module = load(str(file), (), shared_headers())
    (kernel,) = module.kernels
    places = [statement.span for statement in kernel.function.body.statements if statement.span.line in lines]
    assert places
    addresses = compiled_addresses(module, kernel, places)
    spans = [(place[0], address.possible) for place, address in addresses.items()]
    return {(span.line, possible) for span, possible in spans if isinstance(span, Span)}


@pytest.mark.parametrize(
    ("body", "lines", "expected"),
    [
        ("s[t] = t;\n    s[2 * t] = n;", {6}, {(6, 4)}),
        ("s[t] = t;\n    s[2 * t] = n;", {6, 7}, {(6, 4), (7, 8)}),
        ("s[t] = t;\n    s[2 * t] = n;", {8}, {(6, 4), (7, 8), (8, 4)}),
        ("BOTH", {6}, {(6, 8)}),  # both stand in one place, of which the second alone may be so aligned
        ("put(s + 2 * t, n);\n    s[4 * t] = 1;", {6}, {(1, 8)}),
        ("again: s[t] = t;\n    if (s[2 * t] > n) goto again;", {6}, {(6, 4), (7, 8), (8, 4)}),
    ],
)
def test_what_comes_after_the_last_place_is_not_evaluated(
    body: str, lines: set[int], expected: set[tuple[int, int]], tmp_path: Path
) -> None:
    assert found(tmp_path, body, lines) == expected
