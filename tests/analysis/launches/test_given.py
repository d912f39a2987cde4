"""Numbers that a user gives by name: an access is then what it would be with these numbers in the source."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from analysed import analysed
from expectations import fixture_files
from project import shared_headers

from coalint.core.facts.access import Access, Space
from coalint.core.facts.assumptions import Given
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.inspection.maps import show
from coalint.engine.inspection.requests import Request, Spot
from coalint.engine.inspection.showing import Showing
from coalint.engine.linter import inspect
from coalint.engine.request import RunRequest
from coalint.machine.architecture import architecture

H200 = architecture("sm_90")

KERNEL = """\
struct Sizes {{ int inner; int q; }};
__global__ void k(float *a, int p, Sizes sizes) {{
    const int q = {q};
    int t = threadIdx.x;
    a[{index}] = 0.0f;
}}
void run(float *a, int p, Sizes sizes) {{ k<<<8, dim3(32, 4)>>>(a, p, sizes); }}
"""


def accesses(folder: Path, index: str, q: str, given: Given) -> Access:
    file = folder / "k.cu"
    file.write_text(KERNEL.format(index=index, q=q))
    result = check_file(Source(str(file)), Job((), H200, (), keep=True, headers=shared_headers(), given=given))
    analysis = result.checked[0].analysis
    assert analysis is not None
    return next(access for access in analysis.accesses if access.space is Space.GLOBAL)


@pytest.mark.parametrize("value", [1, 3, 32, 33, 100])
@pytest.mark.parametrize(
    "index", ["t * q", "t * q % 96", "t ^ q", "t / q", "t < q ? 2 * t : t", "min(t, q) * 3", "t * (q / 2) + q"]
)
def test_a_number_that_is_given_is_as_good_as_one_in_the_source(tmp_path: Path, index: str, value: int) -> None:
    literal = accesses(tmp_path, index, str(value), Given())
    assert literal.result.lanes is not None
    for q, name in (("p", "p"), ("sizes.q", "sizes.q"), ("blockIdx.x", "blockIdx.x")):
        if name == "blockIdx.x" and value > 7:
            continue
        found = accesses(tmp_path, index, q, Given(((name, value),)))
        assert found.result.lanes is not None, (name, found.result.unknown)
        rows = np.ones(len(found.result.lanes.weights), dtype=np.bool_)
        for counter, values in found.result.lanes.counters:
            rows &= values == (value if counter == name else 0)
        assert (found.result.lanes.offsets[rows] == literal.result.lanes.offsets).all()
        assert (found.result.lanes.active[rows] == literal.result.lanes.active).all()
        assert found.result.symbolic == ()


def test_what_no_number_is_given_for_is_named(tmp_path: Path) -> None:
    found = accesses(tmp_path, "t * p + sizes.q + blockIdx.x", "0", Given())
    assert set(found.open.names) == {"p", "sizes.q", "blockIdx.x"}
    found = accesses(tmp_path, "t * p + sizes.q", "0", Given((("p", 4),)))
    assert set(found.open.names) == {"sizes.q"}


def test_another_shape_takes_the_place_of_the_launchs(tmp_path: Path) -> None:
    found = accesses(tmp_path, "t", "0", Given(block=(16, 4, 1)))
    assert found.specialization.block == (16, 4, 1)
    assert found.result.lanes is not None
    assert found.result.lanes.offsets[0, 0].tolist() == [4 * (lane % 16) for lane in range(32)]


@cache
def shown(file: Path, line: int) -> Showing:
    settings = Settings(arch="sm_90", jobs=1)
    request = Request(Spot(str(file), line))
    return show(request, lambda given: inspect(RunRequest(files=[str(file)], settings=settings, given=given)))


@pytest.mark.slow
def test_the_number_that_is_taken_for_a_pitch_costs_what_a_general_one_does() -> None:
    """Of global accesses: what the banks of shared memory cost is not known in general."""
    seen = 0
    for file in [file for file in fixture_files() if "open" in file.stem or "pitch" in file.stem]:
        for kernel in analysed(file).checked:
            assert kernel.analysis is not None
            for access, cost in zip(kernel.analysis.accesses, kernel.traffics, strict=True):
                if not access.result.symbolic or access.space is not Space.GLOBAL or cost is None:
                    continue
                found = shown(file, access.span.line)
                same = [s for s in found.shown if s.access.span == access.span and s.access.op is access.op]
                same += [s for s in found.shown if any(o.op is access.op for o in s.alike)]
                assert same
                assert all(s.defaults for s in same), access.span
                assert {s.traffic and s.traffic.count for s in same} == {cost.count}, access.span
                seen += 1
    assert seen >= 3


def test_a_loops_variable_has_its_values(tmp_path: Path) -> None:
    """Those that are the same for all threads; counted from 0 are the iterations, not they."""
    (tmp_path / "k.cu").write_text(
        "__global__ void k(float *a, int n) {\n"
        "    for (int i = 5; i < 12; i += 3)\n"
        "        for (int s = 8; s > 0; s >>= 1)\n"
        "            for (int j = threadIdx.x; j < 1024; j += 256)\n"
        "                for (int m = 0; m < n; ++m)\n"
        "                    a[i + s + j + m] = 0.0f;\n"
        "}\n"
        "void run(float *a, int n) { k<<<1, 256>>>(a, n); }\n"
    )
    result = check_file(Source(str(tmp_path / "k.cu")), Job((), H200, (), keep=True, headers=shared_headers()))
    analysis = result.checked[0].analysis
    assert analysis is not None
    values = {loop.variable: loop.values for loop in analysis.accesses[0].loops}
    assert values == {"i": (5, 8, 11), "s": (8, 4, 2, 1), "j": (), "m": ()}
