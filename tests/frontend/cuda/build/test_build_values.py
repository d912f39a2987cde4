"""The values that CMakeLists.txt files, makefiles and Python programs may give macros, read as text."""

from __future__ import annotations

import pytest

from coalint.frontend.cuda.build.build_values import values_of
from coalint.frontend.cuda.build.python_values import may_name_macros

CMAKE = """\
set(SIZES 32 64 128)
set(KINDS float double)
macro(add_one NAME SIZE KIND)
  target_compile_definitions(${NAME} PRIVATE TILE=${SIZE} REAL=${KIND} OPEN=${NOBODY})  # HIDDEN=3
endmacro()
foreach(SIZE ${SIZES})
  foreach(KIND IN LISTS KINDS)
    add_one(tiles_${SIZE} ${SIZE} ${KIND})
  endforeach()
endforeach()
if(FAST)
  add_definitions(-DSTEP=4)
else()
  add_definitions(-DSTEP=2 -DFLAG)
endif()
"""
PYTHON = """\
import os
from torch.utils.cpp_extension import load

parser.add_argument("--width", type=int, default=48)
N = 64
HEAD, TAIL = N // 2, "a"
CHUNK: int = int(os.environ.get("CHUNK", "16"))
for mode in (1, 2):
    flags = ["-O3", f"-D_N_={HEAD}", "-DMODE=" + str(mode), "-DCHUNK=%d" % CHUNK, "-DFIXED=7 -DPLAIN"]
load(name="x", sources=["x.cu"], extra_cuda_cflags=flags + ["-DW={}".format(args.width), f"-DOPEN={unknown()}"])
ext = CUDAExtension("y", ["y.cu"], define_macros=[("WITH_CUDA", None), ("BLOCK", str(N))])
print("-Done", "the option -D NAME=VALUE")
"""
MAKE = """\
SIZE ?= 16
NVCCFLAGS += -DSIZE=$(SIZE) -DOPEN=$(NOBODY) # -DCOMMENT=1
debug:
\tnvcc -DDEPTH=2 k.cu
release:
\tnvcc -DDEPTH=8 k.cu
"""


def values(name: str, text: str) -> dict[str, tuple[tuple[str, ...], str]]:
    return {macro.name: (macro.values, macro.place) for macro in values_of(name, text)}


def test_loops_functions_and_variables_of_cmake_are_followed() -> None:
    assert values("lib/CMakeLists.txt", CMAKE) == {
        "TILE": (("128", "64", "32"), "lib/CMakeLists.txt:4"),
        "REAL": (("float", "double"), "lib/CMakeLists.txt:4"),
        "STEP": (("4", "2"), "lib/CMakeLists.txt:12"),
    }


def test_what_a_python_program_passes_is_followed() -> None:
    """An option without a value makes a macro 1."""
    assert values("run.py", PYTHON) == {
        "_N_": (("32",), "run.py:9"),
        "MODE": (("2", "1"), "run.py:9"),
        "CHUNK": (("16",), "run.py:9"),
        "FIXED": (("7",), "run.py:9"),
        "PLAIN": (("1",), "run.py:9"),
        "W": (("48",), "run.py:10"),
        "WITH_CUDA": (("1",), "run.py:11"),
        "BLOCK": (("64",), "run.py:11"),
    }


def test_what_makefiles_pass_is_followed() -> None:
    assert values("Makefile", MAKE) == {
        "SIZE": (("16",), "Makefile:2"),
        "DEPTH": (("8", "2"), "Makefile:4"),
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.py", "f'-DN={"),
        ("run.py", "a = b\nb = a\nx = f'-DN={a}'\n"),
        ("CMakeLists.txt", "set(A ${B})\nset(B ${A})\nadd_definitions(-DN=${A})\n"),
        ("Makefile", "A = $(A)\nFLAGS = -DN=$(A)\n"),
        ("run.py", "x = '-DN=' + '9' * 10**9\n"),
    ],
)
def test_what_is_not_known_gives_nothing(name: str, text: str) -> None:
    assert values(name, text) == {}


def test_a_text_is_read_once_under_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place of a macro names the file, so two files with one text are two."""
    text = "x = '-DREAD_ONCE=3'\n"
    first = values("once.py", text)
    assert first == {"READ_ONCE": (("3",), "once.py:1")}
    monkeypatch.setattr("coalint.frontend.cuda.build.build_values.given_by_python", lambda _: iter(()))
    assert values("once.py", text) == first
    assert values("other.py", text) == {}
    monkeypatch.undo()
    assert values("another.py", text) == {"READ_ONCE": (("3",), "another.py:1")}


def test_a_quick_look_passes_each_program_that_gives_options() -> None:
    giving = [line for line in PYTHON.splitlines() if "-D" in line or "define_macros" in line]
    assert len(giving) == 4
    assert all(may_name_macros(line.encode()) for line in giving)
    others = "\n".join(line for line in PYTHON.splitlines() if line not in giving)
    assert values_of("setup.py", others) == ()
    assert not may_name_macros(others.encode())
