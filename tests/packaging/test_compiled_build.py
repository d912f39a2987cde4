"""A build with compiled modules, from sources to findings: of one package and the helper, since all take minutes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from backend import MYPYC, get_requires_for_build_wheel
from checkout import ROOT, checkout, link_dependencies
from commands import CONFIG, VARIABLE, asked, options
from project import program
from setuptools import build_meta

COMPILED = "machine,helper"
LINTED = ("aos-field-access", "shared-bank-conflict")


def pip(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program("gcc", package="gcc")
    source = checkout(tmp_path_factory.mktemp("compiled") / "checkout")
    out = source / "dist"
    done = pip(
        *("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(source)),
        COALINT_COMPILE=COMPILED,
        COALINT_OPT_LEVEL="0",
        CFLAGS="-O0",
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    environment = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    site = next(environment.glob("lib/python*/site-packages"))
    link_dependencies(site)
    with zipfile.ZipFile(wheel) as held:
        held.extractall(site)
    return environment / "bin" / "python"


def lint(python: Path, folder: Path, name: str, **environment: str) -> Any:
    """The report on some fixtures, with a cache that is new: all files share its precompiled header."""
    folders = [str(ROOT / "fixtures" / fixture) for fixture in LINTED]
    command = [str(python), "-m", "coalint", "lint", "--output-format", "json", *folders]
    environment = {**os.environ, **environment, "COALINT_CACHE_DIR": str(folder / name)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    report.pop("seconds", None)
    return report


@pytest.mark.slow
def test_the_wheel_is_one_of_its_platform_and_holds_the_sources_too(wheel: Path) -> None:
    assert not wheel.name.endswith("-none-any.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "coalint/machine/traffic.py" in names
    for module in ("machine/traffic", "frontend/cuda/libclang/helper"):
        assert any(name.startswith(f"coalint/{module}.") and name.endswith(".so") for name in names)
    assert not any(name.startswith("coalint/analysis/") and name.endswith(".so") for name in names)


@pytest.mark.slow
def test_compiled_modules_are_loaded_unless_the_environment_says_otherwise(python: Path, tmp_path: Path) -> None:
    code = "import coalint.machine.traffic as t; print(t.__file__.rpartition('.')[2])\n"
    code += "from coalint.frontend.cuda.libclang.compiled import HELPER; print(HELPER is not None)"
    for value, suffix in (("", "so\nTrue"), ("1", "py\nFalse")):
        environment = {**os.environ, "COALINT_PURE": value}
        done = subprocess.run([python, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout.strip() == suffix, done.stderr


@pytest.mark.slow
def test_findings_are_the_same_with_and_without_compiled_modules(python: Path, tmp_path: Path) -> None:
    assert lint(python, tmp_path, "compiled") == lint(python, tmp_path, "pure", COALINT_PURE="1")


@pytest.mark.parametrize(
    ("value", "packages"),
    [
        ("", ()),
        ("0", ()),
        ("machine,core", ("machine", "core")),
        ("helper", ("helper",)),
        ("1", ("analysis", "core", "frontend", "machine", "helper")),
    ],
)
def test_the_environment_names_what_is_compiled(
    value: str, packages: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert asked() == packages
    assert bool(options()) == bool(packages)


def test_what_cannot_be_compiled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "reporters")
    with pytest.raises(
        SystemExit, match="COALINT_COMPILE: reporters is none of 0, 1, analysis, core, frontend, machine, helper"
    ):
        asked()


def test_only_a_compiled_build_asks_for_a_compiler_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(build_meta, "get_requires_for_build_wheel", lambda _: [])
    monkeypatch.delenv(VARIABLE, raising=False)
    assert get_requires_for_build_wheel() == []
    monkeypatch.setenv(VARIABLE, "helper")
    assert get_requires_for_build_wheel() == []
    monkeypatch.setenv(VARIABLE, "1")
    assert get_requires_for_build_wheel() == [MYPYC]


def test_no_types_of_installed_packages_are_read(tmp_path: Path) -> None:
    """With numpy installed, `np.where` of three values was taken for its first form, which gives a tuple."""
    (tmp_path / "uses.py").write_text("import numpy\nimport sympy\nreveal_type(numpy.where)\nreveal_type(sympy.Add)\n")
    command = [sys.executable, "-m", "mypy", f"--config-file={CONFIG}", "uses.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.count('Revealed type is "Any"') == 2, done.stdout + done.stderr
