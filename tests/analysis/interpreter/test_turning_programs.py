"""Strides in loops whose variables are changed in several ways at once are those of every execution."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from amounts import first
from executed import executed, strides
from turning_programs import BEFORE, EffectsWriter, Writer

FOUND_MISTAKES = (180, 207, 311, 338, 391, 402, 423, 431, 477, 504, 582, 731, 790, 792)
IN_CONDITIONS = (15, 38, 41, 48, 57, 61, 66, 69, 87, 99, 104)
PROGRAMS = (
    *((seed % 2 == 1, seed) for seed in range(6)),
    *((False, seed) for seed in FOUND_MISTAKES[:5]),
    *((True, seed) for seed in IN_CONDITIONS[:3]),
    *((seed % 2 == 0, seed) for seed in range(6)),
    *((False, seed) for seed in (*range(6, 16), *FOUND_MISTAKES[5:])),
    *((True, seed) for seed in IN_CONDITIONS[3:]),
)
AT_ONCE = 9
"""Of the programs, those that are no slow tests."""
MAIN = "int main() { for (int c = 0; c < 5; ++c) for (int n = 1; n < 9; n += 3) k(c, n); }\n"
STORE = "#define AT(number, value) out##number[(value) * (int)threadIdx.x] = 1\n"
LEAST_KNOWN = 0.15  # of the values; most of them differ with `c` and `n`, or with the way that a thread takes


@cache
def values(effects: bool, seed: int) -> tuple[dict[int, set[int]], dict[int, set[str]], list[str]]:
    """The strides in bytes of each place as executed and as analysed, and what the source says there."""
    places = iter(range(1000))
    body = re.sub(r"\bAT\(", lambda _: f"AT({next(places)}, ", (EffectsWriter if effects else Writer)(seed).program())
    texts = re.findall(r"\bAT\(\d+, [^;]*;", body)
    parameters = ", ".join(f"int *out{place}" for place in range(len(texts)))
    with TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "k.cu").write_text(f"{BEFORE}{STORE}__global__ void k({parameters}, int c, int n) {{\n{body}}}\n")
        host = f"{BEFORE}void k(int c, int n) {{\n{body}}}\n{MAIN}"
        on_host = {place: {4 * value for value in seen} for place, seen in executed(at, host).items()}
        return on_host, strides(at / "k.cu"), texts


def is_number(said: set[str]) -> bool:
    return bool(said) and all(stride.lstrip("-").isdigit() for stride in said)


@pytest.mark.parametrize(("effects", "seed"), first(PROGRAMS, AT_ONCE))
def test_a_stride_that_is_a_number_is_that_of_every_execution(effects: bool, seed: int) -> None:
    on_host, found, texts = values(effects, seed)
    for place, text in enumerate(texts):
        said = found.get(place, set())
        if is_number(said):
            assert on_host.get(place, set()) <= set(map(int, said)), text


def test_enough_strides_are_numbers() -> None:
    read = [values(*program) for program in PROGRAMS[:AT_ONCE]]
    found = [is_number(said.get(place, set())) for on_host, said, _ in read for place in on_host]
    assert sum(found) > LEAST_KNOWN * len(found)
