"""What the command line says to what it does not have: its own name for it, or where that is to be found."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from coalint.cli.arguments.grammar import COMMANDS, command_line
from coalint.cli.arguments.other_names import _COMMANDS, _NAMES
from coalint.cli.main import main

KERNEL = "__global__ void k(float *a) { a[32 * threadIdx.x] = 0; }\n"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("coalint: error: ")
    assert err.count("\n") == 1
    return err.removeprefix("coalint: error: ").rstrip()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("lint --format json a.cu", "`coalint lint` has no option `--format`; coalint calls it `--output-format`"),
        ("lint --output-formt=json", "`coalint lint` has no option `--output-formt`; did you mean `--output-format`?"),
        ("lint --disable COA101", "`coalint lint` has no option `--disable`; coalint calls it `--ignore`"),
        ("inspect --gpu-architecture=sm_90 a.cu", ("`coalint inspect` has no option `--gpu-architecture`; "
         "coalint calls it `--arch`")),
        ("lint --explain COA101", "`coalint lint` has no option `--explain`; `coalint rule` does that"),
        ("inspect --fail-on error a.cu", ("`coalint inspect` has no option `--fail-on`; only other commands have it: "
         "`coalint lint`")),
        ("rule --format", "`coalint rule` has no option `--format`; `coalint rule --help` lists the options"),
        ("lint -Wall a.cu", ("`coalint lint` has no option `-Wall`; `coalint lint --help` lists the options, "
         "and arguments for clang go after `--`")),
        ("show a.cu:1 b.cu:2", "unexpected argument `b.cu:2`; `coalint show --help` shows what it takes"),
        ("--foo", "`coalint` has no option `--foo`; `coalint --help` lists the options"),
        ("lnt", "there is no command `lnt`; did you mean `coalint lint`?"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_answered_with_one_of_the_same_command(
    words: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, *words.split()) == expected


def test_every_name_of_others_leads_to_an_option_or_command_that_there_is() -> None:
    (commands,) = (action for action in command_line()._actions if isinstance(action, argparse._SubParsersAction))
    options = {option for parser in commands.choices.values() for option in parser._option_string_actions}
    assert set(_NAMES) <= options
    for command in _COMMANDS.values():
        assert command.split()[1] in COMMANDS
    others = [name for names in (*_NAMES.values(), *_COMMANDS) for name in names.split()]
    assert len(others) == len(set(others))
    lint = set(commands.choices["lint"]._option_string_actions)
    assert not {name for own, names in _NAMES.items() if own in lint for name in names.split()} & lint


def test_coalint_alone_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out.startswith("usage: coalint ")
    assert "\nexamples:\n" in out
    assert err == ""


def test_lint_alone_means_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    monkeypatch.chdir(tmp_path)
    assert main(["lint", "--output-format=concise"]) == 1
    assert capsys.readouterr().out.startswith("k.cu:1:31: ")


@pytest.mark.parametrize("command", ["verify", "show"])
def test_help_calls_the_source_what_the_usage_calls_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    out = capsys.readouterr().out
    name = {"verify": "SOURCE", "show": "FILE:LINE[:COLUMN]"}[command]
    assert name in out.splitlines()[0]
    assert f"positional arguments:\n  {name} " in out
    assert "PATH" not in out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["--assume", "blockDim.x =="],
            "--assume: `blockDim.x ==` is not a complete C expression: write equalities such as",
        ),
        (["--assume", ""], "--assume: `` is empty: write equalities such as `blockDim.x == 256 &&"),
        (["-std=c++27"], "the flag `-std=c++27` is not passed to libclang: it is no C++ standard that libclang knows"),
    ],
)
def test_a_wrong_value_has_a_reason_and_no_report_before_it(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    assert main(["lint", str(tmp_path / "k.cu"), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"coalint: error: {expected}")
