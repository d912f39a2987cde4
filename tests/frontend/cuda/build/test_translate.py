"""What of a compiler's arguments reaches libclang, what does not, and why."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from cuda_compiler import find_compiler

from coalint.frontend.cuda.build.compiler_options import Drop
from coalint.frontend.cuda.build.translation import Translation, translate, translate_flags
from coalint.frontend.cuda.libclang.parse import parse


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("inc", "inc2", "with space", "sys", "host", "build", "src"):
        (tmp_path / name).mkdir()
    (tmp_path / "src/k.cu").write_text("__global__ void k() {}\n")
    return tmp_path


def translated(command: str, folder: Path, source: str = "src/k.cu") -> Translation:
    return translate(shlex.split(command), str(folder / "build"), str(folder / source))


def dropped(translation: Translation) -> dict[str, Drop]:
    return {item.argument: item.drop for item in translation.dropped}


def test_what_cmake_writes_for_nvcc(folder: Path) -> None:
    (folder / "build/includes_CUDA.rsp").write_text(f'-I{folder}/inc -I"{folder}/with space" -isystem={folder}/sys\n')
    translation = translated(
        "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -ccbin=/usr/bin/g++ "
        '-DNAME=\\"quoted\\" -DN=4 --options-file includes_CUDA.rsp -O3 -DNDEBUG -lineinfo '
        '"--generate-code=arch=compute_80,code=[compute_80,sm_80]" -gencode arch=compute_90a,code=sm_90a -std=c++17 '
        "-Xcompiler=-fPIC -MD -MT k.cu.o -MF k.cu.o.d -x cu -rdc=true -c ../src/k.cu -o k.cu.o",
        folder,
    )
    assert translation.flags == (
        '-DNAME="quoted"',
        "-DN=4",
        f"-I{folder}/inc",
        f"-I{folder}/with space",
        "-isystem",
        f"{folder}/sys",
        "-DNDEBUG",
        "-std=c++17",
        "-D__CUDACC_RDC__",
    )
    assert translation.architectures == ("sm_80", "sm_90a")
    assert translation.device
    assert dropped(translation) == {
        "-forward-unknown-to-host-compiler": Drop.DRIVER,
        "-ccbin=/usr/bin/g++": Drop.DRIVER,
        "-O3": Drop.GENERATION,
        "-lineinfo": Drop.GENERATION,
        "-MD": Drop.OUTPUT,
        "-MT k.cu.o": Drop.OUTPUT,
        "-MF k.cu.o.d": Drop.OUTPUT,
        "-c": Drop.OUTPUT,
        "-o k.cu.o": Drop.OUTPUT,
        "-fPIC": Drop.GENERATION,
    }


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ("-D A -D=B=1 --define-macro C=2,D --define-macro=E -UF --undefine-macro G", "-DA -DB=1 -DC=2 -DD -DE -UF -UG"),
        ("'-DS=\"a,b\"' -DT=x\\\\,y", "'-DS=\"a,b\"' -DT=x,y"),
        ("-I../inc,../inc2 -I=../inc --include-path ../inc2", "-I{0}/inc -I{0}/inc2 -I{0}/inc -I{0}/inc2"),
        ("-isystem=../sys -isystem ../sys", "-isystem {0}/sys -isystem {0}/sys"),
        ("-include ../src/k.cu,b.h --pre-include=c.h", "-include {0}/src/k.cu -include b.h -include c.h"),
        ("-std c++20", "-std=c++20"),
        ("--std=c++20", "-std=c++20"),
        ("-std=c++14", ""),
        ("-Xcompiler -DH=1,-I../host,-fopenmp -DN", "-DH=1 -I{0}/host -D_OPENMP=201511 -DN"),
        ("-DN --compiler-options '-DH -Wall'", "-DH -DN"),
        ("-Xcompiler -include -Xcompiler h.h", "-include h.h"),
        ("-G -dc --extended-lambda", "-D__CUDACC_DEBUG__ -D__CUDACC_RDC__ -D__CUDACC_EXTENDED_LAMBDA__"),
        ("-rdc=false --expt-relaxed-constexpr", "-D__CUDACC_RELAXED_CONSTEXPR__"),
        ("-default-stream per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"),
        ("-Werror all-warnings -Xptxas -v,-O3 -maxrregcount 64 --use_fast_math -diag-suppress 20012,177", ""),
        ("-odir x -keep-dir y -t 4 -m 64 -O 3 -Wno-deprecated-gpu-targets -Xlinker -rpath -lcublas -L /lib", ""),
        ("-I ../nowhere", ""),
    ],
)
def test_nvcc_spellings(words: str, flags: str, folder: Path) -> None:
    translation = translated(f"nvcc {words} ../src/k.cu", folder)
    assert list(translation.flags) == shlex.split(flags.format(folder))
    assert Drop.INPUT not in dropped(translation).values(), "no value was taken for an input file"
    assert Drop.UNKNOWN not in dropped(translation).values()


@pytest.mark.parametrize(
    ("words", "architectures"),
    [
        ("-arch=sm_86", ("sm_86",)),
        ("-arch sm_90a", ("sm_90a",)),
        ("--gpu-architecture=compute_75 -code=sm_80,sm_86", ("sm_75",)),
        ("-gencode=arch=compute_70,code=sm_70 -gencode arch=compute_70,code=compute_70", ("sm_70",)),
        ("-arch=native", ()),
        ("-arch=all-major", ()),
    ],
)
def test_the_architectures_that_give_the_cuda_arch_macro(
    words: str, architectures: tuple[str, ...], folder: Path
) -> None:
    assert translated(f"nvcc {words} ../src/k.cu", folder).architectures == architectures


def test_nvcc_itself_hands_these_macros_and_folders_to_its_preprocessor(folder: Path) -> None:
    """The same command through `nvcc --dryrun`, so that the table is nvcc's and not what somebody remembers."""
    nvcc = find_compiler().nvcc
    words = (
        "-DA=1,B=2 '-DC=\"a,b\"' -D=D -UE -I../inc,../inc2 -isystem=../sys -include ../src/k.cu "
        "--expt-relaxed-constexpr --extended-lambda -rdc=true -G -default-stream per-thread -Xcompiler -DH=1,-I../host "
        "-std=c++17 --options-file args.rsp"
    )
    (folder / "build/args.rsp").write_text('-DR="q r" -DS=\\"s\\" -DT=\\\\"t\\\\" -DU=a\\ b\n')
    command = [str(nvcc), "--dryrun", *shlex.split(words), "-c", "../src/k.cu"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder / "build")
    line = next(line for line in done.stderr.splitlines() if "-D__CUDA_ARCH__=" in line)
    theirs = _gathered(shlex.split(line.removeprefix("#$ ")), folder)
    ours = _gathered(list(translated(f"nvcc {words} ../src/k.cu", folder).flags), folder)
    assert ours <= theirs
    assert {"-DB=2", '-DC="a,b"', "-DR=q r", "-DS=s", '-DT="t"', "-DU=a b", "-DH=1", "-D__CUDACC_RDC__"} <= ours


