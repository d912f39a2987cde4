"""Warp primitives, and what groups of threads move together."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses, barriers

from coalint.core.facts.access import Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.synchronization import Verdict


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
