"""Which rows of a shared tile count as padded, and at which accesses a longer pitch is advised."""

from __future__ import annotations

import pytest
from project import Project


def codes(project: Project, text: str) -> dict[int, set[str]]:
    """The rules of shared memory that report something at each line of a file with this text."""
    project.put("k.cu", text)
    found: dict[int, set[str]] = {}
    for diagnostic in project.lint("k.cu").report["diagnostics"]:
        if diagnostic["code"].startswith("COA2"):
            for place in diagnostic["places"]:
                found.setdefault(place["line"], set()).add(diagnostic["code"])
    return found


def filled(extent: int, count: int) -> str:
    """A kernel whose block of 256 threads fills `count` elements of a tile by column, in two rounds."""
    return f"""\
__global__ void k(unsigned long long *out, const unsigned long long *in) {{
    __shared__ unsigned long long tile[32][{extent}];
    for (int first = 0; first < {count}; first += 256) {{
        int i = first + threadIdx.x;
        if (i < {count}) tile[i % 16][i / 16] = in[i];
    }}
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16];
}}
void run(unsigned long long *x) {{ k<<<4, 256>>>(x, x); }}
"""


@pytest.mark.parametrize(
    ("extent", "count", "code"),
    [
        (18, 272, "COA203"),  # 17 of 18 columns are used
        (18, 288, "COA201"),  # all are
        (20, 288, "COA203"),
        (32, 512, "COA201"),
    ],
)
def test_iterations_that_are_looked_at_one_by_one_are_counted_once(
    project: Project, extent: int, count: int, code: str
) -> None:
    assert codes(project, filled(extent, count))[5] == {code}


def two_accesses(extent: int, store: str) -> str:
    return f"""\
__global__ void k(float *out, const float *in) {{
    __shared__ float tile[32][{extent}];
    {store} = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 8; ++i)
        sum += tile[threadIdx.x][threadIdx.y + i];
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}}
void run(float *x) {{ k<<<4, dim3(32, 32)>>>(x, x); }}
"""


@pytest.mark.parametrize(("extent", "code"), [(66, "COA203"), (64, "COA201")])
def test_a_pitch_is_advised_only_where_it_helps(project: Project, extent: int, code: str) -> None:
    """Every second word of a row takes two wavefronts whatever the pitch is, the column one with another pitch."""
    found = codes(project, two_accesses(extent, "tile[threadIdx.y][2 * threadIdx.x]"))
    assert found == {3: {"COA202"}, 7: {code}}


def test_neighbouring_structs_in_bytes_of_shared_memory_are_no_rows(project: Project) -> None:
    text = """\
struct Best { int place; float value; };
__global__ void k(float *out, int n) {
    extern __shared__ char bytes[];
    Best *best = (Best *)bytes;
    best[threadIdx.x].place = n;
    __syncthreads();
    for (int i = 0; i < n; ++i)
        out[i * blockDim.x + threadIdx.x] = best[threadIdx.x].place;
}
void run(float *x, int n) { k<<<4, 128, 1024>>>(x, n); }
"""
    assert codes(project, text)[8] == {"COA202"}


def test_two_ways_that_take_much_longer_rows_are_an_info(project: Project) -> None:
    """Two rows of 16 lanes collide in rows of 24; only rows of 48 part them."""
    text = """\
__global__ void k(float *out, const float *in) {
    __shared__ float tile[16][24];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 16; ++i)
        sum += tile[threadIdx.y][i];
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}
void run(float *x) { k<<<4, dim3(16, 16)>>>(x, x); }
"""
    project.put("k.cu", text)
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["line"] == 3 and d["code"].startswith("COA2")]
    assert [(d["code"], d["severity"]) for d in found] == [("COA203", "info")]


def test_lanes_side_by_side_walk_no_column(project: Project) -> None:
    """Two rows of lanes collide, though each is in one piece as wide as another access steps."""
    text = """\
__global__ void k(float *out, const uint2 *in, int n) {
    __shared__ float s[132 * 16];
    short *h = (short *)s;
    for (int i = 0; i < n; ++i) {
        __syncthreads();
        *(uint2 *)&h[threadIdx.x / 8 * 48 + threadIdx.x % 8 * 4] = in[i * 128 + threadIdx.x];
        __syncthreads();
        float sum = 0;
        for (int j = 0; j < 16; ++j)
            sum += s[2 * j + (threadIdx.x & 1)];
        out[i * 128 + threadIdx.x] = sum;
    }
}
void run(float *x, const uint2 *y, int n) { k<<<4, 128>>>(x, y, n); }
"""
    assert codes(project, text)[6] == {"COA202"}


