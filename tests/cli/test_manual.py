"""What helps at the prompt: `--help` at 80 columns with examples that are right, and completion by the shell."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from coalint.cli.arguments.grammar import COMMANDS, SHELLS
from coalint.cli.arguments.manual import OVERVIEW, PAGES
from coalint.cli.arguments.parsing import parse
from coalint.cli.main import main


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--help"])
    assert stop.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_terminal_and_has_all_parts(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = shown(capsys, *command.split())
    assert [line for line in text.splitlines() if len(line) > 80] == []
    positions = [text.find(part) for part in ("usage: coalint", "\n\n", "\noptions:", "\nexamples:", "\nexit codes:")]
    assert -1 not in positions
    assert positions == sorted(positions)
    assert "\x1b" not in text


@pytest.mark.parametrize("epilog", [OVERVIEW.epilog, *(page.epilog for page in PAGES.values())])
def test_every_example_is_a_right_command_line(epilog: str) -> None:
    lines = [line.strip() for line in epilog.splitlines() if line.startswith("  coalint ")]
    examples = [re.split(r"\s{3,}| > ", line)[0] for line in lines if "COMMAND" not in line]
    assert examples
    for example in examples:
        assert parse(shlex.split(example)[1:]).command in COMMANDS


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    complete = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_coalint; echo "${COMPREPLY[@]}"'
    bash = [shutil.which("bash") or "bash", "-c", complete, "bash", str(script), "coalint", *words]
    return subprocess.run(bash, capture_output=True, text=True, check=True, cwd=script.parent).stdout.split()


def test_bash_completes_commands_options_values_rules_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(capsys.readouterr().out)
    (tmp_path / "kernel.cu").write_text("")
    assert completed(script, "ins") == ["inspect"]
    assert completed(script, "lint", "--output-f") == ["--output-format"]
    assert completed(script, "lint", "--output-format", "sa") == ["sarif"]
    assert completed(script, "lint", "--fail-on", "") == ["info", "warning", "error"]
    assert completed(script, "lint", "--select", "COA10")[0] == "COA101"
    assert completed(script, "rule", "unp") == ["unpadded-tile-column"]
    assert completed(script, "lint", "ker") == ["kernel.cu"]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in ("coalint", "explain-compile", "sarif", "unpadded-tile-column"):
        assert word in script
