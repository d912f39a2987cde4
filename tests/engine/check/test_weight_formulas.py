"""Formulas of what findings weigh, beside the samples that stand for open sizes, where a report writes them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from project import Project

HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
BODIES: dict[str, tuple[str, str | None]] = {
    f"{HEAD} if (i < n) a[3 * i] = 1;": ("ceil(n/32)", "8*ceil(n/32)"),
    f"{HEAD} for (int k = n; k > 0; k >>= 1) a[9 * i + k] = 1;": (
        "gridDim.x*(8*floor(log2(n)) + 8)",
        None,  # the mean of a request is one of some iterations
    ),
    f"{HEAD} for (int k = 0; k < n; k++) a[8 * (k * 256 + threadIdx.x)] = 1;": ("8*gridDim.x*n", "224*gridDim.x*n"),
}
"""Kernels with one finding, with the formulas of its executions and excess."""
LAUNCH = "void run(float *a, int n) { k<<<(n + 255) / 256, 256>>>(a, n); }\n"


def _source(body: str) -> str:
    return f"__global__ void k(float *a, int n) {{ {body} }}\n{LAUNCH}"


def _launch_cost(project: Project, *options: str) -> dict[str, Any]:
    (finding,) = json.loads(project.coalint("lint", "k.cu", "--output-format=json", *options).out)["diagnostics"]
    cost: dict[str, Any] = finding["launch_cost"]
    return cost


@pytest.mark.parametrize("body", BODIES)
def test_json_has_the_formulas_which_give_the_sample_at_its_sizes(body: str, project: Project) -> None:
    project.put("k.cu", _source(body))
    cost = _launch_cost(project)
    assert cost["basis"] == "sample"
    assert (cost["executed_formula"], cost["excess_formula"]) == BODIES[body]
    n = cost["sizes"]["n"]
    names = {"n": n, "blocks": math.ceil(n / 256), "ceil": math.ceil, "floor": math.floor, "log2": math.log2}
    for name in ("executed", "excess"):
        if cost[f"{name}_formula"] is None:
            continue
        code = cost[f"{name}_formula"].replace("gridDim.x", "blocks")
        if "gridDim" not in cost[f"{name}_formula"] or n > 256:
            assert eval(code, names) == cost[name]


def test_what_is_known_or_follows_no_formula_has_none(project: Project) -> None:
    project.put("k.cu", _source(f"{HEAD} a[3 * i] = 1;").replace("n + 255", "1024"))
    cost = _launch_cost(project)
    assert (cost["basis"], cost["executed_formula"], cost["excess_formula"]) == ("exact", None, None)
    project.put("k.cu", _source(f"{HEAD} for (int k = n; k > 0; k /= 3) a[3 * i + 9 * k] = 1;"))
    cost = _launch_cost(project)
    assert (cost["basis"], cost["executed_formula"], cost["excess_formula"]) == ("sample", None, None)


def test_text_has_them_with_every_detail_alone(project: Project) -> None:
    """Results that are stored without formulas are none for a report with them."""
    body = next(iter(BODIES))
    project.put("k.cu", _source(body))
    cache = ("--cache-dir", "kept")
    plain = project.coalint("lint", "k.cu", *cache).out
    assert "executed 3,126 times at n = 100,003" in plain
    assert "ceil(n/32)" not in plain
    for _ in range(2):
        verbose = " ".join(project.coalint("lint", "k.cu", "--verbose", *cache).out.split())
        assert (
            "executed 3,126 times at n = 100,003; for other sizes executed `ceil(n/32)` times, excess `8*ceil(n/32)`"
            in verbose
        )
        assert _launch_cost(project, *cache)["executed_formula"] == "ceil(n/32)"


@pytest.mark.slow
@pytest.mark.parametrize("formulas", [False, True])
def test_sympy_is_loaded_for_formulas_alone(formulas: bool, project: Project) -> None:
    project.put("k.cu", _source(next(iter(BODIES))))
    code = f"""
import sys
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

result = check_file(Source("k.cu"), Job((), architecture("sm_90"), load_rules().rules, formulas={formulas}))
print(len(result.checked[0].findings), "sympy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", str(formulas)]


