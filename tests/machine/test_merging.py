"""Which accesses become one instruction: as nvcc 13.2 compiles each of these kernels for sm_90."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

KERNEL = """\
__global__ void k(float *out, const float *in, int n) {
    __shared__ float s[1024], r[1024];
    int t = threadIdx.x;
    float sum = 0;
    s[t] = in[t];
    __syncthreads();
BODY
    out[t] = sum;
}
void host(float *out, float *in, int m) { k<<<4, 128>>>(out, in, 128); }
"""


def instructions(body: str, folder: Path, n: str = "128") -> dict[str, list[tuple[int, bool]]]:
    """Bytes per lane and exactness of the instructions at the accesses of the body, by their texts.

    `n` is what the launch passes: a number, or `m`, which is not known.
    """
    file = folder / "k.cu"
    file.write_text(KERNEL.replace("BODY", body).replace("in, 128", f"in, {n}"), encoding="utf-8")
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(file)), job).checked
    found: dict[str, list[tuple[int, bool]]] = {}
    for made in kernel.instructions:
        if made.written.span.line > 6:
            found.setdefault(made.written.expression, []).append((made.access.bytes, made.access.result.exact))
    return found


@pytest.mark.parametrize(
    ("between", "width"),
    [
        ("", 8),  # LDS.64
        ("out[t + n] = a;", 8),  # LDS.64
        ("a = __shfl_down_sync(0xffffffff, a, 1);", 8),  # LDS.64
        ("r[t] = a;", 4),  # LDS, STS, LDS
        ("s[t + 512] = a;", 4),
        ("__syncthreads();", 4),
    ],
)
def test_loads_are_merged_unless_memory_is_ordered_between(between: str, width: int, tmp_path: Path) -> None:
    body = f"float a = s[2 * t];\n{between}\nfloat b = s[2 * t + 1];\nsum = a + b;"
    found = instructions(body, tmp_path)
    assert found["s[2 * t]"] == found["s[2 * t + 1]"] == [(width, True)]


@pytest.mark.parametrize(
    ("between", "width"),
    [("", 8), ("s[t] = 7;", 4), ("sum = s[t];", 4)],  # STS.64; STS, STS, STS; STS, LDS, STS
)
def test_stores_are_merged_unless_shared_memory_is_touched_between(between: str, width: int, tmp_path: Path) -> None:
    found = instructions(f"r[2 * t] = 5;\n{between}\nr[2 * t + 1] = 8;", tmp_path)
    assert found["r[2 * t]"] == found["r[2 * t + 1]"] == [(width, True)]


@pytest.mark.parametrize(
    ("pragma", "body", "made"),
    [
        ("#pragma unroll", "sum += s[4 * t + k];", (16, True)),  # LDS.128
        ("#pragma unroll 4", "sum += s[4 * t + k];", (16, True)),
        ("", "sum += s[4 * t + k];", (16, False)),  # LDS.128, which nothing asks for
        ("#pragma unroll 1", "sum += s[4 * t + k];", (4, True)),  # LDS
        ("#pragma nounroll", "sum += s[4 * t + k];", (4, True)),
        ("#pragma unroll 2", "sum += s[4 * t + k];", (8, True)),  # LDS.64
        ("#pragma unroll", "sum += s[4 * t + k]; r[t] = sum;", (4, True)),
        ("#pragma unroll", "sum += s[4 * t + k]; __syncthreads();", (4, True)),
        ("#pragma unroll", "sum += s[4 * t + k]; out[k * n + t] = sum;", (16, True)),
    ],
)
def test_a_loop_is_one_instruction_where_it_is_unrolled(
    pragma: str, body: str, made: tuple[int, bool], tmp_path: Path
) -> None:
    loop = f"{pragma}\nfor (int k = 0; k < 4; ++k) {{ {body} }}"
    assert instructions(loop, tmp_path)["s[4 * t + k]"] == [made]


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("if (k < n) sum += s[4 * t + k];", (4, True)),  # four LDS, each under a predicate
        ("if (t + k < n) sum += s[4 * t + k];", (4, True)),
        ("int i = 4 * t + k; if (i < n) sum += s[4 * t + k];", (4, True)),
        ("sum += k < n ? s[4 * t + k] : 0;", (4, True)),
        ("if (out[k] > 0) sum += s[4 * t + k];", (4, True)),
        ("if (t < n && k < 4) sum += s[4 * t + k];", (4, True)),
        ("if (k < 3) sum += s[4 * t + k];", (16, False)),  # LDS.128
        ("if (n > 3) sum += s[4 * t + k]; else sum += k;", (16, False)),  # LDS.128
        ("if (t < n) sum += s[4 * t + k];", (16, False)),  # four LDS: what is not certain is not exact
    ],
)
@pytest.mark.parametrize("n", ["m", "128"])
def test_under_conditions_that_iterations_may_differ_in_nothing_is_merged(
    body: str, made: tuple[int, bool], n: str, tmp_path: Path
) -> None:
    """Compiled by nvcc 13 for sm_90, which does not know the number that a launch passes."""
    loop = f"#pragma unroll\nfor (int k = 0; k < 4; ++k) {{ {body} }}"
    assert instructions(loop, tmp_path, n=n)["s[4 * t + k]"] == [made]


@pytest.mark.parametrize(
    ("asked", "body", "made"),
    [
        ("&& k < n", "s[4 * t + k] = sum;", (4, True)),  # three STS and one under a predicate
        ("&& 4 * t + k < n", "s[4 * t + k] = sum;", (4, True)),
        ("&& n > 5", "s[4 * t + k] = sum;", (16, False)),  # STS.128 under a predicate
        ("", "if (out[k] > 5) break; s[4 * t + k] = sum;", (4, True)),
        ("", "s[4 * t + k] = sum; if (out[k] > 5) break;", (4, True)),
        ("", "if (out[k] > 5) continue; s[4 * t + k] = sum;", (4, True)),  # four STS, each under a predicate
        ("", "if (n > 500) break; s[4 * t + k] = sum;", (16, False)),  # STS.128 under a predicate
        ("&& 4 * t + k < n", "sum += s[4 * t + k];", (16, False)),  # LDS.128, though not everywhere
        ("", "if (out[k] > 5) break; sum += s[4 * t + k];", (16, False)),
        ("", "if (out[k] > 5) continue; sum += s[4 * t + k];", (4, True)),  # four LDS
        ("", "if (out[k] > 5) break; sum += s[4 * t + k]; s[4 * t + k] = sum;", (4, True)),
    ],
)
def test_in_loops_that_iterations_may_leave_stores_are_not_merged(
    asked: str, body: str, made: tuple[int, bool], tmp_path: Path
) -> None:
    """Compiled by nvcc 13 for sm_90."""
    loop = f"#pragma unroll\nfor (int k = 0; k < 4 {asked}; ++k) {{ {body} }}"
    assert set(instructions(loop, tmp_path)["s[4 * t + k]"]) == {made}


@pytest.mark.parametrize(
    ("body", "width"),
    [
        ("for (int k = 0; k < 8; k++) sum += s[4 * t + k % 4 + k / 4 * 512] * k;", 16),  # 2 LDS.128
        ("for (int k = 0; k < 8; k++) sum += s[8 * t + (k * 2) % 8 + k / 4] * k;", 16),  # 2 LDS.128
        ("for (int k = 0; k < 6; k++) sum += s[2 * t + k % 2 + k / 2 * 256] * k;", 8),  # 3 LDS.64
        ("for (int k = 0; k < 8; k++) s[4 * t + (k ^ 1) % 4 + k / 4 * 512] = sum + k;", 16),  # 2 STS.128
        ("for (int k = 0; k < 8; k++) s[8 * t + (k * 2) % 8 + k / 4] = sum + k;", 4),  # 8 STS
        ("for (int k = 0; k < 8; k++) sum += s[4 * t + (k + t) % 4 + k / 4 * 512] * k;", 4),
        ("for (int k = 0; k < 8; k++) sum += s[4 * t + 2 + k % 4 + k / 4 * 256] * k;", 8),
        ("for (int k = 0; k < 8; k++) if (k < n) sum += s[4 * t + k % 4 + k / 4 * 512] * k;", 4),
        ("for (int k = 0; k < 8; k++) r[t + 128 * k] = s[4 * t + k % 4 + k / 4 * 512] * k;", 4),
    ],
)
def test_iterations_that_move_by_no_constant_are_merged_where_they_fill_vectors(
    body: str, width: int, tmp_path: Path
) -> None:
    found = instructions(body, tmp_path, n="6")
    assert {size for text, made in found.items() if text.startswith("s[") for size, _ in made} == {width}


def test_the_loop_around_an_inner_one_is_taken_to_be_unrolled(tmp_path: Path) -> None:
    """Two LDS.128."""
    loops = "for (int k = 0; k < 4; ++k)\nfor (int i = 0; i < 2; ++i)\nsum += s[8 * t + 4 * i + k];"
    assert instructions(loops, tmp_path)["s[8 * t + 4 * i + k]"] == [(16, False)]


def test_the_loop_around_a_register_tile_is_not(tmp_path: Path) -> None:
    """Eight LDS for `a[i]` in each round of k, as in the fifth kernel of SGEMM_CUDA."""
    loops = """
    float a[8], acc[64] = {};
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < 8; ++i) a[i] = s[64 * (t / 16) + 8 * i + k];
        for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) acc[8 * i + j] += a[i] * a[j];
    }
    sum = acc[n % 64];"""
    assert instructions(loops, tmp_path)["s[64 * (t / 16) + 8 * i + k]"] == [(4, True)]


def test_an_unrolled_loop_executes_an_instruction_per_vector(tmp_path: Path) -> None:
    """Two STS.128, though the lanes are the same in each of the eight iterations."""
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k() { __shared__ float s[64][32]; for (int i = 0; i < 8; ++i) s[threadIdx.x][i] = 0; }\n"
        "void run() { k<<<3, 32>>>(); }\n"
    )
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(file)), job).checked
    assert kernel.analysis is not None
    (made,), (access,) = kernel.instructions, kernel.analysis.accesses
    executions = made.executions(lambda number: access.executions)
    assert (made.access.bytes, executions.warps, executions.threads) == (16, 2 * 3, 2 * 3 * 32)


@pytest.mark.parametrize(
    ("start", "width"),
    [
        ("4 * n", 16),  # LDS.128: a multiple of 16 bytes whatever n is
        ("12 * n", 16),
        ("512 * (n % 4)", 16),
        ("2 * n", 8),  # LDS.64
        ("n", 4),  # LDS
        ("4 * n + 3 * m", 4),
    ],
)
def test_nvcc_knows_the_multiples_that_a_carved_start_is_written_as(start: str, width: int, tmp_path: Path) -> None:
    loop = "#pragma unroll\nfor (int k = 0; k < 4; ++k) { sum += s[4 * t + k]; }"
    assert [found for found, _ in carved(start, loop, tmp_path)] == [width]


def test_a_loop_that_halves_moves_by_multiples_too(tmp_path: Path) -> None:
    inner = "#pragma unroll\nfor (int k = 0; k < 4; ++k) { sum += s[STEP + 4 * t + k]; }"
    loop = f"for (int i = n; i > 0; i /= 2) {{\n{inner}\n}}"
    assert carved("0", loop.replace("STEP", "64 * i"), tmp_path)[0][0] == 16  # LDS.128
    assert carved("0", loop.replace("STEP", "i"), tmp_path)[0][0] == 4  # LDS


def carved(start: str, body: str, folder: Path) -> list[tuple[int, bool]]:
    """Bytes per lane and exactness of the instructions at the loads of the body from `s`, which begins in a pool."""
    text = (
        "extern __shared__ float pool[];\n"
        "__global__ void k(float *out, int n, int m) {\n    int t = threadIdx.x;\n    float sum = 0, *s = pool + "
        f"{start};\n    {body}\n    out[t] = sum;\n}}\n"
        "void host(float *out, int n, int m) { k<<<4, 128, 4096>>>(out, n, m); }\n"
    )
    file = folder / "k.cu"
    file.write_text(text, encoding="utf-8")
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(file)), job).checked
    made = [one for one in kernel.instructions if one.written.memory is not None and one.written.memory.name == "pool"]
    return [(one.access.bytes, one.access.result.exact) for one in made]


@pytest.mark.parametrize(
    ("array", "start", "loaded", "width"),
    [
        ("int4", "int4 *p = all + n;", "*reinterpret_cast<Row *>(&p[t])", 16),  # LDS.128
        ("int4", "int4 *p = all + 3 * n + blockDim.x;", "*reinterpret_cast<Row *>(&p[t])", 16),  # LDS.128
        ("int2", "int2 *p = all + n;", "*reinterpret_cast<Row *>(&p[2 * t])", 8),  # two LDS.64
        ("float4", "float *p = reinterpret_cast<float *>(all + n);", "p[4 * threadIdx.x] + p[4 * threadIdx.x + 1]", 8),
        ("int4", "float *p = reinterpret_cast<float *>(all) + n;", "p[4 * threadIdx.x] + p[4 * threadIdx.x + 1]", 4),
    ],
)
def test_a_start_that_is_counted_in_vectors_lies_at_one_whatever_the_launch_passes(
    array: str, start: str, loaded: str, width: int, tmp_path: Path
) -> None:
    """As nvcc 13.0 compiles them for sm_80 and sm_90, too."""
    row = "struct Row { int x[4]; operator float() const { return x[0] + x[1] * x[2] - x[3]; } };"
    body = f"{row} extern __shared__ {array} all[]; {start}\nsum = {loaded};"
    found = instructions(body, tmp_path)
    assert {bytes for text, some in found.items() if "p[" in text for bytes, _ in some} == {width}


@pytest.mark.parametrize(
    ("start", "width"),
    [
        ("int i = (4 * t) % 256;", 4),  # LDS, four times
        ("int i = 4 * t % 128 * 2;", 8),  # LDS.64, twice
        ("unsigned u = t; int i = (4 * u) % 256;", 16),  # LDS.128
        ("int i = (4 * t) & 255;", 16),
        ("int i = (t % 64) * 4;", 16),
        ("int i = min(t, 64) * 4;", 16),
        ("int i = 4 * t; if (i >= 256) i -= 256;", 16),
        ("int i = t / 32 * 128 + t % 32 * 4;", 16),
    ],
)
def test_an_alignment_that_the_address_hides_is_none(start: str, width: int, tmp_path: Path) -> None:
    found = instructions(f"{start}\nsum = s[i] + s[i + 1] + s[i + 2] + s[i + 3];", tmp_path)
    assert found["s[i]"] == found["s[i + 3]"] == [(width, True)]


@pytest.mark.parametrize(
    ("head", "guard", "is_exact"),
    [
        ("int d = 1; d < 256; d *= 2", "int i = 2 * d * t; if (i < 256)", False),  # LDS.64 where d is 1
        ("int d = 1; d < n; d *= 2", "int i = 2 * d * t; if (i < n)", True),  # LDS alone
        ("int d = 1; d < blockDim.x; d *= 2", "int i = 2 * d * t; if (i < 256)", True),
        ("int d = 1; d < 256; d *= 2", "int i = t; if (t % (2 * d) == 0)", True),
        ("int d = 128; d > 0; d /= 2", "int i = t; if (t < d)", True),
    ],
)
def test_neighbours_in_one_iteration_are_not_exact(head: str, guard: str, is_exact: bool, tmp_path: Path) -> None:
    body = f"for ({head}) {{ {guard} s[i] += s[i + d]; __syncthreads(); }}"
    found = instructions(body, tmp_path)
    assert found["s[i + d]"] == [(4, is_exact)]
    assert (4, is_exact) in found["s[i]"]


@pytest.mark.parametrize(
    ("body", "width"),
    [
        ("volatile float *p = s; sum = p[2 * t] + p[2 * t + 1];", 4),  # LDS, twice
        ("sum = ((volatile float *)s)[2 * t] + ((volatile float *)s)[2 * t + 1];", 4),
        ("volatile float &a = s[2 * t], &b = s[2 * t + 1]; sum = a + b;", 4),
        ("float *p = s; sum = p[2 * t] + p[2 * t + 1];", 8),  # LDS.64
        ('float a = s[2 * t]; printf("%f", a); sum = a + s[2 * t + 1];', 4),  # LDS, twice
        ('float a = s[2 * t]; if (n > 7) printf("%f", a); sum = a + s[2 * t + 1];', 4),
        ("float a = s[2 * t]; assert(a > 0); sum = a + s[2 * t + 1];", 4),
        ("float a = s[2 * t]; __builtin_assume(a > 0); sum = a + s[2 * t + 1];", 8),
    ],
)
def test_what_is_volatile_or_parted_by_a_call_is_not_merged(body: str, width: int, tmp_path: Path) -> None:
    found = instructions(body, tmp_path)
    assert [made for each in found.values() for made in each][:2] == [(width, True), (width, True)]
