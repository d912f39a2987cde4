"""Compilation databases: how they are found, which command a file gets, and what a broken one does."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from project import shared_headers

from coalint.cli.main import main
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.units.compilation import Compilation, Why
from coalint.engine.units.plan import plan
from coalint.engine.units.user_flags import PlanError
from coalint.frontend.cuda.build.compile_commands import DatabaseError, read_database
from coalint.machine.architecture import architecture

KERNEL = """\
__global__ void k(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[STRIDE * i];
}
void run(float *out, const float *in) { k<<<64, 256>>>(out, in); }
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one kernel whose stride the build defines, inside a folder with a database of its own."""
    root = tmp_path / "project"
    for folder in (".git", "src/deep", "include", "build/debug"):
        (root / folder).mkdir(parents=True)
    (root / "src/k.cu").write_text(KERNEL)
    monkeypatch.chdir(root)
    return root


def database(place: Path, *entries: dict[str, Any]) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    path = place / "compile_commands.json"
    path.write_text(json.dumps(list(entries)))
    return path


def entry(file: str, command: str, directory: str = ".") -> dict[str, Any]:
    return {"directory": directory, "file": file, "command": command}


def nvcc(file: str, *words: str) -> dict[str, Any]:
    return {"directory": str(Path.cwd()), "file": file, "arguments": ["nvcc", *words, "-c", file]}


def planned(file: str, **settings: Any) -> Compilation:
    done = plan([file], Settings(**settings))
    assert done.remarks == ()
    return done.compilations[0]


def stride(compilation: Compilation) -> str:
    """The macro that tells the commands of these tests apart."""
    macros = [flag for flag in compilation.flags if flag.startswith("-DSTRIDE=")]
    return macros[-1].removeprefix("-DSTRIDE=") if macros else ""


# --- found, and which command


@pytest.mark.parametrize(
    "place", [".", "src", "build", "build/debug", "build-release", "out/build/x64", "cmake-build-debug", "_build"]
)
def test_a_database_is_found_above_a_source_and_in_build_folders(place: str, project: Path) -> None:
    database(project / place, nvcc("src/k.cu", "-DSTRIDE=8"))
    found = planned("src/k.cu")
    assert (found.why, stride(found)) == (Why.EXACT, "8")
    assert found.entry is not None
    assert found.entry.database == str(project / place / "compile_commands.json")


def test_the_nearest_database_with_a_command_counts_and_none_outside_the_repository(project: Path) -> None:
    database(project.parent, nvcc("src/k.cu", "-DSTRIDE=1"))
    assert planned("src/k.cu").why is Why.NONE
    database(project / "build", nvcc("src/k.cu", "-DSTRIDE=2"))
    assert stride(planned("src/k.cu")) == "2"
    database(project, nvcc("src/other.cu", "-DSTRIDE=3"))
    assert stride(planned("src/k.cu")) == "2", "the nearer one does not know this file"
    database(project / "src", nvcc("src/k.cu", "-DSTRIDE=4"))
    assert stride(planned("src/k.cu")) == "4"


@pytest.mark.parametrize("named", ["elsewhere", "elsewhere/compile_commands.json"])
def test_a_named_database_counts_alone(named: str, project: Path) -> None:
    database(project, nvcc("src/k.cu", "-DSTRIDE=2"))
    database(project / "elsewhere", nvcc("src/k.cu", "-DSTRIDE=4"))
    assert stride(planned("src/k.cu", compile_commands=named)) == "4"


def test_a_command_with_quotes_in_a_relative_directory(project: Path) -> None:
    database(project / "build", entry("../../src/k.cu", 'nvcc -DNAME=\\"a\\ b\\" "-DX=y z" -I../../include', "debug"))
    assert planned("src/k.cu").flags == ('-DNAME="a b"', "-DX=y z", f"-I{project}/include")


def test_a_source_behind_a_symbolic_link_is_the_same_file(project: Path) -> None:
    (project / "link").symlink_to(project / "src")
    database(project, nvcc("link/k.cu", "-DSTRIDE=2"))
    assert planned("src/k.cu").why is Why.EXACT


def test_of_several_commands_the_first_for_a_gpu_counts(project: Path) -> None:
    (project / "src/k.cpp").write_text(KERNEL)
    database(
        project,
        nvcc("src/k.cpp", "-x", "c++", "-DSTRIDE=1"),
        entry("src/k.cpp", "g++ -DSTRIDE=2 -c src/k.cpp", str(project)),
        nvcc("src/k.cpp", "-x", "cu", "-DSTRIDE=3"),
        nvcc("src/k.cpp", "-x", "cu", "-DSTRIDE=4"),
    )
    found = planned("src/k.cpp")
    assert (stride(found), found.entries) == ("3", 4)
    assert found.entry is not None
    assert found.entry.index == 2


def test_a_header_takes_the_command_of_a_file_that_includes_it(project: Path) -> None:
    for name, text in {
        "src/a.cu": "",
        "src/deep/b.cu": '#include "outer.cuh"\n',
        "include/outer.cuh": '#include "inner.cuh"\n',
        "include/inner.cuh": KERNEL,
    }.items():
        (project / name).write_text(text)
    database(project, nvcc("src/a.cu", "-DSTRIDE=1"), nvcc("src/deep/b.cu", "-DSTRIDE=2", "-Iinclude"))
    found = planned("include/inner.cuh")
    assert (found.why, stride(found)) == (Why.INCLUDER, "2")


def test_a_file_without_a_command_takes_that_of_the_nearest_file_for_a_gpu(project: Path) -> None:
    for name in ("src/a.cu", "src/deep/b.cu", "src/deep/new.cu", "src/deep/host.cpp"):
        (project / name).write_text("")
    database(
        project,
        nvcc("src/a.cu", "-DSTRIDE=1"),
        entry("src/deep/host.cpp", "g++ -DSTRIDE=2 -c src/deep/host.cpp", str(project)),
        nvcc("src/deep/b.cu", "-DSTRIDE=3"),
    )
    found = planned("src/deep/new.cu")
    assert (found.why, stride(found)) == (Why.SIBLING, "3")


# --- the user's flags beside it


def test_the_users_macros_and_standard_win_and_its_folders_come_first(project: Path) -> None:
    (project / "mine").mkdir()
    database(project, nvcc("src/k.cu", "-DSTRIDE=1", "-Iinclude", "-std=c++17"))
    flags = planned("src/k.cu", flags=("-Imine", "-DSTRIDE=2", "-std=c++20")).flags
    assert flags == (
        f"-I{project}/mine",
        "-DSTRIDE=1",
        f"-I{project}/include",
        "-DSTRIDE=2",
        "-std=c++20",
    )


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("-fplugin=./evil.so",), "would make the compiler load code"),
        (("-Xclang", "-load", "-Xclang", "evil.so"), "would make the compiler load code"),
        (("-o", "out.o"), "coalint writes none"),
        (("-MD",), "coalint writes none"),
        (("-save-temps",), "coalint writes none"),
        (("-fmodules-cache-path=x",), "coalint writes none"),
        (("@more.rsp",), "is not a file that may be read"),
        (("--config=x",), "how the compiler runs"),
        (("other.cu",), "is an input file"),
        (("--what",), "is not known to coalint"),
        (("-std=c99",), "is no C++ standard"),
    ],
)
def test_flags_that_write_load_or_mean_nothing_are_refused(
    flags: Sequence[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PlanError, match=said.replace("+", "\\+")):
        plan(["src/k.cu"], Settings(flags=tuple(flags)))
    before = set(Path.cwd().rglob("*"))
    assert main(["lint", "src/k.cu", "--", *flags]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("coalint: error: the flag `")
    assert said in err
    assert set(Path.cwd().rglob("*")) == before


def test_a_folder_of_the_user_that_does_not_exist_is_a_warning() -> None:
    done = plan(["src/k.cu"], Settings(flags=("-Inowhere",)))
    assert done.remarks == (f"-I {Path.cwd()}/nowhere: there is no such folder",)


# --- the GPU


def arch_macro(compilation: Compilation) -> str:
    macros = [flag for flag in compilation.flags if flag.startswith("-D__CUDA_ARCH__=")]
    return macros[0].removeprefix("-D__CUDA_ARCH__=") if macros else "800"


@pytest.mark.parametrize(
    ("words", "arch", "macro", "counted"),
    [
        ((), None, "800", None),
        ((), "sm_90", "900", None),
        (("-arch=sm_90",), None, "900", "sm_90"),
        (("-arch=sm_70", "-gencode", "arch=compute_80,code=sm_80", "-arch=sm_90"), None, "800", "sm_80"),
        (("-arch=sm_70", "-arch=sm_75"), None, "750", "sm_75"),
        (("-arch=sm_70", "-arch=sm_90"), "sm_86", "700", None),
        (("-arch=sm_90",), "sm_86", "860", None),
        (("-arch=native",), None, "800", None),
        (("-arch=sm_120",), None, "1200", "sm_120"),
        (("-arch=sm_990",), None, "9900", None),
    ],
)
def test_the_gpu_is_the_users_else_the_commands(
    words: tuple[str, ...], arch: str | None, macro: str, counted: str | None, project: Path
) -> None:
    database(project, nvcc("src/k.cu", *words))
    found = planned("src/k.cu", arch=arch)
    assert (arch_macro(found), found.architecture) == (macro, counted)


def test_the_cuda_arch_macro_reaches_the_preprocessor(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src/k.cu").write_text(
        "#if __CUDA_ARCH__ == 1000 && defined(__CUDA_ARCH_FEAT_SM100_ALL)\n#define STRIDE 4\n#endif\n" + KERNEL
    )
    database(project, nvcc("src/k.cu", "-arch=sm_100a"))
    assert main(["inspect", "src/k.cu", "--output-format=json"]) == 0
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert {access["stride"] for access in kernel["accesses"]} == {"4", "16"}


def test_the_gpu_of_a_file_decides_over_its_own_findings_only(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An exit before a barrier is undefined before compute capability 7.0, and harmless since."""
    text = (
        "__global__ void k(float *a, int n) {\n    if (threadIdx.x >= n) return;\n    __syncthreads();\n"
        "    a[threadIdx.x] = 1;\n}\nvoid run(float *a, int n) { k<<<1, 256>>>(a, n); }\n"
    )
    for name in ("old", "new"):
        (project / f"src/{name}.cu").write_text(text)
    database(project, nvcc("src/old.cu", "-arch=sm_60"), nvcc("src/new.cu", "-arch=sm_70"))
    main(["lint", "src/old.cu", "src/new.cu", "--output-format=json"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    severities = {item["file"]: item["severity"] for item in found if item["name"] == "barrier-after-exit"}
    assert severities == {"src/old.cu": "error", "src/new.cu": "info"}


# --- through the whole run


def test_the_builds_macros_reach_the_analysis(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "src/k.cu", "--output-format=concise"]) == 0
    assert "STRIDE" in capsys.readouterr().out, "without the command the stride is not declared"
    database(project / "build", nvcc("src/k.cu", "-DSTRIDE=1"))
    assert main(["lint", "src/k.cu"]) == 0
    database(project / "build", nvcc("src/k.cu", "-DSTRIDE=8"))
    assert main(["lint", "src/k.cu", "--output-format=concise"]) == 1
    assert "uncoalesced-global-access" in capsys.readouterr().out


def test_a_pickled_source_gives_the_same_in_another_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (project / "include/stride.h").write_text("#define STRIDE 8\n")
    (project / "src/k.cu").write_text('#include "stride.h"\n' + KERNEL)
    database(project / "build", entry("../src/k.cu", "nvcc -I../include", "."))
    source: Source = pickle.loads(pickle.dumps(planned(str(project / "src/k.cu")).source))
    monkeypatch.chdir(tmp_path)
    result = check_file(source, Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    assert [access.stride for access in kernel.analysis.accesses] == ["32", "4"]


# --- broken ones

BROKEN = (
    (b"{", ":1:2: is not valid JSON: "),
    (b"", ":1:1: is not valid JSON: "),
    (b"{}", ": holds no list of entries but an object"),
    (b"[1]", ": entry 0: is a number, not an object"),
    (b'[{"file": "k.cu", "command": "nvcc"}]', ": entry 0: its `directory` is missing"),
    (b'[{"directory": "/", "command": "nvcc"}]', ": entry 0: its `file` is missing"),
    (b'[{"directory": "/", "file": 3, "command": "nvcc"}]', ": entry 0: its `file` is a number"),
    (b'[{"directory": "/", "file": "k.cu"}]', ": entry 0: its `command` is missing"),
    (b'[{"directory": "/", "file": "k.cu", "arguments": "nvcc"}]', ": entry 0: its `arguments` is a string"),
    ("[]".encode("utf-16"), ": is not UTF-8"),
    (b'[{"directory": "\xff"}]', ": is not UTF-8"),
    (b"[" * 200_000, ": is not readable JSON"),
)


@pytest.mark.parametrize(("data", "said"), BROKEN)
def test_a_broken_database_that_is_named_ends_the_run_and_one_that_is_found_does_not(
    data: bytes, said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "compile_commands.json").write_bytes(data)
    assert main(["lint", "src/k.cu", "-p", "."]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 2)
    assert err.startswith(f"coalint: error: -p ./compile_commands.json{said}")
    assert main(["lint", "src/k.cu", "-DSTRIDE=1"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith(f"coalint: warning: {project}/compile_commands.json{said}")
    assert "; continuing without it\n" in err
    assert err.count("warning") == 1
    assert "1 kernel" in out


def test_a_byte_order_mark_is_forgiven(project: Path) -> None:
    (project / "compile_commands.json").write_bytes("\ufeff[]".encode())
    assert planned("src/k.cu").why is Why.NONE


def test_a_command_whose_quotes_do_not_match(project: Path) -> None:
    database(project, entry("src/k.cu", 'nvcc -DX="a', str(project)))
    done = plan(["src/k.cu"], Settings())
    assert done.compilations[0].why is Why.NONE
    assert "entry 0: its command cannot be split: No closing quotation; continuing without it" in done.remarks[0]
    with pytest.raises(PlanError, match="entry 0: its command cannot be split"):
        plan(["src/k.cu"], Settings(compile_commands="."))


def test_what_is_no_database_at_all(project: Path) -> None:
    for place, said in {
        "nowhere": "no such file or folder",
        "src": "there is no compile_commands.json in this",
    }.items():
        with pytest.raises(PlanError, match=said):
            plan(["src/k.cu"], Settings(compile_commands=place))


def test_a_gigantic_database_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = database(project)
    with path.open("ab") as file:
        file.truncate(257 << 20)
    with pytest.raises(DatabaseError, match="257 MB, more than the 256 MB that coalint reads"):
        read_database(str(path))


def test_a_response_file_is_read_beside_the_database_only(project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("-DSTRIDE=9\n")
    (project / "build/near.rsp").write_text("-DSTRIDE=7\n")
    database(project / "build", entry("../src/k.cu", f"nvcc @../../secret @{tmp_path}/secret @near.rsp"))
    found = planned("src/k.cu")
    assert [flag for flag in found.flags if "STRIDE" in flag] == ["-DSTRIDE=7"]
    assert [item.argument for item in found.dropped] == ["@../../secret", f"@{tmp_path}/secret"]
