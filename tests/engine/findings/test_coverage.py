"""How many kernels a run counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coalint.cli.main import main

HELPER = """\
template <int N> __device__ int deep(const float *p) {
    if constexpr (N > 0) return deep<N - 1>(p) + 1;
    else return p[threadIdx.x];
}
"""
SOURCE = """\
#include "helper.h"
__global__ void counts(float *out, const float *in) { out[threadIdx.x] = deep<90>(in); }
void run(float *out, float *in) { counts<<<1, 64>>>(out, in); }
"""


def test_a_kernel_with_a_gap_in_a_helper_of_another_file_counts_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("helper.h").write_text(HELPER)
    Path("a.cu").write_text(SOURCE)
    main(["lint", "a.cu", "--output-format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert [(d["code"], d["file"], d["kernel"]) for d in report["diagnostics"]] == [("COA903", "helper.h", "counts")]
    assert report["coverage"]["kernels"] == report["coverage"]["analysed"] == 1
