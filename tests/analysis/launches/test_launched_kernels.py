"""Which kernel a launch names: pointers, and calls of the runtime's interface."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_checks import PLAIN, TWO, check, launched, specializations

from coalint.core.facts.launch import LaunchSource


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("auto q = n ? &a : &b; q<<<1, n ? 96 : 32>>>(p);", {("a", 96), ("b", 32)}),
        ("auto q = n ? a : b; q<<<1, 64>>>(p);", {("a", 64), ("b", 64)}),
        ("void (*q)(float *) = a; if (n > 3) q = b; (*q)<<<1, 64>>>(p);", {("a", 64), ("b", 64)}),
        ("""void (*q)(float *); int t; switch (n) { case 0: q = &a; t = 64; break; case 1: q = b; t = 128; break; }
         q<<<1, t>>>(p);""", {("a", 64), ("b", 128)}),
        ("void (*table[])(float *) = {a, b}; table[0]<<<1, 32>>>(p); table[1]<<<1, 64>>>(p);", {("a", 32), ("b", 64)}),
        ("pick(0)<<<1, 32>>>(p); pick(1)<<<1, 64>>>(p);", {("a", 64), ("b", 32)}),
        ("start(a, 64, p); start(&b, 96, p);", {("a", 64), ("b", 96)}),
        ("Pointer q = 0; if (n > 3) q = a; q<<<1, n > 3 ? 96 : 32>>>(p); b<<<1, 32>>>(p);", {("a", 96), ("b", 32)}),
        ("Pointer q = NULL; int t; if (n > 8) { q = a; t = 64; } if (!q && n > 3) { q = b; t = 96; } q<<<1, t>>>(p);",
         {("a", 64), ("b", 96)}),
        ("Pointer q = 0; if (n > 8) q = a; if (q == nullptr) q = b; if (q != NULL) q<<<1, 64>>>(p);",
         {("a", 64), ("b", 64)}),
        ("Pointer q = 0; int t = 64; if (q) t = 32; q = b; if (!q) t = 96; q<<<1, t>>>(p); a<<<1, 32>>>(p);",
         {("a", 32), ("b", 64)}),
    ],
)  # fmt: skip
def test_a_kernel_behind_a_pointer_is_followed(tmp_path: Path, body: str, expected: set[tuple[str, int]]) -> None:
    helpers = """typedef void (*Pointer)(float *);
    Pointer pick(int i) { return i ? a : b; }
    template <class K, class... A> void start(K kernel, dim3 block, A... x) { kernel<<<1, block>>>(x...); }
    """
    found = launched(tmp_path, f"{TWO}{helpers}void run(float *p, int n) {{ {body} }}")
    assert {(name, block[0]) for name, _, block in found} == expected


@pytest.mark.parametrize(
    "body",
    [
        "int m = 3; void *x[] = {&p, &m}; cudaLaunchKernel((void *)k, dim3(2), dim3(96), x, 0, nullptr);",
        "int m = 3; void *x[] = {(void *)&p, (void *)&m}; cudaLaunchKernel(k, 2, 96, x);",
        "int m = 3; void *x[2]; x[0] = &p; x[1] = &m; cudaLaunchCooperativeKernel((const void *)&k, 2, 96, x, 0, 0);",
        "cudaLaunchConfig_t c = {}; c.gridDim = 2; c.blockDim = dim3(96, 1, 1); cudaLaunchKernelEx(&c, k, p, 3);",
        "cudaLaunchConfig_t c{dim3(2), dim3(96), 0, 0}; cudaLaunchKernelEx(&c, &k, p, 3);",
        """cudaLaunchConfig_t c = {0}; cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeClusterDimension;
        at[0].val.clusterDim.x = 2; c.gridDim = dim3(2); c.blockDim = dim3(96); c.attrs = at; c.numAttrs = 1;
        int m = 3; void *x[] = {&p, &m}; cudaLaunchKernelExC(&c, (void *)k, x);""",
        """int m = 3; void *x[] = {&p, &m}; cudaKernelNodeParams q = {0}; q.func = (void *)k; q.gridDim = dim3(2);
        q.blockDim = dim3(96); q.kernelParams = x; cudaGraphNode_t node; cudaGraph_t g;
        cudaGraphAddKernelNode(&node, g, nullptr, 0, &q);""",
        """int m = 3; void *x[] = {&p, &m}; CUfunction f; CUmodule u; cuModuleGetFunction(&f, u, "k");
        cuLaunchKernel(f, 2, 1, 1, 96, 1, 1, 0, 0, x, 0);""",
        "hipLaunchKernelGGL(k, dim3(2), dim3(96), 0, 0, p, 3);",
    ],
)  # fmt: skip
def test_a_launch_through_the_api_gives_block_grid_and_arguments(tmp_path: Path, body: str) -> None:
    (found,) = specializations(tmp_path, f"#include <cuda.h>\n{PLAIN}void run(float *p) {{ {body} }}")
    assert (found.source, found.block, found.grid) == (LaunchSource.LAUNCH, (96, 1, 1), (2, 1, 1))
    assert found.arguments == (("n", 3),)


SIZES = 8


def test_of_a_template_that_a_chain_of_sizes_chooses_each_instance_has_its_block(tmp_path: Path) -> None:
    """Conditions on one number rule one another out: there are as many ways through the chain as sizes, not 2^8."""
    kernel = "template <class T, int L> __global__ void k(T *p) { p[threadIdx.x + (threadIdx.y << L)] = 1; }\n"
    sizes = "".join(
        f"if (!q && n <= (1 << {size})) {{ block.x = 1 << {size}; if ({size} <= 5) {{"
        f" if (up) q = k<float, {size}>; else q = k<float, {size} + 100>; }} else q = k<float, {size} + 200>; }}\n"
        for size in range(SIZES)
    )
    body = f"void (*q)(float *) = NULL; dim3 block; {sizes} if (!q) return; block.y = rows(n); q<<<1, block>>>(p);"
    found = specializations(tmp_path, f"{kernel}int rows(int);\nvoid run(float *p, unsigned n, bool up) {{ {body} }}\n")
    sizes_of = {int(one.template_arguments[1]): one.known[0] for one in found}
    small, large = range(6), range(6, SIZES)
    expected = {size: 1 << size for size in small} | {size + 100: 1 << size for size in small}
    assert sizes_of == expected | {size + 200: 1 << size for size in large}


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("if (8 > 32) q = k<2>; else q = k<1>;", {"1"}),
        ("if (n > 3) q = k<2>; else q = k<1>;", {"1", "2"}),
        ("q = n > 3 ? k<2> : other(n); k<1><<<1, dim3(n, 2)>>>(p);", {"1", "2"}),
    ],
)
def test_an_instance_that_only_a_branch_names_which_is_never_taken_is_not_analysed(
    tmp_path: Path, pointer: str, expected: set[str]
) -> None:
    kernel = "template <int L> __global__ void k(float *p) { p[threadIdx.x + threadIdx.y * L] = 1; }\n"
    body = f"void (*q)(float *) = nullptr; {pointer} q<<<1, dim3(n, 4)>>>(p);"
    source = f"{kernel}typedef void (*Pointer)(float *);\nPointer other(int);\nvoid run(float *p, int n) {{ {body} }}\n"
    assert {one.template_arguments[0] for one in specializations(tmp_path, source)} == expected


def test_instances_whose_launch_is_not_seen_beside_others_are_said_to_be_left_out(tmp_path: Path) -> None:
    kernel = "template <int L> __global__ void k(float *p) { p[threadIdx.x * L] = 1; }\n"
    chosen = "typedef void (*Pointer)(float *);\ntemplate <int L> Pointer chosen() { return k<L>; }\n"
    body = "Pointer q = chosen<2>(); q = chosen<3>(); q = chosen<1>(); q<<<1, 96>>>(p);"
    checked = check(tmp_path, f"{kernel}{chosen}void run(float *p) {{ {body} }}\n")
    assert [one.specialization.template_arguments for one in checked.checked] == [("1",)]
    (left_out,) = checked.problems
    assert "2 of the 3 instances of the kernel template k were not analysed: no launch of them is" in left_out.message


def test_a_template_that_chooses_by_calling_itself_is_followed_to_the_last(tmp_path: Path) -> None:
    last = 24
    kernel = "template <int L> __global__ void k(float *p) { p[threadIdx.x * L] = 1; }\n"
    once = "template <int L> void once(float *p, int n) { if (n == L) k<L><<<1, 32 * L>>>(p); else next<L>(p, n); }\n"
    step = f"template <int L> void next(float *p, int n) {{ if constexpr (L < {last}) once<L + 1>(p, n); }}\n"
    forward = "template <int L> void next(float *p, int n);\n"
    found = launched(tmp_path, f"{kernel}{forward}{once}{step}void run(float *p, int n) {{ once<1>(p, n); }}\n")
    assert found == {("k", (str(size),), (32 * size, 1, 1)) for size in range(1, last + 1)}
