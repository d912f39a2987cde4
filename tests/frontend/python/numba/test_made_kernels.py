"""Kernels that `cuda.jit` makes as a function, and not as a decorator."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba_kernels import accesses, checked

FUNCTION = """
    def put(out):
        out[2 * cuda.grid(1)] = 0

"""


@pytest.mark.parametrize(
    "made",
    [
        "kernel = cuda.jit(put)",
        "kernel = cuda.jit('void(float32[::1])')(put)",
        "kernel = cuda.jit(fastmath=True)(put)",
        "from numba.cuda import jit as compiled\n    kernel = compiled(put)",
        "def make():\n        return cuda.jit(put)",
    ],
)
def test_they_are_read_though_nothing_launches_them(made: str, tmp_path: Path) -> None:
    result = checked(tmp_path, f"{FUNCTION}    {made}\n")
    assert not result.problems
    assert accesses(result)["store out[2 * cuda.grid(1)]"][1] == 8


def test_device_functions_are_none(tmp_path: Path) -> None:
    assert not checked(tmp_path, f"{FUNCTION}    helper = cuda.jit(device=True)(put)\n").checked


def test_a_decorator_with_a_name_of_its_own(tmp_path: Path) -> None:
    source = """
        fast = cuda.jit("void(float64[::1])", fastmath=True)

        @fast
        def put(out):
            out[cuda.grid(1)] = 0
    """
    assert accesses(checked(tmp_path, source))["store out[cuda.grid(1)]"][1] == 8


def test_a_function_that_is_not_followed_is_said(tmp_path: Path) -> None:
    source = """
        class Maker:
            def __init__(self, function, types):
                self.kernel = cuda.jit(types)(function)
    """
    (problem,) = checked(tmp_path, source).problems
    assert "`cuda.jit(types)(function)` makes is not read: `function` is a parameter" in problem.message


@pytest.mark.parametrize(("count", "said"), [(16, 0), (17, 1)])
def test_more_types_than_are_read_are_said(tmp_path: Path, count: int, said: int) -> None:
    parameters = ", ".join(f"a{n}" for n in range(count))
    launches = "\n".join(
        f"        k[1, 32]({', '.join('np.zeros(9, np.int8)' if m <= n else 'np.zeros(9)' for m in range(count))})"
        for n in range(count)
    )
    result = checked(
        tmp_path, f"        @cuda.jit\n        def k({parameters}):\n            a0[cuda.grid(1)] = 0\n{launches}\n"
    )
    assert [f"{count} sets of argument types" in problem.message for problem in result.problems] == [True] * said