def test_a_constant_column_of_rows_that_a_loop_walks_has_the_same_cause(project: Project) -> None:
    """Neighbouring lanes are as far apart as where the loop shows the rows."""
    text = """\
__global__ void k(float *out, const float *in, int n) {
    __shared__ float s[128 * 28];
    for (int k = 0; k < n; ++k) {
        float v = in[k * 128 + threadIdx.x];
        for (int i = 0; i < 27; ++i) s[28 * threadIdx.x + i] = v * i;
        s[28 * threadIdx.x + 27] += v;
    }
    out[threadIdx.x] = s[28 * threadIdx.x + 27];
}
void run(float *x, int n) { k<<<1, 128>>>(x, x, n); }
"""
    project.put("k.cu", text)
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["code"] == "COA201"
    assert {place["line"] for place in finding["places"]} == {6, 8}  # the loop stores vectors


def test_rows_of_two_buffers_that_a_loop_takes_in_turn_are_padded(project: Project) -> None:
    """The loop moves by whole buffers, in no even steps."""
    text = """\
__global__ void k(short *out, const short *in, int n) {
    __shared__ short s[2][16][136];
    int row = threadIdx.x / 2, column = threadIdx.x % 2 * 8, sum = 0;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 8; ++i)
            s[k & 1][column + i][row] = in[k * 2048 + i * 256 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += s[k & 1][i][threadIdx.x % 128];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
void run(short *x, int n) { k<<<4, 256>>>(x, x, n); }
"""
    assert codes(project, text)[6] == {"COA203"}


def columns_of_vectors(row: int) -> str:
    """A kernel whose lanes read the columns of four rows each, in bytes that hold vectors of 8 bytes."""
    return f"""\
__global__ void k(float2 *out, const float2 *in) {{
    __shared__ __align__(16) char raw[32 * 4 * {row} * 8];
    float2 *tile = reinterpret_cast<float2 *>(raw);
    for (int y = threadIdx.y; y < 128; y += 8)
        tile[y * {row} + threadIdx.x] = in[y * 32 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i)
        out[i * 256 + 32 * threadIdx.y + threadIdx.x] = tile[(4 * threadIdx.x + i) * {row} + threadIdx.y];
}}
void run(float2 *x) {{ k<<<4, dim3(32, 8)>>>(x, x); }}
"""


def test_rows_of_vectors_in_bytes_are_those_that_a_loop_walks(project: Project) -> None:
    project.put("k.cu", columns_of_vectors(64))
    [found] = [d for d in project.lint("k.cu").report["diagnostics"] if d["line"] == 9 and d["code"] == "COA201"]
    assert "a row of `raw` is 64 elements of 8 bytes" in found["notes"][0]["message"]
    assert "neighbouring lanes are 2048 bytes, which is 4 rows, apart" in found["notes"][0]["message"]
    assert "instead of 64 elements of 8 bytes apart in every index" in found["help"]
    assert found["cause"]["pitch_bytes"] == 512


@pytest.mark.parametrize(("type_name", "severity"), [("double", "info"), ("float", None)])
def test_rows_that_spare_a_quarter_at_most_are_an_info(project: Project, type_name: str, severity: str | None) -> None:
    text = f"""\
__global__ void k({type_name} *out, int n) {{
    __shared__ {type_name} tile[5][5];
    for (int i = 0; i < n; ++i)
        tile[threadIdx.x][threadIdx.y] += i;
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0)
        for (int x = 0; x < 5; ++x)
            for (int y = 0; y < 5; ++y)
                out[blockIdx.x] += tile[x][y];
}}
void run({type_name} *x, int n) {{ k<<<4, dim3(5, 5)>>>(x, n); }}
"""
    project.put("k.cu", text)
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"].startswith("COA2")]
    assert {d["severity"] for d in found} == ({severity} if severity else set())


TEMPLATE = """{head} {{
    __shared__ {element} tile[32][33];
    for (int i = 0; i < 32; i += 8)
        tile[threadIdx.y + i][threadIdx.x] = in[(threadIdx.y + i) * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; i += 8)
        out[(threadIdx.y + i) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + i];
}}
void run(signed char *out, signed char *in) {{ {kernel}<<<1, dim3(32, 8)>>>(out, in); }}
"""
LONGER = "declare `signed char tile[32][36]` (rows of 36 instead of 33 elements)"
OF_ARGUMENT = "; that is for elements of 1 byte, and other arguments of the template may need other rows"


@pytest.mark.parametrize(
    ("head", "element", "kernel", "advice"),
    [
        ("template <typename T> __global__ void k(T *out, const T *in)", "T", "k<signed char>", LONGER + OF_ARGUMENT),
        ("__global__ void k(signed char *out, const signed char *in)", "signed char", "k", LONGER),
    ],
)
def test_advice_for_a_tile_of_a_template_s_type_says_for_which_elements_it_is(
    project: Project, head: str, element: str, kernel: str, advice: str
) -> None:
    project.put("k.cu", TEMPLATE.format(head=head, element=element, kernel=kernel))
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA203"]
    assert found["help"] == advice
