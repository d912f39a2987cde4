"""What nvcc knows of an alignment, which knows no launch: four neighbours from `i` on, as nvcc 13.2 compiles them.

Each case was compiled for sm_90: 16 is one LDS.128, 8 two LDS.64, 4 four LDS.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from known_alignments import ARRAY, CASES, LOADS, POOL, kernel, launches
from project import shared_headers

from coalint.core.facts.access import Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

STORES = "s[i] = t; s[i + 1] = 2; s[i + 2] = 3 * t; s[i + 3] = t + 5; __syncthreads(); out[t] = s[t];"


def made(
    start: str, folder: Path, array: str = ARRAY, use: str = LOADS, numbers: str = "3, 5", op: Operation | None = None
) -> set[tuple[int, bool]]:
    """Bytes per lane and exactness of the instructions at the accesses from `s[i]` on."""
    file = folder / "k.cu"
    file.write_text(f"{POOL}{kernel('k', start, array, use)}{launches(['k'], numbers)}", encoding="utf-8")
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (checked,) = check_file(Source(str(file)), job).checked
    op = op or (Operation.LOAD if use == LOADS else Operation.STORE)
    at = [one for one in checked.instructions if one.written.op is op and one.written.expression.startswith("s[i")]
    assert at
    return {(one.access.bytes, one.access.result.exact) for one in at}


@pytest.mark.parametrize(("start", "width"), CASES)
def test_loads_are_merged_as_far_as_the_program_tells_their_alignment(start: str, width: int, tmp_path: Path) -> None:
    assert made(start, tmp_path) == {(width, True)}


@pytest.mark.parametrize(("start", "width"), CASES[::4])
def test_stores_and_dynamic_arrays_are_merged_alike(start: str, width: int, tmp_path: Path) -> None:
    assert made(start, tmp_path, use=STORES) == {(width, True)}
    assert made(start, tmp_path, array="float *s = pool;") == {(width, True)}


@pytest.mark.parametrize(("start", "width"), [case for case in CASES if "?" not in case[0] and "if" not in case[0]][:6])
def test_what_the_launch_passes_does_not_matter(start: str, width: int, tmp_path: Path) -> None:
    assert made(start, tmp_path, numbers="8, 4") == {(width, True)}


@pytest.mark.parametrize(
    "start",
    [
        "int i; if (n > 2) i = 4 * t; else i = 8 * t;",  # LDS, four times
        "int i; if (n > 2) { i = 4 * t; out[t + 999] = 3; } else i = 8 * t;",  # LDS.128
        "int i = n < 64 ? 4 * t : 12 * t;",  # LDS.128
        "int i = n < 64 ? 4 * t : 6 * t;",  # LDS.64, twice
        "int i = t > n ? 4 * t : 0;",  # LDS.128
        "int i = 4 * t < 400 ? 4 * t : 400;",  # LDS.128
        "int i = 4 * t; if (i > 400) i = 400;",  # LDS, four times
        "int i; switch (n) { case 1: i = 8 * t; break; case 3: i = 4 * t; break; default: i = 16 * t; }",  # LDS.128
        "short h = n; int i = 4 * t + 4 * h;",  # LDS, four times
        "short h = 4 * t; int i = h;",  # LDS.128
        "float f = 4 * t; int i = f;",  # LDS, four times
        "int i = 1023 - 4 * t;",  # LDS, four times
        "int i = 4 * n - 8 * t + 1400;",  # LDS, four times
        "int i = __mul24(t, 12);",  # LDS.128
        "int i = __mul24(t, n) * 4;",  # LDS, four times
    ],
)
def test_where_nvcc_goes_either_way_nothing_is_exact(start: str, tmp_path: Path) -> None:
    found = made(start, tmp_path)
    assert {is_exact for width, is_exact in found if width > 4} <= {False}
    assert (4, True) not in found or len(found) > 1


@pytest.mark.parametrize(
    "start", ["int i = 1020 - 4 * t;", "int i = 4 * (127 - t);", "int i = 4 * t - 4 * n + 100;", "int i = 508 - 4 * t;"]
)
def test_what_is_counted_from_the_end_is_merged(start: str, tmp_path: Path) -> None:
    assert made(start, tmp_path) == {(16, True)}


@pytest.mark.parametrize(
    ("step", "is_exact"),
    [
        ("n", False),  # LDS.64 in the first iteration, LDS in the others
        ("33", False),  # LDS.64 in every other iteration
        ("2 * n", True),  # LDS.64
        ("36", True),
    ],
)
def test_what_is_a_multiple_in_some_iterations_alone_is_not_exact(step: str, is_exact: bool, tmp_path: Path) -> None:
    use = f"for (int j = 0; j < 8; ++j) {{ int i = {step} * j + 2 * t; out[t] += s[i] + 2 * s[i + 1]; }}"
    found = made("", tmp_path, use=use, op=Operation.LOAD)
    assert {sure for _, sure in found} == {is_exact}


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        ("s = n > 2 ? a : b;", {(16, True)}),  # LDS.128
        ("if (n > 2) s = a; else s = b + 1;", {(4, True)}),
        ("if (n > 2) s = a; else s = b + 2;", {(8, True)}),
    ],
)
def test_an_array_that_the_launch_chooses_is_as_aligned_as_all_of_them(
    choice: str, found: set[tuple[int, bool]], tmp_path: Path
) -> None:
    array = f"__shared__ float a[2048], b[2048]; a[threadIdx.x] = b[threadIdx.x] = in[n]; float *s; {choice}"
    assert made("int i = 4 * t;", tmp_path, array=array) == found


@pytest.mark.parametrize(
    ("array", "width"),
    [
        ("__shared__ short s[4096];", 8),  # LDS.64 of s[i] * 2.5f, LDS.U16 of s[i] + s[i + 1]
        ("__shared__ unsigned char s[4096];", 1),  # LDS.U8, four times
        ("unsigned char *s = (unsigned char *)pool;", 4),  # LDS where the pool is declared as aligned
    ],
)
def test_what_is_made_of_numbers_smaller_than_a_register_is_not_exact(array: str, width: int, tmp_path: Path) -> None:
    assert made("int i = 4 * t;", tmp_path, array=array) == {(width, False)}


def test_iterations_over_16_bits_are_merged_too(tmp_path: Path) -> None:
    """One LDS.64 where the loop is unrolled, two of eight iterations."""
    use = "\n#pragma unroll\nfor (int i = 8 * t, k = 0; k < 8; ++k) out[t] += s[i + k] * 0.5f;"
    assert made("", tmp_path, array="__shared__ short s[4096];", use=use, op=Operation.LOAD) == {(8, False)}
