"""What CMakeLists.txt files and makefiles define for every build, and that it is a last resort."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from forked import coalint

from coalint.frontend.cuda.build.build_files import flags_of

CMAKE = """\
add_definitions(-DPLAIN -DTILE=16)  # -DCOMMENT
add_compile_definitions(WIDTH=8 "NAMED" $<$<CONFIG:Debug>:DEBUG>)
target_compile_definitions(lib PRIVATE OWN=2 PUBLIC SHARED)
if(USE_DOUBLE)
  add_definitions(-DREAL=double)
else()
  add_definitions(-DREAL=float)
endif()
if(WITH_CUDA)
  add_definitions(-DFOR_CUDA)
elseif(WITH_HIP)
  add_definitions(-DFOR_HIP)
endif()
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -DFLAG=${VALUE} -DFAST=1")
set(CMAKE_CUDA_ARCHITECTURES "35;75;90")
"""
MAKE = """\
# NVCCFLAGS += -DCOMMENT
NVCCFLAGS = -O3 -DTILE=16 \\
            -DUNIT -arch=sm_80
TEXT = -DOTHER
ifeq ($(cuda),yes)
NVCCFLAGS += -DFOR_CUDA
endif
ifdef DEBUG
CXXFLAGS += -DSLOW
else
CXXFLAGS += -DQUICK
endif
ifndef PLAIN
CXXFLAGS += -DMANNERED
else ifdef OTHER
CXXFLAGS += -DODD
endif
HERE = 1
ifdef HERE
CXXFLAGS += -DTHERE
else
CXXFLAGS += -DNOWHERE
endif
all:
\tnvcc -DIN_RECIPE $(NVCCFLAGS) k.cu
"""


@pytest.mark.parametrize(
    ("name", "text", "flags"),
    [
        (
            "CMakeLists.txt",
            CMAKE,
            "-DPLAIN -DTILE=16 -DWIDTH=8 -DNAMED -DOWN=2 -DSHARED -DFOR_CUDA -DFAST=1 -arch=sm_75 -arch=sm_90",
        ),
        ("Makefile", MAKE, "-DTILE=16 -DUNIT -DFOR_CUDA -DQUICK -DMANNERED -DIN_RECIPE -arch=sm_80"),
        ("Makefile", "A_FLAGS = -DN=1\nB_FLAGS = -DN=2 -DM\n", "-DM"),
    ],
)
def test_what_every_build_is_given(name: str, text: str, flags: str) -> None:
    assert list(flags_of([(name, text)])) == flags.split()


def test_build_files_are_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "CMakeLists.txt").write_text("add_definitions(-DTILE=16)\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cu").write_text("__global__ void k(float *p) { p[TILE * threadIdx.x] = 0; }\n")

    def seen(*options: str) -> tuple[str, bool]:
        text = coalint("explain-compile", "--output-format=json", *options, "src/k.cu").stdout
        (file,) = json.loads(text)["files"]
        return file["why"], "-DTILE=16" in file["flags"]

    assert seen() == ("build_files", True)
    command = {"directory": str(tmp_path), "file": "src/k.cu", "arguments": ["nvcc", "-c", "src/k.cu"]}
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    assert seen() == ("exact", False)
