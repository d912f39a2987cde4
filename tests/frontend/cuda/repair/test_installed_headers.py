"""What coalint's headers lack comes from a toolkit that is installed, and the report says so."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from coalint.cli.main import main
from coalint.frontend.cuda.build.toolkits import header_folders

SOURCE = """\
#include "shapes.h"
#include <cuda_fp16.h>
__global__ void sums(float *out, const float *in, __half *halves) {
    out[threadIdx.x] = in[ROW * threadIdx.x];
}
void run(float *out, float *in, __half *halves) { sums<<<1, 32>>>(out, in, halves); }
"""
MATRICES = """\
#include <cublas_v2.h>
__global__ void sums(float *out, const float *in) { out[threadIdx.x] = in[CUBLAS_GEMM_NEWEST * threadIdx.x]; }
void run(float *out, float *in) { cublasHandle_t handle; sums<<<1, 32>>>(out, in); }
"""
CIRCLES = """\
#include <cuda/std/numbers>
__global__ void turns(float *out, const float *in) {
    constexpr int row = int(10 * cuda::std::numbers::pi_v<float>);
    out[threadIdx.x] = in[row * threadIdx.x];
}
void run(float *out, float *in) { turns<<<1, 32>>>(out, in); }
"""


@pytest.fixture
def toolkit(tmp_path: Path) -> Path:
    """A toolkit whose headers include those that coalint brings, as NVIDIA's do, and these are no C++."""
    include = tmp_path / "cuda" / "include"
    include.mkdir(parents=True)
    (include / "shapes.h").write_text('#include "driver_types.h"\n#include "cuda_fp16.h"\n#define ROW 8\n')
    (include / "cublas_v2.h").write_text('#include "cublas_api.h"\n')
    (include / "cublas_api.h").write_text(
        '#include "driver_types.h"\nenum { CUBLAS_GEMM_NEWEST = 4 };\ntypedef struct cublasContext *cublasHandle_t;\n'
    )
    for name in ("driver_types.h", "cuda_fp16.h"):
        (include / name).write_text("this is not to be read\n")
    return tmp_path / "cuda"


def report(capsys: pytest.CaptureFixture[str], folder: Path, text: str, *options: str) -> Any:
    """The JSON report of a text, in a folder beside the toolkit's."""
    source = folder / "repository" / "a.cu"
    source.parent.mkdir(exist_ok=True)
    source.write_text(text)
    main(["lint", str(source), "--output-format", "json", *options])
    return json.loads(capsys.readouterr().out)


def strides(report: Any) -> list[int | None]:
    """Bytes between lanes of all loads that are reported."""
    return [a["strides"][0] for d in report["diagnostics"] for a in d["accesses"] if a["op"] == "load"]


def test_a_header_that_nothing_else_has_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    without = report(capsys, tmp_path, SOURCE, "--toolkit", "none")
    found = report(capsys, tmp_path, SOURCE, "--toolkit", str(toolkit))
    assert strides(without) == []
    assert strides(found) == [32]
    assert without["coverage"]["installed_headers"] == {}
    assert found["coverage"]["installed_headers"] == {str(toolkit / "include"): ["shapes.h"]}
    assert [d["code"] for d in without["diagnostics"]] == ["COA902"]
    assert "COA902" not in {d["code"] for d in found["diagnostics"]}


