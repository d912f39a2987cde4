"""Files are called in what findings say as they are in the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coalint.cli.main import main

PUT = "#pragma once\n__device__ void put(float *s, int i, float v) {\n  s[i] = v;\n}\n"
KERNEL = """#include "put.cuh"
__global__ void k(float *p) {
  __shared__ float s[256];
  put(s, threadIdx.x, p[threadIdx.x]);
  p[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float *p) { k<<<1, 256>>>(p); }
"""


def test_a_message_names_a_header_as_the_report_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("inc/put.cuh", PUT), ("src/main.cu", KERNEL)):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    main(["lint", "--output-format=json", "--select=COA304", f"-I{tmp_path / 'inc'}", "."])
    (race,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert race["file"] == "src/main.cu"
    assert " inc/put.cuh:3," in race["message"]
    assert str(tmp_path) not in race["help"]