@pytest.mark.parametrize(
    ("body", "executed", "excess", "assumed"),
    [
        (
            f"{HEAD} a[3 * i] = 1;",
            "blockDim.x*gridDim.x/32",
            "blockDim.x*gridDim.x/4",
            ["`blockDim.x` is a power of two from 32 on"],
        ),
        (
            f"{HEAD} if (threadIdx.x < 100) a[3 * i] = 1;",
            "4*gridDim.x",
            "25*gridDim.x",
            ["blockDim.x = 256"],  # the formula is for the block that is supposed
        ),
    ],
)
def test_without_a_launch_the_formulas_are_in_the_block(
    body: str, executed: str, excess: str, assumed: list[str], project: Project
) -> None:
    project.put("k.cu", _source(body).replace(LAUNCH, ""))
    cost = _launch_cost(project)
    assert (cost["executed_formula"], cost["excess_formula"]) == (executed, excess)
    assert cost["formula_assumed"] == assumed


MULTIPLY = """\
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        for (int k = 0; k < n; ++k) a[col * n + k] += 1;
        a[col * n + row] = 2;
    }
"""


def _costs(project: Project, source: str) -> list[dict[str, Any]]:
    project.put("k.cu", source)
    found = json.loads(project.coalint("lint", "k.cu", "--output-format=json", "--show-info").out)["diagnostics"]
    return [finding["launch_cost"] for finding in found if finding["launch_cost"] and finding["launch_cost"]["excess"]]


@pytest.mark.parametrize(
    ("source", "limits"),
    [
        (
            _source(MULTIPLY).replace("<<<(n + 255) / 256, 256>>>", "<<<dim3((n + 31) / 32, n), dim3(32, 8)>>>"),
            {0, 1 / 2},
        ),
        (_source(f"{HEAD} if (i < n) a[3 * i] = 1; if (i < n / 2) a[5 * i] = 1;"), {1 / 2}),
        (_source(f"{HEAD} if (i < n) a[3 * i] = 1; if (blockIdx.x == 0 && i < n) a[9 * i] = 1;"), set()),
        (_source(f"{HEAD} a[3 * i] = 1; a[5 * i] = 1;").replace(LAUNCH, ""), {1 / 3, 2 / 3}),
    ],
)
def test_shares_are_formulas_which_give_the_sample_and_a_limit(
    source: str, limits: set[float], project: Project
) -> None:
    costs = _costs(project, source)
    shown = set()
    for cost in costs:
        names = {**cost["sizes"], "blockDim": None, "ceil": math.ceil, "floor": math.floor, "Min": min, "Max": max}
        if cost["share_formula"] is None:
            assert "blockIdx.x == 0" in source  # which lanes of the first block pass has no closed form
            continue
        assert eval(cost["share_formula"].replace("^", "**"), names) == pytest.approx(cost["share"])
        shown.add(cost["share_limit"])
    assert costs
    assert sorted(shown) == pytest.approx(sorted(limits))


def test_blocks_that_no_size_gives_leave_the_limit_open(project: Project) -> None:
    body = f"{HEAD} if (i < n) a[3 * i] = 1; for (int k = 0; k < n; k++) a[9 * threadIdx.x + 4096 * k] = 1;"
    costs = _costs(project, _source(body))
    formulas = [cost["share_formula"] for cost in costs]
    assert all("gridDim.x" in formula for formula in formulas)
    assert {cost["share_limit"] for cost in costs} == {None}


def test_sarif_ranks_by_the_share_also_where_a_kernel_is_evaluated_once_more(project: Project) -> None:
    """What is stored through `u` may change `local`, so that the kernel is evaluated twice."""
    body = "float local[4] = {0, 1, 2, 3}; p[0] = local; float *u = get(n); *u = 4;"
    stores = "a[8 * i] = local[1]; a[3 * i + 1] = 2;"
    launch = "void run(float *a, float **p, int n) { k<<<16, 256>>>(a, p, n); }"
    head = f"__device__ float *get(int n);\n__global__ void k(float *a, float **p, int n) {{ {HEAD} {body} {stores} }}"
    project.put("k.cu", f"{head}\n{launch}\n")
    results = json.loads(project.coalint("lint", "k.cu", "--output-format=sarif").out)["runs"][0]["results"]
    shares = [result["properties"]["launchCost"]["share"] for result in results]
    assert sum(shares) == pytest.approx(1)
    assert [result["rank"] for result in results] == [round(100 * share, 2) for share in shares]
