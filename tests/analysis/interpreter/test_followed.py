"""Variables and pointers that take unusual ways to an address, each held against counting by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, accesses, barriers, count, sectors, wavefronts
from project import shared_headers

from coalint.core.facts.access import Operation
from coalint.core.facts.synchronization import Verdict
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

LANES = range(32)


# --- variables that each thread moves in its own way


def test_a_remainder_that_each_lane_carries_on(tmp_path: Path) -> None:
    loop = "int c = threadIdx.x % 24; for (int i = 0; i < 10; ++i) { out[c * 8] = 0; c = (c + 7) % 24; }"
    found = access(tmp_path, loop, threads=32)
    assert found[0].result.exact
    by_hand = [sectors([32 * ((lane % 24 + 7 * i) % 24) for lane in LANES]) for i in range(10)]
    assert count(found) == pytest.approx(sum(by_hand) / 10)


def test_what_such_a_variable_is_behind_its_loop(tmp_path: Path) -> None:
    loop = "int c = threadIdx.x % 24; for (int i = 0; i < 10; ++i) c = (c + 7) % 24; out[c * 8] = 0;"
    found = access(tmp_path, loop, threads=32)
    assert found[0].result.exact
    assert count(found) == sectors([32 * ((lane % 24 + 70) % 24) for lane in LANES])


def test_sums_of_what_is_followed_from_an_unknown_start(tmp_path: Path) -> None:
    loop = "int p = 64 * n; for (int i = 0; i < 6; ++i) { out[p] = 0; p += i * threadIdx.x; }"
    found = access(tmp_path, loop, threads=32)
    assert found[0].result.exact
    by_hand = [sectors([4 * lane * sum(range(i)) for lane in LANES]) for i in range(6)]
    assert count(found) == pytest.approx(sum(by_hand) / 6)


def test_a_position_that_comes_back_in_a_loop_without_a_known_end(tmp_path: Path) -> None:
    loop = "int p = threadIdx.x; for (int i = 0; i < n; ++i) { out[p * p] = 0; p = (p + 8) & 31; }"
    found = access(tmp_path, loop, threads=32)
    by_hand = [sectors([4 * ((lane + 8 * i) & 31) ** 2 for lane in LANES]) for i in range(4)]
    assert count(found) == pytest.approx(sum(by_hand) / 4)


def test_a_lane_that_depends_on_data_is_not_tabulated(tmp_path: Path) -> None:
    loop = "int p = threadIdx.x; for (int i = 0; i < 4; ++i) { p = (p + (int)in[p]) % 32; } out[p] = 0;"
    found, _ = accesses(tmp_path, loop)[-1]
    assert found.result.unknown is not None
    assert found.result.data_dependent


STEPPING = """
struct C { int at, step; __device__ C &go() { at += step; return *this; } };
__device__ C made(int at, int step) { return {at, step}; }
"""


@pytest.mark.parametrize("start", ["C c{(int)threadIdx.x, 256};", "C c = made(threadIdx.x, 256);"])
@pytest.mark.parametrize("step", ["c.at += c.step", "c.go()", "c.at = c.at + c.step"])
def test_a_member_that_another_one_moves_by(tmp_path: Path, start: str, step: str) -> None:
    loop = f"{start} for (; c.at < 1024; {step}) out[2 * c.at] = 0;"
    found = access(tmp_path, loop, before=STEPPING)
    assert found[0].result.exact
    assert (found[0].stride, count(found)) == ("8", sectors([8 * lane for lane in LANES]))


def test_a_member_that_one_moves_by_and_that_changes_itself(tmp_path: Path) -> None:
    loop = "C c{(int)threadIdx.x, 1}; for (; c.at < 999; c.at += c.step) { out[c.at] = 0; if (c.at > n) c.step = 2; }"
    found = access(tmp_path, loop, before=STEPPING)
    assert not found[0].result.exact


# --- behind a loop


def test_a_loop_that_lanes_leave_at_different_times(tmp_path: Path) -> None:
    *_, found = accesses(tmp_path, "int i = threadIdx.x; for (; i < 1000; i += 256) out[i] = 0; out[8 * i] = 0;")
    assert found[0].result.exact
    first = [sectors([32 * (t + 256 * -(-(1000 - t) // 256)) for t in range(w, w + 32)]) for w in range(0, 256, 32)]
    assert count(found) == pytest.approx(sum(first) / 8)


def test_a_loop_left_by_break_says_nothing_of_its_counter(tmp_path: Path) -> None:
    loop = "int i = threadIdx.x; for (; i < 1000; i += 256) { if (in[i] > 0) break; } out[8 * i] = 0;"
    *_, (found, _) = accesses(tmp_path, loop)
    assert found.result.unknown is not None
    assert found.result.data_dependent


# --- division by what is not known


FAST = "__device__ unsigned fast(unsigned n, uint3 d) { return (__umulhi(n, d.x) + n) >> d.y; }\n"


@pytest.mark.parametrize(
    ("index", "sectors_"),
    [
        ("i / n", 1),
        ("i % n", 4),
        ("i >> n", 1),
        ("i & (n - 1)", 4),
        ("i & -n", 1),
        ("fast(i, d)", 1),
        ("i - fast(i, d) * d.z", 4),
    ],
)
def test_an_unknown_divisor_is_supposed_to_be_wide(tmp_path: Path, index: str, sectors_: int) -> None:
    body = f"unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[{index}] = 0;"
    found = access(tmp_path, body, parameters="int n, uint3 d", before=FAST)
    assert count(found) == sectors_
    assert not found[0].result.exact
    assert any("unknown" in text for text in found[0].result.assumed)


def test_a_reciprocal_that_is_known_is_computed(tmp_path: Path) -> None:
    found = access(tmp_path, "out[__umulhi(threadIdx.x, 0x55555556u) * 8] = 0;")  # threadIdx.x / 3
    assert found[0].result.exact
    by_hand = [sectors([32 * (t // 3) for t in range(w, w + 32)]) for w in range(0, 256, 32)]
    assert count(found) == pytest.approx(sum(by_hand) / 8)


def test_a_mask_that_may_keep_any_bits_stays_unknown(tmp_path: Path) -> None:
    assert access(tmp_path, "out[threadIdx.x & n] = 0;")[0].result.unknown is not None


# --- pointers


BUFFERS = "__shared__ float a[64]; __shared__ float b[64]; float *r = a, *w = b;"
SWAP = "float *t = r; r = w; w = t;"


def test_buffers_that_trade_places(tmp_path: Path) -> None:
    loop = f"{BUFFERS} for (int i = 0; i < 5; ++i) {{ w[threadIdx.x] = r[threadIdx.x * (1 + i % 2)]; {SWAP} }}"
    found = accesses(tmp_path, loop, threads=32)
    loads = [(access.memory.name if access.memory else "", cost) for access, cost in found if access.op.value == "load"]
    assert [(name, cost.count if cost else None) for name, cost in loads] == [("a", 1), ("b", 2)]
    assert all(access.result.exact for access, _ in found)


def test_where_a_traded_pointer_leads_behind_its_loop(tmp_path: Path) -> None:
    loop = f"{BUFFERS} for (int i = 0; i < 5; ++i) {{ {SWAP} }} r[2 * threadIdx.x] = 0;"
    found = access(tmp_path, loop, threads=32)
    assert found[0].memory is not None
    assert found[0].memory.name == "b"
    assert count(found) == wavefronts([8 * lane for lane in LANES])


def test_a_pointer_that_is_dereferenced_is_not_null(tmp_path: Path) -> None:
    body = "float *p = nullptr; if (n > 3) p = out + 2 * threadIdx.x; if (p) *p = 0;"
    found = access(tmp_path, body)
    assert found[0].result.unknown is None
    assert count(found) == 8


def test_lanes_of_one_warp_that_go_different_ways_are_no_exact_cost(tmp_path: Path) -> None:
    body = "const float *p = threadIdx.x % 2 ? in : out; v = p[threadIdx.x];"
    loads = [found for found, _ in accesses(tmp_path, f"float v; {body} out[threadIdx.x] = v;")][:2]
    assert not any(found.result.exact for found in loads)


def test_a_store_by_a_chosen_pointer_to_a_variable_changes_one_of_them(tmp_path: Path) -> None:
    body = "int a = 1, b = 1; int *p = threadIdx.x < 16 ? &a : &b; *p = 8; out[a * threadIdx.x] = 0;"
    found = access(tmp_path, body, threads=32)
    assert found[0].result.exact
    assert count(found) == sectors([4 * (8 if lane < 16 else 1) * lane for lane in LANES])


# --- local arrays


@pytest.mark.parametrize("head", ["for (int v : t)", "for (const int &v : t)", "for (int v : {1, 5, 2, 32})"])
def test_the_elements_of_a_range(tmp_path: Path, head: str) -> None:
    found = access(tmp_path, f"const int t[4] = {{1, 5, 2, 32}}; {head} out[threadIdx.x * v] = 0;")
    assert found[0].result.exact
    by_hand = [sectors([4 * v * lane for lane in LANES]) for v in (1, 5, 2, 32)]
    assert count(found) == pytest.approx(sum(by_hand) / 4)


def test_a_table_that_each_lane_looks_into(tmp_path: Path) -> None:
    found = access(tmp_path, "const int t[4] = {1, 5, 2, 32}; out[threadIdx.x * t[threadIdx.x & 3]] = 0;", threads=32)
    assert found[0].result.exact
    assert count(found) == sectors([4 * lane * (1, 5, 2, 32)[lane & 3] for lane in LANES])


def test_elements_that_are_known_but_no_numbers(tmp_path: Path) -> None:
    body = "int t[3] = {threadIdx.x, 8 * threadIdx.x, 64 * n}; for (int i = 0; i < 3; ++i) out[t[i]] = 0;"
    found = access(tmp_path, body, threads=32)
    assert count(found) == pytest.approx((4 + 32 + 1) / 3)


def test_an_array_that_a_reference_changes_is_no_table(tmp_path: Path) -> None:
    body = (
        "int t[4] = {1, 5, 2, 32}; for (int i = 0; i < 4; ++i) for (int &v : t) { out[threadIdx.x * v] = 0; v += n; }"
    )
    assert access(tmp_path, body)[0].result.unknown is not None


PLANES = """
struct P { const float *plane[4]; float *out; int n[4]; };
__device__ __forceinline__ void pass(const P p, int level) {
    const float *in = p.plane[level];
    if (threadIdx.x < p.n[level]) p.out[threadIdx.x] = in[2 * threadIdx.x];
    p.out[threadIdx.x] = p.plane[threadIdx.x & 3][threadIdx.x];
}
__global__ void __launch_bounds__(256) k(const P p, int level) { pass(p, level); }
"""


def test_a_pointer_that_a_number_chooses_of_several_given(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(PLANES)
    (kernel,) = check_file(
        Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    ).checked
    assert kernel.analysis is not None
    found = {access.expression: access for access in kernel.analysis.accesses if access.op is Operation.LOAD}
    assert found["in[2 * threadIdx.x]"].result.exact
    assert found["in[2 * threadIdx.x]"].stride == "8"
    chosen = found["p.plane[threadIdx.x & 3][threadIdx.x]"]
    assert chosen.result.unknown == "threads may take different pointers (`p.plane[threadIdx.x & 3]`)"


# --- too much of everything


@pytest.mark.slow
def test_a_kernel_of_more_quantities_than_can_be_told_apart(tmp_path: Path) -> None:
    mixed = " ".join(f"x = (x << {1 + i % 7}) ^ (x >> {1 + i % 5}) ^ (x / {i + 3}u);" for i in range(900))
    found = accesses(tmp_path, f"unsigned x = threadIdx.x; out[x] = 0; {mixed} out[x] = 0; out[2 * threadIdx.x] = 0;")
    first, lost, last = (access for access, _ in found)
    assert first.result.exact
    assert lost.result.unknown is not None
    assert last.result.exact


def test_a_polynomial_that_grows_without_end(tmp_path: Path) -> None:
    parameters = ", ".join(f"int n{i}" for i in range(12))
    total = " + ".join(f"n{i} * threadIdx.x" for i in range(12))
    found = access(tmp_path, f"long x = {total}; x *= x; x *= x; x *= x; x *= x; out[x] = 0;", parameters=parameters)
    assert found[0].result.unknown is not None


# --- what rests on data


@pytest.mark.parametrize(
    "index",
    [
        "(int)in[threadIdx.x]",
        "(int)floorf(in[threadIdx.x] * 3.0f)",
        "in[threadIdx.x] > 0 ? threadIdx.x : 3 * threadIdx.x",
        "atomicAdd((int *)out, 1)",
        "__shfl_down_sync(0xffffffffu, (int)in[threadIdx.x], 1)",
        "__popc(__ballot_sync(0xffffffffu, in[threadIdx.x] > 0) & ((1u << threadIdx.x) - 1))",
    ],
)
def test_an_address_that_memory_decides_is_data_dependent(tmp_path: Path, index: str) -> None:
    *_, (found, _) = accesses(tmp_path, f"int i = {index}; out[i] = 0;", threads=64)
    assert found.result.unknown is not None
    assert found.result.data_dependent


@pytest.mark.parametrize("index", ["(int)(threadIdx.x * 0.3f)", "__shfl_down_sync(0xffffffffu, threadIdx.x, 1)"])
def test_an_address_that_is_computed_is_not(tmp_path: Path, index: str) -> None:
    *_, (found, _) = accesses(tmp_path, f"int i = {index}; out[i] = 0;")
    assert found.result.unknown is not None
    assert not found.result.data_dependent


def test_a_barrier_behind_lanes_of_a_table_is_not_uniform(tmp_path: Path) -> None:
    body = "int c = threadIdx.x; for (int i = 0; i < 9; ++i) c = (c * 5 + 3) % 64; if (c > 7) __syncthreads();"
    (barrier,) = barriers(tmp_path, body)
    assert barrier.verdict is Verdict.DIVERGENT


# --- functions


TRAITS = """
typedef void (*store_t)(float *, int);
template <int n> __device__ void stored(float *p, int i) { p[i * n] = 1; }
template <int k> struct traits { static constexpr store_t store = stored<k>; };
"""


@pytest.mark.parametrize(
    "call", ["traits<4>::store(out, threadIdx.x);", "constexpr store_t f = traits<4>::store; f(out, threadIdx.x);"]
)
def test_a_function_that_a_constant_member_names(tmp_path: Path, call: str) -> None:
    assert count(access(tmp_path, call, before=TRAITS)) == 16


def test_a_seed_of_64_bits_without_sign_is_no_table(tmp_path: Path) -> None:
    """A hash whose start is above what a signed number of 64 bits holds."""
    body = """
    unsigned long long h = 17ull ^ (8 * 0xc6a4a7935bd1e995ull);
    for (int i = 0; i < 8; ++i) { h ^= in[i] > 0; h *= 0xc6a4a7935bd1e995ull; if (threadIdx.x > h) h += threadIdx.x; }
    out[threadIdx.x] = h;
