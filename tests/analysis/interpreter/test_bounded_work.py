"""Work that must not multiply: early exits, recursion, kernels with more quantities than are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from evaluated import access, accesses, count, evaluated

from coalint.analysis.domain.algebra import atom_table


def test_each_of_many_early_ways_out_costs_no_more_than_the_one_before(tmp_path: Path) -> None:
    step = "if (x * x + y * y > 4.0f) return i - 1; y = x * y + b; x = x * x - y + a;"
    helper = f"__device__ int escape(float a, float b, int i) {{ float x = 0, y = 0; do {{ {step * 40} }} while (i--);"
    found = access(tmp_path, "out[threadIdx.x] = escape(threadIdx.x, 1, n);", before=f"{helper} return i; }}")
    assert count(found) == 4


def test_a_function_that_calls_itself_twice_is_not_followed_down_every_way(tmp_path: Path) -> None:
    walk = "__device__ void walk(float *out, int i) { if (i > 99) return; walk(out, 2 * i); walk(out, 2 * i + 1); }"
    found = accesses(tmp_path, "out[threadIdx.x] = 0; walk(out, threadIdx.x);", before=walk)
    assert count(found[0]) == 4
    assert found[1][0].result.unknown is not None
    assert "calls itself" in found[1][0].result.unknown


MANY = "int last; " + " ".join(f"last = sizes[{k}];" for k in range(200))


@pytest.fixture
def few_quantities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atom_table, "MOST", atom_table.RESERVED + 200)


@pytest.mark.usefixtures("few_quantities")
def test_what_all_threads_share_is_counted_though_it_is_not_told_apart_any_more(tmp_path: Path) -> None:
    a_and_b = "int a = sizes[n], b = sizes[n + 1];"
    body = f"{MANY} {a_and_b} out[a] = in[12 * b + threadIdx.x]; out[a - b + threadIdx.x] = 1;"
    *_, load, store, moved = accesses(tmp_path, body, parameters="const int *sizes, int n")
    assert [count(found) for found in (load, store, moved)] == [4, 1, 4]
    assumed = ("the uniform offset `a value` is a multiple of 32 bytes",)
    assert [found[0].result.assumed for found in (load, store, moved)] == [assumed, (), assumed]
    assert [found[0].result.exact for found in (load, store, moved)] == [False, True, False]
    assert [found[0].result.aligned_if for found in (load, store, moved)] == [*assumed, "", *assumed]


@pytest.mark.usefixtures("few_quantities")
def test_what_threads_do_not_share_is_unknown_where_it_is_not_told_apart_any_more(tmp_path: Path) -> None:
    body = f"{MANY} int a = sizes[threadIdx.x], b = sizes[threadIdx.x + n]; out[a - b] = 1;"
    *_, (store, _) = accesses(tmp_path, body, parameters="const int *sizes, int n")
    assert store.result.unknown is not None


@pytest.mark.usefixtures("few_quantities")
@pytest.mark.parametrize(("step", "is_known"), [(1, False), (2, True)])
def test_what_a_loop_walks_is_unknown_where_its_trips_are_not_followed(
    tmp_path: Path, step: int, is_known: bool
) -> None:
    walk = f"for (int k = 0; k < 4; ++k) sum += tile[8 * threadIdx.x + {step} * k];"
    body = f"__shared__ float tile[2048]; float sum = 0; {MANY} {walk} out[threadIdx.x] = sum;"
    found = accesses(tmp_path, body, parameters="const int *sizes, int n")
    loaded = next(some[0] for some in found if some[0].memory is not None and some[0].memory.name == "tile")
    assert (loaded.result.unknown is None) is is_known


@replaces_what_is_compiled
def test_a_kernel_that_is_too_large_is_said_to_be_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atom_table.AtomTable, "full", lambda table: True)
    helpers = "__device__ int first(int x) { return x + 1; } __device__ int second(int x) { return x + 2; }"
    body = "out[first(1)] = 0;\nout[second(1)] = 1;\nout[first(2)] = 2;"
    source = f"{helpers}\n__global__ void k(float *out) {{ {body} }}\n"
    analysis, _ = evaluated(tmp_path, f"{source}void run(float *x) {{ k<<<4, 256>>>(x); }}\n")
    first = "a call of `first` is not followed, since the kernel has too many distinct quantities"
    assert [gap.message for gap in analysis.gaps] == [first]


def test_a_number_of_blocks_that_grows_with_each_step_of_the_host_has_no_formula(tmp_path: Path) -> None:
    """Each step has the one before three times, so that the last one, written out, has 3 to the power of 40 terms."""
    steps = " ".join(["n = min(n / 3, m) + max(n / 5, m) + n / 7;"] * 40)
    source = f"__global__ void k(float *out) {{ out[threadIdx.x] = 1; }}\nvoid run(float *x, int n, int m) {{ {steps} "
    analysis, _ = evaluated(tmp_path, f"{source}k<<<n, 256>>>(x); }}\n")
    assert analysis.specialization.grid_formulas == ()
