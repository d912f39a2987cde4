"""What files of one run tell one another: fragments through their includers, launches of other files, all once."""

from __future__ import annotations

import io
import json
import random
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import forked
import pytest

from coalint.cli.main import main
from coalint.engine.check.records import Source
from coalint.engine.config.settings import Settings
from coalint.engine.units.fragments import units
from coalint.engine.units.plan import plan

DOUBLED = "__global__ void doubled(REAL *out) { out[2 * threadIdx.x] = 0; }\n"
DECLARED = "#pragma once\n__global__ void add(float *out, int pitch);\n"
DEFINED = '#include "k.h"\n__global__ void add(float *out, int pitch) { out[threadIdx.x * pitch] = 0; }\n'
LAUNCH = '#include "k.h"\nvoid run(float *p) {\n  add<<<10, 96>>>(p, 8);\n}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    """`a_cu="..."` is written to `a.cu`, `sub__a_cu` to `sub/a.cu`."""
    for name, text in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def coalint(*arguments: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    assert (code in (0, 1), err.getvalue()) == (True, "")
    return out.getvalue()


def inspection(*arguments: str) -> Any:
    return json.loads(coalint("inspect", "--output-format=json", *arguments))


def kernels(*arguments: str) -> list[tuple[str, int, str, list[int], str | None]]:
    """Place, name, block and the launch's place of every kernel that `inspect` shows."""
    found = []
    for kernel in inspection(*arguments)["kernels"]:
        launch = kernel["launch"]
        place = f"{launch['file']}:{launch['line']}" if launch["source"] == "launch" else None
        found.append((kernel["file"], kernel["line"], kernel["name"], launch["block"], place))
    return found


def counted(*arguments: str) -> tuple[int, int]:
    coverage = inspection(*arguments)["coverage"]
    return coverage["kernels"], coverage["analysed"]


def planned_units() -> list[Source]:
    """What a run over the folder parses."""
    whole = plan(sorted(str(path) for path in Path().rglob("*.cu*")), Settings())
    included = [(compilation.source, compilation.includes.files) for compilation in whole.compilations]
    return units(included, lambda path: True, lambda paths: plan(paths, Settings()).sources)


def findings(*arguments: str) -> list[tuple[str, str]]:
    """Place and code of every finding, remarks of coalint's own among them."""
    report = json.loads(coalint("lint", "--output-format=json", *arguments))
    return [(f"{d['file']}:{d['line']}", d["code"]) for d in report["diagnostics"]]


# --- fragments


@pytest.mark.parametrize("name", ["part.cuh", "part.cu", "part.h", "part.inc"])
def test_a_fragment_is_analysed_with_what_its_includer_declares(name: str) -> None:
    Path(name).write_text(DOUBLED)
    write(main_cu=f'using REAL = double;\n#include "{name}"\n')
    assert findings(".") == [(f"{name}:1", "COA101")]
    assert kernels(".") == [(name, 1, "doubled", [256, 1, 1], None)]
    assert inspection(".")["kernels"][0]["accesses"][0]["bytes"] == 8
    assert counted(".") == (1, 1)


def test_templates_and_hosts_of_a_fragment_count_as_its_includers() -> None:
    part = "template <int N> __global__ void t(REAL *p) { p[threadIdx.x * N] = 0; }\n"
    write(part_cuh=part + "void run(REAL *p) { t<4><<<1, 96>>>(p); }\n" + part.replace(" t(", " u("))
    write(main_cu='using REAL = float;\n#include "part.cuh"\n')
    assert kernels(".") == [("part.cuh", 1, "t", [96, 1, 1], "part.cuh:2"), ("part.cuh", 3, "u", [256, 1, 1], None)]


@pytest.mark.parametrize("hidden", ['/*\n#include "part.cuh"\n*/\n', '#if 0\n#include "part.cuh"\n#endif\n'])
def test_a_fragment_that_is_not_included_after_all_is_analysed_alone(hidden: str) -> None:
    write(part_cuh="using REAL = float;\n" + DOUBLED, main_cu=hidden)
    assert findings(".") == [("part.cuh:2", "COA101")]
    assert counted(".") == (1, 1)


def test_a_fragment_that_nothing_includes_after_all_and_that_holds_no_kernel_is_no_gap() -> None:
    write(part_cuh="__device__ all row_of(tile t) { return t.row + lib::OFFSET; }\n")
    write(main_cu='#ifdef WIDE\n#include "part.cuh"\n#endif\n__global__ void k(float *p) { p[threadIdx.x] = 0; }\n')
    assert findings(".") == []
    assert counted(".") == (1, 1)
    assert [code for _, code in findings("part.cuh")] == ["COA902"]


@pytest.mark.slow
def test_a_kernel_that_the_includer_switches_off_is_analysed_alone_and_the_others_only_once() -> None:
    guarded = "#ifndef OFF\n__global__ void other(float *out) { out[2 * threadIdx.x] = 0; }\n#endif\n"
    write(part_cuh="#ifndef REAL\n#define REAL float\n#endif\n" + DOUBLED + guarded)
    write(main_cu='#define OFF\n#define REAL double\n#include "part.cuh"\n')
    assert [(kernel[2], kernel[1]) for kernel in kernels(".")] == [("doubled", 4), ("other", 6)]
    assert inspection(".")["kernels"][0]["accesses"][0]["bytes"] == 8
    assert findings(".") == [("part.cuh:4", "COA101"), ("part.cuh:6", "COA101")]
    assert counted(".") == (2, 2)


def test_a_header_that_many_files_include_goes_to_one_of_them() -> None:
    write(part_cuh=DOUBLED, deep_h='#include "part.cuh"\n')
    for number in range(30):
        Path(f"{number}.cu").write_text('using REAL = float;\n#include "deep.h"\n')
    planned = planned_units()
    assert len(planned) == 30
    assert [unit.fragments for unit in planned if unit.fragments] == [(str(Path("part.cuh").resolve()),)]
    assert len(kernels(".")) == 1


def test_the_includer_of_the_same_name_is_preferred_then_a_source_file_of_the_folder() -> None:
    write(lib__k_cuh="", lib__k_cu='#include "k.cuh"\n', lib__b_cu='#include "k.cuh"\n', lib__z_cuh="")
    write(a_cu='#include "lib/z.cuh"\n#include "lib/k.cuh"\n', lib__c_cu='#include "z.cuh"\n')
    planned = planned_units()
    owners = {Path(name).name: unit.path for unit in planned for name in unit.fragments}
    assert owners == {"k.cuh": "lib/k.cu", "z.cuh": "lib/c.cu"}


def test_files_that_include_one_another_are_all_checked() -> None:
    write(a_cuh='#pragma once\n#include "b.cuh"\n__global__ void a(float *p) { p[threadIdx.x] = 0; }\n')
    write(b_cuh='#pragma once\n#include "a.cuh"\n__global__ void b(float *p) { p[threadIdx.x] = 0; }\n')
    assert [kernel[2] for kernel in kernels(".")] == ["a", "b"]
    assert counted(".") == (2, 2)


def test_includes_are_found_through_the_folders_of_the_flags() -> None:
    write(inc__part_cuh=DOUBLED, src__main_cu='using REAL = float;\n#include "part.cuh"\n')
    assert findings("src", "inc", "--", "-Iinc") == [("inc/part.cuh:1", "COA101")]
    assert findings("src", "inc", "--", "-I", str(Path("inc").resolve())) == [("inc/part.cuh:1", "COA101")]


def test_a_header_outside_of_the_run_has_one_name_however_it_is_spelled() -> None:
    write(inc__part_h="__global__ void k(float *p) { p[2 * threadIdx.x] = 0; }\n")
    for number, include in enumerate(["../inc/part.h", "../src/../inc/part.h", "part.h"]):
        write(**{f"src__{number}_cu": f'#include "{include}"\nvoid run(float *p) {{ k<<<1, 96>>>(p); }}\n'})
    assert kernels("src", "--", f"-I{Path('inc').resolve()}") == [("inc/part.h", 1, "k", [96, 1, 1], "src/0.cu:2")]
    assert findings("src", "--", f"-I{Path('inc').resolve()}") == [("inc/part.h:1", "COA101")]


def test_what_a_header_lacks_is_said_once_and_not_for_each_file_that_includes_it() -> None:
    write(part_cuh='#include "nowhere.h"\n__global__ void k(float *p) { p[threadIdx.x] = 0; }\n')
    for name in "abcd":
        write(**{f"{name}_cu": '#include "part.cuh"\n'})
    assert findings(".") == [("part.cuh:1", "COA902")]


def test_one_kernel_that_macros_make_different_is_shown_for_each_of_its_meanings() -> None:
    write(part_cuh="__global__ void k(float *p) { p[STEP * threadIdx.x] = 0; }\n")
    for name, step in (("a", 2), ("b", 4), ("c", 4)):
        write(
            **{f"{name}_cu": f'#define STEP {step}\n#include "part.cuh"\nvoid run(float *p) {{ k<<<1, 96>>>(p); }}\n'}
        )
    shown = [(k["launch"]["file"], k["accesses"][0]["stride"]) for k in inspection(".")["kernels"]]
    assert shown == [("a.cu", "8"), ("b.cu", "16")]
    assert counted(".") == (1, 1)


# --- a fragment given by itself


def test_a_header_given_alone_is_analysed_through_a_file_beside_it() -> None:
    main = '#define REAL float\n#include "part.cuh"\nvoid run(float *p) { doubled<<<1, 96>>>(p); }\n'
    write(part_cuh=DOUBLED, main_cu=main + "__global__ void other(float *p) { p[2 * threadIdx.x] = 0; }\n")
    assert kernels("part.cuh") == [("part.cuh", 1, "doubled", [96, 1, 1], "main.cu:3")]
    assert findings("part.cuh") == [("part.cuh:1", "COA101")]
    assert counted("part.cuh") == (1, 1)
    absolute = str(Path("part.cuh").resolve())
    assert findings(absolute) == [(f"{absolute}:1", "COA101")]


@pytest.mark.parametrize("named", ["part.cuh", "src/part.cuh"])
def test_a_header_is_analysed_through_the_cpp_file_that_launches_its_kernels(named: str) -> None:
    Path("src").mkdir()
    main = f'#define REAL float\n#include "{named}"\nvoid run(float *p) {{ doubled<<<1, 96>>>(p); }}\n'
    Path("src/part.cuh").write_text(DOUBLED)
    Path("src/main.cpp").write_text(main)
    assert kernels(".", "-I.") == [("src/part.cuh", 1, "doubled", [96, 1, 1], "src/main.cpp:3")]
    Path("src/main.cpp").write_text(main.replace("<<<1, 96>>>", ""))  # C++ alone
    assert kernels(".", "-I.") == [("src/part.cuh", 1, "doubled", [256, 1, 1], None)]


def test_a_header_that_nothing_beside_it_includes_is_analysed_alone() -> None:
    write(part_cuh="using REAL = float;\n" + DOUBLED, other_cu="")
    assert kernels("part.cuh") == [("part.cuh", 2, "doubled", [256, 1, 1], None)]


def test_an_excluded_file_is_not_read_for_its_launches() -> None:
    write(part_cuh="using REAL = float;\n" + DOUBLED)
    write(main_cu='#include "part.cuh"\nvoid run(float *p) { doubled<<<1, 96>>>(p); }\n')
    assert kernels("part.cuh", "--exclude=main.cu") == [("part.cuh", 2, "doubled", [256, 1, 1], None)]


# --- launches of other files


@pytest.mark.slow
def test_a_kernel_is_judged_by_the_launch_of_another_file() -> None:
    write(k_h=DECLARED, a_cu=DEFINED, b_cu=LAUNCH)
    assert kernels(".") == [("a.cu", 2, "add", [96, 1, 1], "b.cu:3")]
    assert inspection(".")["kernels"][0]["launch"]["arguments"] == {"pitch": 8}
    assert inspection(".")["kernels"][0]["accesses"][0]["sectors"] == 32
    assert counted(".") == (1, 1)
    assert "basis: 96 threads (launch at b.cu:3); pitch = 8" in coalint("lint", ".")


def test_launches_of_its_own_file_and_of_others_stand_side_by_side() -> None:
    write(k_h=DECLARED, a_cu=DEFINED + "void own(float *p) { add<<<1, 64>>>(p, 4); }\n", b_cu=LAUNCH, c_cu=LAUNCH)
    assert kernels(".") == [("a.cu", 2, "add", [64, 1, 1], "a.cu:3"), ("a.cu", 2, "add", [96, 1, 1], "b.cu:3")]


def test_a_kernel_of_a_fragment_is_judged_by_the_launch_of_another_file() -> None:
    body = "__global__ void add(REAL *out, int pitch) { out[threadIdx.x * pitch] = 0; }\n"
    write(k_h=DECLARED, part_cuh=body, a_cu='#include "k.h"\n#define REAL float\n#include "part.cuh"\n', b_cu=LAUNCH)
    assert kernels(".") == [("part.cuh", 1, "add", [96, 1, 1], "b.cu:3")]


def test_an_unknown_block_in_another_file_changes_nothing() -> None:
    write(k_h=DECLARED, a_cu=DEFINED, b_cu='#include "k.h"\nvoid run(float *p, int n) { add<<<1, n>>>(p, 8); }\n')
    assert kernels(".") == [("a.cu", 2, "add", [256, 1, 1], None)]


def test_programs_side_by_side_do_not_lend_one_another_their_launches() -> None:
    for program, threads in (("one", 96), ("two", 128)):
        write(**{f"{program}__k_h": DECLARED, f"{program}__a_cu": DEFINED})
        write(**{f"{program}__b_cu": LAUNCH.replace("96", str(threads))})
    write(three__k_h=DECLARED, three__a_cu=DEFINED, four__k_h=DECLARED, four__b_cu=LAUNCH)
    blocks = {file: (block[0], place) for file, _, _, block, place in kernels(".")}
    assert blocks == {"one/a.cu": (96, "one/b.cu:3"), "two/a.cu": (128, "two/b.cu:3"), "three/a.cu": (256, None)}


def test_a_declaration_of_its_own_is_matched_within_the_folder_only_where_one_kernel_fits() -> None:
    launch = LAUNCH.replace('#include "k.h"', "__global__ void add(float *, int);")
    write(k_h=DECLARED, a_cu=DEFINED, b_cu=launch, sub__b_cu=launch.replace("96", "32"))
    assert kernels(".") == [("a.cu", 2, "add", [96, 1, 1], "b.cu:3")]
    write(c_cu=DEFINED)
    assert {place for *_, place in kernels(".")} == {None}


def test_overloads_and_static_kernels_are_told_apart() -> None:
    write(k_h=DECLARED, b_cu=LAUNCH)
    write(a_cu='#include "k.h"\n__global__ void add(double *out, int pitch) { out[threadIdx.x * pitch] = 0; }\n')
    write(c_cu="static __global__ void add(float *out, int pitch) { out[threadIdx.x * pitch] = 0; }\n")
    assert {place for *_, place in kernels(".")} == {None}


# --- the same whatever the order and the processes


@pytest.mark.slow
def test_order_of_the_files_and_number_of_processes_change_no_byte() -> None:
    write(k_h=DECLARED, a_cu=DEFINED, b_cu=LAUNCH, c_cu=LAUNCH, part_cuh=DOUBLED, lone_cuh=DOUBLED)
    helper = "__device__ float at(const float *p, int i) { return p[3 * i]; }\n"
    for name, threads in (("d", 64), ("e", 64), ("f", 128)):
        launch = f"void run(float *p) {{ doubled<<<1, {threads}>>>(p); user<<<1, 256>>>(p); }}\n"
        user = "__global__ void user(float *p) { p[threadIdx.x] = at(p, threadIdx.x); }\n"
        text = f'#define REAL float\n#include "part.cuh"\n#include "missing.h"\n#include "helper.h"\n{user}{launch}'
        write(**{f"{name}_cu": text, "helper_h": helper})
    files = sorted(str(path) for path in Path().glob("*.cu*"))
    shuffled = random.Random(4).sample(files, len(files))
    for command in (["lint"], ["lint", "--output-format=json"], ["inspect", "--output-format=json"]):
        one = forked.coalint(*command, "-j1", *files)
        two = forked.coalint(*command, "-j2", *shuffled)
        assert (one.stdout, one.stderr, one.returncode) == (two.stdout, two.stderr, two.returncode)
        assert "helper.h" in one.stdout


SWITCHED = """\
#ifdef USE_FAST
#include "not_there.h"
__global__ void fast(float *out) { out[2 * threadIdx.x] = 0; }
#else
__global__ void slow(float *out) { out[threadIdx.x] = 0; }
#endif
#if 0
__global__ void old(float *out) { out[3 * threadIdx.x] = 0; }
#endif
"""


def test_a_kernel_that_only_the_build_switches_on_is_analysed_as_though_it_did() -> None:
    write(a_cu=SWITCHED)
    found = inspection("a.cu")
    strides = {kernel["name"]: kernel["accesses"][0]["stride"] for kernel in found["kernels"]}
    assert strides == {"slow": "4", "fast": "8"}
    assumed = {kernel["name"]: kernel["accesses"][0]["assumed"] for kernel in found["kernels"]}
    assert assumed == {"slow": [], "fast": ["`USE_FAST` is defined"]}
    assert (found["coverage"]["kernels"], found["coverage"]["analysed"]) == (3, 2)


def test_what_is_switched_off_by_hand_or_by_the_build_stays_off(tmp_path: Path) -> None:
    write(a_cu=SWITCHED)
    off = inspection("a.cu", "-U", "USE_FAST")
    assert [kernel["name"] for kernel in off["kernels"]] == ["slow"]
    command = {"directory": str(tmp_path), "file": "a.cu", "arguments": ["nvcc", "-c", "a.cu"]}
    Path("compile_commands.json").write_text(json.dumps([command]))
    assert [kernel["name"] for kernel in inspection("a.cu")["kernels"]] == ["slow"]


@pytest.mark.parametrize(("factor", "severity"), [("9", "warning"), ("9 * USE_FAST", "info")])
def test_an_option_that_only_switches_code_on_lowers_no_finding_but_a_number_does(factor: str, severity: str) -> None:
    write(a_cu=f"#ifdef USE_FAST\n__global__ void k(float *p) {{ p[{factor} * threadIdx.x] = 0; }}\n#endif\n")
    (finding,) = json.loads(coalint("lint", "--output-format=json", "a.cu"))["diagnostics"]
    assert (finding["code"], finding["severity"]) == ("COA101", severity)
    kind = "switches" if severity == "warning" else "macros"
    assert finding["assumptions"][kind] == ["`USE_FAST` is defined"]


def test_a_finding_that_rests_on_a_macro_says_so() -> None:
    write(a_cu="#if defined(USE_FAST) && WIDE\n__global__ void k(float *p) { p[9 * threadIdx.x] = 0; }\n#endif\n")
    text = coalint("lint", "--fail-on=error", "--show-info", "a.cu")
    assert "`USE_FAST` is defined" in text
    assert "`WIDE` is defined" in text
    assert "COA903" not in text


@pytest.mark.parametrize(
    "source",
    [
        "#define FAST\n#undef FAST\n#ifdef FAST\n{}\n#endif\n",
        "#if FAST > 2\n{}\n#endif\n",
        "#ifdef __HIPCC__\n{}\n#endif\n",
        "#ifdef FAST\n#if 0\n{}\n#endif\n#endif\n",
        "#ifdef __CUDACC__\n#else\n{}\n#endif\n",
    ],
)
def test_no_macro_is_supposed_that_the_source_does_not_ask_for_alone(source: str) -> None:
    write(a_cu=source.format("__global__ void k(float *p) { p[threadIdx.x] = 0; }"))
    coverage = inspection("a.cu")["coverage"]
    assert (coverage["kernels"], coverage["analysed"]) == (1, 0)


FITTED = """#pragma once
#include <type_traits>
template <int N> __device__ int per_warp() {
    constexpr int share = N / 64;
    constexpr int columns = 256 / share;  // no constant for the N that is tried
    return columns;
}
template <typename T, int N> __global__ void fitted(T *out, const float *in) {
    static_assert(std::is_same_v<T, short>, "unsupported type");
    out[threadIdx.x * per_warp<N>()] = (short)in[threadIdx.x];
}
"""


def test_what_does_not_fit_guessed_arguments_is_no_error_of_the_text() -> None:
    write(fitted_cu=FITTED)
    found = json.loads(coalint("lint", "--output-format=json", "fitted.cu"))["diagnostics"]
    about = [f for f in found if f["code"].startswith("COA90")]
    assert [(f["code"], f["severity"], f["kernel"], f["line"]) for f in about] == [("COA903", "info", "fitted", 8)]
    assert "N = 8 do not fit it: static assertion failed" in about[0]["message"]
    assert "template __global__ void kernel" in about[0]["help"]


def test_guessed_arguments_are_forgotten_where_another_file_launches() -> None:
    write(
        fitted_cuh=FITTED,
        alone_cu='#include "fitted.cuh"\n',
        run_cu='#include "fitted.cuh"\nvoid run(short *p, float *q) { fitted<short, 128><<<8, 64>>>(p, q); }\n',
    )
    found = json.loads(coalint("lint", "--output-format=json", "."))
    assert {f["code"] for f in found["diagnostics"]} <= {"COA101", "COA103"}
    assert found["coverage"]["kernels"] == found["coverage"]["analysed"] == 1


def test_an_error_of_the_text_stays_one_beside_guessed_arguments() -> None:
    write(fitted_cu=FITTED + "template <typename T> __global__ void wrong(T *out) { out[threadIdx.x] = 1 +; }\n")
    found = json.loads(coalint("lint", "--output-format=json", "fitted.cu"))["diagnostics"]
    wrong = [f for f in found if f["code"] == "COA902"]
    assert [(f["severity"], f["kernel"]) for f in wrong] == [("warning", "wrong")]
