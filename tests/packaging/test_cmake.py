"""The module for CMake: a real project, configured by CMake, has a target that lints with the build's own flags."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from project import program

MODULE = Path(__file__).resolve().parents[2] / "packaging" / "cmake"
KERNEL = """\
#include "width.h"
__global__ void k(float *a) { a[STEP * threadIdx.x] = WIDTH; }
void run(float *a) { k<<<1, 256>>>(a); }
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(scratch CXX)
find_package(Coalint REQUIRED)
add_library(kernels OBJECT "src/the kernel.cu" src/host.cpp)
target_include_directories(kernels PRIVATE include)
target_compile_definitions(kernels PRIVATE STEP=${STEP})
set_source_files_properties("src/the kernel.cu" PROPERTIES LANGUAGE CXX)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "src/the kernel.cu": KERNEL,
        "src/host.cpp": "int main() {}\n",
        "include/width.h": "#define WIDTH 3\n",
        "others/strided.cu": "__global__ void other(float *a) { a[7 * threadIdx.x] = 0; }\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def built(project: Path, call: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Configure the project with this call at its end, and build the target `coalint` or what the call names."""
    program("g++", package="g++")
    cmake = program("cmake", package="pip install cmake")
    (project / "CMakeLists.txt").write_text(f"{PROJECT}{call}\n")
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(folders), "COALINT_OUTPUT_FORMAT": "concise"}
    command = [cmake, "-S", str(project), "-B", str(project / "build"), f"-DCoalint_DIR={MODULE}", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        return done
    target = call.partition("(")[2].strip(")") if "NAMED" in call else "coalint"
    command = [cmake, "--build", str(project / "build"), "--target", target]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_the_target_lints_the_sources_of_a_target_with_their_flags(project: Path) -> None:
    done = built(project, "coalint_add_target(TARGETS kernels OPTIONS --arch=sm_90)", "-DSTEP=8")
    assert done.returncode != 0
    (finding,) = (line for line in done.stdout.splitlines() if "]" in line and "warning[" in line)
    assert "the kernel.cu:2:31: warning[uncoalesced-global-access]" in finding
    commands = json.loads((project / "build" / "compile_commands.json").read_text())
    assert "-DSTEP=8" in commands[0]["command"]
    assert not list((project / "build").rglob("*.o")), "nothing was compiled"


@pytest.mark.slow
def test_nothing_found_is_a_target_that_is_built(project: Path) -> None:
    done = built(project, "coalint_add_target(TARGETS kernels)", "-DSTEP=1")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_without_targets_the_source_folder_is_linted_under_the_given_name(project: Path) -> None:
    done = built(project, "coalint_add_target(NAMED)", "-DSTEP=8")
    assert {line.split(":")[0] for line in done.stdout.splitlines() if "warning[" in line} == {
        "src/the kernel.cu",
        "others/strided.cu",
    }
    done = built(project, "coalint_add_target(PATHS others)", "-DSTEP=8")
    assert {line.split(":")[0] for line in done.stdout.splitlines() if "warning[" in line} == {"others/strided.cu"}


def test_targets_without_cuda_sources_and_two_names_are_refused(project: Path) -> None:
    done = built(project, "add_library(plain OBJECT src/host.cpp)\ncoalint_add_target(TARGETS plain)", "-DSTEP=8")
    assert "have no .cu or .cuh file" in done.stderr
    assert "one name at most" in built(project, "coalint_add_target(a b)", "-DSTEP=8").stderr
