"""What a user sees for input that is wrong: a message with place and remedy, the rest of the run unharmed, the code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import forked
import pytest

from coalint.core import ir
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import Specialization

GOOD = """\
__global__ void strided(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[8 * i];
}
void run(float *out, const float *in) { strided<<<64, 256>>>(out, in); }
"""
FOUND = "good.cu:3:14: warning[uncoalesced-global-access]"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.cu").write_text(GOOD)
    return tmp_path


def lint(*arguments: str) -> subprocess.CompletedProcess[str]:
    return forked.coalint("lint", "--output-format=concise", *arguments)


def found(out: str, file: str) -> dict[str, list[int]]:
    """Lines of the findings of a file by rule name."""
    result: dict[str, list[int]] = {}
    for line in out.splitlines():
        place, _, rest = line.partition(": ")
        name, number, _ = place.split(":")
        if name == file:
            result.setdefault(rest.split("[")[1].split("]")[0], []).append(int(number))
    return result


def test_a_good_file_gives_one_finding_and_code_1() -> None:
    done = lint("good.cu")
    assert done.stdout.startswith(FOUND)
    assert len(done.stdout.splitlines()) == 1
    assert (done.returncode, done.stderr) == (1, "")
    assert lint("good.cu", "--fail-on=error").returncode == 0


def test_a_missing_path_is_named_and_the_rest_is_linted() -> None:
    done = lint("god.cu", "good.cu")
    assert done.returncode == 2
    assert "error: god.cu: no such file or folder\n  did you mean good.cu?" in done.stderr
    assert done.stdout.startswith(FOUND)


def test_a_folder_without_cuda_files_is_an_error(folder: Path) -> None:
    (folder / "docs").mkdir()
    done = lint("docs", "good.cu")
    assert done.returncode == 2
    assert "docs: this folder holds no CUDA or Numba files" in done.stderr
    assert done.stdout.startswith(FOUND)


def test_an_unreadable_file_is_an_error(folder: Path) -> None:
    (folder / "closed.cu").symlink_to("/proc/self/mem")  # a regular file that not even root can read from its start
    done = lint(".")
    assert done.returncode == 2
    assert "closed.cu: " in done.stderr
    assert done.stdout.startswith(FOUND)


def test_a_binary_file_is_an_error(folder: Path) -> None:
    (folder / "binary.cu").write_bytes(bytes(range(256)) * 64)
    done = lint(".")
    assert done.returncode == 2
    assert "error: binary.cu: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith(FOUND)


def test_an_empty_file_is_fine(folder: Path) -> None:
    (folder / "empty.cu").write_text("")
    assert lint("empty.cu").returncode == 0


def test_invalid_utf_8_is_read_all_the_same(folder: Path) -> None:
    (folder / "latin.cu").write_bytes(b"// gr\xfc\xdfe\n" + GOOD.replace("in[8", "/* \xfc */ in[8").encode("latin-1"))
    done = lint("latin.cu")
    assert done.returncode == 1
    assert found(done.stdout, "latin.cu") == {"uncoalesced-global-access": [4]}


def test_a_syntax_error_costs_its_kernel_only(folder: Path) -> None:
    (folder / "broken.cu").write_text("__global__ void broken(float *a) {\n    a[threadIdx.x = 1;\n}\n" + GOOD)
    done = lint("broken.cu")
    names = found(done.stdout, "broken.cu")
    assert done.returncode == 1
    assert names["uncoalesced-global-access"] == [6]
    assert names["translation-unit-error"][0] == 2


def test_an_unknown_include_alone_fails_nothing(folder: Path) -> None:
    calm = GOOD.replace("in[8 * i]", "in[i]")
    (folder / "include.cu").write_text('#include "tensor/of/a/dependency.cuh"\n' + calm)
    done = lint("include.cu")
    assert done.returncode == 0
    assert "include.cu:1:" in done.stdout
    assert "info[translation-unit-error]" in done.stdout
    assert "tensor/of/a/dependency.cuh" in done.stdout


def test_an_unknown_type_costs_its_kernel_only(folder: Path) -> None:
    (folder / "type.cu").write_text("__global__ void odd(Unheard *a) {\n    a[threadIdx.x].v = 1;\n}\n" + GOOD)
    done = lint("type.cu")
    assert found(done.stdout, "type.cu")["uncoalesced-global-access"] == [6]
    assert "Unheard" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
def test_a_thousand_errors_leave_the_kernel_among_them_analysed(folder: Path) -> None:
    errors = "".join(f"undeclared_{n} value_{n} = nothing_{n};\n" for n in range(500))
    (folder / "many.cu").write_text(errors + GOOD + errors)
    done = lint("many.cu")
    assert found(done.stdout, "many.cu")["uncoalesced-global-access"] == [503]
    assert len(done.stdout.splitlines()) <= 25, "errors are summed up, not listed"
    assert done.returncode == 1


@pytest.mark.slow
def test_a_file_of_50000_lines_is_linted(folder: Path) -> None:
    padding = "".join(f"static inline int helper_{n}(int x) {{\n    return x + {n};\n}}\n" for n in range(16_700))
    (folder / "long.cu").write_text(padding + GOOD)
    assert padding.count("\n") > 50_000
    done = lint("long.cu")
    assert found(done.stdout, "long.cu") == {"uncoalesced-global-access": [50_103]}


def lost(out: str) -> list[str]:
    """The files of which nothing was analysed, with the cause."""
    mark = ":1:1: warning[translation-unit-error] the file was not analysed: "
    return [line.replace(mark, " ") for line in out.splitlines() if mark in line]


@pytest.mark.slow
def test_a_crash_of_libclang_costs_its_file_only(folder: Path) -> None:
    (folder / "crash.cu").write_text(GOOD + "#pragma clang __debug crash\n")
    (folder / "fatal.cu").write_text(GOOD + "#pragma clang __debug llvm_fatal_error\n")
    (folder / "overflow.cu").write_text(GOOD + f"int deep = {'- ' * 500_000} 1;\n")
    done = lint(".")
    crash, *others = lost(done.stdout)
    assert crash.startswith("crash.cu libclang crashed (SIG")
    assert others == ["fatal.cu libclang crashed (SIGABRT)", "overflow.cu libclang crashed (SIGSEGV)"]
    assert FOUND in done.stdout
    assert (done.returncode, done.stderr) == (1, "")
    assert lint(".", "--fail-on=error").returncode == 0
    alone = lint("crash.cu")
    assert lost(alone.stdout) == [crash]
    assert (alone.returncode, alone.stderr) == (1, "")


def test_an_include_without_end_costs_its_file_only(folder: Path) -> None:
    """Memory without end; standard input is empty to workers."""
    (folder / "zero.cu").write_text('#include "/dev/zero"\n' + GOOD)
    (folder / "stdin.cu").write_text('#include "/dev/stdin"\n' + GOOD)
    done = lint(".", "--memory-per-file=600")
    assert lost(done.stdout) == []
    assert FOUND in done.stdout
    assert "zero.cu:4:14: warning[uncoalesced-global-access]" in done.stdout
    assert "stdin.cu:4:14: warning[uncoalesced-global-access]" in done.stdout
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.slow
def test_an_include_that_waits_for_ever_costs_its_file_only(folder: Path) -> None:
    outside = folder.with_name(f"{folder.name}-pipe")  # in the folder itself nothing waits for it
    os.mkfifo(outside)
    (folder / "pipe.h").symlink_to(outside)
    (folder / "pipe.cu").write_text('#define PIPE "pipe.h"\n#include PIPE\n' + GOOD)
    done = lint(".", "--timeout-per-file=3")
    assert lost(done.stdout) == ["pipe.cu it took longer than 3 s"]
    assert FOUND in done.stdout
    assert (done.returncode, done.stderr) == (1, "")


EFFECTS = (
    'asm(".incbin \\"pipe.h\\"");',
    '#embed "pipe.h"',
    '#pragma comment(lib, "pipe.h")',
    "#pragma clang module load pipe",
    '#pragma GCC pch_preprocess "pipe.h"',
    '#pragma include_alias("alias.h", "pipe.h")\n#include "alias.h"',
    '#line 1 "pipe.h"',
    '# 1 "pipe.h" 1 3 4',
)


def test_only_includes_are_opened_and_nothing_is_written(folder: Path) -> None:
    """A pipe that nobody writes to would hold up whoever opens it."""
    os.mkfifo(folder / "pipe.h")
    for number, effect in enumerate(EFFECTS):
        (folder / f"effect{number}.cu").write_text(f"{effect}\n{GOOD}")
    before = sorted(folder.rglob("*"))
    done = lint(".", "--timeout-per-file=20")
    assert lost(done.stdout) == []
    strided = [line for line in done.stdout.splitlines() if "warning[uncoalesced-global-access]" in line]
    assert len(strided) == len(EFFECTS) + 1
    assert sorted(folder.rglob("*")) == before


@pytest.mark.slow
def test_a_kernel_that_takes_too_long_costs_itself_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from coalint.analysis import evaluate
    from coalint.cli.main import main

    analyse = evaluate.analyse

    def slow(module: ir.Module, kernel: ir.Kernel, specialization: Specialization, **asked: Any) -> Analysis:
        while kernel.name == "runaway":
            pass
        return analyse(module, kernel, specialization, **asked)

    monkeypatch.setattr(evaluate, "analyse", slow)  # workers are forked from here
    (folder / "slow.cu").write_text("__global__ void runaway(float *x) { x[threadIdx.x] = 0; }\n" + GOOD)
    assert main(["lint", "--output-format=concise", "--timeout-per-file=4", "slow.cu"]) == 1
    out, err = capsys.readouterr()
    strided, runaway = out.splitlines()
    assert runaway == ("slow.cu:1:1: info[not-analysed] the kernel runaway was not analysed: it took longer than 1 s")
    assert strided.startswith("slow.cu:4:14: warning[uncoalesced-global-access]")
    assert err == ""


@pytest.mark.parametrize("option", ["--timeout-per-file=soon", "--memory-per-file=1.5"])
def test_a_limit_that_is_no_number_is_refused(option: str) -> None:
    done = lint("good.cu", option)
    assert (done.returncode, done.stdout) == (2, "")
    assert "0 means no limit" in done.stderr


DEEP = {
    "sum": "a[0] = " + " + ".join(["a[threadIdx.x]"] * 3000) + ";",
    "negations": "a[0] = " + "- " * 20_000 + "1;",
    "parentheses": "a[0] = " + "(" * 5000 + "1" + ")" * 5000 + ";",
    "else_if": "".join(f"if (threadIdx.x == {n}) a[{n}] = 0; else " for n in range(3000)) + ";",
    "blocks": "{" * 5000 + "}" * 5000,
    "ifs": "if (threadIdx.x) " * 3000 + "a[0] = 1;",
    "calls": "a[0] = " + "f(" * 3000 + "1" + ")" * 3000 + ";",
    "subscripts": "int n[9]; a[0] = " + "n[" * 3000 + "1" + "]" * 3000 + ";",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEEP)
def test_what_is_deeply_nested_costs_its_kernel_at_most(name: str, folder: Path) -> None:
    kernel = f"__device__ int f(int x) {{ return x; }}\n__global__ void deep(float *a) {{ {DEEP[name]} }}\n"
    (folder / "deep.cu").write_text(GOOD + kernel)
    done = lint("deep.cu")
    assert found(done.stdout, "deep.cu")["uncoalesced-global-access"][0] == 3
    assert (done.returncode, done.stderr) == (1, "")


def test_json_stays_whole_when_a_path_is_wrong() -> None:
    command = [sys.executable, "-m", "coalint", "lint", "--output-format=json", "missing.cu"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert json.loads(done.stdout)["diagnostics"] == []


def test_a_wrong_assumption_and_architecture_are_refused_before_anything_is_read() -> None:
    done = lint("good.cu", "--assume", "blockDim.x ==")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--assume: " in done.stderr
    done = lint("good.cu", "--arch", "sm_8o")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--arch: unknown architecture 'sm_8o': did you mean sm_8" in done.stderr


@pytest.mark.slow
def test_a_reader_that_stops_early_is_no_error() -> None:
    for command, code in (("inspect good.cu", 0), ("lint good.cu", 1), ("rule", 0)):
        line = f"{sys.executable} -m coalint {command} | true; exit $PIPESTATUS"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (code, "")
