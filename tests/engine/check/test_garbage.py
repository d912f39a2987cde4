"""What long analyses leave behind goes before the next one begins."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.recorder.recorder import Recorder
from coalint.engine.check.file import check_file
from coalint.engine.check.garbage import swept
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.machine.architecture import architecture
from coalint.rule import Context


class Cycle:
    """Holds itself, so that it waits for the collector."""

    def __init__(self) -> None:
        self.own = self


def held(seconds: float, error: type[Exception] | None = None) -> weakref.ref[Cycle]:
    left = weakref.ref(Cycle())
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    if error is not None:
        raise error(left)
    return left


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "gone"), [(0.3, True), (0.0, False)])
def test_what_a_long_body_leaves_is_collected(seconds: float, gone: bool) -> None:
    with swept():
        left = held(seconds)
    assert (left() is None) == gone


@pytest.mark.slow
def test_it_is_collected_where_the_body_fails_too() -> None:
    with pytest.raises(KeyError) as raised, swept():
        held(0.3, KeyError)
    assert raised.value.args[0]() is None


KERNEL = """
__global__ void k(float *out, const float *in, int n) {
    __shared__ float tile[32][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) tile[threadIdx.x][threadIdx.y] += in[j * 32 + i];
    __syncthreads();
    if (i < n) out[2 * i] = tile[threadIdx.y][threadIdx.x];
}
int main() { float *p; cudaMalloc(&p, 4096); k<<<8, dim3(32, 32)>>>(p, p, 7); }
"""


def test_a_check_leaves_no_evaluation_to_the_collector(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL)
    job = Job((), architecture("sm_80"), load_rules().rules, headers=shared_headers())
    result = check_file(Source(str(file)), job)
    assert not result.failures
    assert any(kernel.findings for kernel in result.checked)
    left = [one for one in gc.get_objects() if isinstance(one, Recorder | RepairedFile | Context)]
    assert not left


@pytest.mark.parametrize("own", [False, True])
def test_only_a_program_leaves_its_modules_out_of_collections(own: bool) -> None:
    program = (
        f"import gc; from coalint.engine.check.garbage import loading\n"
        f"with loading(own={own}): import coalint.engine.linter\n"
        "print(gc.isenabled(), gc.get_freeze_count() > 10_000)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"True {own}\n"
