"""Where reports go: stdout, files beside it or in its place, and what is refused."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from coalint.cli.main import main
from coalint.engine.config import outputs
from coalint.engine.config.outputs import FORMATS, Output, OutputError, write

KERNEL = "__global__ void k(float *a) { a[32 * threadIdx.x] = 0; }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COALINT_OUTPUT_FORMAT", raising=False)
    (tmp_path / "k.cu").write_text(KERNEL)
    return tmp_path


def test_a_file_takes_the_place_of_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "k.cu", "--output-format", "json", "-o", "report.json"]) == 1
    assert capsys.readouterr().out == ""
    (finding,) = json.loads((folder / "report.json").read_text())["diagnostics"]
    assert finding["code"] == "COA101"


def test_reports_in_other_formats_stand_beside_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "k.cu", "-o", "sarif=x.sarif", "--output-format=concise", "--output", "gitlab=q=1.json"]) == 1
    assert capsys.readouterr().out.startswith("k.cu:1:31: warning[uncoalesced-global-access] ")
    assert json.loads((folder / "x.sarif").read_text())["version"] == "2.1.0"
    assert len(json.loads((folder / "q=1.json").read_text())) == 1


def test_a_dash_is_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "k.cu", "--output-format=concise", "-o", "-"]) == 1
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("output_format", FORMATS)
def test_each_format_is_written_when_nothing_was_found(folder: Path, output_format: str) -> None:
    (folder / "k.cu").write_text("__global__ void k(float *a) { a[threadIdx.x] = 0; }\n")
    assert main(["lint", "k.cu", "-o", f"{output_format}=out"]) == 0
    empty = (folder / "out").read_text() == ""
    assert empty == (output_format in ("concise", "jsonl", "github"))


def test_the_environment_names_the_format(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COALINT_OUTPUT_FORMAT", "github")
    assert main(["lint", "k.cu"]) == 1
    assert capsys.readouterr().out.startswith("::warning title=")
    assert main(["lint", "k.cu", "--output-format", "jsonl"]) == 1
    assert capsys.readouterr().out.startswith('{"code": "COA101"')
    monkeypatch.setenv("COALINT_OUTPUT_FORMAT", "xml")
    assert main(["lint", "k.cu"]) == 2
    assert "COALINT_OUTPUT_FORMAT: `xml` is not a valid value: one of full" in capsys.readouterr().err
    assert main(["inspect", "k.cu"]) == 0, "other commands have formats of their own"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "no/such/x.json"], "cannot be written: there is no folder "),
        (["-o", "."], "is a folder; name a file in it"),
        (["-o", "sarif="], "no file is named; write `-o sarif=FILE`"),
        (["-o", "x", "-o", "json=x"], "x is named twice"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", "k.cu", *arguments]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""
    assert os.listdir(folder) == ["k.cu"]


def test_a_report_replaces_the_old_one_in_one_step(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "report"
    file.write_text("old")
    file.chmod(0o640)
    (folder / "link").symlink_to(file)
    write("new", str(folder / "link"))
    assert file.read_text() == "new"
    assert (folder / "link").is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OutputError, match="report cannot be written: No space left on device"):
        write("newer", str(file))
    assert file.read_text() == "new"
    assert sorted(os.listdir(folder)) == ["k.cu", "link", "report"]


def test_a_new_file_has_the_permissions_that_new_files_have(folder: Path) -> None:
    write("text", "by-coalint")
    (folder / "by-hand").write_text("text")
    assert (folder / "by-coalint").stat().st_mode == (folder / "by-hand").stat().st_mode


def test_a_pipe_is_written_to_as_it_is(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append((folder / "pipe").read_text()))
    reader.start()
    write("through", "pipe")
    reader.join(timeout=60)
    assert got == ["through"]
    assert (folder / "pipe").is_fifo()


def test_statistics_count_findings_by_rule(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b.cu").write_text(KERNEL + '#include "missing.h"\n')
    assert main(["lint", ".", "--statistics"]) == 1
    assert capsys.readouterr().out == (
        "2  COA101  uncoalesced-global-access  warning\n"
        "1  COA902  translation-unit-error     info\n"
        "2 warnings, 1 info in 2 files: 2 kernels, 2 accesses (2 exact, 0 symbolic, 0 unknown)\n"
    )
    assert main(["lint", ".", "--statistics", "--output-format=json", "-o", "s.json"]) == 1
    value = json.loads((folder / "s.json").read_text())
    assert value["schema"] == "coalint-statistics/1"
    assert value["statistics"][0] == {
        "code": "COA101",
        "name": "uncoalesced-global-access",
        "severity": "warning",
        "count": 2,
    }


def test_statistics_have_few_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "k.cu", "--statistics", "-o", "sarif=x"]) == 2
    assert "--statistics has no format `sarif`: one of full, concise, json" in capsys.readouterr().err


def test_files_are_told_from_formats_by_name() -> None:
    assert outputs.outputs("full", ["a=b"]) == (Output("full", "a=b"),)
    assert outputs.outputs("full", ["json=b"]) == (Output("full"), Output("json", "b"))


@pytest.mark.parametrize(
    ("file", "configured", "expected"),
    [
        ("report.html", "full", "html"),
        ("REPORT.HTML", "concise", "html"),
        ("r.sarif", "full", "sarif"),
        ("r.json", "full", "json"),
        ("r.json", "gitlab", "gitlab"),
        ("r.xml", "full", "junit"),
        ("r.md", "json", "markdown"),
        ("r.txt", "concise", "concise"),
        ("r", "full", "full"),
    ],
)
def test_the_suffix_of_a_file_names_its_format_where_no_option_does(
    file: str, configured: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (chosen,) = outputs.outputs(configured, [file], is_named=False)
    assert chosen == Output(expected, file)
    (chosen,) = outputs.outputs(configured, [file])
    assert chosen == Output(configured, file), "an option is stronger"


def test_a_report_of_the_command_line_follows_its_suffix(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "k.cu", "-o", "report.html", "-o", "r.sarif"]) == 1
    assert capsys.readouterr().out == ""
    assert (folder / "report.html").read_text().startswith("<!doctype html>")
    assert json.loads((folder / "r.sarif").read_text())["version"] == "2.1.0"
    assert main(["lint", "k.cu", "-o", "r.sarif", "--output-format", "json"]) == 1
    assert "diagnostics" in json.loads((folder / "r.sarif").read_text())
