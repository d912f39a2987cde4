"""Operations on arrays that stand in for slower ones of numpy."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from coalint.core.arrays import distinct, spread
from coalint.core.lazy import np


@given(st.lists(st.integers(-9, 9)), st.integers(1, 3))
def test_distinct_values_are_those_of_numpy(values: list[int], columns: int) -> None:
    array = np.array(values * columns, dtype=np.int64).reshape(columns, len(values))
    found = distinct(array)
    assert found.dtype == array.dtype
    assert found.tolist() == np.unique(array).tolist() == sorted(set(values))


@given(st.sampled_from([(), (1,), (1, 1, 32), (1, 4, 32), (3, 4, 32)]))
def test_an_array_is_spread_as_numpy_does_it(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    found = spread(array, (3, 4, 32))
    assert found.shape == (3, 4, 32)
    assert (found == np.broadcast_to(array, (3, 4, 32))).all()


def test_they_load_no_masked_arrays() -> None:
    code = "import sys, numpy; from coalint.core.arrays import distinct; distinct(numpy.arange(3))"
    code += "; print('numpy.ma' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
