"""Arrays of hosts and records of kernels: element, order and shape, from the source to what a lane moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba_kernels import accesses, checked, costs

LAUNCHED = """
    rng = np.random.default_rng(1)

    @cuda.jit
    def clear(a):
        i, j = cuda.grid(2)
        a[j, i] = 0

    clear[(1, 1), (32, 8)]({array})
"""


@pytest.mark.parametrize(
    ("array", "bytes", "stride"),
    [
        ("rng.random((64, 32), dtype=np.float32)", 4, 4),
        ("rng.integers(0, 9, size=(64, 32))", 8, 8),
        ("np.random.RandomState(0).rand(64, 32)", 8, 8),
        ("np.array(np.zeros((64, 32)), order='F')", 8, 512),
        ("np.asarray(np.zeros((64, 32)), np.float32, 'F')", 4, 256),
        ("np.zeros((64, 32)).astype(np.float32, order='F')", 4, 256),
        ("np.identity(64, np.float32)", 4, 4),
        ("np.transpose(np.zeros((32, 64)))", 8, 512),
        ("np.float32(np.random.rand(64, 32))", 4, 4),
        ("np.sqrt(np.zeros((64, 32), np.float32))", 4, 4),
        ("cuda.to_device(np.zeros((64, 32), np.int16)).copy_to_host()", 2, 2),
        ("cuda.to_device([[1.0, 2.0], [3.0, 4.0]])", 8, 8),
    ],
)
def test_arrays_are_followed_to_where_they_are_made(array: str, bytes: int, stride: int, tmp_path: Path) -> None:
    result = checked(tmp_path, LAUNCHED.format(array=array))
    access, _ = accesses(result)["store a[j, i]"]
    assert access.memory is not None
    assert (access.bytes, access.strides[0], access.memory.supposed) == (bytes, stride, "")


@pytest.mark.parametrize("array", ["np.load('x.npy')", "np.zeros((9, 9)).reshape((9, 9), order='F')"])
def test_what_is_supposed_of_an_array_is_named_and_not_exact(array: str, tmp_path: Path) -> None:
    access, _ = accesses(checked(tmp_path, LAUNCHED.format(array=array)))["store a[j, i]"]
    assert not access.result.exact
    assert "`a` is in C order with elements of 4 bytes" in access.result.assumed


def test_fields_of_records_that_nothing_describes_are_unknown(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def scale(points):
            i = cuda.grid(1)
            points[i].x *= 2
    """
    result = checked(tmp_path, source)
    assert not accesses(result)
    assert "nothing in the source says of which type" in str(result.checked[0].analysis)


def test_a_field_that_is_an_array(tmp_path: Path) -> None:
    source = """
        body = np.dtype([("p", np.float32, (3,)), ("q", np.int8)], align=True)

        @cuda.jit
        def move(rows, out):
            i = cuda.grid(1)
            out[i] = rows[i].p[1]
            rows[i].q = 1

        move[4, 128](np.recarray(512, body), np.zeros(512, np.float32))
    """
    assert costs(tmp_path, source) == {"load rows[i].p[1]": 16, "store out[i]": 4, "store rows[i].q": 16}


@pytest.mark.parametrize(
    ("index", "sectors"),
    [("int((i - 64) / 4)", 2), ("math.trunc(i / 2)", 2), ("int(i / 2)", 2), ("math.floor(i / 2)", 2)],
)
def test_quotients_become_integers(index: str, sectors: int, tmp_path: Path) -> None:
    source = f"""
        @cuda.jit
        def put(out):
            i = cuda.grid(1)
            out[64 + {index}] = 0

        put[1, 32](np.zeros(512, np.float32))
    """
    assert costs(tmp_path, source) == {f"store out[64 + {index}]": sectors}


def test_an_ellipsis_stands_for_whole_axes(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def put(out):
            i = cuda.grid(1)
            column = out[..., 1]
            column[i] = 0

        put[1, 32](np.zeros((32, 64), np.float32))
    """
    assert costs(tmp_path, source) == {"store column[i]": 32}


def test_a_kernel_that_is_configured_by_a_method(tmp_path: Path) -> None:
    source = """
        @cuda.jit
        def put(out):
            out[cuda.grid(1)] = 0

        put.configure(4, 96)(np.zeros(512, np.float32))
    """
    access, _ = accesses(checked(tmp_path, source))["store out[cuda.grid(1)]"]
    assert access.specialization.block == (96, 1, 1)
