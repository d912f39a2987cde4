"""`coalint show`: what is drawn of a line, as text, JSON and SVG, and what is said where nothing can be."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from amounts import half
from shown_kernels import KERNELS, line, maps, refused, shown

from coalint.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "k.cu").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return "k.cu"


# --- the terminal


def test_a_strided_load_is_drawn_cell_by_cell(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, f"{kernels}:3:14")
    rows = [row for row in text.splitlines() if re.match(r" +[+-]\d+ \|", row)]
    assert rows == [
        "       +0 |00..01..02..03..|04..05..06..07..|08..09..10..11..|12..13..14..15..|",
        "     +128 |16..17..18..19..|20..21..22..23..|24..25..26..27..|28..29..30..31..|",
    ]
    assert "8 sectors in 2 lines (ideal: 4); 128 of 256 bytes used (50 %)" in text
    assert "Neighbouring lanes are 8 bytes apart" in text
    assert "warp 0 of 2, threads (0,0,0) to (31,0,0)" in text


@pytest.mark.slow
def test_a_map_says_what_the_whole_launch_makes_of_the_access(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "the launch executes it 8 times: 64 sectors, 32 in excess (100% of the" in shown(capsys, f"{kernels}:3:14")
    (drawn,) = maps(capsys, f"{kernels}:{line('s[threadIdx.x][i]')}")
    assert [drawn[key] for key in ("executed", "launch_cost", "launch_excess")] == [2, 64.0, 56.0], (
        "nvcc unrolls: two STS.128"
    )
    (one,) = maps(capsys, f"{kernels}:{line('s[threadIdx.x][i]')}", "--iteration", "i=3")
    assert one["executed"] is None, "an iteration is drawn, the launch makes them all"
    (open_,) = maps(capsys, f"{kernels}:{line('a[threadIdx.x * pitch]')}")
    assert open_["executed"] is None, "a number that is assumed for the picture counts nothing"


def test_a_column_is_one_bank_in_wavefront_after_wavefront(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, f"{kernels}:{line('s[threadIdx.x][i]')}", "--iteration", "i=3")
    rows = [row for row in text.splitlines() if re.match(r" +\d+ \|", row)]
    assert len(rows) == 32
    assert rows[5] == f"        6 |{'..' * 3}05{'..' * 4}|{'..' * 8}|{'..' * 8}|{'..' * 8}|"
    assert "32 wavefronts (ideal: 1); a 32-way bank conflict" in text
    assert "All 32 lanes need different words of bank 3" in text
    assert "iteration 3 of the loop over i" in text


@pytest.mark.slow
@pytest.mark.parametrize("color", ["never", "always"])
@pytest.mark.parametrize("width", [80, 106, 107, 110])
def test_nothing_is_wider_than_the_terminal_and_colour_adds_no_text(
    color: str, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    place = f"{FIXTURES.relative_to(ROOT)}/shared-bank-conflict/widths.cu:70"
    monkeypatch.chdir(ROOT)
    text = shown(capsys, place, "--color", color, "--lanes", "all")
    assert ("\x1b[" in text) == (color == "always")
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert [row for row in plain.splitlines() if len(row) > width] == []
    cell = "00 -- -- -- .. .. .. .." if width >= 107 else "00------........"
    assert f"1 |{cell}|" in plain


def test_no_color_is_honoured(
    kernels: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shown(capsys, f"{kernels}:3")


@pytest.mark.slow
def test_all_accesses_of_a_line_are_drawn_and_a_column_picks_one(
    kernels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [(m["op"], m["column"]) for m in maps(capsys, f"{kernels}:3")] == [("load", 14), ("store", 5)]
    assert [m["op"] for m in maps(capsys, f"{kernels}:3:6")] == ["store"]
    assert [m["op"] for m in maps(capsys, f"{kernels}:3:20")] == ["load"]


def test_a_load_and_a_store_of_one_place_are_one_picture(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, f"{kernels}:{line('s[0][threadIdx.x] +=')}:13")
    assert "load and store of 4 bytes per lane in shared memory" in text
    assert text.count("wavefront |bank") == 1


def test_the_pieces_of_a_struct_are_one_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "struct P { float x, y, z; };\n"
        "__global__ void k(P *p, const P *q) {\n"
        "    p[threadIdx.x] = q[threadIdx.x];\n"
        "}\n"
        "void run(P *p) { k<<<1, 64>>>(p, p); }\n"
    )
    load, store = maps(capsys, f"{file}:3")
    assert (load["op"], load["piece"], load["further"]) == ("load", [1, 3], [[2, 3], [3, 3]])
    assert (store["op"], store["further"], store["map"]["sectors"]) == ("store", [[2, 3], [3, 3]], 12)
    assert "Instructions 2 to 3 move the same pattern, each 4 bytes further on" in shown(capsys, f"{file}:3")


def test_lanes_are_listed_one_by_one(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, f"{kernels}:3:14", "--lanes", "0-1,31", "--warp", "1")
    rows = text[text.index("lane  thread") :].splitlines()
    assert [row.split() for row in rows] == [
        ["lane", "thread", "byte", "line", "sector"],
        ["0", "32,0,0", "+256", "+256", "0"],
        ["1", "33,0,0", "+264", "+256", "0"],
        ["31", "63,0,0", "+504", "+384", "3"],
    ]
    shared = shown(capsys, f"{kernels}:{line('s[threadIdx.x][i]')}", "--lanes", "2")
    assert shared.splitlines()[-1].split() == ["2", "2,0,0", "+256", "+64", "0", "3"]


@pytest.mark.slow
def test_lanes_that_overlap_name_the_first_of_each_cell(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    text = shown(capsys, "fixtures/misaligned-vector-access/views.cu:9:14")
    assert "+0 |00------01020304|0506070809101112|1314151617181920|2122232425262728|" in text
    assert "+128 |293031..........|" in text
    assert "Lanes begin at no multiple of 16 bytes" in text


# --- warps, iterations, numbers, shapes


@pytest.mark.slow
def test_an_iteration_is_chosen_by_its_number(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = f"{kernels}:{line('s[0][threadIdx.x] +=')}:35"
    for iteration in range(5):
        (found,) = maps(capsys, place, "--iteration", f"step={iteration}")
        taking_part = [lane["lane"] for lane in found["map"]["lanes"] if lane["offset"] is not None]
        assert taking_part == list(range(0, 32, 2 << iteration))
        assert [lane["offset"] for lane in found["map"]["lanes"] if lane["lane"] == 0] == [4 << iteration]
        assert f"iteration {iteration} of the loop over step (step = {1 << iteration})" in " ".join(
            shown(capsys, place, "--iteration", f"step={iteration}").split()
        )


@pytest.mark.slow
def test_a_pitch_without_a_number_gets_one_and_that_is_said(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = f"{kernels}:{line('a[threadIdx.x * pitch]')}"
    text = " ".join(shown(capsys, place).split())
    assert "pitch = 1024 was used, since nothing gives its value: choose one with --let pitch=N" in text
    assert "32 sectors in 32 lines" in text
    shared = " ".join(shown(capsys, f"{kernels}:{line('s[threadIdx.x * pitch]')}").split())
    assert "pitch = 32 was used" in shared
    assert "32 wavefronts" in shared


def test_a_number_of_ones_own_takes_the_place_of_the_default(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = maps(capsys, f"{kernels}:{line('s[threadIdx.x * pitch]')}", "--let", "pitch=33")
    assert (found["defaults"], found["map"]["wavefronts"], found["launch"]["arguments"]["pitch"]) == ({}, 1, 33)
    (found,) = maps(capsys, f"{kernels}:{line('a[threadIdx.x * pitch]')}", "--let", "pitch=1", "--let", "n=20")
    assert found["map"]["sectors"] == 3
    assert sum(lane["offset"] is not None for lane in found["map"]["lanes"]) == 20


def test_a_member_and_the_number_of_the_block_can_be_given(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = maps(capsys, f"{kernels}:{line('rows.data[threadIdx.x')}", "--let", "rows.pitch=2")
    assert found["map"]["sectors"] == 8
    (found,) = maps(capsys, f"{kernels}:3:14", "--iteration", "blockIdx.x=3")
    assert found["map"]["lanes"][0]["offset"] == 3 * 64 * 8


def test_a_shape_takes_the_place_of_the_launchs(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, f"{kernels}:3:14", "--block", "16,4")
    assert "strided, 16x4 threads (from --block)" in text
    assert "threads (0,0,0) to (15,1,0)" in text


@pytest.mark.slow
def test_one_of_several_instances_is_drawn_and_the_others_named(
    kernels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = f"{kernels}:{line('a[threadIdx.x] = T(0)')}"
    text = shown(capsys, place)
    assert text.startswith("filled<double>, 64 threads")
    assert "  filled<float>, 32 threads (launch at line" in text
    assert shown(capsys, place, "--kernel", "float").startswith("filled<float>")
    error = refused(capsys, place, "--kernel", "half")
    assert "no kernel at k.cu:30 has `half` in its title; there are\n  filled<double>" in error


# --- what cannot be drawn, and errors


def test_what_is_not_known_says_why(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = maps(capsys, f"{kernels}:{line('a[index[threadIdx.x]]')}")
    assert [(m["op"], m["unknown"], m["map"] is None) for m in found] == [
        ("load", None, False),
        ("store", "index loaded from memory (`index[threadIdx.x]`)", True),
    ]
    assert "Not drawn: index loaded from memory" in shown(capsys, f"{kernels}:{line('a[index[threadIdx.x]]')}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["k.cu"], "k.cu: which line? write k.cu:LINE"),
        (["k.cu:4"], "there is no access here; the nearest that have one: lines 3, 9 and 10"),
        (["k.cu:20"], "this is a barrier, which has no map; the nearest that have one: lines 16, 19 and 21"),
        (["k.cu:3:1"], "k.cu:3:1: there is no access at that place; those of the line begin at columns 5, 14"),
        (["k.cu:3", "--warp", "2"], "--warp 2: a block of 64 threads has warps 0 to 1"),
        (["k.cu:3", "--iteration", "i=1"], "--iteration i=1: no loop over `i` is around k.cu:3"),
        (["k.cu:16", "--iteration", "i=8"], "the iterations of `i` count from 0 to 7"),
        (["k.cu:3", "--iteration", "blockIdx.x=4"], "the blocks of `blockIdx.x` count from 0 to 3"),
        (["k.cu:9", "--let", "ptich=4"], "nothing at k.cu:9 has that name; did you mean `pitch`?"),
        (["missing.cu:3"], "missing.cu"),
        ([".:3"], ".:3: . is a folder; name one file of it"),
    ],
)
def test_errors_say_where_and_what_to_do(
    arguments: list[str], message: str, kernels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--let", "pitch"], "`pitch` is not NAME=NUMBER, such as pitch=100"),
        (["--block", "64,64"], "a block has 1024 threads at most, not 4096"),
        (["--block", "0,1"], "is not a block shape"),
        (["--lanes", "0-40"], "is neither a list of lanes from 0 to 31"),
        (["--warp", "-1"], "`-1` is not a warp number"),
        (["--output-format", "png"], "`png` is not a valid value"),
    ],
)
def test_options_that_are_wrong_are_refused(
    arguments: list[str], message: str, kernels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["show", "k.cu:3", *arguments])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_a_kernel_that_was_not_analysed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cu").write_text("__global__ void k(float *a) {\n    goto *&&here;\nhere:\n    a[0] = 1;\n}\n")
    assert "there is no access here, nor anywhere in an analysed kernel" in refused(capsys, "k.cu:4")


@pytest.mark.slow
def test_settings_are_those_of_the_file(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("coalint.toml").write_text('arch = "sm_35"\n')
    (found,) = maps(capsys, f"{kernels}:3:14")
    assert found["map"]["sectors"] == 8
    (found,) = maps(capsys, f"{kernels}:{line('rows.data[threadIdx.x')}", "--let", "rows.pitch=32")
    assert found["map"]["sectors"] == 32
    load = f"{kernels}:{line('a[index[threadIdx.x]]')}:7"
    assert json.loads(shown(capsys, load, "--output-format", "json"))["arch"] == "sm_35"


# --- files, JSON, SVG


def test_files_are_written_as_their_suffix_says(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, f"{kernels}:3", "-o", "map.svg", "-o", "map.json", "-o", "map.txt") == ""
    assert Path("map.svg").read_text().startswith("<svg ")
    assert json.loads(Path("map.json").read_text())["schema"] == "coalint-show/1"
    assert "8 sectors in 2 lines" in Path("map.txt").read_text()
    assert shown(capsys, f"{kernels}:3", "--svg") == Path("map.svg").read_text()
    assert "map.svg cannot be written" in refused(capsys, f"{kernels}:3", "-o", "none/map.svg")


def test_the_json_has_every_lane_sector_and_total(kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(shown(capsys, f"{kernels}:3:14", "--output-format", "json"))
    assert {key: value[key] for key in ("schema", "file", "line", "column", "given", "others")} == {
        "schema": "coalint-show/1",
        "file": "k.cu",
        "line": 3,
        "column": 14,
        "given": {},
        "others": [],
    }
    drawn = value["maps"][0]["map"]
    assert (drawn["sectors"], drawn["sectors_ideal"], drawn["bytes_used"], drawn["bytes_moved"]) == (8, 4, 128, 256)
    assert drawn["lanes"][3] == {"lane": 3, "thread": [3, 0, 0], "offset": 24, "group": 0}
    assert [sector["offset"] for part in drawn["lines"] for sector in part["sectors"]] == list(range(0, 256, 32))
    assert drawn["lines"][0]["sectors"][1]["uses"][0] == {"lane": 4, "begin": 0, "bytes": 4}
    assert drawn["served"] == []


SVG = "{http://www.w3.org/2000/svg}"


def places() -> list[str]:
    """A line of every fixture that has an access to draw."""
    found = []
    for file in sorted(FIXTURES.glob("*/*.cu")):
        for number, text in enumerate(file.read_text().splitlines(), 1):
            if re.search(r"reveal: .*(sectors|wavefronts)=(?!4/4|1/1)", text):
                found.append(f"{file.relative_to(ROOT)}:{number}")
                break
    return found


@pytest.mark.slow
@pytest.mark.parametrize("place", half(places()))
def test_pictures_are_well_formed_and_nothing_leaves_them(
    place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    root = ElementTree.fromstring(shown(capsys, place, "--svg"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.find(f"{SVG}title") is not None
    description = root.findtext(f"{SVG}desc") or ""
    assert re.search(r"\d+ (sector|wavefront)s?", description)
    for box in root.iter(f"{SVG}rect"):
        left, top = float(box.attrib.get("x", 0)), float(box.attrib.get("y", 0))
        assert left >= 0
        assert left + float(box.attrib["width"]) <= width
        assert top + float(box.attrib["height"]) <= height
    for text in root.iter(f"{SVG}text"):
        x, y, size = float(text.attrib["x"]), float(text.attrib["y"]), 7.3 * len(text.text or "")
        begin = x - {"middle": size / 2, "end": size}.get(text.attrib.get("text-anchor", ""), 0)
        assert begin >= 0, text.text
        assert begin + size <= width, text.text
        assert 10 <= y <= height
    assert not re.search(r"(href|url\(|<script)", ElementTree.tostring(root, encoding="unicode"))
