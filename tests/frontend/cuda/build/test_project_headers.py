"""Headers that the flags do not find: looked for by name in the repository, and nowhere else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from coalint.cli.main import main
from coalint.engine.config.selection import Patterns
from coalint.engine.config.settings import Settings
from coalint.engine.units import discovery
from coalint.engine.units.compilation import Compilation
from coalint.engine.units.discovery import repository_root
from coalint.engine.units.plan import plan

OWN = "__global__ void k(cub::Own<float> *p) { p[threadIdx.x].t = 1; }\n"
READ = """\
__global__ void k(float *out, const float *in) { out[threadIdx.x] = in[STRIDE * threadIdx.x]; }
void run(float *out, const float *in) { k<<<64, 256>>>(out, in); }
"""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def put(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def compilation(file: str = "src/k.cu", **settings: object) -> Compilation:
    return plan([file], Settings(**settings)).compilations[0]  # type: ignore[arg-type]


def folders(file: str = "src/k.cu") -> list[str]:
    """The include folders that were added, relative to the repository."""
    return [os.path.relpath(flag[2:]) for flag in compilation(file).flags if flag.startswith("-I")]


def strides(capsys: pytest.CaptureFixture[str], *arguments: str) -> set[str]:
    assert main(["inspect", *arguments, "--output-format=json"]) == 0
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    return {access["stride"] for kernel in kernels for access in kernel["accesses"]}


# --- found


@pytest.mark.parametrize(
    ("include", "header", "folder"),
    [
        ('"kernels/stride.cuh"', "kernels/stride.cuh", "."),
        ('"project/stride.cuh"', "include/project/stride.cuh", "include"),
        ("<project/stride.cuh>", "lib/include/project/stride.cuh", "lib/include"),
        ('"stride.cuh"', "common/deep/stride.cuh", "common/deep"),
        ('"./stride.cuh"', "common/stride.cuh", "common"),
    ],
)
def test_a_header_is_found_by_the_end_of_its_path(
    include: str, header: str, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("src/k.cu", f"#include {include}\n{READ}")
    put(header, "#define STRIDE 3\n")
    assert folders() == [folder]
    assert strides(capsys, "src/k.cu") == {"4", "12"}


def test_headers_of_headers_are_found_too(capsys: pytest.CaptureFixture[str]) -> None:
    put("src/k.cu", '#include "one/a.h"\n' + READ)
    put("x/one/a.h", '#include "two/b.h"\n')
    put("y/two/b.h", "#  include <three/c.h>\n")
    put("z/three/c.h", "#define STRIDE 3\n")
    assert folders() == ["x", "y", "z"]
    assert strides(capsys, "src/k.cu") == {"4", "12"}


def test_an_include_that_the_flags_or_the_includers_folder_find_is_not_looked_for() -> None:
    put("src/k.cu", '#include "near.h"\n#include "given.h"\n' + READ)
    for name in ("src/near.h", "other/near.h", "include/given.h", "other/given.h"):
        put(name, "")
    assert compilation(flags=("-Iinclude",)).includes.located == ()


def test_of_several_the_nearest_is_taken_and_none_where_that_does_not_decide() -> None:
    put("a/src/k.cu", '#include "p/h.h"\n')
    put("b/src/k.cu", '#include "p/h.h"\n')
    put("c/k.cu", '#include "p/h.h"\n')
    put("a/include/p/h.h", "#define STRIDE 1\n")
    put("b/include/p/h.h", "#define STRIDE 2\n")
    assert folders("a/src/k.cu") == ["a/include"]
    assert folders("b/src/k.cu") == ["b/include"]
    assert folders("c/k.cu") == []
    (located,) = compilation("c/k.cu").includes.located
    assert [os.path.relpath(file) for file in located.files] == ["a/include/p/h.h", "b/include/p/h.h"]
    put("b/include/p/h.h", "#define STRIDE 1\n")
    assert folders("c/k.cu") == ["a/include"], "two copies of one text"


def test_what_an_earlier_folder_already_gives_is_taken_from_there_as_libclang_does() -> None:
    put("src/k.cu", '#include "p/a.h"\n#include "p/b.h"\n')
    for name in ("one/p/a.h", "one/p/b.h", "src/two/p/b.h"):
        put(name, "")
    assert folders() == ["one"]


# --- not found


def test_nothing_outside_the_repository_is_found(repository: Path) -> None:
    put("../outside/secret.h", "#define STRIDE 3\n")
    put("src/k.cu", '#include "outside/secret.h"\n#include "secret.h"\n#include "linked.h"\n' + READ)
    Path("src/linked").mkdir()
    Path("src/linked/linked.h").symlink_to(repository.parent / "outside/secret.h")
    Path("src/out").symlink_to(repository.parent / "outside")
    assert folders() == []


@pytest.mark.parametrize("place", [".hidden", "node_modules", "build", "ignored", "venv", "excluded"])
def test_folders_that_are_left_out_of_a_run_are_not_looked_into(place: str) -> None:
    put(".gitignore", "ignored/\n")
    put("venv/pyvenv.cfg", "")
    put("src/k.cu", '#include "p/h.h"\n')
    put(f"{place}/p/h.h", "")
    (found,) = plan(["src/k.cu"], Settings(exclude=("excluded/",))).compilations
    assert found.includes.folders == ()


def test_headers_that_coalint_brings_win_and_their_libraries_are_not_looked_for() -> None:
    put(
        "src/k.cu",
        "#include <cub/cub.cuh>\n#include <cub/agent/agent_scan.cuh>\n#include <math.h>\n#include <vector>\n",
    )
    for name in ("cub/cub.cuh", "cub/version.cuh", "cub/agent/agent_scan.cuh", "x/math.h", "x/vector"):
        put(f"third_party/{name}", "#error the real one\n")
    assert folders() == []
    put("third_party/cub/test/k.cu", "#include <cub/agent/agent_scan.cuh>\n")
    assert folders("third_party/cub/test/k.cu") == ["third_party"], "the library itself is linted"
    put("src/k.cu", '#include "json/json.h"\n')
    put("third_party/json/json.h", "")
    assert folders() == ["third_party"], "what lies beside a library is found"


@pytest.mark.slow
def test_a_repositorys_own_copy_of_a_library_serves_all_of_it_where_a_source_needs_more_than_coalint_brings() -> None:
    header = "namespace cub { template <class T> struct Own { T t; }; }\n"
    for name in ("cub/cub.cuh", "cub/util_type.cuh", "cub/agent/agent_scan.cuh"):
        put(name, "#pragma once\n" + (header if name == "cub/util_type.cuh" else ""))
    put("cub/version.cuh", "")
    put("k.cu", "#include <cub/agent/agent_scan.cuh>\n#include <cub/util_type.cuh>\n" + OWN)
    assert problems() == []
    put("k.cu", "#include <cub/util_type.cuh>\n" + OWN)
    assert problems() != [], "what coalint brings is enough, and taken"


def test_a_path_that_begins_with_the_name_of_the_folder_is_found_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("../lib/inner/own.h", "")
    put("../lib/own.h", "")
    put("../lib/k.cu", '#include "lib/inner/own.h"\n')
    (found,) = plan([str(tmp_path / "lib/k.cu")], Settings(), named=[str(tmp_path / "lib")]).compilations
    assert found.includes.folders == (str(tmp_path),)
    assert str(tmp_path / "lib/inner/own.h") in found.includes.files


def problems() -> list[str]:
    with redirect_stdout(StringIO()) as out:
        main(["lint", "k.cu", "--no-cache", "--output-format=json"])
    return [d["message"] for d in json.loads(out.getvalue())["diagnostics"] if d["code"] == "COA902"]


def test_a_quoted_include_of_a_projects_own_header_wins_over_a_bundled_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    put("src/sub/k.cu", '#include "math_functions.h"\n#include <limits.h>\n' + READ)
    put("src/math_functions.h", "#define STRIDE 3\n")
    put("src/limits.h", "#error not this one\n")
    assert strides(capsys, "src/sub/k.cu", "-Isrc") == {"4", "12"}


def test_a_toolkit_on_the_command_line_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    put("toolkit/cuda_runtime_api.h", "#error the real one\n")
    put("toolkit/driver_types.h", "#error the real one\n")
    put("src/k.cu", '#include "cuda_runtime.h"\n#include <cuda_runtime_api.h>\n#define STRIDE 3\n' + READ)
    outputs = []
    for arguments in ([], ["-Itoolkit"], ["-isystem", "toolkit"]):
        assert main(["inspect", "src/k.cu", "--output-format=json", *arguments]) == 0
        outputs.append(capsys.readouterr())
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_repository_is_listed_once_and_not_where_a_command_says_how_a_file_is_built(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("src/k.cu", '#include "near.h"\n#include <cuda_fp16.h>\n')
    put("src/near.h", "")
    command = {"directory": str(repository), "file": "src/k.cu", "arguments": ["nvcc", "-c", "src/k.cu"]}
    put("compile_commands.json", json.dumps([command]))
    listed: list[str] = []

    def every_name(root: str, exclude: Sequence[Patterns]) -> Iterator[str]:
        listed.append(root)
        return discovery.every_name(root, exclude)

    monkeypatch.setattr("coalint.engine.units.plan.every_name", every_name)
    compilation()
    assert listed == []
    put("compile_commands.json", "[]")
    put("src/k.cu", '#include "far.h"\n')
    put("src/l.cu", "")
    plan(["src/k.cu", "src/l.cu"], Settings())
    assert listed == [os.getcwd()]


# --- the root


def test_the_root_is_gits_or_the_named_folder_and_never_the_working_directory(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("src/deep/k.cu", "")
    put("../plain/a/k.cu", "")
    put("../plain/b/k.cu", "")
    plain = tmp_path / "plain"
    assert repository_root("src/deep/k.cu") == str(repository)
    assert repository_root(str(plain / "a/k.cu")) == str(plain / "a")
    assert repository_root(str(plain / "a/k.cu"), [str(plain / "a"), str(plain), str(plain / "b/k.cu")]) == str(plain)
    assert repository_root(str(plain / "a/k.cu"), [str(plain / "b")]) == str(plain / "a"), "another folder"
    assert repository_root("src/deep/k.cu", ["src/deep"]) == str(repository), "git's is wider"
    monkeypatch.chdir(plain)
    assert repository_root("a/k.cu") == str(plain / "a")
    assert repository_root("a/k.cu", ["."]) == str(plain)
    monkeypatch.setenv("HOME", str(plain))
    assert repository_root("a/k.cu", ["."]) == str(plain / "a"), "the home folder is no repository"
    assert repository_root("a/k.cu", ["/"]) == str(plain / "a")


def test_outside_of_git_a_file_by_itself_brings_nothing_of_the_folders_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put("../plain/src/k.cu", '#include "stride.h"\n' + READ)
    put("../plain/other/stride.h", "#define STRIDE 3\n")
    monkeypatch.chdir(tmp_path / "plain")
    assert main(["explain-compile", "src/k.cu"]) == 0
    assert "other" not in capsys.readouterr().out
    assert strides(capsys, ".") == {"4", "12"}
    monkeypatch.chdir("/")
    assert strides(capsys, str(tmp_path / "plain")) == {"4", "12"}


# --- findings in headers


def test_a_finding_in_a_header_is_reported_once_under_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    put("include/p/kernel.cuh", "#pragma once\n" + READ.splitlines()[0].replace("STRIDE", "8") + "\n")
    for name in ("a", "b", "c", "d"):
        put(
            f"src/{name}.cu",
            '#include "p/kernel.cuh"\nvoid run(float *out, const float *in) { k<<<64, 256>>>(out, in); }\n',
        )
    for paths in (["src"], ["."], ["src", "include/p/kernel.cuh"]):
        assert main(["lint", *paths, "--output-format=json"]) == 1
        report = json.loads(capsys.readouterr().out)
        assert [(item["file"], item["line"]) for item in report["diagnostics"]] == [("include/p/kernel.cuh", 2)]
        assert report["coverage"]["kernels"] == 1


@pytest.mark.parametrize(
    ("places", "chosen"),
    [
        (("targets/cuda", "targets/hip"), "targets/cuda"),
        (("src/HIP", "src/generic"), "src/generic"),
        (("src/generic", "src/other", "src/cuda", "src/sycl"), "src/cuda"),
        (("src/generic", "src/other"), None),
    ],
)
def test_of_headers_for_several_platforms_that_for_cuda_is_taken(places: tuple[str, ...], chosen: str | None) -> None:
    put("k.cu", '#include "device.h"\n')
    for number, place in enumerate(places):
        put(f"{place}/device.h", f"#define WHICH {number}\n")
    assert folders("k.cu") == ([chosen] if chosen else [])
