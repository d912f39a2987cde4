"""`coalint verify` on exports of Nsight Compute from an H200, and on files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate
from outcomes import check

from coalint.cli.main import main
from coalint.core.facts.access import Operation, Space
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.compare import compare
from coalint.engine.verification.comparison.records import Outcome
from coalint.engine.verification.counters import Instruction, Launch

DATA = Path(__file__).resolve().parents[2] / "data"
SOURCE, EXPORT, PLAIN = DATA / "strided.cu", DATA / "strided.source.csv", DATA / "strided.sass.csv"

TEXT = """\
strided.cu:14: copy_stride_2(float *, const float *), 256 threads (launch at line 101)
  at  what              requests  predicted  counted
  16  load global 4 B        512          8  8 sectors  equal
  18  store global 4 B       512          4  4 sectors  equal

strided.cu:31: void scatter_every<(int)8>(float *, const float *), 256 threads (launch at line 103)
  at  what              requests  predicted  counted
  33  load global 4 B        512          4  4 sectors   equal
  35  store global 4 B       512         32  32 sectors  equal

strided.cu:66: count_every_eighth(int *), 256 threads (launch at line 107)
  at  what               requests  predicted  counted
  68  atomic global 4 B       512         32  32 sectors  equal

global: 40960 sectors predicted, 40960 counted
5 of 5 executed as often as predicted
5 of 5 equal
"""

NUMBER = {"type": ["number", "null"]}
SCHEMA = {
    "type": "object",
    "required": ["schema", "source", "export", "launches", "not_in_source", "totals", "outcomes"],
    "properties": {
        "schema": {"const": "coalint-verify/1"},
        "launches": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kernel", "line", "block", "block_source", "comparisons"],
                "properties": {
                    "comparisons": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "space": {"enum": ["global", "shared"]},
                                "op": {"enum": ["load", "store", "atomic"]},
                                "predicted": NUMBER,
                                "counted": NUMBER,
                                "outcome": {
                                    "enum": ["equal", "different", "unknown", "unpredicted", "uncounted"],
                                },
                            },
                            "required": ["file", "line", "space", "op", "bytes", "predicted", "counted", "outcome"],
                        },
                    }
                },
            },
        },
    },
}


def verified(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    code = main(["verify", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    try:
        code = main(["verify", *map(str, arguments)])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else -1
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    return err


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """The source with one thing different from what was profiled; its lines stay where they were."""
    text = SOURCE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "strided.cu"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.slow
def test_predictions_stand_beside_counters_line_by_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DATA)
    monkeypatch.setenv("COLUMNS", "110")
    assert verified(capsys, "strided.cu", "--ncu", "strided.source.csv") == (0, TEXT)


@pytest.mark.slow
def test_json_holds_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = verified(capsys, SOURCE, "--ncu", EXPORT, "--output-format", "json")
    value: dict[str, Any] = json.loads(out)
    validate(value, SCHEMA)
    assert code == 0
    assert value["totals"]["sectors"] == {"predicted": 40960.0, "counted": 40960}
    assert value["outcomes"]["equal"] == 5
    rows = [row for launch in value["launches"] for row in launch["comparisons"]]
    assert [(row["file"], row["line"], row["op"], row["predicted"], row["counted"]) for row in rows] == [
        ("strided.cu", 16, "load", 8.0, 8.0),
        ("strided.cu", 18, "store", 4.0, 4.0),
        ("strided.cu", 33, "load", 4.0, 4.0),
        ("strided.cu", 35, "store", 32.0, 32.0),
        ("strided.cu", 68, "atomic", 32.0, 32.0),
    ]
    assert rows[-1]["instructions"] == ["REDG.E.ADD.STRONG.GPU"]
    assert all(row["executed"] == row["predicted_executed"] == 512 for row in rows)
    assert [row["predicted_total"] for row in rows] == [row["counted_total"] for row in rows]


def test_another_number_of_executions_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = changed(tmp_path, "float value = in[2 * i];", "float value = blockIdx.x > 0 ? in[2 * i] : 0;")
    code, out = verified(capsys, source, "--ncu", EXPORT)
    assert "executed 512 times, 504 predicted" in out
    assert "4 of 5 executed as often as predicted" in out
    assert code == 0, "each request costs what was predicted"


@pytest.mark.slow
def test_another_instance_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = tmp_path / "k.csv"
    export.write_text(EXPORT.read_text(encoding="utf-8").replace("scatter_every<(int)8>", "scatter_every<(int)9>"))
    _, out = verified(capsys, SOURCE, "--ncu", export)
    assert "compared with scatter_every<8>: the instance that was profiled is not among those analysed" in out
    assert "3 of 3 executed as often as predicted" in out


@pytest.mark.slow
def test_an_export_without_source_lines_is_compared_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = verified(capsys, SOURCE, "--ncu", PLAIN)
    assert code == 0
    assert "store global 4 B       512         32  32 sectors  equal" in out
    assert "has no source lines" in out
    assert out.endswith("2 of 2 equal\n")


@pytest.mark.parametrize(
    ("old", "new", "row", "reason"),
    [
        ("in[2 * i]", "in[4 * i]", "512         16  8 sectors  different", "not explained"),
        (
            "    float value = in[2 * i];",
            "    if (threadIdx.x % 2) return; float value = in[2 * i];",
            "different",
            "32 lanes took part in a request, 16 predicted",
        ),
        (
            "    float value = in[2 * i];\n\n    out[i] = value;",
            "    float4 value = ((const float4 *)in)[i];\n\n    ((float4 *)out)[i] = value;",
            "different",
            "the compiler split accesses: 4 bytes a lane, 16 in the source",
        ),
    ],
)
def test_what_differs_is_shown_with_the_likely_reason(
    old: str, new: str, row: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = verified(capsys, changed(tmp_path, old, new), "--ncu", EXPORT)
    assert code == 1
    assert row in out
    assert reason in out


def test_accesses_that_only_one_side_has_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = verified(capsys, changed(tmp_path, "float value = in[2 * i];", "float value = i;"), "--ncu", EXPORT)
    assert code == 0
    assert "coalint sees no such access here" in out
    assert out.endswith("4 of 4 equal, 1 not seen\n")


def test_kernels_of_other_sources_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SOURCE.read_text(encoding="utf-8").replace("count_every_eighth", "count_eighths")
    source = tmp_path / "strided.cu"
    source.write_text(text, encoding="utf-8")
    code, out = verified(capsys, source, "--ncu", EXPORT)
    assert code == 0
    assert f"not in {source}: count_every_eighth(int *)\n" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("hello\n", "this is not an export of Nsight Compute's source page"),
        ("a,b,c\n1,2,3\n", "this is not an export of Nsight Compute's source page"),
        ('"ID","Process ID","Kernel Name","Section Name","Metric Name"\n', "a table of metrics per kernel"),
        ('"File Path","/k.cu"\n"Function Name","k()"\n', "the kernel k() has no instructions"),
        ('"File Path","/k.cu"\n"Function Name","k()"\n"1","x"\n', "line 3: a header row was expected"),
        (
            '"File Path","/k.cu"\n"Function Name","k()"\n"Line No","Source","Address","Source"\n',
            "line 3: no column `Instructions Executed`",
        ),
        (
            '"File Path","/k.cu"\n"Function Name","k()"\n"Line No","Source","Instructions Executed"\n',
            "line 3: no column `Address`: the page shows the source without its instructions",
        ),
    ],
)
def test_what_is_no_export_is_refused_with_a_remedy(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "k.csv"
    path.write_text(text, encoding="utf-8")
    err = refused(capsys, SOURCE, "--ncu", path)
    assert err.startswith(f"coalint: error: {path}: ")
    assert said in err
    assert "ncu --import" in err or "--section SourceCounters" in err


def test_a_binary_report_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.ncu-rep"
    path.write_bytes(b"NVR\0\1\0\0\0")
    assert "this is a binary file, not the CSV" in refused(capsys, SOURCE, "--ncu", path)


def test_an_export_of_another_program_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.cu"
    other.write_text("__global__ void fill(float *p) { p[threadIdx.x] = 1; }\n", encoding="utf-8")
    err = refused(capsys, other, "--ncu", EXPORT)
    assert "it holds the kernels copy_stride_2(float *, const float *)" in err
    assert f"{other} defines none of them" in err
    renamed = tmp_path / "renamed.cu"
    renamed.write_text(SOURCE.read_text(encoding="utf-8"), encoding="utf-8")
    assert f"its kernels come from device_atomic_functions.hpp, strided.cu, not from {renamed}" in refused(
        capsys, renamed, "--ncu", EXPORT
    )


@pytest.mark.parametrize("arguments", [[], [SOURCE, "--ncu", EXPORT, "--arch", "sm_1"], [DATA / "no.cu", "--ncu", "x"]])
def test_wrong_usage_ends_with_2(arguments: list[str | Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, *arguments).startswith("coalint: error: ")


def test_one_source_and_an_export_that_exists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--ncu" in refused(capsys, SOURCE)
    assert "takes one source" in refused(capsys, SOURCE, SOURCE, "--ncu", EXPORT)
    assert "No such file" in refused(capsys, SOURCE, "--ncu", tmp_path / "missing.csv")


def raw_page(path: Path, *launches: str) -> Path:
    header = '"ID","Kernel Name","Block Size","Grid Size"'
    rows = [f'"{n}","{kernel}","(256, 1, 1)","(64, 1, 1)"' for n, kernel in enumerate(launches)]
    path.write_text("\n".join([header, *rows, ""]))
    return path


KERNELS = ("copy_stride_2(float *, const float *)", "void scatter_every<(int)8>(float *, const float *)")


def test_the_raw_page_gives_the_grid_that_the_source_leaves_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = changed(tmp_path, "dim3 grid(N / 256), block(256);", 'dim3 grid(atoi(getenv("BLOCKS"))), block(256);')
    _, out = verified(capsys, source, "--ncu", EXPORT)
    assert "executed as often" not in out
    raw = raw_page(tmp_path / "raw.csv", *KERNELS, "count_every_eighth(int *)")
    code, out = verified(capsys, source, "--ncu", EXPORT, "--ncu-raw", raw)
    assert "5 of 5 executed as often as predicted" in out
    assert code == 0
    assert "its launches are not those of" in refused(
        capsys, source, "--ncu", EXPORT, "--ncu-raw", raw_page(raw, *KERNELS)
    )


@pytest.mark.slow
def test_the_instance_that_was_profiled_is_analysed_among_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = "    scatter_every<8><<<grid, block>>>(b, a);"
    many = "".join(f"scatter_every<{n}><<<grid, block>>>(b, a); " for n in range(1, 60))
    source = changed(tmp_path, one, many)
    export = tmp_path / "k.csv"
    for number in (8, 9, 10, 11):
        text = EXPORT.read_text(encoding="utf-8").replace("scatter_every<(int)8>", f"scatter_every<(int){number}>")
        export.write_text(text, encoding="utf-8")
        _, out = verified(capsys, source, "--ncu", export)
        assert f"scatter_every<(int){number}>" in out
        assert "is not among those analysed" not in out


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) sum += a[i] * b[32 * i + threadIdx.x];",  # 8 rows of lanes, and one
        "sum = a[blockIdx.x] * b[32 * blockIdx.x + threadIdx.x];",
    ],
)
def test_two_accesses_of_one_line_count_alike_whatever_their_lanes_depend_on(tmp_path: Path, body: str) -> None:
    source = f"__global__ void k(const float *a, const float *b, float *o, int n) {{\n float sum = 0;\n {body}\n"
    checked = check(
        tmp_path, f"{source} o[threadIdx.x] = sum; }}\nvoid run(float *a) {{ k<<<9, 64>>>(a, a, a, 3); }}\n"
    )
    inspected = [Inspected(c.analysis, c.instructions) for c in checked.checked if c.analysis is not None]
    at = ((str(tmp_path / "k.cu"), 3),)
    counted = tuple(
        Instruction(at, "LDG.E", False, Space.GLOBAL, Operation.LOAD, 4, 54, 54 * 32, 54 * sectors, 54 * sectors)
        for sectors in (1, 4)
    )
    (launch,) = compare([Launch("k(const float *, const float *, float *, int)", counted)], inspected)
    (loads,) = [c for c in launch.comparisons if c.operation is Operation.LOAD]
    assert (loads.predicted, loads.outcome) == (2.5, Outcome.EQUAL)


def test_a_load_that_finds_its_value_in_a_register_is_not_compared(tmp_path: Path) -> None:
    source = """\
