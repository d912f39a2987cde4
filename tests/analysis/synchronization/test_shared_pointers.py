"""Pointers that are loaded from memory: lanes that load one from the same place have the same."""

from __future__ import annotations

import pytest
from project import Project

HEAD = """\
struct Node { int n; Node *next; };
struct Tree { const Node *nodes; float *out; };
__global__ void k(const Tree *trees, const Node *root, float *out) {
    __shared__ Tree shared[4];
"""
OF_WARP, OF_LANE = "trees[blockIdx.x * 4 + threadIdx.y]", "trees[blockIdx.x * 128 + threadIdx.x]"
IN_SHARED = f"""\
Tree &own = shared[threadIdx.y];
    if (threadIdx.x == 0) own = {OF_WARP};
    __syncwarp();
    const Node *node = &own.nodes[0];
    for (int i = 9; node; --i) {{ __syncwarp(); if (i > 0) node = &own.nodes[i]; else node = nullptr; }}"""
WALK = "while (node) { __syncwarp(); node = node->next; }"
COUNT = "for (int i = 0; i < node->n; ++i) { __syncwarp(); out[i] = 1; }"


@pytest.mark.parametrize(
    ("body", "is_parted"),
    [
        (f"const Node *node = {OF_WARP}.nodes; {WALK}", False),
        (f"const Node *node = {OF_LANE}.nodes; {WALK}", True),
        (f"const Node *node = root; {WALK}", False),
        ("const Node *node = root + threadIdx.x; while (node->next) { __syncwarp(); node = node->next; }", True),
        (IN_SHARED, False),
        (IN_SHARED.replace("__syncwarp();\n", "\n", 1), False),
        (f"const Node *node = {OF_WARP}.nodes; {COUNT}", False),
        (f"const Node *node = {OF_WARP}.nodes + threadIdx.x; {COUNT}", True),
        (f"const Node *node = {OF_LANE}.nodes; {COUNT}", True),
    ],
)
def test_lanes_that_follow_a_pointer_stay_together_where_it_is_one(
    project: Project, body: str, is_parted: bool
) -> None:
    run = "void run(Tree *t, Node *n, float *o) { k<<<10, dim3(32, 4)>>>(t, n, o); }"
    project.put("k.cu", f"{HEAD}    {body}\n}}\n{run}\n")
    found = [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA303"]
    assert bool(found) == is_parted
    assert not any("nullptr %" in one["message"] for one in found)
