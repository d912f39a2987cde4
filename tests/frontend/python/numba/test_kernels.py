"""Kernels under `@cuda.jit`, from the source to their costs."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba_kernels import accesses, checked, costs


def test_the_first_index_of_the_grid_walks_rows(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def copy(a, out):
            x, y = cuda.grid(2)
            if x < out.shape[0] and y < out.shape[1]:
                out[x, y] = a[x, y]

        a = np.zeros((1024, 1024), dtype=np.float32)
        copy[(32, 128), (32, 8)](a, np.zeros_like(a))
    """
    assert costs(tmp_path, source) == {"load a[x, y]": 32, "store out[x, y]": 32}


@pytest.mark.parametrize(("order", "sectors"), [("C", 32), ("F", 4)])
def test_the_order_of_an_array_comes_from_the_launch(tmp_path: Path, order: str, sectors: int) -> None:
    source = f"""
        @cuda.jit
        def clear(a):
            x, y = cuda.grid(2)
            a[x, y] = 0

        clear[(32, 128), (32, 8)](np.zeros((1024, 1024), dtype=np.float32, order="{order}"))
    """
    assert costs(tmp_path, source) == {"store a[x, y]": sectors}


def advice(folder: Path, source: str) -> list[str | None]:
    """What is advised, of all findings before one takes the place of another."""
    return [item.finding.help for kernel in checked(folder, source).checked for item in kernel.findings]


@pytest.mark.parametrize("module", ["cuda", "numba.cuda"])
def test_exchanged_axes_are_written_as_the_kernel_writes_them(module: str, tmp_path: Path) -> None:
    source = f"""
        import numba.cuda

        @cuda.jit
        def copy(a, out):
            i, j = {module}.grid(2)
            out[i, j] = a[i, j]

        a = np.zeros((1024, 1024), dtype=np.float32)
        copy[(32, 128), (32, 8)](a, np.zeros_like(a))
    """
    assert any(f"(`j, i = {module}.grid(2)`)" in str(help) for help in advice(tmp_path, source))


def test_a_padded_tile_is_declared_in_python(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def turn(a, out):
            tile = cuda.shared.array((32, 32), float32)
            x, y = cuda.threadIdx.x, cuda.threadIdx.y
            tile[y, x] = a[y, x]
            cuda.syncthreads()
            out[y, x] = tile[x, y]

        a = np.zeros((32, 32), dtype=np.float32)
        turn[1, (32, 32)](a, np.zeros_like(a))
    """
    help = "declare `tile = cuda.shared.array((32, 33), float32)` (rows of 33 instead of 32 elements)"
    assert help in advice(tmp_path, source)


@pytest.mark.parametrize(
    "fact", ["cuda.blockDim.x == 32 && cuda.blockDim.y == 8", "blockDim.x == 32 and blockDim.y == 8"]
)
def test_facts_are_stated_with_the_names_of_the_kernel(fact: str, tmp_path: Path) -> None:
    source = f"""
        # coalint: assume({fact})
        # coalint: assume(a.shape[1] == 1024)
        @cuda.jit
        def clear(a):
            x, y = cuda.grid(2)
            a[x, y] = 0
    """
    result = checked(tmp_path, source)
    assert not result.problems
    access, cost = accesses(result)["store a[x, y]"]
    assert (access.specialization.block, access.strides[0], cost) == ((32, 8, 1), 4096, 32)


def test_launches_by_methods_of_the_host_count(tmp_path: Path) -> None:
    source = """
        class Test:
            def run(self, kernel, n):
                a = np.zeros((n, n), dtype=np.float32)
                kernel[1, (8, 8)](a)

            @skipped("elsewhere")
            def test(self):
                @cuda.jit
                def clear(a):
                    a[cuda.threadIdx.y, cuda.threadIdx.x] = 0

                self.run(clear, 64)
    """
    (kernel,) = checked(tmp_path, source).checked
    assert tuple(kernel.specialization.block) == (8, 8, 1)
    assert costs(tmp_path, source) == {"store a[cuda.threadIdx.y, cuda.threadIdx.x]": 4}


def test_imports_within_a_host_are_known_to_it(tmp_path: Path) -> None:
    source = """
        def main():
            import numpy
            a = cuda.to_device(numpy.arange(1024))

            @cuda.jit
            def total(a):
                if cuda.threadIdx.x < len(a):
                    cuda.syncthreads()

            total[1, len(a)](a)
    """
    (kernel,) = checked(tmp_path, source).checked
    assert tuple(kernel.specialization.block) == (1024, 1, 1)
    assert not kernel.findings


@pytest.mark.parametrize(("kept", "asked", "sectors"), [("F", "C", 32), ("C", "F", 4), ("F", "K", 4)])
def test_an_array_like_another_has_the_order_that_is_asked_for(
    tmp_path: Path, kept: str, asked: str, sectors: int
) -> None:
    source = f"""
        @cuda.jit
        def clear(a):
            x, y = cuda.grid(2)
            a[x, y] = 0

        a = np.zeros((1024, 1024), dtype=np.float32, order="{kept}")
        clear[(32, 128), (32, 8)](np.zeros_like(a, order="{asked}"))
    """
    assert costs(tmp_path, source) == {"store a[x, y]": sectors}


def test_floor_divisions_are_printed_as_they_are_written(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def k(a, n):
            i = cuda.grid(1)
            a[i * (n // 64)] = 0
            a[i * (n % 48)] = 0
    """
    (kernel,) = checked(tmp_path, source).checked
    assert kernel.analysis is not None
    strides = {str(access.stride) for access in kernel.analysis.accesses}
    assert strides == {"4*(n // 64)", "4*(n % 48)"}


def test_a_block_that_is_not_followed_says_nothing_of_any_axis(tmp_path: Path) -> None:
    source = """
        def blocks(shape):
            return (1,) * len(shape), (unknown(),) * len(shape)

        @cuda.jit
        def clear(a):
            y, x = cuda.grid(2)
            a[y, x] = 0

        grid, block = blocks((64, 64))
        clear[grid, block](np.zeros((64, 64), dtype=np.float32))
    """
    (kernel,) = checked(tmp_path, source).checked
    assert tuple(kernel.specialization.block) == (32, 8, 1)
    assert "COA103" in {found.finding.code for found in kernel.findings}


@pytest.mark.parametrize("launch", ["copy[4, 32](x, y)", "copy((4,), (32,), (x, y))"])
def test_raw_kernels_of_cupy_are_launched_in_both_ways(launch: str, tmp_path: Path) -> None:
    source = f"""
        import cupy
        from cupyx import jit

        @jit.rawkernel()
        def copy(x, y):
            i = jit.grid(1)
            if jit.laneid() < jit.warpsize:
                y[i] = x[2 * i]

        def main():
            x = cupy.zeros(256, cupy.float32)
            y = cupy.zeros(128, cupy.float32)
            {launch}
    """
    (kernel,) = checked(tmp_path, source).checked
    assert tuple(kernel.specialization.block) == (32, 1, 1)
    assert costs(tmp_path, source) == {"load x[2 * i]": 8, "store y[i]": 4}


def test_extents_of_arrays_are_called_as_in_the_source(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def column(a):
            a[cuda.grid(1), 0] = 0
    """
    texts = {access.address.stride_texts[0] for access, _ in accesses(checked(tmp_path, source)).values()}
    assert texts == {"4*a.shape[1]"}
