"""What a repository says of its build is read within bounds: the parent plans for all files at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from project import STRIDED, Project

from coalint.frontend.cuda.build.compile_commands import Database, read_database

ENTRY = {"directory": ".", "file": "k.cu"}
FOUND = "k.cu:3:14: warning[uncoalesced-global-access]"


def lint(project: Project, database: object) -> tuple[str, str]:
    project.put("k.cu", STRIDED)
    project.put("compile_commands.json", database if isinstance(database, str) else json.dumps(database))
    done = project.coalint("lint", "k.cu", "--output-format=concise", "-j1")
    return done.out, done.err


def test_a_database_of_too_many_values_is_left_out(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coalint.core.source.json_text.MOST_VALUES", 1000)
    out, err = lint(project, "[" + "{}," * 1000 + "{}]")
    assert out.startswith(FOUND)
    assert "is not readable JSON: it has more than 1,000 values; continuing without it" in err
    project.put("known.json", '{"schema": "x", "findings": [' + "[]," * 1000 + "[]]}")
    done = project.coalint("lint", "k.cu", "--baseline=known.json")
    assert (done.code, "it has more than 1,000 values" in done.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("nvcc " + "-DA " * 66_000, "its `command` has more than 256 KB"),
        ("nvcc " + "-DA " * 20_001, "its command has more than 20,000 words"),
        ("nvcc -Xcompiler " + ",".join(["-DA"] * 20_001), "its command has more than 20,000 words"),
        ("nvcc @a.rsp @a.rsp", "its command has more than 20,000 words"),
        ("nvcc @loop.rsp", "its command has more than 20,000 words"),
    ],
)
def test_a_command_that_no_build_gives_is_left_out(command: str, reason: str, project: Project) -> None:
    project.put("a.rsp", "-DA " * 10_001)
    project.put("loop.rsp", "@loop.rsp " * 10)
    out, err = lint(project, [{**ENTRY, "command": command}])
    assert out.startswith(FOUND)
    assert f"entry 0: {reason}; continuing without it" in err


def test_many_arguments_are_bounded_as_one_command_is(project: Project) -> None:
    out, err = lint(project, [{**ENTRY, "arguments": ["nvcc", *["-DA"] * 66_000]}])
    assert out.startswith(FOUND)
    assert "entry 0: its `arguments` has more than 256 KB; continuing without it" in err


def test_databases_that_take_too_long_are_left_out(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(self: Database, path: str) -> None:
        while True:
            path += ""

    monkeypatch.setattr(Database, "of_file", endless)
    monkeypatch.setattr("coalint.engine.units.plan.SECONDS", 0.1)
    out, err = lint(project, [{**ENTRY, "command": "nvcc -c k.cu"}])
    assert out.startswith(FOUND)
    assert "the compile commands are left out: it takes longer than 0.35 s to read them" in err


@pytest.mark.slow
def test_planning_that_takes_too_long_ends(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(file: str) -> None:
        while True:
            file += ""

    monkeypatch.setattr("coalint.frontend.cuda.build.includes.read", endless)
    monkeypatch.setattr("coalint.engine.units.plan.SECONDS", 0.1)
    project.put("k.cu", STRIDED)
    done = project.coalint("lint", "k.cu")
    assert done.code == 2
    assert "takes longer than 0.35 s to find out how the files are compiled\n  name fewer files" in done.err


def test_of_many_entries_of_a_file_the_first_are_compared(tmp_path: Path) -> None:
    path = str(tmp_path / "k.cu")
    commands = ["g++ -x c++ k.cu"] * 99 + ["nvcc -x cu k.cu"] * 2
    (tmp_path / "compile_commands.json").write_text(
        json.dumps([{**ENTRY, "directory": str(tmp_path), "command": command} for command in commands])
    )
    found = read_database(str(tmp_path)).of_file(path)
    assert [entry.index for entry in (found[0], found[-1])] == [99, 100]
    assert len(found) == 101
