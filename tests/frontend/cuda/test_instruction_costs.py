"""Asynchronous copies, inline PTX and atomics: what each of them costs."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_checks import single
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture


def traffics(folder: Path, source: str) -> list[tuple[str, str, int, float | None, bool]]:
    """Space, operation, bytes, cost and exactness of each access of the only kernel, in the order of evaluation."""
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    pairs = zip(kernel.analysis.accesses, kernel.traffics, strict=True)
    return [(a.space.value, a.op.value, a.bytes, None if t is None else t.count, a.result.exact) for a, t in pairs]


COPY = "__global__ void k(const char *in) {{ __shared__ __align__(128) char s[8192]; int t = threadIdx.x; {} }}"


@pytest.mark.parametrize(
    ("call", "sectors", "wavefronts"),
    [
        ("__pipeline_memcpy_async(s + 4 * t, in + 4 * t, 4);", 4, 1),
        ("__pipeline_memcpy_async(s + 128 * t, in + 4 * t, 4);", 4, 32),
        ("__pipeline_memcpy_async(s + 4 * t, in + 128 * t, 4);", 32, 32),
        ("__pipeline_memcpy_async(s + 4 * t, in + t / 8 * 4, 4);", 1, 8),
        ("__pipeline_memcpy_async(s + 8 * t, in + 8 * t, 4);", 8, None),
        ("__pipeline_memcpy_async(s, in + 4 * t, 4);", 4, None),
        ("__pipeline_memcpy_async(s + 8 * t, in + 8 * t, 8);", 8, 2),
        ("__pipeline_memcpy_async(s + 16 * t, in + 16 * t, 16);", 16, 4),
        ("__pipeline_memcpy_async(s + (t ^ 1) * 16, in + 16 * t, 16);", 16, 4),
        ("__pipeline_memcpy_async(s + 16 * t + 16, in + 16 * t, 16);", 32, 12),
        ("__pipeline_memcpy_async(s + 16 * t, in + 16 * t, 16, 8);", None, None),
    ],
)
def test_an_asynchronous_copy_costs_what_both_of_its_addresses_ask(
    tmp_path: Path, call: str, sectors: int | None, wavefronts: int | None
) -> None:
    found = traffics(tmp_path, "#include <cuda_pipeline.h>\n" + COPY.format(call))
    costs = {(space, op): cost for space, op, _, cost, _ in found}
    assert costs == {("global", "load"): sectors, ("shared", "store"): wavefronts}


PTX = """__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
#define COPY(to, from, n) asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;\\n" \\
                                       :: "r"(to), "l"(from), "n"(n))
__global__ void k(float *out, const float *in, int n) {
  __shared__ __align__(128) float s[2048]; int t = threadIdx.x; float v = 0; unsigned u = 0; %s
  out[0] = v + u;
}"""


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            (
                'asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4 + 16];" '
                ': "=f"(v), "=f"(v), "=f"(v), "=f"(v) : "l"(in + 4 * t));'
            ),
            [("global", "load", 16, 17.0)],
        ),
        (
            'asm("ld.shared.f32 %[to], [%[from]];" : [to] "=f"(v) : [from] "r"(at(s + 2 * t)));',
            [("shared", "load", 4, 2.0)],
        ),
        (
            'asm volatile("st.shared.v2.b32 [%0], {%1, %1};" :: "r"(at(s) + 8 * t), "r"(t));',
            [("shared", "store", 8, 2.0)],
        ),
        ('asm volatile("st.f32 [%0], %1;" :: "l"(out + 2 * t), "f"(v));', [("global", "store", 4, 8.0)]),
        ('asm volatile("red.global.add.f32 [%0], %1;" :: "l"(out + t), "f"(v));', [("global", "atomic", 4, 4.0)]),
        (
            (
                'asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p st.global.f32 [%0], %1; }" '
                ':: "l"(out + t), "f"(v), "r"((int)(t < 8)));'
            ),
            [("global", "store", 4, 1.0)],
        ),
        (
            (
                'asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(u) : "l"(s)); '
                'asm volatile("st.shared.f32 [%0], %1;" :: "r"(u + 128 * t), "f"(v));'
            ),
            [("shared", "store", 4, 32.0)],
        ),
        (
            'asm("mov.u32 %0, %%laneid;" : "=r"(u)); out[2 * u] = v;',
            [("global", "store", 4, 8.0)],
        ),
        ("COPY(at(s) + 4 * t, in + 2 * t, 4);", [("global", "load", 4, 8.0), ("shared", "store", 4, 2.0)]),
        (
            'asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(u), "=r"(u) : "r"(at(s + 16 * t)));',
            [("shared", "load", 16, 8.0)],
        ),
        (
            'asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(at(s + 4 * t)), "r"(u));',
            [("shared", "store", 16, 1.0)],
        ),
        (
            (
                'asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" '
                ':: "r"(at(s)), "l"(in), "r"(at(s + 64)));'
            ),
            [("shared", "store", 16, None), ("global", "load", 16, None)],
        ),
        (
            'asm volatile("{ .reg .b32 a; add.u32 a, %0, 4; st.shared.b32 [a], %0; }" :: "r"(t));',
            [("shared", "store", 4, None)],
        ),
        ('asm("add.f32 %0, %0, %1;" : "+f"(v) : "f"(v));', []),
    ],
)
def test_memory_instructions_of_inline_ptx_are_accesses(
    tmp_path: Path, statement: str, expected: list[tuple[str, str, int, float | None]]
) -> None:
    found = traffics(tmp_path, PTX.replace("%s", statement, 1))
    assert [entry[:4] for entry in found][:-1] == expected


@pytest.mark.parametrize(
    ("call", "exact"),
    [
        ("atomicMax(&s[t / 8], t)", True),
        ("atomicAdd(&s[t / 8], 1)", True),
        ("int one = 1; atomicAdd(&s[t / 8], one)", False),
        ("atomicMax(&s[0], t)", True),  # which nvcc makes once for the warp
        ("atomicAdd(&s[t / 8], t)", True),
        ("atomicAdd_block(&s[t / 8], t)", True),
        ("atomicAdd_system(&s[t / 8], t)", False),
        ("atomicCAS(&s[0], 0, t)", True),
        ("atomicAdd((float *)&s[t / 8], 1.0f)", True),
        ("atomicAdd((double *)&s[t / 8 * 2], 1.0)", False),
        ("atomicAdd((unsigned long long *)&s[t / 8 * 2], 1ull)", False),
        ("atomicExch((unsigned long long *)&s[t / 8 * 2], 1ull)", True),
    ],
)
def test_a_shared_atomic_is_exact_only_where_its_law_was_measured(tmp_path: Path, call: str, exact: bool) -> None:
    access = single(tmp_path, f"__global__ void k() {{ __shared__ int s[64]; int t = threadIdx.x; {call}; }}")
    assert access.result.exact is exact
    assert any("a lower bound" in text for text in access.result.assumed) is not exact