__global__ void k(const float *a, float *o) {
    __shared__ float s[8];
    s[threadIdx.x & 7] = a[threadIdx.x];
    __syncthreads();
    float m = a[5];
    for (int i = 0; i < 8; ++i) if (s[i] > m) m = s[i];
    o[threadIdx.x] = m;
}
void run(float *a) { k<<<1, 32>>>(a, a); }
"""
    checked = check(tmp_path, source)
    inspected = [Inspected(c.analysis, c.instructions) for c in checked.checked if c.analysis is not None]
    at = ((str(tmp_path / "k.cu"), 6),)
    counted = (Instruction(at, "LDS.128", False, Space.SHARED, Operation.LOAD, 16, 2, 64, 4, 4),)
    (launch,) = compare([Launch("k(const float *, float *)", counted)], inspected)
    (load,) = [c for c in launch.comparisons if c.space is Space.SHARED and c.operation is Operation.LOAD]
    assert (load.outcome, load.predicted_executed) == (Outcome.EQUAL, 2)


@pytest.mark.parametrize("line", [3, 4, 5])
def test_an_instruction_of_an_asm_statement_is_in_one_of_its_lines(tmp_path: Path, line: int) -> None:
    source = """\
__global__ void k(const float *a, float *o) {
    float x;
    asm volatile("ld.global.f32 %0, [%1];"
                 : "=f"(x)
                 : "l"(a + 8 * threadIdx.x));
    o[threadIdx.x] = x;
}
void run(float *a) { k<<<1, 32>>>(a, a); }
"""
    checked = check(tmp_path, source)
    inspected = [Inspected(c.analysis, c.instructions) for c in checked.checked if c.analysis is not None]
    at = ((str(tmp_path / "k.cu"), line),)
    counted = (Instruction(at, "LDG.E", False, Space.GLOBAL, Operation.LOAD, 4, 1, 32, 32, 4),)
    (launch,) = compare([Launch("k(const float *, float *)", counted)], inspected)
    (load,) = [c for c in launch.comparisons if c.operation is Operation.LOAD]
    assert load.outcome is Outcome.EQUAL


@pytest.mark.parametrize("phase", [0, 1])
@pytest.mark.parametrize("sectors", [8, 6])  # as predicted, and where fewer lanes take part
def test_the_launch_is_the_one_whose_accesses_were_counted(tmp_path: Path, phase: int, sectors: int) -> None:
    body = "int i = threadIdx.x;\n a[i] = 1;\n if (phase == 0) b[i] = 2;\n"
    source = f"__global__ void k(float *a, float *b, int phase) {{ {body} }}\n"
    checked = check(tmp_path, f"{source}void run(float *a) {{ k<<<1, 64>>>(a, a, 1); k<<<1, 64>>>(a, a, 0); }}\n")
    inspected = [Inspected(c.analysis, c.instructions) for c in checked.checked if c.analysis is not None]
    counted = tuple(
        Instruction(
            ((str(tmp_path / "k.cu"), line),),
            "STG.E",
            False,
            Space.GLOBAL,
            Operation.STORE,
            4,
            2,
            8 * sectors,
            sectors,
            sectors,
        )
        for line in ((2, 3) if phase == 0 else (2,))
    )
    (launch,) = compare([Launch("k(float *, float *, int)", counted)], inspected)
    assert launch.analysis is not None
    assert dict(launch.analysis.specialization.arguments)["phase"] == phase
    assert {c.outcome for c in launch.comparisons} == {Outcome.EQUAL if sectors == 8 else Outcome.DIFFERENT}
