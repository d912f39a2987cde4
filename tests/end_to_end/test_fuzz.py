"""Hostile inputs: a share of those that `benchmarks/fuzz.py` makes, and what it found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

DRIVER = Path(__file__).resolve().parents[2] / "benchmarks" / "fuzz.py"
JOB = Job((), architecture("sm_80"), load_rules().rules)
TOO_LARGE = "numbers that do not fit in 64 bits"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_no_hostile_input_makes_coalint_fail(seed: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    limits = ("--seconds=6", "--megabytes=512")
    command = [sys.executable, str(DRIVER), "24", f"--seed={seed}", *limits, "--compare-every=4", f"--log={log}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^24 inputs in \d+ s: 0 failed$", done.stdout, re.MULTILINE)
    (figures,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert sum(figures["lost"].values()) <= 9
    assert figures["kernels"] >= 12
    assert (figures["compared"], figures["end"]) == (6, 24)


@pytest.mark.slow
def test_an_input_depends_on_its_seed_and_number_alone() -> None:
    sys.path.insert(0, str(DRIVER.parent))
    try:
        from fuzz_inputs import make
    finally:
        sys.path.remove(str(DRIVER.parent))
    assert [make(7, number) for number in range(40)] == [make(7, number) for number in range(40)]
    assert len({str(make(7, number)) for number in range(40)}) > 35


@pytest.mark.parametrize(
    "index",
    [
        "threadIdx.x * (1ull << 40) * (1ull << 40)",
        "threadIdx.x * 0xFFFFFFFFFFFFFFFFull",
        "0xFFFFFFFFFFFFFFFFull / (threadIdx.x + 1)",
        "0xFFFFFFFFFFFFFFFFull >> threadIdx.x",
        "(threadIdx.x > 3 ? 0xFFFFFFFFFFFFFFFFull : 1ull) >> threadIdx.x",
        "(threadIdx.x & 1 ? 1ull << 62 : n) * 1024 + threadIdx.x",
        "min(0xFFFFFFFFFFFFFFFFull, 1ull * threadIdx.x)",
    ],
)
def test_numbers_beyond_64_bits_cost_their_access_only(index: str, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"__global__ void k(float *x, unsigned long long n) {{ x[{index}] = 1; x[2 * threadIdx.x] = 1; }}\n"
        "void run(float *x, unsigned long long n) { k<<<1, 256>>>(x, n); }\n"
    )
    result = check_file(Source(str(path)), JOB)
    assert result.failures == ()
    (kernel,) = result.checked
    assert kernel.coverage.accesses >= 2
    assert set(kernel.coverage.reasons) <= {TOO_LARGE, "64-bit unsigned arithmetic that wraps around"}
    assert any("takes 8 sectors" in found.finding.message for found in kernel.findings)


@pytest.mark.slow
def test_thousands_of_open_comments_and_quotes_are_read_in_one_pass(tmp_path: Path) -> None:
    for number, text in enumerate(('/*"' * 300_000, "/*" * 500_000, '\\"' * 300_000, "'" * 500_000)):
        path = tmp_path / f"k{number}.cu"
        path.write_text(f"__global__ void k(float *x) {{ x[0] = 1; }}\n{text}\n")
        assert "k" in {name for name, _ in check_file(Source(str(path)), JOB).kernels}
