"""The extension for Visual Studio Code: its manifest fits coalint, it is packaged, and it talks to a real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from project import program

from coalint.cli.server.code_actions import FIX_ALL
from coalint.core.addresses import REPOSITORY, page

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def test_the_manifest_has_coalint_s_addresses_and_languages() -> None:
    assert MANIFEST["homepage"] == page("editors")
    assert MANIFEST["repository"]["url"] == f"{REPOSITORY}.git"
    assert MANIFEST["license"] == "Apache-2.0"
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    (language,) = MANIFEST["contributes"]["languages"]
    assert language["extensions"] == [".cu", ".cuh"]


def test_a_workspace_that_is_not_trusted_names_no_command_to_run() -> None:
    assert MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] == ["coalint.command"]


def test_the_kind_of_fixes_on_saving_is_the_server_s() -> None:
    for text in (FOLDER / "README.md", ROOT / "docs" / "editors.md"):
        assert set(re.findall(r"source\.fixAll\.\w+", text.read_text(encoding="utf-8"))) == {FIX_ALL}


@pytest.mark.slow
def test_it_is_packaged_and_talks_to_a_real_server(tmp_path: Path) -> None:
    npm = program("npm", package="nodejs npm")
    folder = tmp_path / "vscode"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    command = json.dumps([sys.executable, "-m", "coalint"])
    environment = {**os.environ, "COALINT_COMMAND": command}
    for words in (["install", "--no-audit", "--no-fund"], ["run", "package"], ["test"]):
        done = subprocess.run([npm, *words], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    (package,) = folder.glob("coalint-*.vsix")
    held = {name for name in zipfile.ZipFile(package).namelist() if name.startswith("extension/")}
    files = {"dist/extension.js", "package.json", "readme.md", "LICENSE.txt"}
    assert held == {f"extension/{name}" for name in files}
