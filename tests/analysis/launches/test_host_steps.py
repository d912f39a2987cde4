"""Host functions that are too long to be followed to their ends: what was found before is kept, and nothing fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.launches import host_launches
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

STEPS = host_launches.HostSteps
PROGRAM = """\
int threads = 64;
__global__ void k(float *a) { a[threadIdx.x] = 0; }
int main(int argc, char **argv) {
    float *a = 0;
    k<<<1, 128>>>(a);
    if (argc > 1) threads = argv[1][0];
    k<<<1, threads>>>(a);
}
"""


@pytest.mark.parametrize("left", [*range(40), 1000])
def test_a_program_without_steps_left_has_the_launches_up_to_there(
    left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_launches, "HostSteps", lambda: STEPS(left))
    path = tmp_path / "k.cu"
    path.write_text(PROGRAM)
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), headers=shared_headers()))
    assert not result.failures
    blocks = {checked.specialization.block[0] for checked in result.checked}
    assert blocks == ({64, 128} if left == 1000 else blocks & {64, 128, 256})
