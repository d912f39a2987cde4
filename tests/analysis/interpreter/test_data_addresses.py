"""Addresses that data decide, and accesses whose cost is known although their address is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Access, Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.traffic import traffic


def stores(folder: Path, body: str) -> list[Access]:
    """The stores of a kernel of 256 threads; `i` is threadIdx.x."""
    path = folder / "k.cu"
    path.write_text(
        "union Bits { float f; int i; };\n"
        "__global__ void k(float *out, const float *x, const int *list, int *count, int n, float scale) {\n"
        f"    __shared__ int s[256]; int i = threadIdx.x; {body}\n}}\n"
        "void run(float *o, float *x, int *l, int n) { k<<<1, 256>>>(o, x, l, l, n, 2.0f); }\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return [access for access in kernel.analysis.accesses if access.op is Operation.STORE]


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("out[(int)(x[i] / scale)] = 1;", "x[i] / scale"),
        ("out[(int)floor(x[i])] = 1;", "floor(x[i])"),
        ("out[__float2int_rd(x[i])] = 1;", "__float2int_rd(x[i])"),
        ("out[__float_as_int(x[i])] = 1;", "__float_as_int(x[i])"),
        ("Bits b; b.f = x[i]; out[b.i] = 1;", "b.i"),
        ("out[atomicAdd(count, 1)] = 1;", "atomicAdd(count, 1)"),
        ("int next = list[i]; for (int k = 0; k < n; ++k) { out[next] = 1; next = list[i + k * 256]; }", "next"),
        ("int b = (int)x[i]; if (b < 0) b = 0; if (b > 9) b = 9; out[b] = 1;", "x[i]"),
        ("int b = list[i]; if (b < 0) b = 0; out[b] = 1;", "list[i]"),
        ("out[min(max((int)x[i], 0), n)] = 1;", "x[i]"),
    ],
)
def test_it_is_said_which_data_decide_an_address(tmp_path: Path, body: str, index: str) -> None:
    (store,) = stores(tmp_path, body)
    assert store.result.data_dependent
    assert store.result.index_load == index
    assert store.stride == "?"


@pytest.mark.parametrize(
    "body",
    [
        "if (i % 32 == 5) out[list[i]] = 1;",
        "if (i == 0) out[n * list[i]] = 1;",
        "if (i == n) out[(int)x[i]] = 1;",
        "if (i % 32 == 31) out[i * n] = 1;",
        "if (i % 64 == 3 && list[i] > 2) out[list[i]] = 1;",
        "if (i % 32 == 7) s[list[i]] = 1;",
    ],
)
def test_a_lane_that_is_alone_costs_one_whatever_its_address(tmp_path: Path, body: str) -> None:
    (store,) = stores(tmp_path, body)
    assert store.result.exact
    cost = traffic(store, architecture("sm_90"))
    assert cost is not None
    assert cost.count == 1


def test_lanes_that_may_be_more_than_one_are_not_alone(tmp_path: Path) -> None:
    for body in ("if (i < n) out[list[i]] = 1;", "if (n > 3 || i == 0) out[list[i]] = 1;", "out[list[i]] = 1;"):
        (store,) = stores(tmp_path, body)
        assert not store.result.exact


@pytest.mark.parametrize("test", ["at != -1", "at >= 0", "!(at == -1)", "-1 != at"])
def test_a_sentinel_tells_which_value_was_chosen(tmp_path: Path, test: str) -> None:
    (store,) = stores(tmp_path, f"int at = -1; if (list[i] > n) at = i; if ({test}) out[at] = 1;")
    assert store.stride == "4"
    cost = traffic(store, architecture("sm_90"))
    assert cost is not None
    assert cost.count == 4


def test_a_border_that_reflects_moves_few_lanes(tmp_path: Path) -> None:
    (store,) = stores(tmp_path, "out[abs(i + n)] = 1;")
    assert not store.result.exact
    assert "no lane is reflected at an edge" in store.result.assumed
    assert store.result.lanes is not None
