"""How often a vector instruction is executed that nvcc makes of several accesses: numbers and formulas."""

from __future__ import annotations

from pathlib import Path

import pytest
from amounts import first
from project import shared_headers

from coalint.analysis.counts.forms.expression_values import expression_of
from coalint.core.facts.executions import Executions
from coalint.core.facts.formulas import scaled
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

KERNEL = """\
__global__ void k(float *out, int n) {
    __shared__ float s[4096];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float sum = 0;
BODY
    out[i] = sum;
}
void run(float *out, int n) { k<<<GRID, 256>>>(out, NUMBER); }
"""
WALK = "\n#pragma unroll\nfor (int k = 0; k < TRIPS; k++) sum += s[STRIDE * t + k];"
BODIES = {
    f"for (int r = 0; r < n; r++) {{ {WALK} __syncthreads(); s[t] = r; __syncthreads(); }}": 1,
    f"if (i < n) {{ {WALK} }}": 1,
    f"for (int r = 0; r < n; r++) if (t < 64) {{ {WALK} __syncthreads(); s[t] = r; }}": 1,
    "for (int r = 0; r < n; r++) { sum += s[2 * t] + s[2 * t + 1]; __syncthreads(); s[t] = r; __syncthreads(); }": 2,
}
"""What stands in the kernel, and how many accesses an instruction is made of."""


def _made(body: str, n: int | None, folder: Path) -> tuple[int, Executions]:
    """The bytes of a lane and the executions of the first load of shared memory."""
    path = folder / "k.cu"
    grid = "(n + 255) / 256" if n is None else str((n + 255) // 256)
    text = KERNEL.replace("BODY", body).replace("GRID", grid).replace("NUMBER", "n" if n is None else str(n))
    path.write_text(text)
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), forms=True)
    (kernel,) = check_file(Source(str(path)), job).checked
    analysis = kernel.analysis
    assert analysis is not None
    made = next(each for each in kernel.instructions if each.written.expression.startswith("s["))
    return made.access.bytes, made.executions(lambda number: analysis.accesses[number].executions)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(("trips", "stride"), first([(4, 4), (6, 8), (16, 16), (8, 9)], 2))
def test_the_formula_gives_what_is_counted_with_numbers(body: str, trips: int, stride: int, tmp_path: Path) -> None:
    body = body.replace("TRIPS", str(trips)).replace("STRIDE", str(stride))
    width, open_ = _made(body, None, tmp_path)
    assert open_.warps is None
    assert open_.form is not None
    formula = expression_of(open_.form)
    for n in (31, 32, 300, 1000):
        width_known, known = _made(body, n, tmp_path)
        assert width_known == width
        values = {symbol: n if symbol.name == "n" else (n + 255) // 256 for symbol in formula.free_symbols}
        assert formula.subs(values) == known.warps or "one block is launched" in open_.assumed
        if "one block is launched" in open_.assumed:
            assert formula.subs(values) * ((n + 255) // 256) == known.warps


def test_a_number_that_only_a_formula_gives_is_one_of_vectors(tmp_path: Path) -> None:
    """Of 6 iterations in each of 8 warps: 16 bytes from each fourth element on, and what is left."""
    body = "\n#pragma unroll\nfor (int k = 0; k < 6; k++) sum += s[8 * t + k + 4 * n];"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "KERNEL", KERNEL.replace("blockIdx.x * blockDim.x + t", "t"))
        width, executions = _made(body, None, tmp_path)
    assert (width, executions.warps) == (16, 8 * 2)


@pytest.mark.parametrize(
    ("text", "numerator", "denominator", "expected"),
    [
        ("16*ceil(n/32)", 4, 16, "4*ceil(n/32)"),
        ("64*n + 3", 1, 4, "(64*n + 3)/4"),
        ("n^2*ceil(n/32 - 1/32)", 2, 8, "n^2*ceil(n/32 - 1/32)/4"),
        ("8*n", 1, 8, "n"),
        ("ceil(n/32)", 3, 3, "ceil(n/32)"),
        ("gridDim.x*(8*floor(log2(n + 1)) + 8)", 28, 1, "28*gridDim.x*(8*floor(log2(n + 1)) + 8)"),
        ("2*Max(0, ceil(n) - 1)", 3, 4, "3*Max(0, ceil(n) - 1)/2"),
    ],
)
def test_multiples_of_formulas(text: str, numerator: int, denominator: int, expected: str) -> None:
    assert scaled(text, numerator, denominator) == expected
