"""`coalint explain-compile` as users see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coalint.cli.main import main

SOURCE = """\
#include "project/tile.cuh"
#include <nobody/has.h>
#include "twice.h"
template <typename T> __global__ void copy(T *out, const T *in) { out[threadIdx.x] = in[TILE * threadIdx.x]; }
__global__ void lost(float *a) { a[0] = unheard_of; }
void run(float *out, const float *in) { copy<<<1, 32>>>(out, in); }
"""
TEXT = """\
src/k.cu
  command    build/compile_commands.json, entry 1, the first of 2 for this file
             in build, by /opt/cuda/bin/nvcc
  GPUs       sm_80, sm_90; counted for sm_80
  arguments  -D__CUDA_ARCH_LIST__=800,900
             -DNAME="a b"
             -I include
             -std=c++20
             -I lib
  dropped    -I toolkit
                 holds the CUDA toolkit, for which coalint has its own headers
             -lineinfo; -fPIC
                 concerns the generated code, not what the source means
             -fplugin=x.so
                 would make the compiler load code
             -c; -o k.o
                 concerns output files: coalint writes none
  headers    "project/tile.cuh" of src/k.cu:1: found in lib
             "twice.h" of src/k.cu:3: ambiguous between a/twice.h, b/twice.h
  libclang   1 error, 2 includes not found
             src/k.cu:2:10: 'nobody/has.h' file not found
             src/k.cu:3:10: 'twice.h' file not found
             src/k.cu:5:41: use of undeclared identifier 'unheard_of'
  undeclared unheard_of
  kernels    copy<float> (4), lost (5)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, text in {
        "src/k.cu": SOURCE,
        "src/alone.cuh": "",
        "lib/project/tile.cuh": "#define TILE 8\n",
        "a/twice.h": "1",
        "b/twice.h": "2",
        "toolkit/cuda_runtime_api.h": "",
        "toolkit/driver_types.h": "",
        "include/keep": "",
        ".git/keep": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    command = (
        '/opt/cuda/bin/nvcc -DNAME=\\"a\\ b\\" -I../include -I ../toolkit -std=c++20 -lineinfo -Xcompiler=-fPIC '
        "-fplugin=x.so -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c ../src/k.cu -o k.o"
    )
    entries = [
        {"directory": ".", "file": "../src/k.cu", "command": "g++ -x c++ -c ../src/k.cu -DNOT_THIS"},
        {"directory": ".", "file": "../src/k.cu", "command": command},
    ]
    (tmp_path / "build").mkdir()
    (tmp_path / "build/compile_commands.json").write_text(json.dumps(entries))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explain-compile", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_the_text_at_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "src/k.cu")
    assert [line.rstrip() for line in out.splitlines()] == TEXT.splitlines()
    assert max(map(len, out.splitlines())) <= 80


def test_a_header_that_nothing_includes_says_whose_command_it_got(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "src/alone.cuh")
    assert "the command of the nearest file that has one: src/k.cu" in out
    assert "  libclang   0 errors, 0 includes not found\n  kernels    none\n" in out


def test_without_a_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "build/compile_commands.json").unlink()
    out = printed(capsys, "src/alone.cuh", "-DX=1", "--", "-O3")
    assert "command    none: no compile_commands.json has one for this file (-p names one)" in out
    assert "arguments  -DX=1\n" in out
    assert "dropped    -O3\n" in out


def test_the_json_form(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(printed(capsys, "src/k.cu", "--output-format=json"))
    assert value["schema"] == "coalint-explain-compile/1"
    (file,) = value["files"]
    assert (file["file"], file["why"], file["compiler"]) == ("src/k.cu", "exact", "/opt/cuda/bin/nvcc")
    assert (file["entry"]["index"], file["entry"]["of"]) == (1, 2)
    assert file["flags"][-1] == f"-I{project}/lib"
    assert file["arguments"][-len(file["flags"]) :] == file["flags"]
    assert file["includes_not_found"] == ["nobody/has.h", "twice.h"]
    assert file["errors"][-1] == {
        "file": "src/k.cu",
        "line": 5,
        "column": 41,
        "message": "use of undeclared identifier 'unheard_of'",
    }
    assert file["undeclared"] == ["unheard_of"]
    assert file["kernels"] == [
        {"name": "copy", "template_arguments": ["float"], "file": "src/k.cu", "line": 4},
        {"name": "lost", "template_arguments": [], "file": "src/k.cu", "line": 5},
    ]
    located = {item["include"]: (item["folder"], len(item["candidates"])) for item in file["located"]}
    assert located == {
        "project/tile.cuh": (f"{project}/lib", 1),
        "nobody/has.h": (None, 0),
        "twice.h": (None, 2),
    }


def test_a_file_that_cannot_be_read_is_an_error_beside_the_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "src/binary.cu").write_bytes(b"\0" * 100)
    assert main(["explain-compile", "src/binary.cu", "src/k.cu"]) == 2
    out, err = capsys.readouterr()
    assert "libclang   is a binary file" in out
    assert "kernels    copy<float> (4), lost (5)" in out
    assert err.startswith("coalint: error: src/binary.cu: is a binary file\n")