def test_a_library_of_the_host_is_read_whole_where_one_of_its_names_is_lacking(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    found = report(capsys, tmp_path, MATRICES, "--toolkit", str(toolkit))
    assert strides(found) == [16]
    assert found["coverage"]["installed_headers"] == {str(toolkit / "include"): ["cublas_api.h", "cublas_v2.h"]}


def test_what_lacks_nothing_reads_no_installed_header(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    text = MATRICES.replace("CUBLAS_GEMM_NEWEST", "4")
    assert report(capsys, tmp_path, text, "--toolkit", str(toolkit))["coverage"]["installed_headers"] == {}


def test_an_installed_header_that_leaves_as_many_errors_is_not_used(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    text = SOURCE.replace("ROW *", "NOWHERE *")
    (toolkit / "include" / "shapes.h").write_text("#define sums sums + \n")
    found = report(capsys, tmp_path, text, "--toolkit", str(toolkit))
    assert found["coverage"]["installed_headers"] == {}


def test_libcudacxx_of_the_package_from_pypi_serves_what_the_bundled_part_lacks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    package = Path(sysconfig.get_paths()["purelib"]) / "nvidia" / "cu13" / "include"
    libraries = header_folders(str(package), {})
    found = report(capsys, tmp_path, CIRCLES, "--toolkit", str(package))
    assert strides(found) == [124]
    assert set(found["coverage"]["installed_headers"]) <= set(libraries)
    assert "cuda" in next(iter(found["coverage"]["installed_headers"].values()))
    assert strides(report(capsys, tmp_path, CIRCLES, "--toolkit", "none")) == []


def test_the_driver_of_the_package_from_pypi_serves_what_the_bundled_one_lacks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    package = Path(sysconfig.get_paths()["purelib"]) / "nvidia" / "cu13" / "include"
    text = MATRICES.replace("cublas_v2.h", "cuda.h").replace("cublasHandle_t handle;", "CUlaunchConfig launch;")
    text = text.replace("CUBLAS_GEMM_NEWEST", "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION")
    found = report(capsys, tmp_path, text, "--toolkit", str(package))
    assert strides(found) == [16]
    assert list(found["coverage"]["installed_headers"].values()) == [["cuda.h"]]


def test_the_text_says_which_headers_are_of_the_machine(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    source = tmp_path / "repository" / "a.cu"
    source.parent.mkdir()
    source.write_text(SOURCE)
    main(["lint", str(source), "--toolkit", str(toolkit)])
    line = f"headers of this machine, which coalint's own lack (--toolkit): shapes.h in {toolkit / 'include'}"
    assert line in " ".join(capsys.readouterr().out.split())
    main(["explain-compile", str(source), "--toolkit", str(toolkit)])
    assert "installed  shapes.h" in capsys.readouterr().out


def test_results_are_kept_until_the_installed_headers_change(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    options = ("--toolkit", str(toolkit), "--cache-dir", str(tmp_path / "kept"))
    header = toolkit / "include" / "shapes.h"
    header.rename(header.with_suffix(".away"))
    assert strides(report(capsys, tmp_path, SOURCE, *options)) == []
    header.with_suffix(".away").rename(header)
    assert strides(report(capsys, tmp_path, SOURCE, *options)) == [32]
    header.write_text(header.read_text().replace("8", "16"))
    assert strides(report(capsys, tmp_path, SOURCE, *options)) == [64]


def test_what_an_installed_header_does_is_reported_at_the_call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    (toolkit / "include" / "shapes.h").write_text(
        "__device__ inline float secret(const float *in) { return in[8 * threadIdx.x]; }\n"
    )
    text = SOURCE.replace("in[ROW * threadIdx.x]", "secret(in)")
    found = report(capsys, tmp_path, text, "--toolkit", str(toolkit))
    assert found["coverage"]["exact"] == 2
    assert all(place["file"].endswith("a.cu") for d in found["diagnostics"] for place in d["places"])


def test_what_is_not_followed_in_an_installed_header_is_told_at_the_call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toolkit: Path
) -> None:
    (toolkit / "include" / "shapes.h").write_text(
        "template <int N> __device__ int deep(const float *p) {\n"
        "    if constexpr (N > 0) return deep<N - 1>(p) + 1; else return p[threadIdx.x];\n}\n"
    )
    found = report(capsys, tmp_path, SOURCE.replace("in[ROW * threadIdx.x]", "deep<90>(in)"), "--toolkit", str(toolkit))
    assert [(d["code"], Path(d["file"]).name, d["line"]) for d in found["diagnostics"]] == [("COA903", "a.cu", 4)]


@pytest.mark.parametrize("value", ["/nowhere", "a.cu"])
def test_a_toolkit_that_is_no_folder_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_text(SOURCE)
    with pytest.raises(SystemExit) as ended:
        main(["lint", "a.cu", "--toolkit", value])
    assert ended.value.code == 2
    assert f"`{value}` is no folder" in capsys.readouterr().err