def _gathered(words: list[str], folder: Path) -> set[str]:
    """Macros and folders however they are written, folders absolute."""
    found: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word in ("-D", "-U", "-I", "-isystem", "-include"):
            word += next(rest)
        for option in ("-isystem", "-include", "-I"):
            if word.startswith(option):
                word = option + os.path.normpath(folder / "build" / word[len(option) :])
        found.add(word)
    return found


def test_clang_hipcc_and_gcc_commands(folder: Path) -> None:
    clang = translated(
        "clang++-17 -x cuda --cuda-gpu-arch=sm_70 --offload-arch=sm_90 -DX=a,b -I../inc,x -I ../inc -iquote ../src "
        "-idirafter ../sys -fms-extensions -Wall -march=native -Xclang -include -Xclang f.h -c ../src/k.cu",
        folder,
    )
    assert list(clang.flags) == shlex.split(
        f"-DX=a,b -I{folder}/inc -iquote {folder}/src -idirafter {folder}/sys -fms-extensions -include f.h"
    )
    assert clang.architectures == ("sm_70", "sm_90")
    assert clang.device
    hip = translated("/opt/rocm/bin/hipcc --offload-arch=gfx90a -DY -I../inc src.cpp", folder, "build/src.cpp")
    assert (hip.flags, hip.architectures, hip.device) == (("-DY", f"-I{folder}/inc"), (), True)
    assert dropped(hip)["--offload-arch=gfx90a"] is Drop.DEVICE
    host = translated("ccache /usr/bin/x86_64-linux-gnu-g++-12 -DZ -c host.cpp", folder, "build/host.cpp")
    assert (host.compiler, host.flags, host.device) == ("/usr/bin/x86_64-linux-gnu-g++-12", ("-DZ",), False)
    launched = translated("cmake -E env CCACHE_DIR=/x nvcc -DW ../src/k.cu", folder)
    assert (launched.compiler, launched.flags) == ("nvcc", ("-DW",))


