"""Bodies of functions in the bundled headers: what they compute from, and which have none."""

from __future__ import annotations

import pytest
from bundled_headers import forced, parse
from clang.cindex import CursorKind, TypeKind


def test_built_in_variables_are_member_references() -> None:
    unit = parse("__global__ void k(int* a) { a[threadIdx.x] = blockDim.y; }")
    kernel = next(c for c in unit.cursor.get_children() if c.spelling == "k")
    references = [c for c in kernel.walk_preorder() if c.kind == CursorKind.MEMBER_REF_EXPR]
    members = {(c.spelling, next(c.get_children()).spelling) for c in references}
    assert members == {("x", "threadIdx"), ("y", "blockDim")}


def test_a_launch_keeps_its_configuration() -> None:
    unit = parse("template <int n> __global__ void k(int* a) {} void go(int* a) { k<3><<<dim3(4, 2), 128, 16>>>(a); }")
    host = next(c for c in unit.cursor.get_children() if c.spelling == "go")
    calls = {c.spelling for c in host.walk_preorder() if c.kind == CursorKind.CALL_EXPR}
    assert {"k", "cudaConfigureCall", "dim3"} <= calls


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("cg::this_thread_block().thread_rank()", {"threadIdx", "blockDim"}),
        ("cg::this_grid().thread_rank()", {"threadIdx", "blockDim", "blockIdx", "gridDim"}),
        ("cg::tiled_partition<32>(cg::this_thread_block()).thread_rank()", {"threadIdx", "blockDim"}),
        ("cg::tiled_partition<32>(cg::this_thread_block()).meta_group_rank()", {"threadIdx", "blockDim"}),
    ],
)
def test_ranks_have_bodies_in_terms_of_the_thread_index(expression: str, parts: set[str]) -> None:
    source = f"namespace cg = cooperative_groups; __global__ void k(int* a) {{ a[{expression}] = 1; }}"
    assert reached(source) >= parts


@pytest.mark.parametrize(
    ("statement", "barrier"),
    [
        ("cg::this_thread_block().sync();", "__syncthreads"),
        ("cg::sync(cg::this_thread_block());", "__syncthreads"),
        ("cg::tiled_partition<16>(cg::this_thread_block()).sync();", "__syncwarp"),
        ("cg::this_grid().sync();", "__coalint_grid_sync"),
        ("cg::this_cluster().sync();", "__coalint_cluster_sync"),
    ],
)
def test_group_sync_calls_the_barrier_it_stands_for(statement: str, barrier: str) -> None:
    assert barrier in reached(f"namespace cg = cooperative_groups; __global__ void k() {{ {statement} }}")


@pytest.mark.parametrize("name", ["__syncthreads", "__syncwarp", "__ballot_sync", "__pipeline_commit", "__threadfence"])
def test_intrinsics_known_by_name_have_no_body(name: str) -> None:
    assert forced()[name].get_definition() is None


def test_loads_through_intrinsics_keep_their_type() -> None:
    unit = parse("__global__ void k(const float4* p) { auto v = __ldg(p); auto w = __shfl_sync(~0u, v.x, 0); }")
    kernel = next(c for c in unit.cursor.get_children() if c.spelling == "k")
    types = {c.spelling: c.type.get_canonical() for c in kernel.walk_preorder() if c.kind == CursorKind.VAR_DECL}
    assert types["v"].spelling == "float4"
    assert types["w"].kind == TypeKind.FLOAT


def reached(source: str) -> set[str]:
    """Names of everything referenced in kernel k or in a function that it reaches, bodies followed."""
    unit = parse(source)
    assert [d.spelling for d in unit.diagnostics] == []
    todo = [next(c for c in unit.cursor.get_children() if c.spelling == "k")]
    seen: set[str] = set()
    names: set[str] = set()
    while todo:
        for cursor in todo.pop().walk_preorder():
            target = cursor.referenced
            if target is None or not cursor.kind.is_expression():
                continue
            names.add(target.spelling)
            if target.get_usr() not in seen:
                seen.add(target.get_usr())
                todo.append(target.get_definition() or target)
    return names
