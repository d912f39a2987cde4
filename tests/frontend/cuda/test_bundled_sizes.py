"""The types of the bundled headers have the sizes and alignments of CUDA's."""

from __future__ import annotations

import pytest
from bundled_headers import complaints, forced

SCALARS = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
           "longlong": 8, "ulonglong": 8, "float": 4, "double": 8}  # fmt: skip


@pytest.mark.parametrize("element", SCALARS)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_vector_types_have_cuda_sizes_and_alignments(element: str, count: int) -> None:
    size = SCALARS[element]
    kind = forced()[f"{element}{count}"].type
    assert kind.get_size() == size * count
    assert kind.get_align() == (size if count in (1, 3) else min(size * count, 16))


@pytest.mark.parametrize(
    ("name", "size", "align"),
    [
        ("dim3", 12, 4),
        ("__half", 2, 2),
        ("__half2", 4, 4),
        ("__nv_bfloat16", 2, 2),
        ("__nv_bfloat162", 4, 4),
        ("double4_32a", 32, 32),
        ("double4_16a", 32, 16),
    ],
)
def test_other_sizes(name: str, size: int, align: int) -> None:
    kind = forced()[name].type
    assert (kind.get_size(), kind.get_align()) == (size, align)


@pytest.mark.parametrize(
    ("header", "name", "size"),
    [
        ("cuda_fp8.h", "__nv_fp8_e4m3", 1),
        ("cuda_fp8.h", "__nv_fp8x4_e4m3", 4),
        ("curand_kernel.h", "curandState", 48),
        ("curand_kernel.h", "curandStatePhilox4_32_10_t", 64),
        ("cuComplex.h", "cuDoubleComplex", 16),
        ("cuda.h", "CUtensorMap", 128),
        ("atomic", "std::atomic<int>", 4),
        ("cuda/atomic", "cuda::atomic<long long>", 8),
        ("cuda/std/chrono", "cuda::std::chrono::days", 4),
        ("chrono", "std::chrono::nanoseconds", 8),
        ("glm/glm.hpp", "glm::vec3", 12),
        ("glm/glm.hpp", "glm::mat3x4", 48),
        ("glm/glm.hpp", "glm::dquat", 32),
    ],
)
def test_sizes_behind_headers(header: str, name: str, size: int) -> None:
    assert complaints(f"#include <{header}>\nstatic_assert(sizeof({name}) == {size});") == []
