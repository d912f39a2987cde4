"""Launches for each size of a list: a vector, an array or braces, as benchmarks have them."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import check

KERNEL = """\
#include <initializer_list>
#include <vector>
__global__ void k(float *a, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) a[i] = 0; }
struct Case { int n, threads; const char *name; };
#define CASES {{100, 1, "a"}, {900, 2, "b"}}
int second(std::initializer_list<int> l) { return l.begin()[1]; }
"""
LAUNCH = "k<<<(n + 63) / 64, 64>>>(a, n);"


def sizes(folder: Path, body: str) -> set[tuple[str, int]]:
    """The values of `n` in the launches that are analysed, with the threads of a block."""
    checked = check(folder, f"{KERNEL}void run(float *a, int m) {{ {body} }}\n").checked
    specializations = [kernel.analysis.specialization for kernel in checked if kernel.analysis is not None]
    return {(str(dict(one.passed).get("n", "open")), one.block[0]) for one in specializations}


@pytest.mark.parametrize(
    "body",
    [
        f"std::vector<int> s = {{100, 900}}; for (int n : s) {LAUNCH}",
        f"std::vector<int> s{{100, 900}}; for (const auto &n : s) {{ {LAUNCH} }}",
        f"std::vector<int> s = {{100, 900}}; for (size_t j = 0; j < s.size(); j++) {{ int n = s[j]; {LAUNCH} }}",
        f"int s[] = {{100, 900}}; for (int n : s) {LAUNCH}",
        f"for (int n : {{100, 900}}) {LAUNCH}",
        f"std::vector<Case> s = CASES; for (const Case &c : s) {{ int n = c.n; {LAUNCH} }}",
    ],
)
def test_each_size_of_a_list_is_a_launch(tmp_path: Path, body: str) -> None:
    assert sizes(tmp_path, body) == {("100", 64), ("900", 64)}


@pytest.mark.parametrize("declared", ["std::vector<float> v(300)", "std::vector<float> v(300, 1.0f)"])
def test_a_vector_has_the_size_that_it_is_made_with(tmp_path: Path, declared: str) -> None:
    assert sizes(tmp_path, f"{declared}; int n = v.size(); {LAUNCH}") == {("300", 64)}


def test_the_elements_of_a_list_that_a_function_takes_are_known(tmp_path: Path) -> None:
    assert sizes(tmp_path, "k<<<1, second({32, 96})>>>(a, 7);") == {("7", 96)}


@pytest.mark.parametrize(
    "body",
    [
        f"std::vector<int> s = {{100, 900}}; s.push_back(m); for (int n : s) {LAUNCH}",
        f"std::vector<int> s = {{100, 900}}; s[1] = m; int n = s[1]; {LAUNCH}",
        f"std::vector<int> s(2); int n = s[0]; {LAUNCH}",
        f"std::vector<float> v(300); v.resize(m); int n = v.size(); {LAUNCH}",
    ],
)
def test_what_changes_in_a_vector_is_not_known(tmp_path: Path, body: str) -> None:
    assert {n for n, _ in sizes(tmp_path, body)} == {"open"}