"""
    assert [found[0].stride for found in accesses(tmp_path, body, threads=32)] == ["0", "4"]


HALVING = "__shared__ float s[1024]; int t = threadIdx.x; for (int k = {start}; k > 0; {step}) {{ {body} }}"


@pytest.mark.parametrize("start", ["n", "n / 2", "n + 1"])
@pytest.mark.parametrize("step", ["k >>= 1", "k /= 2"])
def test_a_variable_that_is_halved_from_an_unknown_start_takes_the_powers_of_two(
    tmp_path: Path, start: str, step: str
) -> None:
    body = "s[(t / k) * 2 * k + t % k] = 0;"
    (found,) = accesses(tmp_path, HALVING.format(start=start, step=step, body=body), 32)
    powers = [256 >> n for n in range(9)]
    by_hand = [wavefronts([4 * (t // k * 2 * k + t % k) for t in LANES]) for k in powers]
    assert count(found) == pytest.approx(sum(by_hand) / len(powers))
    assert not found[0].result.exact
    assert not any("multiple of 32" in text for text in found[0].result.assumed)


def test_what_doubles_along_with_it_is_followed_too(tmp_path: Path) -> None:
    body = "s[t * d] = 0; d *= 2;"
    text = HALVING.format(start="n", step="k >>= 1", body=body).replace("int t", "int d = 1, t")
    (found,) = accesses(tmp_path, text, 32)
    by_hand = [wavefronts([4 * t * d for t in LANES]) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256)]
    assert count(found) == pytest.approx(sum(by_hand) / len(by_hand))
