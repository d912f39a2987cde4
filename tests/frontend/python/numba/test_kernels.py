"""Kernels under `@cuda.jit`, from the source to their costs."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from coalint.core.facts.access import Access
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

HEADER = "import math\nimport numpy as np\nfrom numba import cuda, float32, int32\n"


def checked(folder: Path, source: str) -> FileResult:
    file = folder / "kernels.py"
    file.write_text(HEADER + dedent(source), encoding="utf-8")
    return check_file(Source(str(file)), Job((), architecture("sm_90"), tuple(load_rules().rules), keep=True))


def accesses(result: FileResult) -> dict[str, tuple[Access, float | None]]:
    """The accesses by their text, with what they cost."""
    found: dict[str, tuple[Access, float | None]] = {}
    for kernel in result.checked:
        assert kernel.analysis is not None
        for access, cost in zip(kernel.analysis.accesses, kernel.traffics, strict=True):
            found[f"{access.op.value} {access.expression}"] = (access, None if cost is None else cost.count)
    return found


def costs(folder: Path, source: str) -> dict[str, float | None]:
    result = checked(folder, source)
    assert not result.problems
    assert not result.failures
    return {text: cost for text, (_, cost) in accesses(result).items()}


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
    return [item.finding.help for kernel in checked(folder, source).checked for item in kernel.found]


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


def test_extents_of_arrays_are_called_as_in_the_source(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def column(a):
            a[cuda.grid(1), 0] = 0
    """
    texts = {access.address.stride_texts[0] for access, _ in accesses(checked(tmp_path, source)).values()}
    assert texts == {"4*a.shape[1]"}
