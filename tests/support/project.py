"""A folder of sources, and coalint's own command run in it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from coalint.cli.main import main
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

SHARED = "COALINT_TESTS_SHARED"
"""The variable that names a folder for what all processes of a test run share."""

STRIDED = """\
__global__ void k(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[8 * i];
}
void run(float *a) { k<<<4, 256>>>(a, a); }
"""


def program(*names: str, package: str) -> str:
    """Where the first of these programs is; the test is skipped, and says what to install, where there is none.

    `package` names Debian's packages, or `pip install NAME` for a program that PyPI has: beside this Python, too.
    """
    folders = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    found = next((path for name in names if (path := shutil.which(name, path=folders)) is not None), None)
    if found is None:
        how = package if package.startswith("pip ") else f"on Debian: apt-get install {package}"
        pytest.skip(f"no {names[0]}: install it ({how})")
    return found


def shared_headers() -> str:
    """A folder of precompiled headers for `load` and `Job`: it changes what a test costs, never what is found.

    All processes of a run share it. What that rests on is held by test_precompiled.py, for all fixtures.
    """
    return os.path.join(os.environ[SHARED], "headers")


@cache
def warm_up() -> None:
    """Check a small file in this process, so that not each process that a test forks makes what one makes once."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "k.cu"
        source.write_text(STRIDED)
        check_file(Source(str(source)), Job((), architecture("sm_80"), load_rules().rules, headers=shared_headers()))


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def places(self) -> list[tuple[str, str, int]]:
        """File, code and line of each place of each finding of a report in JSON."""
        return [(at["file"], d["code"], at["line"]) for d in self.report["diagnostics"] for at in d["places"]]

    @property
    def codes(self) -> list[str]:
        return [code for _, code, _ in self.places]


@dataclass(frozen=True)
class Project:
    """The working directory."""

    root: Path
    capsys: pytest.CaptureFixture[str]

    def put(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def coalint(self, *arguments: str) -> Done:
        warm_up()
        self.capsys.readouterr()
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else -1
        out, err = self.capsys.readouterr()
        return Done(code, out, err)

    def lint(self, *arguments: str) -> Done:
        """A report in JSON of all that is found."""
        return self.coalint("lint", "--output-format=json", *arguments)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Project:
    """An empty folder."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Project(root, capsys)
