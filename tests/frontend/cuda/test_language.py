"""What coalint says of C++ as kernels are written in it holds for the executions of the same code on the host.

Each `AT(value)` of tests/data/programs.cpp is a store whose stride is that value. A stride that coalint gives as a
number must be that of every execution, over many arguments; most must be given as numbers.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from executed import executed, strides

PROGRAMS = Path(__file__).resolve().parents[2] / "data" / "programs.cpp"
P = "template <class T> __device__ T mx(T a, T b) { return a > b ? a : b; }\nstruct P { int a; int s; };\n"
MAIN = """\
int main() {
    P g[2] = {{11, 13}, {17, 19}};
    for (int c = 0; c < 7; ++c)
        for (int n = 1; n < 9; n += 3) k(P{n + 20, c + 30}, c, n, g);
}
"""
LEAST_KNOWN = 0.79  # of the places that have one value, whatever the arguments


def programs() -> list[tuple[str, str, str]]:
    """Names, what stands before the kernel, and its body."""
    return re.findall(r"^//// ([^\n]+)\n(.*?)^//// body\n(.*?)(?=^//// |\Z)", PROGRAMS.read_text(), re.M | re.S)


@cache
def values(name: str) -> tuple[dict[int, set[int]], dict[int, set[str]], list[str]]:
    """The strides in bytes of each place as executed and as analysed, and what the source says there."""
    _, before, body = next(program for program in programs() if program[0] == name)
    places = iter(range(body.count("AT(")))
    body = re.sub(r"\bAT\(", lambda _: f"AT({next(places)}, ", body)
    texts = re.findall(r"\bAT\(\d+, [^;]*;", body)
    parameters = ", ".join(f"int *out{n}" for n in range(len(texts)))
    store = "#define AT(number, value) out##number[(value) * (int)threadIdx.x] = 1\n"
    with TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "k.cu").write_text(
            f"{P}{before}{store}__global__ void k({parameters}, P v, int c, int n, const P *g) {{\n{body}}}\n"
        )
        host = f"{P}{before}void k(P v, int c, int n, const P *g) {{\n{body}}}\n{MAIN}"
        on_host = {place: {4 * value for value in seen} for place, seen in executed(at, host).items()}
        return on_host, strides(at / "k.cu"), texts


NAMES = [name for name, _, _ in programs()]


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_stride_that_is_a_number_is_that_of_every_execution(name: str) -> None:
    on_host, found, texts = values(name)
    for place, text in enumerate(texts):
        said = found.get(place, set())
        assert said or place not in on_host, f"no thread is said to come to {text}"
        if all(stride.lstrip("-").isdigit() for stride in said):  # several where a function is instantiated
            assert on_host.get(place, set()) <= set(map(int, said)), text


@pytest.mark.slow
def test_most_strides_that_are_numbers_are_known() -> None:
    known = constant = 0
    for name in NAMES:
        on_host, found, _ = values(name)
        for place, strides_ in on_host.items():
            constant += len(strides_) == 1
            known += len(strides_) == 1 and found.get(place) == {str(next(iter(strides_)))}
    assert known >= LEAST_KNOWN * constant, f"{known} of {constant}"