def test_a_folder_that_holds_a_library_with_headers_of_coalints_own_is_left_out(folder: Path) -> None:
    for name in (
        "cuda/cuda_runtime_api.h",
        "cuda/driver_types.h",
        "usr/features.h",
        "usr/stdio.h",
        "torch/ATen/ATen.h",
        "compat/stdio.h",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("#error the real one\n")
    words = "nvcc -I../cuda -isystem ../usr -isystem=../torch -I../inc -I../compat ../src/k.cu"
    translation = translated(words, folder)
    assert translation.flags == (f"-I{folder}/inc", f"-I{folder}/compat")
    assert [item.reason for item in translation.dropped] == [
        f"holds {library}, for which coalint has its own headers"
        for library in ("the CUDA toolkit", "the C library", "PyTorch")
    ]
    (folder / "torch/ATen/k.cu").write_text("")
    inside = translated("nvcc -I../torch ../torch/ATen/k.cu", folder, "torch/ATen/k.cu")
    assert inside.flags == (f"-I{folder}/torch",), "the library's own sources are compiled with it"


def test_a_copy_of_a_library_in_the_repository_stays_for_what_lies_beside_it(folder: Path) -> None:
    (folder / ".git").mkdir()
    for name in ("third_party/cub/version.cuh", "toolkit/crt/host_defines.h"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("")
    translation = translated("nvcc -I../third_party -I../toolkit ../src/k.cu", folder)
    assert translation.flags == (f"-I{folder}/third_party",)


def test_a_forced_include_is_a_file_or_a_name_for_the_search_path(folder: Path) -> None:
    os.mkfifo(folder / "pipe.h")
    translation = translated("nvcc -include ../pipe.h,/dev/zero,by_name.h,../src/k.cu ../src/k.cu", folder)
    assert translation.flags == ("-include", "by_name.h", "-include", f"{folder}/src/k.cu")
    assert set(dropped(translation).values()) == {Drop.NO_FILE}


def test_response_files_nest_and_end(folder: Path) -> None:
    (folder / "build/a.rsp").write_text("-DA @b.rsp\n")
    (folder / "build/b.rsp").write_text("-DB @a.rsp\n")
    translation = translated("clang++ -x cuda @a.rsp @none.rsp ../src/k.cu", folder)
    assert set(translation.flags) == {"-DA", "-DB"}
    assert dropped(translation)["@none.rsp"] is Drop.NO_FILE


WRITES = (
    "-o {0}/out",
    "-MD -MF {0}/out",
    "-MMD",
    "-MJ {0}/out",
    "-Wp,-MD,{0}/out",
    "-Xclang -dependency-file -Xclang {0}/out -Xclang -MT -Xclang x",
    "-dependency-file {0}/out",
    "--serialize-diagnostics {0}/out",
    "-save-temps",
    "-save-temps=obj",
    "--save-temps",
    "-ftime-trace={0}/out",
    "-fcrash-diagnostics-dir={0}/out",
    "-fmodules -fmodules-cache-path={0}/out",
    "-fsave-optimization-record",
    "-foptimization-record-file={0}/out",
    "-fproc-stat-report={0}/out",
    "-header-include-file {0}/out",
    "-emit-pch",
    "-gen-reproducer",
)
LOADS = (
    "-fplugin={0}/evil.so",
    "-fplugin {0}/evil.so",
    "-fpass-plugin={0}/evil.so",
    "-Xclang -load -Xclang {0}/evil.so",
    "-Xclang -add-plugin -Xclang evil",
    "-fplugin-arg-evil-x",
    "-mllvm -load={0}/evil.so",
    "-include-pch {0}/evil.pch",
    "-fmodule-file={0}/evil.pcm",
    "-specs={0}/evil.specs",
    "-B{0}",
    "--config={0}/evil.cfg",
    "--config {0}/evil.cfg",
    "-Xpreprocessor -load -Xpreprocessor {0}/evil.so",
    "-Xarch_device -fplugin={0}/evil.so",
)


@pytest.mark.parametrize("words", [*WRITES, *LOADS])
@pytest.mark.parametrize("compiler", ["nvcc", "clang++ -x cuda"])
def test_nothing_that_writes_or_loads_code_gets_through(words: str, compiler: str, folder: Path) -> None:
    command = f"{compiler} {words.format(folder)} -DKEPT ../src/k.cu"
    translation = translated(command, folder)
    assert [flag for flag in translation.flags if flag != "-DKEPT"] == []
    assert "-DKEPT" in translation.flags, "and it takes nothing with it"
    by_host = translated(f"nvcc -Xcompiler {','.join(words.format(folder).split())} ../src/k.cu", folder)
    assert by_host.flags == ()


@pytest.mark.parametrize("words", ["-MD", "-MJ {0}/out", "-Wp,-MD,{0}/out"])
def test_libclang_itself_would_write(words: str, folder: Path) -> None:
    """Why they must not get through: without this, the test above would be about nothing."""
    before = set(folder.rglob("*"))
    parse(str(folder / "src/k.cu"), words.format(folder).split())
    assert set(folder.rglob("*")) != before


def test_flags_of_the_user_are_translated_alike(folder: Path) -> None:
    translation = translate_flags(
        ["-Iinc", "-isystem", "sys", "-DX=1,2", "--expt-relaxed-constexpr", "-O3"], str(folder)
    )
    assert translation.flags == (
        f"-I{folder}/inc",
        "-isystem",
        f"{folder}/sys",
        "-DX=1,2",
        "-D__CUDACC_RELAXED_CONSTEXPR__",
    )
    assert dropped(translation) == {"-O3": Drop.GENERATION}
