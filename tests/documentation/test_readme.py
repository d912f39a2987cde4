"""The README: its first screen is one, its links are addresses of what there is, and its commands run as written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from checkout import checkout, link_dependencies

from coalint.cli.arguments.parsing import parse
from coalint.core.addresses import REPOSITORY, SITE

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN = TEXT.partition("\n## ")[0]
RAW = REPOSITORY.replace("https://github.com/", "https://raw.githubusercontent.com/")


def blocks(text: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_first_screen_has_a_picture_two_commands_and_what_the_numbers_mean() -> None:
    assert len(FIRST_SCREEN.splitlines()) < 30
    assert len(re.findall(r"^!\[", FIRST_SCREEN, re.MULTILINE)) == 1
    (commands,) = blocks(FIRST_SCREEN)
    assert commands == "pip install coalint\ncoalint lint transpose.cu\n"
    for term in ("**request**", "**sectors**", "**banks**", "**wavefronts**"):
        assert term in FIRST_SCREEN


def test_the_example_is_one_short_file_with_one_finding() -> None:
    example = (ROOT / "docs" / "transpose.cu").read_text(encoding="utf-8")
    said = re.search(r"has (\d+) lines and one finding", FIRST_SCREEN)
    assert said is not None
    assert int(said[1]) == len(example.splitlines()) <= 20


def test_links_and_pictures_are_whole_addresses_of_what_there_is() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", TEXT)
    assert len(links) > 30
    for link in links:
        assert link.startswith("https://"), link
        page = link.partition("#")[0]
        if page.startswith(SITE):
            name = page.removeprefix(SITE).rstrip("/") or "index"
            assert (ROOT / "docs" / f"{name}.md").is_file() or (ROOT / "docs" / name).is_file(), link
        else:
            found = re.fullmatch(rf"(?:{re.escape(REPOSITORY)}/(?:blob|tree)|{re.escape(RAW)})/main/(.+)", page)
            assert found is not None, link
            assert (ROOT / found[1]).exists(), link


def test_every_command_of_the_page_is_one_that_coalint_takes() -> None:
    commands = re.findall(r"(?:^|`)coalint ([^`\n]+)", TEXT, re.MULTILINE)
    assert len(commands) > 8
    for command in commands:
        parse(shlex.split(command))


@pytest.mark.slow
def test_the_first_commands_run_in_a_fresh_environment(tmp_path: Path) -> None:
    source = checkout(tmp_path / "checkout")
    venv.create(tmp_path / "venv", with_pip=False)
    (site,) = tmp_path.glob("venv/lib/python*/site-packages")
    link_dependencies(site)  # pip and what coalint depends on; not coalint
    (tmp_path / "transpose.cu").write_bytes((ROOT / "docs" / "transpose.cu").read_bytes())
    (commands,) = blocks(FIRST_SCREEN)
    install, lint = commands.splitlines()
    environment = {**os.environ, "PATH": f"{tmp_path}/venv/bin{os.pathsep}{os.environ['PATH']}"}
    # Not from the index, where it is another version or none.
    own = install.replace("coalint", f"--quiet --no-deps --no-build-isolation {shlex.quote(str(source))}")
    own = own.replace("pip ", "python -m pip ", 1)
    subprocess.run(own, shell=True, cwd=tmp_path, env=environment, check=True)
    done = subprocess.run(lint, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "transpose.cu:7" in done.stdout
    assert "1 warning in 1 file" in done.stdout
    assert sys.prefix not in done.stderr


def test_the_picture_is_of_the_example_and_its_finding() -> None:
    picture = (ROOT / "docs" / "report.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    assert "$ coalint lint transpose.cu" in picture
    assert "warning[swapped-thread-axes]" in picture
    assert "1 warning" in picture
