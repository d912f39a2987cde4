"""Macros that are supposed to be defined since headers declare only then what a file uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coalint.cli.main import main

HEADER = """\
#pragma once
#ifdef GPU
#define BLOCK 512
#if defined(WIDE) && !0
#define WIDTH 2
#endif
#endif
typedef struct {
    int n;
#ifdef GPU
    float *output_gpu;
#endif
} layer;
"""
SOURCE = """\
#include "project.h"
__global__ void sums(float *out, const float *in) {
    __shared__ float part[BLOCK];
    part[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
void run(layer l, float *in) { sums<<<l.n, BLOCK>>>(l.output_gpu, in); }
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "project.h").write_text(HEADER)
    (tmp_path / "a.cu").write_text(SOURCE)
    return tmp_path


def inspected(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main(["inspect", "--output-format=json", *arguments])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def problems(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(["lint", "--output-format=json", *arguments])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    return [problem["message"] for problem in found if problem["code"] == "COA902"]


def assumed(found: dict[str, Any]) -> set[str]:
    texts = {text for kernel in found["kernels"] for access in kernel["accesses"] for text in access["assumed"]}
    return {text for text in texts if text.endswith("is defined")}


@pytest.mark.parametrize("include", ["words.h", "include/words.h"])
def test_a_macro_with_which_a_file_includes_the_header_that_it_lacks_is_supposed(
    include: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = project / include
    words.parent.mkdir(exist_ok=True)
    words.write_text("#define MY_KERNEL __global__\n#define MY_THREAD threadIdx.x\n")
    kernel = "MY_KERNEL void f(float *a) { a[2 * MY_THREAD] = 0; }\n"
    (project / "a.cu").write_text(f'#ifdef FOR_CUDA\n#include "{include}"\n#endif\n{kernel}')
    found = inspected(capsys, "a.cu", "-I.")
    assert [kernel["accesses"][0]["stride"] for kernel in found["kernels"]] == ["8"]
    assert assumed(found) == {"`FOR_CUDA` is defined"}
    words.write_text("#define OTHER 1\n")  # which it does not lack
    assert assumed(inspected(capsys, "a.cu", "-I.")) == set()


def test_a_macro_with_which_a_header_declares_what_a_file_lacks_is_supposed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = inspected(capsys, "a.cu")
    (kernel,) = found["kernels"]
    assert kernel["launch"]["block"] == [512, 1, 1]
    assert [access["space"] for access in kernel["accesses"]].count("shared") == 2
    assert assumed(found) == {"`GPU` is defined"}
    assert problems(capsys, "a.cu") == []


def test_a_macro_with_which_a_header_includes_a_library_is_supposed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "project.h").write_text("#ifdef FOR_CUDA\n#include <cufft.h>\n#endif\n")
    (project / "a.cu").write_text(
        '#include "project.h"\n__global__ void k(cufftComplex *p) { p[threadIdx.x].x = 0; }\n'
    )
    found = inspected(capsys, "a.cu")
    assert assumed(found) == {"`FOR_CUDA` is defined"}
    assert [access["stride"] for access in found["kernels"][0]["accesses"]] == ["8"]
    assert problems(capsys, "a.cu") == []


@pytest.mark.parametrize(
    ("include", "supposed"),
    [
        ("#include <hip/hip_runtime.h>", {"`ENABLE_HIP` is defined"}),
        ("#ifdef ON_AMD\n#include <hip/hip_runtime.h>\n#endif", set()),
        ("#include <cuda_runtime.h>", set()),
    ],
)
def test_macros_for_hip_are_supposed_in_programs_that_are_written_for_it(
    project: Path, capsys: pytest.CaptureFixture[str], include: str, supposed: set[str]
) -> None:
    (project / "project.h").write_text('#ifdef ENABLE_HIP\n#include "box.h"\ntypedef Box *Boxes;\n#endif\n')
    (project / "box.h").write_text("struct Box { float low, high; };\n")
    kernel = "__global__ void k(float *p, Box box) { p[threadIdx.x] = box.low; }"
    (project / "a.cu").write_text(f'{include}\n#include "project.h"\n{kernel}\n')
    assert assumed(inspected(capsys, "a.cu")) == supposed
    assert bool(problems(capsys, "a.cu")) is not bool(supposed)


def test_the_same_from_the_cache(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--fail-on=error", "a.cu"]) == 0
    first = capsys.readouterr().out
    assert main(["lint", "--fail-on=error", "a.cu"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize("flags", [("-U", "GPU"), ("--", "-UGPU")])
def test_what_a_flag_undefines_is_not_supposed(capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]) -> None:
    assert not assumed(inspected(capsys, "a.cu", *flags))
    assert any(message.startswith("BLOCK is not declared") for message in problems(capsys, "a.cu", *flags))


def test_nothing_is_supposed_where_a_command_says_how_the_file_is_built(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = {"directory": str(project), "file": "a.cu", "arguments": ["nvcc", "-c", "a.cu"]}
    (project / "compile_commands.json").write_text(json.dumps([command]))
    assert not assumed(inspected(capsys, "a.cu"))


def test_one_macro_may_ask_for_another(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "project.h").write_text(HEADER.replace("#if defined(WIDE) && !0", "#ifdef WIDE"))
    (project / "a.cu").write_text(SOURCE.replace("* BLOCK +", "* BLOCK + WIDTH *"))
    found = inspected(capsys, "a.cu")
    assert assumed(found) == {"`GPU` is defined", "`WIDE` is defined"}
    strides = [access["stride"] for access in found["kernels"][0]["accesses"] if access["space"] == "global"]
    assert strides[0] == "8"


@pytest.mark.parametrize(
    "header",
    [
        "#ifdef GPU\n#define OTHER 1\n#endif\n",  # says nothing of the name
        "#ifdef GPU\nextern int BLOCK_;\n#endif\n",
        "// #ifdef GPU\n// #define BLOCK 512\n// #endif\n",
        "#ifdef GPU\n#error the GPU is out of order\n#include <none.h>\nint f() { return BLOCK; }\n#endif\n",  # in vain
        "#if GPU > 3\n#define BLOCK 512\n#endif\n",
        "#ifndef CPU\n#else\n#define BLOCK 512\n#endif\n",
    ],
)
def test_a_macro_that_does_not_help_is_not_supposed(
    project: Path, capsys: pytest.CaptureFixture[str], header: str
) -> None:
    (project / "project.h").write_text(f"#pragma once\n{header}typedef struct {{ int n; float *output_gpu; }} layer;\n")
    assert not assumed(inspected(capsys, "a.cu"))


def test_a_macro_with_which_a_header_only_uses_a_name_is_not_supposed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caffe's `#ifdef USE_CUDNN`: its header says `CHECK_EQ(status, LEVEL)`, and glog, which has that, is missing."""
    (project / "project.h").write_text('#ifdef WITH_LIBRARY\n#include "library.h"\n#endif\n')
    (project / "library.h").write_text("inline void checked(int status) { CHECK_EQ(status, LEVEL); }\n")
    (project / "a.cu").write_text(
        '#include "missing.h"\n#include "project.h"\n'
        "template <class T> __global__ void k(T *p) { p[threadIdx.x] = 0; }\n"
        "template <class T> void run(T *p, int n) { CHECK_EQ(n, LEVEL); k<T><<<n, 32>>>(p); }\n"
        "template void run<float>(float *, int);\n"
    )
    assert assumed(inspected(capsys, "a.cu")) == set()


def test_explain_compile_names_what_is_supposed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain-compile", "a.cu"])
    text = " ".join(capsys.readouterr().out.split())
    assert "supposed -DGPU: declares what the file would lack; -U keeps it undefined" in text
    main(["explain-compile", "--output-format=json", "a.cu"])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["supposed"] == ["GPU"]
    assert file["undeclared"] == []


@pytest.mark.parametrize("condition", ["GPU == 1", "GPU != 0", "GPU > 0", "defined(GPU) && GPU >= 1"])
def test_a_macro_that_is_compared_with_what_the_option_makes_it_is_supposed(
    capsys: pytest.CaptureFixture[str], project: Path, condition: str
) -> None:
    (project / "project.h").write_text(HEADER.replace("#ifdef GPU", f"#if {condition}"))
    assert "`GPU` is defined" in assumed(inspected(capsys, "a.cu"))


def test_a_macro_that_is_compared_with_another_number_is_not(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    (project / "project.h").write_text(HEADER.replace("#ifdef GPU", "#if GPU >= 700"))
    assert assumed(inspected(capsys, "a.cu")) == set()


@pytest.mark.parametrize(
    "refusal",
    [
        "#if GPU\n#elif USE_HIP\n#else\n#error neither\n#endif\n",
        "#ifndef GPU\n#error no\n#endif\n",
        "#if !defined(__CUDA_NOT__) && !defined(GPU)\n#error no\n#endif\n",
        "#if GPU\n#elif USE_HIP\n#else\n#error define GPU or USE_HIP\n#endif\n",
        '#ifndef GPU\n#pragma message("GPU is wanted")\n#error Must define GPU\n#endif\n',
    ],
)
@pytest.mark.parametrize("file", ["project.h", "a.cu"])
def test_a_macro_without_which_a_source_refuses_to_compile_is_supposed(
    capsys: pytest.CaptureFixture[str], project: Path, refusal: str, file: str
) -> None:
    source = "__global__ void k(float *p) { p[threadIdx.x] = 0; }\n"
    (project / "project.h").write_text("")
    (project / "a.cu").write_text(f'#include "project.h"\n{source}')
    (project / file).write_text(refusal + (project / file).read_text())
    assert assumed(inspected(capsys, "a.cu")) == {"`GPU` is defined"}
    assert problems(capsys, "a.cu") == []


@pytest.mark.parametrize(
    "source",
    [
        "#ifndef BLOCK\n#error how large?\n#endif\n__global__ void k(float *p) { p[BLOCK * threadIdx.x] = 0; }\n",
        "#if __CUDA_ARCH__ < 2000\n#error too old\n#endif\n__global__ void k(float *p) { p[threadIdx.x] = 0; }\n",
        "#ifdef BLOCK\n#else\n#endif\n#error never\n__global__ void k(float *p) { p[threadIdx.x] = 0; }\n",
    ],
)
def test_what_else_a_refusal_asks_for_is_left_to_the_user(
    capsys: pytest.CaptureFixture[str], project: Path, source: str
) -> None:
    (project / "a.cu").write_text(source)
    assert assumed(inspected(capsys, "a.cu")) == set()
    assert problems(capsys, "a.cu") != []


def test_a_macro_is_supposed_though_an_error_hides_what_it_would_declare(project: Path, capsys: Any) -> None:
    (project / "loops.h").write_text(
        "#ifdef WITH_CUDA\n#define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)\n#endif\n"
        "template <Device device, class T> struct Fill;\n"
    )
    (project / "b.cu").write_text(
        '#include "loops.h"\n'
        "template <class T> __global__ void fill(T *p, int n) { LOOP(i, n) { p[2 * i] = 0; } }\n"
        "template <class T> struct Fill<Device::kCUDA, T> { static void run(T *p) { fill<T><<<1, 64>>>(p, 9); } };\n"
        "template struct Fill<Device::kCUDA, float>;\n"
    )
    accesses = inspected(capsys, "b.cu")["kernels"][0]["accesses"]
    assert [access["stride"] for access in accesses] == ["8"]
    assert not any("LOOP" in message for message in problems(capsys, "b.cu"))


TILED = """\
#include "missing.h"
template <typename T> __global__ void transpose(T *out, const T *in, int n) {
    __shared__ T tile[TILE_DIM][TILE_DIM];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += THREADS_Y) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    for (int j = 0; j < TILE_DIM; j += THREADS_Y) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
"""


def diagnosed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    main(["lint", "--output-format=json", *arguments])
    return {finding["code"]: finding for finding in json.loads(capsys.readouterr().out)["diagnostics"]}


def test_the_extents_of_arrays_are_given_numbers_where_nothing_declares_them(project: Path, capsys: Any) -> None:
    (project / "b.cu").write_text(TILED)
    found = diagnosed(capsys, "b.cu")
    assert found["COA902"]["message"].endswith("supposed: THREADS_Y = 8, TILE_DIM = 32")
    assert found["COA902"]["help"].startswith("say what they are: -D THREADS_Y=N")
    column = found["COA201"]
    assert (column["line"], column["severity"], column["confidence"]) == (7, "info", "low")
    assert "takes 32 wavefronts per request" in column["message"]
    accesses = inspected(capsys, "b.cu")["kernels"][0]["accesses"]
    assert not any(access["exact"] for access in accesses)
    assert all("`TILE_DIM` is 32" in access["assumed"] for access in accesses)


def test_given_extents_count_and_none_is_supposed_where_that_is_refused(project: Path, capsys: Any) -> None:
    (project / "b.cu").write_text(TILED)
    found = diagnosed(capsys, "b.cu", "-D", "TILE_DIM=16", "-D", "THREADS_Y=8")
    assert "takes 16 wavefronts per request" in found["COA201"]["message"]
    assert "TILE_DIM" not in found["COA902"]["message"]
    refused = diagnosed(capsys, "b.cu", "-U", "TILE_DIM")
    assert "COA201" not in refused


SWITCHED = """\
#include "messages.pb.h"
__global__ void k(float *out, const float *in, int op, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (op) {
    case Op_MAX: out[i] = in[i]; break;
    case Op_SUM: out[i] = in[i * n]; break;
    case 9: out[i] = in[2 * i];
    }
}
void run(float *out, const float *in, int n) {
    k<<<64, 256>>>(out, in, Op_MAX, n);
    k<<<64, 256>>>(out, in, Op_SUM, n);
}
"""


def test_labels_of_a_switch_are_given_different_numbers(project: Path, capsys: Any) -> None:
    (project / "b.cu").write_text(SWITCHED)
    found = inspected(capsys, "b.cu")
    accesses = [access for kernel in found["kernels"] for access in kernel["accesses"]]
    assert {access["line"] for access in accesses} == {5, 6}
    assert not any(access["exact"] for access in accesses)
    assert all({"`Op_MAX` is 8", "`Op_SUM` is 10"} <= set(access["assumed"]) for access in accesses)


def test_what_is_no_extent_stays_unknown(project: Path, capsys: Any) -> None:
    (project / "b.cu").write_text(
        '#include "missing.h"\n__global__ void k(float *p) { p[blockIdx.x * BLOCK + threadIdx.x] = 0; }\n'
    )
    (access,) = inspected(capsys, "b.cu")["kernels"][0]["accesses"]
    assert not any("`BLOCK` is" in text for text in access["assumed"])


CHOICE = """\
__global__ void k(float *out, int n) { out[threadIdx.x * 8] = n; }
void run(float *out,
#if WITH_CUDA
         cudaStream_t stream) {
#elif WITH_OTHER
         otherStream_t stream) {
#endif
    k<<<4, 256, 0, stream>>>(out, 1);
}
"""


@pytest.mark.parametrize("middle", ["#elif WITH_OTHER", "#elif defined(WITH_OTHER)"])
def test_a_choice_without_an_else_is_made_by_its_first_macro(
    project: Path, capsys: pytest.CaptureFixture[str], middle: str
) -> None:
    """The text is no C++ without a choice, which any build makes."""
    (project / "b.cu").write_text(CHOICE.replace("#elif WITH_OTHER", middle))
    found = inspected(capsys, "b.cu")
    (kernel,) = found["kernels"]
    assert (kernel["launch"]["source"], kernel["launch"]["block"]) == ("launch", [256, 1, 1])
    assert "`WITH_CUDA` is defined" in assumed(found)
    assert problems(capsys, "b.cu") == []


@pytest.mark.parametrize(
    "text",
    [
        CHOICE.replace("#endif", "#else\n         int) {\n#endif").replace(", 0, stream", ""),
        "#if WITH_CUDA\n#define N 1\n#elif WITH_OTHER\n#define N 2\n#endif\n__global__ void k(int n n) {}\n",
    ],
)
def test_a_text_that_the_choice_does_not_help_is_read_without_it(
    project: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (project / "b.cu").write_text(text)
    assert assumed(inspected(capsys, "b.cu")) == set()
