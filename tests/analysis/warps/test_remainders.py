"""Quotients and remainders of an unknown number plus a counter: no one number stands for all iterations."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest
from outcomes import check

FORMS = (
    "t + ((y + i) & 1)",
    "t + 2 * ((y + i) & 1)",
    "t + ((y + i) % 2)",
    "t + (y + i) - 2 * ((y + i) / 2)",
    "t + ((y + i) & 3)",
    "t + ((y + 3 * i) & 7)",
    "t + ((y + i) >> 1)",
    "t + 3 * ((y + i) / 4)",
    "t + 8 * ((y + i) & 1)",
    "t + ((y + 4 * i) & 3)",
    "t + ((y + t / 32) & 1)",
    "t + 3 * ((y + t / 32 + i) / 2)",
    "t + 5 * ((4 * y + t / 32) / 8)",
    "3 * t + ((y + i) & 1)",
)
THREADS, TRIPS = 128, 8


def sectors(form: str, unknown: str) -> float:
    """Sectors per request of `x[form]` for floats, counted one thread at a time.

    A parameter is supposed to be a multiple of all that matters; the mean over the blocks counts for a block's number.
    """
    code = compile(form.replace("/", "//"), "form", "eval")
    warps = [range(first, first + 32) for first in range(0, THREADS, 32)]
    return mean(
        len({eval(code, {"t": t, "y": y, "i": i}) * 4 // 32 for t in warp})
        for y in (range(64) if unknown == "blockIdx.x" else (0,))
        for warp in warps
        for i in range(TRIPS)
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unknown", ["n", "blockIdx.x"])
def test_a_remainder_of_an_unknown_number_is_one_in_every_iteration(tmp_path: Path, form: str, unknown: str) -> None:
    source = f"""__global__ void k(float *x, int n) {{
    int t = threadIdx.x, y = {unknown};
    for (int i = 0; i < {TRIPS}; i++) x[{form}] = 0;
}}
void run(float *x, int n) {{ k<<<n, {THREADS}>>>(x, n); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    (access,) = kernel.analysis.accesses
    (traffic,) = kernel.traffics
    assert traffic is not None
    if unknown == "n" or access.result.exact:
        assert traffic.count == pytest.approx(sectors(form, unknown))
