"""What the evaluator makes of loops, conversions and clamps in real code, held against counting by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from evaluated import access, accesses, barriers, count, sectors, wavefronts

from coalint.analysis.domain.algebra import atom_table
from coalint.core.facts.access import Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.synchronization import Verdict


def test_a_pointer_that_is_assumed_aligned_is_the_same_pointer(tmp_path: Path) -> None:
    body = "const float *p = (const float *)__builtin_assume_aligned(in, 16); out[0] = p[2 * threadIdx.x];"
    load, _ = accesses(tmp_path, body)
    assert load[0].result.exact
    assert count(load) == 8


# --- counters of narrow types


@pytest.mark.parametrize("type_", ["short", "unsigned short", "int"])
def test_a_narrow_counter_that_stays_in_range_is_a_counter(tmp_path: Path, type_: str) -> None:
    loop = f"for ({type_} i = threadIdx.x; i < 80; i += blockDim.x) out[4 * i] = 0;"
    found = access(tmp_path, loop)
    assert found[0].result.exact
    assert not found[0].result.assumed
    by_hand = [sectors([16 * i for i in range(first, min(first + 32, 80))]) for first in (0, 32, 64)]
    assert count(found) == pytest.approx(sum(by_hand) / 3)


def test_a_narrow_counter_behind_its_loop(tmp_path: Path) -> None:
    found = access(tmp_path, "short i = 0; for (; i < 9; i += 3) ; out[i + threadIdx.x] = 0;")
    assert found[0].result.exact
    assert count(found) == sectors([4 * (9 + lane) for lane in range(32)])


def test_a_narrow_counter_with_an_unknown_limit_is_supposed_to_stay(tmp_path: Path) -> None:
    found, cost = access(tmp_path, "for (short i = threadIdx.x; i < w; i += 256) out[i] = 0;", parameters="short w")
    assert "the 16-bit index does not wrap around" in found.result.assumed
    assert cost is not None
    assert cost.count == 4


@pytest.mark.parametrize(
    ("loop", "bits", "start", "step", "trips"),
    [
        ("short c = 32000; for (int k = 0; k < 1000; ++k) { out[c + threadIdx.x] = 0; c += 3; }", 16, 32000, 3, 1000),
        ("signed char c = 100; for (int k = 0; k < 60; ++k) { out[c + threadIdx.x] = 0; ++c; }", 8, 100, 1, 60),
    ],
)
def test_a_narrow_counter_that_wraps_does_so(
    tmp_path: Path, loop: str, bits: int, start: int, step: int, trips: int
) -> None:
    found = access(tmp_path, loop)
    half = 1 << (bits - 1)
    values = [(start + step * k + half) % (2 * half) - half for k in range(trips)]
    by_hand = [sectors([4 * (value + lane) for lane in range(32)]) for value in values]
    assert found[0].result.exact
    assert count(found) == pytest.approx(sum(by_hand) / trips)


def test_a_narrow_counter_that_never_ends_its_loop_is_not_followed(tmp_path: Path) -> None:
    found, _ = access(tmp_path, "for (short i = 0; i < 40000; i += 2) out[i + threadIdx.x] = 0;")
    assert not found.result.exact


# --- 32-bit arithmetic that might wrap around

WRAP = "the 32-bit index does not wrap around"
GLOBAL_ID = "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"


def test_an_unsigned_index_below_its_thread_is_supposed_not_to_wrap(tmp_path: Path) -> None:
    found = access(tmp_path, f"{GLOBAL_ID} out[i - 1] = 0;")
    assert WRAP in found[0].result.assumed
    assert found[0].stride == "4"
    assert count(found) == sectors([4 * lane + 28 for lane in range(32)])


def test_a_rank_beside_an_unknown_number_needs_no_supposition(tmp_path: Path) -> None:
    found, cost = access(tmp_path, "out[8 * u + threadIdx.x % 32u] = 0;", parameters="unsigned u")
    assert WRAP not in found.result.assumed
    assert found.result.exact
    assert cost is not None
    assert cost.count == 4


def test_what_is_known_wraps_as_it_does(tmp_path: Path) -> None:
    found = access(tmp_path, "unsigned i = threadIdx.x; out[(i - 16u) / 8u] = 0;")
    first = [4 * ((lane - 16) % (1 << 32) // 8) for lane in range(32)]
    rest = [[4 * ((lane - 16) // 8) for lane in range(32 * w, 32 * w + 32)] for w in range(1, 8)]
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert count(found) == pytest.approx(sum(map(sectors, [first, *rest])) / 8)


@pytest.mark.parametrize(
    "body",
    [
        "unsigned h = threadIdx.x * 2654435761u + u; out[h >> 20] = 0;",  # a hash is meant to wrap
        "unsigned char c = threadIdx.x + u; out[c] = 0;",  # and so is a byte
    ],
)
def test_what_is_meant_to_wrap_is_not_supposed_not_to(tmp_path: Path, body: str) -> None:
    found, _ = access(tmp_path, body, parameters="unsigned u")
    assert found.result.lanes is None or not found.result.exact


def test_a_condition_that_rests_on_no_wrap_decides_no_barrier(tmp_path: Path) -> None:
    (barrier,) = barriers(tmp_path, "if ((threadIdx.x - mask) / 1024u == 0) __syncthreads();")
    assert barrier.verdict is not Verdict.UNIFORM


# --- loops whose start or end depends on the loops around


def _bitonic() -> list[list[int]]:
    sizes = [1 << n for n in range(1, 10)]
    strides = [stride for size in sizes for n in range(10) if (stride := size >> (n + 1))]
    return [[2 * t - (t & (stride - 1)) for t in range(512)] for stride in strides]


@pytest.mark.parametrize(
    ("loops", "index", "words"),
    [
        (
            "for (unsigned size = 2; size < 1024; size <<= 1) for (unsigned x = size / 2; x > 0; x >>= 1)",
            "2 * threadIdx.x - (threadIdx.x & (x - 1))",
            _bitonic(),
        ),
        (
            "for (unsigned size = 2; size < 1024; size <<= 1) for (unsigned x = 1; x < size; x *= 2)",
            "x * threadIdx.x",
            [[t << m for t in range(512)] for n in range(1, 10) for m in range(n)],
        ),
        (
            "for (int i = 1; i < 4; ++i) for (int j = i, x = i; j < 6; ++j, x *= 2)",
            "x * threadIdx.x",
            [[t * (i << (j - i)) for t in range(512)] for i in range(1, 4) for j in range(i, 6)],
        ),
    ],
)
def test_an_inner_loop_that_depends_on_the_outer_one(
    tmp_path: Path, loops: str, index: str, words: list[list[int]]
) -> None:
    found = access(tmp_path, f"extern __shared__ float s[]; {loops} s[{index}] = 0;", 512)
    by_hand = [wavefronts([4 * w for w in row[first : first + 32]]) for row in words for first in range(0, 512, 32)]
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert count(found) == pytest.approx(sum(by_hand) / len(by_hand))


def test_an_inner_loop_that_depends_on_an_endless_one_is_not_followed(tmp_path: Path) -> None:
    body = "for (int i = 1; i < n; ++i) for (int x = i; x > 0; x /= 2) s[x * threadIdx.x] = 0;"
    found, _ = access(tmp_path, f"extern __shared__ float s[]; {body}")
    assert not found.result.exact


# --- clamps and wrap-arounds at an edge that is not known

INSIDE = "no lane is clamped at an edge"
THREAD = "int x = blockIdx.x * blockDim.x + threadIdx.x;"


@pytest.mark.parametrize(
    ("index", "offset"),
    [
        ("min(x, w - 1)", 0),
        ("max(x - 3, 0)", -3),
        ("max(0, min(x + 1, w - 1))", 1),
        ("x < w ? x : w - 1", 0),
        ("x >= w ? x - w : x", 0),
        ("x >= w ? 2 * w - x - 1 : x", 0),
        ("(x >= 0 && x < w) ? x : 0", 0),
        ("x + 1 == w ? 0 : x + 1", 1),
    ],
)
def test_a_clamp_is_supposed_to_leave_the_lanes_alone(tmp_path: Path, index: str, offset: int) -> None:
    found = access(tmp_path, f"{THREAD} out[{index}] = 0;", parameters="int w")
    assert found[0].result.assumed == (INSIDE,)
    assert count(found) == sectors([64 + 4 * (offset + lane) for lane in range(32)])


def test_a_variable_that_a_branch_clamps(tmp_path: Path) -> None:
    body = f"{THREAD} int y = x; if (y >= w) y = w - 1; out[2 * y] = 0;"
    found = access(tmp_path, body, parameters="int w")
    assert found[0].result.assumed == (INSIDE,)
    assert count(found) == 8


def test_a_row_that_is_clamped_for_whole_warps(tmp_path: Path) -> None:
    body = "int y = blockIdx.y * 8 + threadIdx.x / 32; if (y >= h) y = h - 1; out[y * 1024 + threadIdx.x % 32] = 0;"
    found = access(tmp_path, body, parameters="int h")
    assert found[0].result.assumed == (INSIDE,)
    assert found[0].result.exact
    assert count(found) == 4


def test_a_clamp_at_a_known_edge_is_counted(tmp_path: Path) -> None:
    found = access(tmp_path, "out[min(8 * (int)threadIdx.x, 100)] = 0;", 32)
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert count(found) == sectors([4 * min(8 * lane, 100) for lane in range(32)])


@pytest.mark.parametrize(
    "index",
    [
        "x == w ? x : 0",  # one lane does
        "in[x] > 0 ? x : 0",  # data
        "(x + w) / 3 % 2 < 1 ? x : 2 * x",  # lanes here and there
    ],
)
def test_other_choices_between_lanes_stay_unknown(tmp_path: Path, index: str) -> None:
    *_, (found, _) = accesses(tmp_path, f"{THREAD} int i = {index}; out[i] = 0;", parameters="int w")
    assert found.result.unknown is not None


@pytest.mark.parametrize(("index", "costs"), [("x < w ? x : 2 * x", [4, 8]), ("x < w && v ? 0 : 32 * x", [1, 32])])
def test_a_bound_parts_few_warps(tmp_path: Path, index: str, costs: list[int]) -> None:
    found = accesses(tmp_path, f"{THREAD} int i = {index}; out[i] = 0;", parameters="int w, bool v")
    assert [count(item) for item in found] == costs
    assert all(
        not item.result.exact and any("the same side of" in text for text in item.result.assumed) for item, _ in found
    )


def test_a_clamp_decides_no_barrier(tmp_path: Path) -> None:
    (barrier,) = barriers(tmp_path, "int x = threadIdx.x; if (max(x, n) - x == 0) __syncthreads();")
    assert barrier.verdict is not Verdict.UNIFORM


# --- an exclusive or with a number that is not known


@pytest.mark.parametrize(
    ("type_", "size", "index", "threads"),
    [
        ("float", 4, "t ^ j", 256),
        ("float", 4, "b * 256 + (t ^ j)", 256),
        ("float", 4, "(b * 256 + t) ^ j", 256),
        ("float", 4, "(255 - t) ^ j", 256),
        ("float", 4, "3 * (t ^ j) + 1", 64),
        ("float", 4, "t ^ j", 16),
        ("char", 1, "t ^ j", 64),
        ("double", 8, "1 + (t ^ j)", 64),
    ],
)
def test_sectors_do_not_depend_on_what_is_xored(
    tmp_path: Path, type_: str, size: int, index: str, threads: int
) -> None:
    body = f"int t = threadIdx.x, b = blockIdx.x; p[{index}] = 0;"
    found = access(tmp_path, body, threads, f"{type_} *p, int j")
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert found[0].stride == "?"
    for j in [*range(70), 127, 128, 129, 200, 255, 256, 300, 511, 1000, 1 << 20]:
        addresses = [size * eval(index, {"t": t, "b": b, "j": j}) for b in (0, 3) for t in range(threads)]
        warps = [addresses[first : first + 32] for first in range(0, len(addresses), min(32, threads))]
        by_hand = [sectors(warp[: min(32, threads)], size) for warp in warps]
        assert count(found) == sum(by_hand) / len(by_hand)


@pytest.mark.parametrize("index", ["t ^ j", "2 * (t ^ j)", "(t ^ j) + 7", "32 * (t ^ j)"])
def test_wavefronts_do_not_depend_on_what_is_xored(tmp_path: Path, index: str) -> None:
    body = f"extern __shared__ float s[]; int t = threadIdx.x; s[{index}] = 0;"
    found = access(tmp_path, body, 64, "int j")
    assert found[0].result.exact
    for j in range(64):
        words = [eval(index, {"t": t, "j": j}) for t in range(64)]
        by_hand = [wavefronts([4 * w for w in words[:32]]), wavefronts([4 * w for w in words[32:]])]
        assert count(found) == sum(by_hand) / 2


@pytest.mark.parametrize(
    "index",
    [
        "(t ^ j) + t",  # not a set that moves
        "(2 * t) ^ j",  # gaps
        "(t + 1) ^ j",  # not aligned
        "(t + n) ^ j",
        "(t ^ j) / 3",
        "(t ^ j) * (t ^ j)",
        "(t & 7) ^ j",  # eight numbers: sectors are the same, but this is not seen
        "(t ^ j) * n",
    ],
)
def test_other_uses_of_an_exclusive_or_are_not_exact(tmp_path: Path, index: str) -> None:
    found, _ = access(tmp_path, f"int t = threadIdx.x; out[{index}] = 0;", parameters="int j, int n")
    assert found.result.lanes is None or not found.result.exact


def test_lanes_that_pass_a_condition_on_the_partner_are_not_known(tmp_path: Path) -> None:
    body = f"{THREAD} int y = x ^ j; if (y > x) {{ out[x] = 0; out[y] = 0; }}"
    for found, _ in accesses(tmp_path, body, parameters="int j"):
        assert found.result.assumed == ("every lane passes `y > x`",)
        assert not found.result.exact


# --- quotients of an offset that is not known


def test_even_steps_beside_an_unknown_offset_are_halved_without_supposing(tmp_path: Path) -> None:
    found = access(tmp_path, "extern __shared__ float s[]; s[(r * n + 6 * threadIdx.x) / 2] = 0;", 32, "int n, int r")
    assert found[0].result.exact
    assert not found[0].result.assumed
    for offset in range(8):
        by_hand = wavefronts([4 * ((offset + 6 * lane) // 2) for lane in range(32)])
        assert count(found) == by_hand


def test_an_unknown_offset_is_supposed_to_be_divisible(tmp_path: Path) -> None:
    found = access(tmp_path, "extern __shared__ float s[]; s[33 * ((n + threadIdx.x) / 4)] = 0;", 32)
    assert found[0].result.assumed == ("the uniform offset `n` is a multiple of 4",)
    assert count(found) == wavefronts([4 * 33 * (lane // 4) for lane in range(32)])


def test_a_block_index_is_not_supposed_to_be_divisible(tmp_path: Path) -> None:
    found, _ = access(tmp_path, "out[(100 * blockIdx.x + threadIdx.x) / 7] = 0;", 64)
    assert not any("multiple of 7" in text for text in found.result.assumed)
    assert found.result.lanes is None or any("averaged" in text for text in found.result.assumed)


# --- local arrays that a short loop fills

SHARED = "__shared__ float s[128];"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("for (int i = 0; i < 4; ++i) p[i] = &s[i * 32]; p[1][t] = 0;", [[32 + t for t in range(32)]]),
        ("for (int i = 0; i < 4; ++i) p[i] = s + 3 * i * t; p[3][0] = 0;", [[9 * t for t in range(32)]]),
        (
            "for (int i = 0; i < 4; ++i) p[i] = s + 2 * i; for (int i = 0; i < 4; ++i) p[i][t * i] = 0;",
            [[2 * i + t * i for t in range(32)] for i in range(4)],
        ),
        ("int v[3]; for (int i = 0; i < 3; ++i) v[i] = t << i; s[v[2]] = 0;", [[t << 2 for t in range(32)]]),
    ],
)
def test_an_array_that_a_loop_fills_is_followed(tmp_path: Path, body: str, words: list[list[int]]) -> None:
    found = access(tmp_path, f"{SHARED} int t = threadIdx.x; float *p[4]; {body}", 32)
    assert found[0].space is Space.SHARED
    assert found[0].result.exact
    assert count(found) == sum(wavefronts([4 * w for w in row]) for row in words) / len(words)


@pytest.mark.parametrize(
    "fill",
    [
        "for (int i = 0; i < n; ++i) p[i] = &s[i * 32];",
        "for (int i = 0; i < 4; ++i) p[i] = i % 2 ? &s[i * 32] : out;",
        "for (int i = 0; i < 400; ++i) p[i % 4] = &s[i];",
    ],
)
@pytest.mark.parametrize("element", ["n", "2"])
def test_memory_behind_a_pointer_that_is_not_followed_is_not_called_global(
    tmp_path: Path, fill: str, element: str
) -> None:
    if "400" not in fill and "< 4" in fill:  # each element is known by itself
        element = "n"
    found, _ = access(tmp_path, f"{SHARED} float *p[4]; {fill} p[{element}][threadIdx.x] = 0;")
    assert found.result.unknown is not None
    assert found.space is Space.GENERIC


# --- warp primitives and what groups move together


def test_what_all_lanes_reach_needs_no_mask(tmp_path: Path) -> None:
    (barrier,) = barriers(tmp_path, "if (threadIdx.x < 64) __syncwarp(mask);")
    assert barrier.verdict is Verdict.UNIFORM


def test_a_loop_that_lanes_leave_earlier_leaves_a_mask_unknown(tmp_path: Path) -> None:
    body = "for (int i = 0; ; ++i) { v += __shfl_sync(mask, v, 0); if (i > threadIdx.x) break; } out[0] = v;"
    (barrier,) = barriers(tmp_path, body)
    assert barrier.verdict is Verdict.UNKNOWN


def test_asking_which_lanes_are_active_is_no_barrier(tmp_path: Path) -> None:
    assert not barriers(tmp_path, "if (threadIdx.x < 16) out[0] = __activemask();")


def test_what_a_group_copies_is_loaded_and_stored(tmp_path: Path) -> None:
    before = "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
    body = "__shared__ float s[256]; cooperative_groups::memcpy_async("
    body += "cooperative_groups::this_thread_block(), s, in + 256 * blockIdx.x, sizeof(s));"
    found = [found for found, _ in accesses(tmp_path, body, before=before)]
    assert [(a.space, a.op) for a in found] == [(Space.SHARED, Operation.STORE), (Space.GLOBAL, Operation.LOAD)]
    assert all(a.result.unknown and a.stride == "?" for a in found)


def test_what_a_warp_stores_as_a_matrix_is_a_store(tmp_path: Path) -> None:
    before = "#include <mma.h>\nusing namespace nvcuda;\n"
    body = """wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> a;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> c; __shared__ half t[256];
        wmma::load_matrix_sync(a, t, 16); wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);"""
    found = [found for found, _ in accesses(tmp_path, body, before=before)]
    kinds = [(a.space, a.op, a.bytes, a.served.service) for a in found]
    stores = [(Space.GLOBAL, Operation.STORE, 8, Service.PLAIN)] * 4
    assert kinds == [(Space.SHARED, Operation.LOAD, 16, Service.ROWS), *stores]
    assert all(a.result.exact for a in found)


@pytest.mark.parametrize(
    "fragment",
    ["wmma::matrix_a, 32, 8, 16, half, wmma::row_major", "wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major"],
)
def test_a_fragment_of_unknown_layout_is_unknown(tmp_path: Path, fragment: str) -> None:
    before = "#include <mma.h>\nusing namespace nvcuda;\n"
    body = f"wmma::fragment<{fragment}> a; __shared__ half t[512]; wmma::load_matrix_sync(a, t, 16);"
    (found,) = [found for found, _ in accesses(tmp_path, body, before=before)]
    assert (found.space, found.op, found.result.lanes) == (Space.SHARED, Operation.LOAD, None)
    assert found.result.unknown == "`load_matrix_sync` divides the elements among threads as it chooses"


# --- blocks and iterations of which it is not known how many there are


@cache
def _mean(address: str, period: int) -> float:
    """Sectors of 4-byte words at an index in b and t, over the warps of a block of 256 and over a period of blocks."""
    index = compile(address, "index", "eval")
    words = [[eval(index, {"b": b, "t": t}) for t in range(256)] for b in range(period, 2 * period)]
    by_hand = [sectors([4 * w for w in row[first : first + 32]]) for row in words for first in range(0, 256, 32)]
    return sum(by_hand) / len(by_hand)


@pytest.mark.parametrize(
    ("index", "by_hand"),
    [
        ("2 * b + t", "2 * b + t"),
        ("36 * b + 4 + t", "36 * b + 4 + t"),
        ("(100 * b + t) * 3 / 2", "(100 * b + t) * 3 // 2"),
        ("(100 * b + t) / 7", "(100 * b + t) // 7"),
        ("(100 * b + t) % 48", "(100 * b + t) % 48"),
        ("(20 * b + t) & 63", "(20 * b + t) & 63"),
        ("(20 * b + t) ^ 5", "(20 * b + t) ^ 5"),
        ("unsigned(100 * b + t) - 1u", "100 * b + t - 1"),
    ],
)
@pytest.mark.parametrize("guard", ["", "if (256 * b + t < n)", "if (b < n)"])
def test_patterns_are_averaged_over_the_blocks(tmp_path: Path, index: str, by_hand: str, guard: str) -> None:
    found = access(tmp_path, f"int b = blockIdx.x, t = threadIdx.x; {guard} out[{index}] = 0;")
    assert found[0].result.exact
    assert "averaged over the values of `blockIdx.x`" in found[0].result.assumed
    assert not any("multiple of 32" in text for text in found[0].result.assumed)
    assert count(found) == pytest.approx(_mean(by_hand, 16 * 7 * 3))


@pytest.mark.parametrize("guard", ["if (blockIdx.x > 5)", "if (blockIdx.x == 2)"])
def test_blocks_that_a_condition_picks_are_not_averaged_exactly(tmp_path: Path, guard: str) -> None:
    found, _ = access(tmp_path, f"{guard} out[2 * blockIdx.x + threadIdx.x] = 0;")
    assert not found.result.exact


def test_a_condition_that_comes_back_is_counted(tmp_path: Path) -> None:
    found = access(tmp_path, "if (blockIdx.x % 2 == 0) out[2 * blockIdx.x + threadIdx.x] = 0;")
    assert found[0].result.exact
    assert count(found) == 4.5


def test_products_of_blocks_and_iterations_are_no_multiples_of_a_sector(tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) out[i * j + threadIdx.x] = 0;"
    found = access(tmp_path, body)
    by_hand = [sectors([4 * (i * j + t) for t in range(32)]) for i in range(8) for j in range(8)]
    assert count(found) == sum(by_hand) / 64


# --- work that must not multiply


def test_each_of_many_early_ways_out_costs_no_more_than_the_one_before(tmp_path: Path) -> None:
    step = "if (x * x + y * y > 4.0f) return i - 1; y = x * y + b; x = x * x - y + a;"
    helper = f"__device__ int escape(float a, float b, int i) {{ float x = 0, y = 0; do {{ {step * 40} }} while (i--);"
    found = access(tmp_path, "out[threadIdx.x] = escape(threadIdx.x, 1, n);", before=f"{helper} return i; }}")
    assert count(found) == 4


def test_a_function_that_calls_itself_twice_is_not_followed_down_every_way(tmp_path: Path) -> None:
    walk = "__device__ void walk(float *out, int i) { if (i > 99) return; walk(out, 2 * i); walk(out, 2 * i + 1); }"
    found = accesses(tmp_path, "out[threadIdx.x] = 0; walk(out, threadIdx.x);", before=walk)
    assert count(found[0]) == 4
    assert found[1][0].result.unknown is not None
    assert "calls itself" in found[1][0].result.unknown


# --- kernels with more quantities than are told apart

MANY = "int last; " + " ".join(f"last = sizes[{k}];" for k in range(200))


@pytest.fixture
def few_quantities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atom_table, "MOST", atom_table.RESERVED + 200)


@pytest.mark.usefixtures("few_quantities")
def test_what_all_threads_share_is_counted_though_it_is_not_told_apart_any_more(tmp_path: Path) -> None:
    a_and_b = "int a = sizes[n], b = sizes[n + 1];"
    body = f"{MANY} {a_and_b} out[a] = in[12 * b + threadIdx.x]; out[a - b + threadIdx.x] = 1;"
    *_, load, store, moved = accesses(tmp_path, body, parameters="const int *sizes, int n")
    assert [count(found) for found in (load, store, moved)] == [4, 1, 4]
    assumed = ("the uniform offset `a value` is a multiple of 32 bytes",)
    assert [found[0].result.assumed for found in (load, store, moved)] == [assumed, (), assumed]
    assert [found[0].result.exact for found in (load, store, moved)] == [False, True, False]
    assert [found[0].result.aligned_if for found in (load, store, moved)] == [*assumed, "", *assumed]


@pytest.mark.usefixtures("few_quantities")
def test_what_threads_do_not_share_is_unknown_where_it_is_not_told_apart_any_more(tmp_path: Path) -> None:
    body = f"{MANY} int a = sizes[threadIdx.x], b = sizes[threadIdx.x + n]; out[a - b] = 1;"
    *_, (store, _) = accesses(tmp_path, body, parameters="const int *sizes, int n")
    assert store.result.unknown is not None
